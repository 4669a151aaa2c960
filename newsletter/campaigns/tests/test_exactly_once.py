"""Whatever happens to senders and the database: no reader gets a campaign twice, and every count adds up.

Senders are killed with mails in their hands, lose the database before and after their results, and run on
while claims end, admins pause and resume, and readers leave.
"""

from collections import Counter
from contextlib import nullcontext, suppress
from datetime import timedelta

import pytest
import time_machine
from django.db import OperationalError
from django.utils import timezone
from hypothesis import settings as hypothesis_settings
from hypothesis import stateful
from hypothesis import strategies as st

from newsletter.campaigns import sender as campaign_sender
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState
from newsletter.campaigns.sender import CampaignMail, CampaignQueue
from newsletter.campaigns.tests.factories import CampaignFactory, send_now
from newsletter.models import Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.outbox import CLAIM_LIFETIME
from sailing.mail.transport import DeliveryAttempt, DeliveryResult
from tests.database import failing_database

READERS, CAMPAIGNS, SENDERS = 3, 2, 2
START = timezone.now().replace(microsecond=0)
NUMBERS, LIMITS = st.integers(0, SENDERS - 1), st.integers(0, 2 * READERS)
RESULTS = st.sampled_from([*[DeliveryResult.ACCEPTED] * 3, *DeliveryResult])


class HeldMails:
    """The queue of a sender, and what it has claimed and not recorded yet."""

    def __init__(self) -> None:
        self.queue = CampaignQueue()
        self.claimed: list[CampaignMail] = []
        self.unrecorded: list[DeliveryAttempt] = []


class Sending(stateful.RuleBasedStateMachine):
    """Two campaigns, sent by several senders."""

    @stateful.initialize()
    def begin(self) -> None:
        self.clock = time_machine.travel(START, tick=False)
        self.now = self.clock.start()
        self.accepted: Counter[int] = Counter()
        self.may_be_unknown: set[int] = set()
        for number in range(READERS):
            SubscriptionFactory(email=f"reader{number}@example.com", confirmed=True)
        for _campaign in range(CAMPAIGNS):
            send_now(CampaignFactory())
        self.senders = [HeldMails() for _number in range(SENDERS)]

    @stateful.rule(number=NUMBERS, limit=LIMITS, statements=st.none() | st.integers(10, 50))
    def claim(self, number: int, limit: int, statements: int | None = None) -> None:
        """Claim mails; the database may become unavailable after a number of statements."""
        sender = self.senders[number]
        unsubscribed = set(Subscription.objects.filter(is_active=False).values_list("email", flat=True))
        outage = nullcontext() if statements is None else failing_database(after=statements)
        with suppress(OperationalError), outage:
            mails = sender.queue.claim(limit)
            assert not unsubscribed & {mail.recipient for mail in mails}, "mailed without consent"
            sender.claimed += mails

    @stateful.rule(number=NUMBERS, result=RESULTS)
    def deliver(self, number: int, result: DeliveryResult) -> None:
        sender = self.senders[number]
        for mail in sender.claimed[:1]:
            self.accepted[mail.pk] += result is DeliveryResult.ACCEPTED
            if result is DeliveryResult.UNKNOWN:
                self.may_be_unknown.add(mail.pk)
            sender.unrecorded.append(DeliveryAttempt(mail, result, "451 later"))
        del sender.claimed[:1]

    @stateful.rule(number=NUMBERS, is_answer_lost=st.booleans())
    def record(self, number: int, is_answer_lost: bool) -> None:
        """Record what is known; if the answer of the database is lost, it is recorded again later."""
        sender = self.senders[number]
        sender.queue.record(sender.unrecorded)
        if not is_answer_lost:
            sender.unrecorded.clear()

    @stateful.rule(number=NUMBERS)
    def kill(self, number: int) -> None:
        """Forget what a sender holds, even the claims of which the database has not told it."""
        self._doubt_what_is_claimed()
        self.may_be_unknown |= {each.mail.pk for each in self.senders[number].unrecorded}
        self.senders[number] = HeldMails()

    @stateful.rule(number=NUMBERS)
    def stop(self, number: int) -> None:
        """End a sender, which hands back what it has not started."""
        sender = self.senders[number]
        not_tried = [DeliveryAttempt(mail, DeliveryResult.NOT_TRIED) for mail in sender.claimed]
        sender.unrecorded += not_tried
        self.record(number, is_answer_lost=False)
        self.senders[number] = HeldMails()

    @stateful.rule(minutes=st.sampled_from([1, 6, 90]))
    def wait(self, minutes: int) -> None:
        """Let time pass; a sender that is alive has recorded its results before its claims end."""
        for number in range(SENDERS):
            self.record(number, is_answer_lost=False)
        if timedelta(minutes=minutes) > CLAIM_LIFETIME:
            self._doubt_what_is_claimed()
        self.now.shift(timedelta(minutes=minutes))

    @stateful.rule(before=st.sampled_from([CampaignState.SENDING, CampaignState.PAUSED]))
    def pause_or_resume(self, before: CampaignState) -> None:
        after = {CampaignState.SENDING: CampaignState.PAUSED, CampaignState.PAUSED: CampaignState.SENDING}
        Campaign.objects.filter(state=before).update(state=after[before])

    @stateful.rule(number=st.integers(0, READERS - 1))
    def leave(self, number: int) -> None:
        reader = Subscription.objects.filter(email=f"reader{number}@example.com")
        reader.update(is_active=False, unsubscribed_at=timezone.now())

    @stateful.precondition(lambda self: hasattr(self, "accepted"))
    @stateful.invariant()
    def nobody_has_it_twice(self) -> None:
        assert all(count <= 1 for count in self.accepted.values())

    def _doubt_what_is_claimed(self) -> None:
        claimed = Delivery.objects.filter(state=DeliveryState.SENDING)
        self.may_be_unknown |= set(claimed.values_list("pk", flat=True))

    def teardown(self) -> None:
        if not hasattr(self, "accepted"):
            return
        try:
            self.finish()
        finally:
            self.clock.stop()
            for model in (Delivery, Campaign, Subscription):
                model._default_manager.all().delete()

    def finish(self) -> None:
        """Let every sender end, and a last one send what is left."""
        for number in range(SENDERS):
            self.stop(number)
        self.pause_or_resume(CampaignState.PAUSED)
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
            if state == DeliveryState.UNKNOWN:
                assert pk in self.may_be_unknown
            else:
                assert state in (DeliveryState.SENT, DeliveryState.FAILED, DeliveryState.SKIPPED)
                assert self.accepted[pk] == (state == DeliveryState.SENT)


@pytest.mark.django_db(transaction=True)
def test_sending_survives_every_order_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SEARCH_SECONDS", "SWEEP_SECONDS"):  # which the stopped clock does not count
        monkeypatch.setattr(campaign_sender, name, 0.0)
    assert timedelta(minutes=6) > CLAIM_LIFETIME
    stateful.run_state_machine_as_test(
        Sending, settings=hypothesis_settings(max_examples=12, stateful_step_count=20, deadline=None)
    )
