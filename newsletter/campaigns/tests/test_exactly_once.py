"""Whatever happens to senders and the database: no reader gets a campaign twice, and every count adds up.

Senders are killed with mails in their hands, lose the database before and after their results, and run on
while claims end, admins pause and resume, and readers leave. No mail of the outbox is lost.
"""

from collections import Counter
from contextlib import nullcontext, suppress
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import OperationalError
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
from sailing.mail.outbox import CLAIM_LIFETIME, OutboxQueue
from sailing.mail.transport import DeliveryAttempt, DeliveryResult
from tests.database import failing_database
from tests.mailbox import create_mail

READERS, CAMPAIGNS, SENDERS = 3, 2, 2
START = timezone.now().replace(microsecond=0)
NUMBERS = st.integers(0, SENDERS - 1)
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
    """Two campaigns and one mail of the outbox, sent by several senders."""

    @initialize()
    def begin(self) -> None:
        self.clock = time_machine.travel(START, tick=False)
        self.now = self.clock.start()
        self.accepted: Counter[Any] = Counter()
        self.may_be_unknown: set[Any] = set()
        for number in range(READERS):
            SubscriptionFactory(email=f"reader{number}@example.com", confirmed=True)
        create_mail(recipient="member@example.com")
        for _campaign in range(CAMPAIGNS):
            send_now(CampaignFactory())
        self.senders = [HeldMails() for _number in range(SENDERS)]

    @rule(number=NUMBERS, limit=st.integers(0, 2 * READERS), statements=st.none() | st.integers(10, 50))
    def claim(self, number: int, limit: int, statements: int | None = None) -> None:
        """Claim mails; the database may become unavailable after a number of statements."""
        sender = self.senders[number]
        unsubscribed = set(Subscription.objects.filter(is_active=False).values_list("email", flat=True))
        outage = nullcontext() if statements is None else failing_database(after=statements)
        with suppress(OperationalError), outage:
            for queue in sender.queues:
                mails = queue.claim(limit)
                assert not unsubscribed & {mail.recipient for mail in mails}, "mailed without consent"
                sender.claimed += [(queue, mail) for mail in mails]

    @rule(number=NUMBERS, result=RESULTS)
    def deliver(self, number: int, result: DeliveryResult) -> None:
        sender = self.senders[number]
        if not sender.claimed:
            return
        queue, mail = sender.claimed.pop(0)
        self.accepted[key(mail)] += result is DeliveryResult.ACCEPTED
        if result is DeliveryResult.UNKNOWN:
            self.may_be_unknown.add(key(mail))
        sender.unrecorded.append((queue, DeliveryAttempt(mail, result, "451 later")))

    @rule(number=NUMBERS, is_answer_lost=st.booleans())
    def record(self, number: int, is_answer_lost: bool) -> None:
        """Record what is known; if the answer of the database is lost, it is recorded again later."""
        sender = self.senders[number]
        for queue in sender.queues:
            queue.record([attempt for each, attempt in sender.unrecorded if each is queue])
        if not is_answer_lost:
            sender.unrecorded.clear()

    @rule(number=NUMBERS)
    def kill(self, number: int) -> None:
        """Forget what a sender holds, even the claims of which the database has not told it."""
        self._doubt_what_is_claimed()
        self.may_be_unknown |= {key(each.mail) for _queue, each in self.senders[number].unrecorded}
        self.senders[number] = HeldMails()

    @rule(number=NUMBERS)
    def stop(self, number: int) -> None:
        """End a sender, which hands back what it has not started."""
        sender = self.senders[number]
        for queue, mail in sender.claimed:
            sender.unrecorded.append((queue, DeliveryAttempt(mail, DeliveryResult.NOT_TRIED)))
        self.record(number, is_answer_lost=False)
        self.senders[number] = HeldMails()

    @rule(minutes=st.sampled_from([1, 6, 90]))
    def wait(self, minutes: int) -> None:
        """Let time pass; a sender that is alive has recorded its results before its claims end."""
        for number in range(SENDERS):
            self.record(number, is_answer_lost=False)
        if timedelta(minutes=minutes) > CLAIM_LIFETIME:
            self._doubt_what_is_claimed()
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
        repeated = {each for each, count in self.accepted.items() if count > 1}
        # A mail of the outbox may come twice from a sender that was killed.
        assert all(model is OutboxEmail and (model, pk) in self.may_be_unknown for model, pk in repeated)

    def _doubt_what_is_claimed(self) -> None:
        claimed = Delivery.objects.filter(state=DeliveryState.SENDING)
        self.may_be_unknown |= {(Delivery, pk) for pk in claimed.values_list("pk", flat=True)}

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
        for number in range(SENDERS):
            self.stop(number)
        self.resume()
        for _round in range(60):
            self.wait(6)
            self.now.shift(timedelta(hours=2))
            self.claim(0, CAMPAIGNS * READERS)
            while self.senders[0].claimed:
                self.deliver(0, DeliveryResult.ACCEPTED)
            self.record(0, is_answer_lost=False)
            self.nobody_has_it_twice()
            if Campaign.objects.filter(state=CampaignState.SENT).count() == CAMPAIGNS:
                break
        for campaign in Campaign.objects.all():
            assert campaign.deliveries.count() == campaign.recipient_count
        for pk, state in Delivery.objects.values_list("pk", "state"):
            count = self.accepted[Delivery, pk]
            if state == DeliveryState.SENT:
                assert count == 1
            elif state == DeliveryState.UNKNOWN:
                assert (Delivery, pk) in self.may_be_unknown
            else:
                assert state in (DeliveryState.FAILED, DeliveryState.SKIPPED)
                assert not count
        member = OutboxEmail.objects.get()
        is_sent = self.accepted[OutboxEmail, member.pk]
        assert member.state == (MailState.SENT if is_sent else MailState.FAILED)


def key(mail: Any) -> tuple[Any, int]:
    return OutboxEmail if isinstance(mail, OutboxEmail) else Delivery, mail.pk


@pytest.mark.django_db(transaction=True)
def test_sending_survives_every_order_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SEARCH_SECONDS", "SWEEP_SECONDS"):  # which the stopped clock does not count
        monkeypatch.setattr(campaign_sender, name, 0.0)
    assert timedelta(minutes=6) > CLAIM_LIFETIME
    run_state_machine_as_test(
        Sending, settings=hypothesis_settings(max_examples=25, stateful_step_count=20, deadline=None)
    )
