"""Whatever happens to senders and the database: no reader gets a campaign twice, and every count adds up.

Senders are killed with mails in their hands, lose the database before and after their results, and run on
while claims end, admins pause and resume, and readers leave. No mail of the outbox is lost.
"""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from newsletter.campaigns import sender as campaign_sender
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.tests.factories import CampaignFactory, send_now
from newsletter.models import Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.models import MailPriority, MailState, OutboxEmail
from sailing.mail.queue import CLAIM_LIFETIME, OutboxQueue
from sailing.mail.replies import DeliveryResult
from sailing.mail.transport import DeliveryAttempt
from tests.mailbox import create_mail

READERS, SENDERS = 6, 2
START = timezone.now().replace(microsecond=0)
RESULTS = st.sampled_from(
    [DeliveryResult.ACCEPTED] * 3
    + [
        DeliveryResult.REFUSED,
        DeliveryResult.POSTPONED,
        DeliveryResult.INTERRUPTED,
        DeliveryResult.UNKNOWN,
        DeliveryResult.NOT_TRIED,
    ]
)


class HeldMails:
    """The queues of a sender, and what it has claimed and not recorded yet."""

    def __init__(self) -> None:
        self.queues: list[Any] = [OutboxQueue(MailPriority.NORMAL), CampaignQueue()]
        self.claimed: list[tuple[Any, Any]] = []
        self.unrecorded: list[tuple[Any, DeliveryAttempt]] = []


class Sending(RuleBasedStateMachine):
    """One campaign and one mail of the outbox, sent by several senders."""

    @initialize()
    def begin(self) -> None:
        self.clock = time_machine.travel(START, tick=False)
        self.now = self.clock.start()
        self.accepted: Counter[str] = Counter()
        self.has_been_killed = False
        self.campaign = CampaignFactory(name="Regatta")
        for number in range(READERS):
            SubscriptionFactory(email=f"reader{number}@example.com", confirmed=True)
        create_mail(recipient="member@example.com")
        send_now(self.campaign)
        self.senders = [HeldMails() for _number in range(SENDERS)]

    @rule(number=st.integers(0, SENDERS - 1), limit=st.integers(0, 3))
    def claim(self, number: int, limit: int) -> None:
        sender = self.senders[number]
        unsubscribed = set(Subscription.objects.filter(is_active=False).values_list("email", flat=True))
        for queue in sender.queues:
            mails = queue.claim(limit)
            assert not unsubscribed & {mail.recipient for mail in mails}, "mailed without consent"
            sender.claimed += [(queue, mail) for mail in mails]

    @rule(number=st.integers(0, SENDERS - 1), result=RESULTS)
    def deliver(self, number: int, result: DeliveryResult) -> None:
        sender = self.senders[number]
        if not sender.claimed:
            return
        queue, mail = sender.claimed.pop(0)
        self.accepted[mail.recipient] += result is DeliveryResult.ACCEPTED
        sender.unrecorded.append((queue, DeliveryAttempt(mail, result, "451 later")))

    @rule(number=st.integers(0, SENDERS - 1), is_answer_lost=st.booleans())
    def record(self, number: int, is_answer_lost: bool) -> None:
        """Record what is known; if the answer of the database is lost, it is recorded again later."""
        sender = self.senders[number]
        for queue in sender.queues:
            queue.record([attempt for each, attempt in sender.unrecorded if each is queue])
        if not is_answer_lost:
            sender.unrecorded.clear()

    @rule(number=st.integers(0, SENDERS - 1))
    def kill(self, number: int) -> None:
        self.has_been_killed |= bool(self.senders[number].unrecorded)
        self.senders[number] = HeldMails()

    @rule(minutes=st.sampled_from([1, 6, 90]))
    def wait(self, minutes: int) -> None:
        """Let time pass; a sender that is alive has recorded its results before its claims end."""
        for number in range(SENDERS):
            self.record(number, is_answer_lost=False)
        self.now.shift(timedelta(minutes=minutes))

    @rule()
    def pause(self) -> None:
        Campaign.objects.filter(state=CampaignState.SENDING).update(state=CampaignState.PAUSED)

    @rule()
    def resume(self) -> None:
        Campaign.objects.filter(state=CampaignState.PAUSED).update(state=CampaignState.SENDING)

    @rule(number=st.integers(0, READERS - 1))
    def leave(self, number: int) -> None:
        Subscription.objects.filter(email=f"reader{number}@example.com").update(
            is_active=False, unsubscribed_at=timezone.now()
        )

    @precondition(lambda self: hasattr(self, "accepted"))
    @invariant()
    def nobody_has_it_twice(self) -> None:
        assert all(count <= 1 for email, count in self.accepted.items() if email.startswith("reader"))
        if not self.has_been_killed:
            assert self.accepted["member@example.com"] <= 1

    def teardown(self) -> None:
        if not hasattr(self, "accepted"):
            return
        try:
            self.finish()
        finally:
            self.clock.stop()
            for model in (Delivery, Campaign, Subscription, OutboxEmail):
                model._default_manager.all().delete()

    def finish(self) -> None:
        """Let every sender end, and a last one send what is left."""
        for sender in self.senders:
            for queue, mail in sender.claimed:  # handed back when a sender stops
                sender.unrecorded.append((queue, DeliveryAttempt(mail, DeliveryResult.NOT_TRIED)))
            sender.claimed.clear()
        self.resume()
        for _round in range(60):
            self.wait(6)
            self.now.shift(timedelta(hours=2))
            self.claim(0, READERS)
            while self.senders[0].claimed:
                self.deliver(0, DeliveryResult.ACCEPTED)
            self.record(0, is_answer_lost=False)
            self.nobody_has_it_twice()
            if Campaign.objects.filter(state=CampaignState.SENT).exists():
                break
        states = dict(Delivery.objects.values_list("subscription__email", "state"))
        assert len(states) == Campaign.objects.get().recipient_count
        for email, state in states.items():
            if state == DeliveryState.SENT:
                assert self.accepted[email] == 1
            elif state == DeliveryState.UNKNOWN:
                assert self.accepted[email] <= 1
            else:
                assert state in (DeliveryState.FAILED, DeliveryState.SKIPPED)
                assert not self.accepted[email]
        member = OutboxEmail.objects.get()
        assert member.state == (MailState.SENT if self.accepted[member.recipient] else MailState.FAILED)


@pytest.mark.django_db(transaction=True)
def test_sending_survives_every_order_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SEARCH_SECONDS", "SWEEP_SECONDS"):  # which the stopped clock does not count
        monkeypatch.setattr(campaign_sender, name, 0.0)
    assert timedelta(minutes=6) > CLAIM_LIFETIME
    run_state_machine_as_test(
        Sending, settings=hypothesis_settings(max_examples=15, stateful_step_count=20, deadline=None)
    )
