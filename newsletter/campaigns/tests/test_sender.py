"""Sending: each recipient gets one mail, in their language, whatever happens to senders and the database."""

import itertools
import json
import time
from collections import Counter
from contextlib import nullcontext, suppress
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.db import IntegrityError, OperationalError, connection
from django.utils import timezone
from hypothesis import settings as hypothesis_settings
from hypothesis import stateful
from hypothesis import strategies as st
from pytest_django import Settings

from newsletter import tokens
from newsletter.campaigns import sender
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState, SkipReason
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory, send_now, start_campaign
from newsletter.campaigns.watches import measure_stall
from newsletter.models import State, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.outbox import CLAIM_LIFETIME
from sailing.mail.transport import DeliveryAttempt, DeliveryResult
from tests.database import failing_database
from tests.mail_server import MailServer
from tests.mailbox import read, send_pending

pytestmark = pytest.mark.django_db(transaction=True)

WAITING, SENDING, SENT = DeliveryState.WAITING, DeliveryState.SENDING, DeliveryState.SENT
SKIPPED, FAILED, UNKNOWN = DeliveryState.SKIPPED, DeliveryState.FAILED, DeliveryState.UNKNOWN
HOUR = timedelta(hours=1)


@pytest.fixture
def clock(frozen_clock: None, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Stop the clocks; the returned one is `time.monotonic`."""
    found = SimpleNamespace(now=1000.0)
    monkeypatch.setattr(time, "monotonic", lambda: found.now)
    return found


@pytest.fixture
def campaign() -> Campaign:
    return start_campaign()


def deliver_to(campaign: Campaign, email: str, **values: Any) -> Delivery:
    subscription = SubscriptionFactory(email=email, confirmed=True, language=values.pop("language", "en"))
    return DeliveryFactory(campaign=campaign, subscription=subscription, **values)


def list_states() -> list[str]:
    return sorted(Delivery.objects.values_list("state", flat=True))


class TestMails:
    def test_each_recipient_gets_one_own_mail(self, campaign: Campaign, server: Any, settings: Any) -> None:
        settings.EMAIL_PROVIDER = "ses"
        counted = campaign.links.create(url="https://sailing.example/regatta")
        campaign.texts.update(body=f"[Races]({counted.url}) [Invite your crew]({{invitation_url}})")
        deliveries = [deliver_to(campaign, "jana@example.com", language="cs")]
        deliveries.append(deliver_to(campaign, "john@example.com"))
        send_pending()
        server.received.sort(key=lambda received: received[0])
        subjects = {addresses[0]: message["Subject"] for addresses, message in server.received}
        assert subjects == {"jana@example.com": "Regata začíná", "john@example.com": "The regatta begins"}
        assert set(list_states()) == {SENT}
        for (_recipients, message), delivery in zip(server.received, deliveries, strict=True):
            assert message["Message-ID"].startswith(f"<{delivery.pk}.{campaign.key}@")
            assert json.loads(message["X-Metadata"]) == {"delivery": f"{delivery.pk}.{campaign.key}"}
            url = message["List-Unsubscribe"].strip(" <>")
            subscription = delivery.subscription
            assert subscription
            assert tokens.read(url.split("/")[-2]) == (subscription.pk, delivery.pk)
            for kind in ("plain", "html"):
                content = read(message, kind)
                assert (content.count(url), content.count(f"{url}#preferences")) == (2, 1)
                assert f"/newsletter?invitation={subscription.pk.hex}" in content
                assert f"http://testserver/newsletter/go/{counted.key}/" in content
                assert counted.url not in content
        assert not CampaignQueue().claim(1)
        campaign.refresh_from_db()
        assert campaign.state == CampaignState.SENT

    def test_consent_is_checked_again_before_the_mail(self, campaign: Campaign) -> None:
        now = timezone.now()
        changes: list[tuple[SkipReason, dict[str, Any]]] = [
            (SkipReason.UNSUBSCRIBED, {"is_active": False, "unsubscribed_at": now}),
            (SkipReason.UNSUBSCRIBED, {"is_active": False}),
            (SkipReason.BOUNCED, {"bounced_at": now}),
            (SkipReason.UNCONFIRMED, {"is_confirmed": False}),
            (SkipReason.UNCONFIRMED, {"asked_again_at": now}),
            (SkipReason.PAUSED, {"paused_until": now + HOUR}),
        ]
        for _reason, values in changes:
            reader = SubscriptionFactory(**{"confirmed": True, **values})
            DeliveryFactory(campaign=campaign, subscription=reader)
        DeliveryFactory(campaign=campaign, subscription=None, language="en")  # erased
        back = SubscriptionFactory(confirmed=True, paused_until=now)
        DeliveryFactory(campaign=campaign, subscription=back)
        assert [mail.recipient for mail in CampaignQueue().claim(20)] == [back.email]
        skipped = Delivery.objects.filter(state=SKIPPED, ended_at__isnull=False).order_by("pk")
        expected = [*(reason for reason, _values in changes), SkipReason.ERASED]
        assert list(skipped.values_list("skip_reason", flat=True)) == expected

    @pytest.mark.parametrize("state", [state for state in CampaignState if state != CampaignState.SENDING])
    def test_nothing_is_started_in_other_states(self, campaign: Campaign, state: CampaignState) -> None:
        DeliveryFactory(campaign=campaign)
        queue = CampaignQueue()
        queue.claim(0)  # it knows the campaign as one that is being sent
        Campaign.objects.update(state=state)
        assert not queue.claim(3)
        assert list_states() == [WAITING]


CANCELED = OperationalError("canceling statement due to statement timeout")
CANCELED.__cause__ = type("QueryCanceled", (Exception,), {"pgcode": "57014"})()


class TestFailures:
    @pytest.mark.parametrize(
        ("work", "error", "is_repeated"),
        [
            ("begins", ValueError(), False),
            ("adds recipients", CANCELED, False),
            ("adds recipients", IntegrityError(), True),  # a reader has just been erased
            ("is rendered", ValueError(), False),
        ],
    )
    def test_campaign_that_fails_stops_no_other_and_is_reported(
        self, campaign: Campaign, clock: SimpleNamespace, work: str, error: Exception, is_repeated: bool
    ) -> None:
        deliver_to(campaign, "jana@example.com")
        hours_ago = timezone.now() - 2 * HOUR
        values: dict[str, dict[str, Any]] = {
            "begins": {"state": CampaignState.SCHEDULED, "scheduled_at": hours_ago + HOUR},
            "adds recipients": {"started_at": hours_ago, "prepared_at": None},
            "is rendered": {"started_at": hours_ago, "prepared_at": hours_ago},
        }
        failing = start_campaign(**values[work])
        if work == "is rendered":
            deliver_to(failing, "john@example.com", next_attempt_at=hours_ago)
        Campaign.objects.filter(pk=failing.pk).update(changed_at=hours_ago)
        failures = []
        fragment = "INTO campaigns_delivery" if "adds" in work else 'FROM "campaigns_campaigntext"'

        def fail(execute: Any, sql: str, params: Any, *arguments: Any) -> Any:
            if fragment in sql and failing.pk in params:
                failures.append(failing.pk)
                raise error
            return execute(sql, params, *arguments)

        queue = CampaignQueue()
        with connection.execute_wrapper(fail):
            assert [mail.recipient for mail in queue.claim(2)] == ["jana@example.com"]
            assert measure_stall() == (3600 if work == "begins" else 7200)
            clock.now += 30
            queue.claim(1)
            assert len(failures) == 1 + is_repeated
            clock.now += 31
            queue.claim(1)
            assert len(failures) == 2 + is_repeated

    @pytest.mark.parametrize("is_stopped", [False, True])
    def test_mails_of_a_claim_that_fails_are_handed_back(self, campaign: Campaign, is_stopped: bool) -> None:
        """The database goes away while the second campaign is claimed, and perhaps the sender ends then."""
        deliver_to(campaign, "jana@example.com")
        deliver_to(start_campaign(), "john@example.com")
        queue, claims = CampaignQueue(), itertools.count()

        def fail_second(execute: Any, sql: str, *arguments: Any) -> Any:
            if sql.startswith('UPDATE "campaigns_delivery"') and next(claims):
                raise OperationalError("unavailable")
            return execute(sql, *arguments)

        with connection.execute_wrapper(fail_second), pytest.raises(OperationalError):
            queue.claim(2)
        assert list_states() == [SENDING, WAITING]
        if is_stopped:
            queue.record([])
            assert set(list_states()) == {WAITING}
        assert len(queue.claim(2)) == 2

    def test_outage_is_blamed_on_no_campaign(self, campaign: Campaign) -> None:
        SubscriptionFactory(confirmed=True)
        Campaign.objects.update(prepared_at=None)
        queue = CampaignQueue()
        with failing_database(after=2), pytest.raises(OperationalError):  # while recipients are added
            queue.claim(1)
        assert len(queue.claim(1)) == 1  # without a pause


class TestRate:
    def test_is_shared_by_all_senders(self, campaign: Campaign, clock: Any, settings: Settings) -> None:
        """Each mail has its own time to start, at most a second ahead."""
        settings.CAMPAIGN_MAILS_PER_SECOND = 3
        DeliveryFactory.create_batch(9, campaign=campaign)
        queues = [CampaignQueue(), CampaignQueue()]
        mails = [mail for queue in (*queues, queues[0]) for mail in queue.claim(2)]
        times = [mail.start_at - clock.now for mail in mails]
        assert times == [pytest.approx(number / 3, abs=1e-3) for number in range(4)]

    def test_leaves_to_a_campaign_what_an_earlier_one_does_not_use(self, campaign: Campaign) -> None:
        DeliveryFactory(campaign=campaign, next_attempt_at=timezone.now() + HOUR)
        later = DeliveryFactory(campaign=start_campaign())
        assert [mail.pk for mail in CampaignQueue().claim(1)] == [later.pk]
        assert not Campaign.objects.filter(state=CampaignState.SENT).exists()


class TestResults:
    @pytest.mark.parametrize(
        ("result", "state"),
        [
            (DeliveryResult.ACCEPTED, SENT),
            (DeliveryResult.REFUSED, FAILED),
            (DeliveryResult.POSTPONED, WAITING),
            (DeliveryResult.UNKNOWN, UNKNOWN),
        ],
    )
    def test_is_recorded_once(self, campaign: Campaign, result: DeliveryResult, state: DeliveryState) -> None:
        first, *_others = DeliveryFactory.create_batch(4, campaign=campaign)
        queue = CampaignQueue()
        mail, _other = queue.claim(2)
        for _time in range(2):
            queue.record([DeliveryAttempt(mail, result, "451 later")])
            first.refresh_from_db()
            assert (first.state, first.attempts) == (state, 1)
        assert (first.ended_at is not None) == (state != WAITING)
        assert len(queue.claim(2)) == 2

    @pytest.mark.usefixtures("frozen_clock")
    def test_of_an_earlier_claim_changes_nothing(self, campaign: Campaign, time_machine: Any) -> None:
        DeliveryFactory(campaign=campaign)
        queue = CampaignQueue()
        postponed = [DeliveryAttempt(mail, DeliveryResult.POSTPONED, "451 later") for mail in queue.claim(1)]
        queue.record(postponed)
        time_machine.shift(HOUR)
        assert len(CampaignQueue().claim(1)) == 1
        queue.record(postponed)  # again, as after a lost answer
        assert list_states() == [SENDING]
        time_machine.shift(CLAIM_LIFETIME)  # that sender is killed
        assert CampaignQueue().claim(1) == []
        assert list_states() == [UNKNOWN]

    def test_address_that_does_not_work_is_bounced(self, campaign: Campaign, server: MailServer) -> None:
        delivery = deliver_to(campaign, "jana@example.com")
        server.replies["RCPT"] = "550 5.1.1 nobody here"
        send_pending()
        delivery.refresh_from_db()
        assert (delivery.state, delivery.last_error[:9]) == (FAILED, "550 5.1.1")
        assert delivery.bounced_at
        subscription = Subscription.objects.get()
        assert subscription.state is State.BOUNCED
        assert subscription.consent_events.get().comment == "550 5.1.1 nobody here"


READERS, CAMPAIGNS, SENDERS = 3, 2, 2
START = timezone.now().replace(microsecond=0)
NUMBERS, LIMITS = st.integers(0, SENDERS - 1), st.integers(0, 2 * READERS)
RESULTS = st.sampled_from([*[DeliveryResult.ACCEPTED] * 3, *DeliveryResult])


class Sending(stateful.RuleBasedStateMachine):
    """Two campaigns, sent by several senders.

    Senders are killed with mails in their hands, lose the database before and after their results, and run on
    while claims end, admins pause and resume, and readers leave.
    """

    def __init__(self) -> None:
        super().__init__()
        self.clock = time_machine.travel(START, tick=False)
        self.now = self.clock.start()
        self.accepted: Counter[int] = Counter()
        self.may_be_unknown: set[int] = set()
        for number in range(READERS):
            SubscriptionFactory(email=f"reader{number}@example.com", confirmed=True)
        for _campaign in range(CAMPAIGNS):
            send_now(CampaignFactory())
        self.senders = [self.begin() for _number in range(SENDERS)]

    def begin(self) -> SimpleNamespace:
        """Return a sender with what it has claimed and not recorded yet."""
        return SimpleNamespace(queue=CampaignQueue(), claimed=[], unrecorded=[])

    @stateful.rule(number=NUMBERS, limit=LIMITS, statements=st.none() | st.integers(10, 50))
    def claim(self, number: int, limit: int, statements: int | None = None) -> None:
        """Claim mails; the database may become unavailable after a number of statements."""
        holder = self.senders[number]
        unsubscribed = set(Subscription.objects.filter(is_active=False).values_list("email", flat=True))
        outage = nullcontext() if statements is None else failing_database(after=statements)
        with suppress(OperationalError), outage:
            mails = holder.queue.claim(limit)
            assert not unsubscribed & {mail.recipient for mail in mails}, "mailed without consent"
            holder.claimed += mails

    @stateful.rule(number=NUMBERS, result=RESULTS)
    def deliver(self, number: int, result: DeliveryResult) -> None:
        holder = self.senders[number]
        for mail in holder.claimed[:1]:
            self.accepted[mail.pk] += result is DeliveryResult.ACCEPTED
            if result is DeliveryResult.UNKNOWN:
                self.may_be_unknown.add(mail.pk)
            holder.unrecorded.append(DeliveryAttempt(mail, result, "451 later"))
        del holder.claimed[:1]

    @stateful.rule(number=NUMBERS, is_answer_lost=st.booleans())
    def record(self, number: int, is_answer_lost: bool) -> None:
        """Record what is known; if the answer of the database is lost, it is recorded again later."""
        holder = self.senders[number]
        holder.queue.record(holder.unrecorded)
        if not is_answer_lost:
            holder.unrecorded.clear()

    @stateful.rule(number=NUMBERS)
    def kill(self, number: int) -> None:
        """Forget what a sender holds, even the claims of which the database has not told it."""
        self._doubt_what_is_claimed()
        self.may_be_unknown |= {each.mail.pk for each in self.senders[number].unrecorded}
        self.senders[number] = self.begin()

    @stateful.rule(number=NUMBERS)
    def stop(self, number: int) -> None:
        holder = self.senders[number]
        holder.unrecorded += [DeliveryAttempt(mail, DeliveryResult.NOT_TRIED) for mail in holder.claimed]
        self.record(number, is_answer_lost=False)
        self.senders[number] = self.begin()

    @stateful.rule(minutes=st.sampled_from([1, 6, 90]))
    def wait(self, minutes: int) -> None:
        """Let time pass; a sender that is alive has recorded its results before its claims end."""
        for number in range(SENDERS):
            self.record(number, is_answer_lost=False)
        if timedelta(minutes=minutes) > CLAIM_LIFETIME:
            self._doubt_what_is_claimed()
        self.now.shift(timedelta(minutes=minutes))

    @stateful.rule(is_paused=st.booleans())
    def pause_or_resume(self, is_paused: bool) -> None:
        states = (CampaignState.SENDING, CampaignState.PAUSED)
        Campaign.objects.filter(state__in=states).update(state=states[is_paused])

    @stateful.rule(number=st.integers(0, READERS - 1))
    def leave(self, number: int) -> None:
        reader = Subscription.objects.filter(email=f"reader{number}@example.com")
        reader.update(is_active=False, unsubscribed_at=timezone.now())

    @stateful.invariant()
    def nobody_has_it_twice(self) -> None:
        assert all(count <= 1 for count in self.accepted.values())

    def _doubt_what_is_claimed(self) -> None:
        claimed = Delivery.objects.filter(state=DeliveryState.SENDING)
        self.may_be_unknown |= set(claimed.values_list("pk", flat=True))

    def teardown(self) -> None:
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
        self.pause_or_resume(is_paused=False)
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


def test_sending_survives_every_order_of_events(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", itertools.count(step=sender.SWEEP_SECONDS).__next__)
    assert timedelta(minutes=6) > CLAIM_LIFETIME
    stateful.run_state_machine_as_test(
        Sending, settings=hypothesis_settings(max_examples=12, stateful_step_count=20, deadline=None)
    )
