"""Sending: each recipient gets one mail, in their language, and what happens to it is recorded."""

import itertools
import json
import time
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.utils import timezone
from pytest_django import Settings

from newsletter import tokens
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState, SkipReason
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.tests.factories import DeliveryFactory, start_campaign
from newsletter.campaigns.watches import measure_stall
from newsletter.models import State, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.transport import DeliveryAttempt, DeliveryResult
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
    """Return a campaign that is being sent."""
    return start_campaign()


def deliver_to(campaign: Campaign, email: str, **values: Any) -> Delivery:
    subscription = SubscriptionFactory(email=email, confirmed=True, language=values.pop("language", "en"))
    return DeliveryFactory(campaign=campaign, subscription=subscription, **values)


def states() -> dict[str, str]:
    return dict(Delivery.objects.values_list("subscription__email", "state"))


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
        assert set(states().values()) == {SENT}
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
        for number, (_reason, values) in enumerate(changes):
            deliver_to(campaign, f"{number}@example.com")
            Subscription.objects.filter(email=f"{number}@example.com").update(**values)
        deliver_to(campaign, "erased@example.com")
        Subscription.objects.filter(email="erased@example.com").delete()
        deliver_to(campaign, "back@example.com")
        Subscription.objects.filter(email="back@example.com").update(paused_until=now)
        (mail,) = CampaignQueue().claim(20)
        assert mail.recipient == "back@example.com"
        skipped = Delivery.objects.filter(state=SKIPPED, ended_at__isnull=False).order_by("pk")
        expected = [*(reason for reason, _values in changes), SkipReason.ERASED]
        assert list(skipped.values_list("skip_reason", flat=True)) == expected

    @pytest.mark.parametrize("state", [state for state in CampaignState if state != CampaignState.SENDING])
    def test_nothing_is_started_in_other_states(self, campaign: Campaign, state: CampaignState) -> None:
        deliver_to(campaign, "jana@example.com")
        queue = CampaignQueue()
        queue.claim(0)  # it knows the campaign as one that is being sent
        Campaign.objects.update(state=state)
        assert not queue.claim(3)
        assert states() == {"jana@example.com": WAITING}


def cancel_query() -> Exception:
    """Return the error of a statement that PostgreSQL has canceled because it took too long."""
    error = OperationalError("canceling statement due to statement timeout")
    error.__cause__ = type("QueryCanceled", (Exception,), {"pgcode": "57014"})()
    return error


class TestFailures:
    @pytest.mark.parametrize(
        ("work", "error", "is_repeated"),
        [
            ("begins", ValueError(), False),
            ("adds recipients", cancel_query(), False),
            ("adds recipients", IntegrityError(), True),  # a reader has just been erased
            ("is rendered", ValueError(), False),
        ],
    )
    def test_campaign_that_fails_stops_no_other_and_is_reported(
        self, campaign: Campaign, clock: SimpleNamespace, work: str, error: Exception, is_repeated: bool
    ) -> None:
        deliver_to(campaign, "jana@example.com")
        hours_ago = timezone.now() - 2 * HOUR
        states: dict[str, dict[str, Any]] = {
            "begins": {"state": CampaignState.SCHEDULED, "scheduled_at": hours_ago + HOUR},
            "adds recipients": {"started_at": hours_ago, "prepared_at": None},
            "is rendered": {"started_at": hours_ago, "prepared_at": hours_ago},
        }
        failing = start_campaign(**states[work])
        if work == "is rendered":
            deliver_to(failing, "john@example.com", next_attempt_at=hours_ago)
        Campaign.objects.filter(pk=failing.pk).update(changed_at=hours_ago)
        is_insert, failures = work == "adds recipients", []
        fragment = "INSERT INTO campaigns_delivery" if is_insert else 'FROM "campaigns_campaigntext"'

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
        assert sorted(states().values()) == [SENDING, WAITING]
        if is_stopped:
            queue.record([])
            assert set(states().values()) == {WAITING}
        assert len(queue.claim(2)) == 2


class TestRate:
    def test_is_shared_by_all_senders(self, campaign: Campaign, clock: Any, settings: Settings) -> None:
        """Each mail has its own time to start, at most a second ahead."""
        settings.CAMPAIGN_MAILS_PER_SECOND = 3
        for number in range(9):
            deliver_to(campaign, f"sailor{number}@example.com")
        queues = [CampaignQueue(), CampaignQueue()]
        mails = [mail for queue in (*queues, queues[0]) for mail in queue.claim(2)]
        times = [mail.start_at - clock.now for mail in mails]
        assert times == [pytest.approx(number / 3, abs=1e-3) for number in range(4)]

    def test_leaves_to_a_campaign_what_an_earlier_one_does_not_use(self, campaign: Campaign) -> None:
        deliver_to(campaign, "jana@example.com", next_attempt_at=timezone.now() + HOUR)
        deliver_to(start_campaign(), "john@example.com")
        (mail,) = CampaignQueue().claim(1)
        assert mail.recipient == "john@example.com"


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
        first, *_others = [deliver_to(campaign, f"sailor{number}@example.com") for number in range(4)]
        queue = CampaignQueue()
        mail, _other = queue.claim(2)
        for _time in range(2):
            queue.record([DeliveryAttempt(mail, result, "451 later")])
            first.refresh_from_db()
            assert (first.state, first.attempts) == (state, 1)
        assert (first.ended_at is not None) == (state != WAITING)
        assert len(queue.claim(2)) == 2

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
