"""Sending: each recipient gets one mail, in their language, and what happens to it is recorded."""

import itertools
import re
import time
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.utils import timezone
from pytest_django import Settings

from newsletter import tokens
from newsletter.campaigns import rendering, services
from newsletter.campaigns import sender as campaign_sender
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState, SkipReason
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.campaigns.watches import measure_stall
from newsletter.models import State, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.models import MailPriority
from sailing.mail.sender import Sender
from sailing.mail.transport import DeliveryAttempt, DeliveryResult
from tests.mail_server import MailServer
from tests.mailbox import create_mail, read, send_pending

pytestmark = pytest.mark.django_db(transaction=True)

WAITING, SENDING, SENT = DeliveryState.WAITING, DeliveryState.SENDING, DeliveryState.SENT
SKIPPED, FAILED, UNKNOWN = DeliveryState.SKIPPED, DeliveryState.FAILED, DeliveryState.UNKNOWN
HOUR = timedelta(hours=1)


class QueryCanceled(Exception):
    """What PostgreSQL's driver raises when a statement took too long."""

    pgcode = "57014"


def cancel_query() -> Exception:
    """Return the error of a statement that PostgreSQL has canceled."""
    error = OperationalError("canceling statement due to statement timeout")
    error.__cause__ = QueryCanceled()
    return error


@pytest.fixture
def campaign() -> Campaign:
    """Return a campaign that is being sent."""
    return start_another()


def start_another() -> Campaign:
    now = timezone.now()
    return CampaignFactory(state=CampaignState.SENDING, started_at=now, prepared_at=now)


def deliver_to(campaign: Campaign, email: str, **values: Any) -> Delivery:
    subscription = SubscriptionFactory(email=email, confirmed=True, language=values.pop("language", "en"))
    return DeliveryFactory(campaign=campaign, subscription=subscription, **values)


def states() -> dict[str, str]:
    return dict(Delivery.objects.values_list("subscription__email", "state"))


def start(count: int = 1) -> list[campaign_sender.CampaignMail]:
    return CampaignQueue().claim(count)


class TestMails:
    def test_each_recipient_gets_one_mail_in_their_language(
        self, campaign: Campaign, server: MailServer
    ) -> None:
        deliver_to(campaign, "jana@example.com", language="cs")
        deliver_to(campaign, "john@example.com")
        send_pending()
        subjects = {addresses[0]: message["Subject"] for addresses, message in server.received}
        assert subjects == {"jana@example.com": "Regata začíná", "john@example.com": "The regatta begins"}
        assert states() == {"jana@example.com": SENT, "john@example.com": SENT}
        assert not start()
        campaign.refresh_from_db()
        assert campaign.state == CampaignState.SENT

    def test_links_of_a_mail_are_those_of_its_delivery(self, campaign: Campaign, server: MailServer) -> None:
        counted = campaign.links.create(url="https://sailing.example/regatta")
        campaign.texts.update(body=f"[Races]({counted.url}) [Invite your crew]({{invitation_url}})")
        deliveries = [deliver_to(campaign, f"{name}@example.com") for name in ("anna", "eva")]
        send_pending()
        received = {addresses[0]: message for addresses, message in server.received}
        for delivery in deliveries:
            assert delivery.subscription
            message = received[delivery.subscription.email]
            header = re.fullmatch(
                r"<(http://testserver/newsletter/manage/(.+)/\?lang=en)>",
                message["List-Unsubscribe"].strip(),
            )
            assert header
            assert tokens.read(header[2]) == (delivery.subscription_id, delivery.pk)
            assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
            for kind in ("plain", "html"):
                content = read(message, kind)
                assert content.count(header[1]) == 2
                assert content.count(f"{header[1]}#preferences") == 1
                assert f"/newsletter?invitation={delivery.subscription.pk.hex}" in content
                assert f"http://testserver/newsletter/go/{counted.key}/" in content
                assert counted.url not in content

    def test_message_id_is_the_same_at_every_attempt(self, campaign: Campaign, server: MailServer) -> None:
        delivery = deliver_to(campaign, "jana@example.com")
        (first,) = start()
        Delivery.objects.update(state=WAITING, next_attempt_at=timezone.now())
        (second,) = start()
        ids = {mail.build_message().extra_headers["Message-ID"] for mail in (first, second)}
        assert len(ids) == 1
        assert f"<{delivery.pk}." in ids.pop()

    def test_mails_of_the_outbox_come_first(
        self, campaign: Campaign, server: MailServer, settings: Settings
    ) -> None:
        settings.EMAIL_CONNECTIONS = 1
        deliver_to(campaign, "sailor@example.com")
        create_mail(recipient="member@example.com", priority=MailPriority.BULK)
        send_pending()
        assert server.recipients == ["member@example.com", "sailor@example.com"]

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
        (mail,) = start(20)
        assert mail.recipient == "back@example.com"
        skipped = Delivery.objects.filter(state=SKIPPED, ended_at__isnull=False).order_by("pk")
        expected = [*(reason for reason, _values in changes), SkipReason.ERASED]
        assert list(skipped.values_list("skip_reason", flat=True)) == expected


class TestStates:
    @pytest.mark.parametrize(
        "state", [state for state in CampaignState if state is not CampaignState.SENDING]
    )
    def test_nothing_is_started_in_other_states(self, campaign: Campaign, state: CampaignState) -> None:
        deliver_to(campaign, "jana@example.com")
        queue = CampaignQueue()
        queue.claim(0)  # it knows the campaign as one that is being sent
        Campaign.objects.update(state=state)
        assert not queue.claim(3)
        assert states() == {"jana@example.com": WAITING}

    def test_campaign_that_cannot_be_rendered_stops_no_other(
        self, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deliver_to(campaign, "jana@example.com")
        deliver_to(start_another(), "john@example.com")
        render = rendering.render

        def fail(each: Campaign, *arguments: Any, **values: Any) -> Any:
            return 1 / 0 if each == campaign else render(each, *arguments, **values)

        monkeypatch.setattr(rendering, "render", fail)
        assert [mail.recipient for mail in start(2)] == ["john@example.com"]

    @pytest.mark.parametrize("error", [ValueError(), IntegrityError(), cancel_query()], ids=str)
    @pytest.mark.parametrize("name", ["begin_scheduled", "add_recipients"])
    def test_campaign_that_cannot_begin_stops_no_other_and_is_reported(
        self, campaign: Campaign, name: str, error: Exception, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deliver_to(campaign, "jana@example.com")
        hours_ago = timezone.now() - 2 * HOUR
        if name == "begin_scheduled":
            CampaignFactory(state=CampaignState.SCHEDULED, scheduled_at=hours_ago)
        else:
            CampaignFactory(state=CampaignState.SENDING, started_at=hours_ago)
        Campaign.objects.update(changed_at=hours_ago)
        begin = mock.Mock(side_effect=error)
        monkeypatch.setattr(services, name, begin)
        monkeypatch.setattr(campaign_sender, "SEARCH_SECONDS", 0)
        queue = CampaignQueue()
        assert [mail.recipient for mail in queue.claim(1)] == ["jana@example.com"]
        assert measure_stall() == pytest.approx(2 * 3600, abs=60)
        queue.claim(1)
        is_repeated = isinstance(error, IntegrityError)  # a reader has just been erased
        assert begin.call_count == (2 if is_repeated else 1)

    @pytest.mark.usefixtures("frozen_clock")
    def test_rate_limit_is_shared_by_all_senders(self, campaign: Campaign, settings: Settings) -> None:
        """Each mail has its own time to start, at most a second ahead."""
        settings.CAMPAIGN_MAILS_PER_SECOND = 3
        for number in range(9):
            deliver_to(campaign, f"sailor{number}@example.com")
        queues, began = [CampaignQueue(), CampaignQueue()], time.monotonic()
        mails = [mail for queue in (*queues, queues[0]) for mail in queue.claim(2)]
        times = [mail.start_at - began for mail in mails]
        assert times == [pytest.approx(number / 3, abs=0.3) for number in range(4)]

    def test_rate_limit_leaves_to_a_campaign_what_an_earlier_one_does_not_use(
        self, campaign: Campaign, settings: Settings
    ) -> None:
        settings.CAMPAIGN_MAILS_PER_SECOND = 1
        deliver_to(campaign, "jana@example.com", next_attempt_at=timezone.now() + HOUR)
        deliver_to(start_another(), "john@example.com")
        (mail,) = start()
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
    def test_result_is_recorded_once(
        self, campaign: Campaign, result: DeliveryResult, state: DeliveryState
    ) -> None:
        deliver_to(campaign, "jana@example.com")
        queue = CampaignQueue()
        (mail,) = queue.claim(1)
        for _time in range(2):
            queue.record([DeliveryAttempt(mail, result, "451 later")])
            assert states() == {"jana@example.com": state}
        delivery = Delivery.objects.get()
        assert delivery.attempts == 1
        assert (delivery.ended_at is not None) == (state != WAITING)

    def test_mail_that_was_not_sent_waits_again_after_its_claim_has_ended(self, campaign: Campaign) -> None:
        deliver_to(campaign, "jana@example.com")
        queue = CampaignQueue()
        (mail,) = queue.claim(1)
        Delivery.objects.update(state=UNKNOWN, ended_at=timezone.now())
        queue.record([DeliveryAttempt(mail, DeliveryResult.NOT_TRIED)])
        assert list(Delivery.objects.values_list("state", "ended_at")) == [(WAITING, None)]

    def test_late_hand_back_to_a_campaign_that_has_ended_leaves_no_delivery_waiting(
        self, campaign: Campaign
    ) -> None:
        """A sender slept past the end of its claim, and another one has given the mail up meanwhile."""
        deliver_to(campaign, "jana@example.com")
        sleeping = CampaignQueue()
        (mail,) = sleeping.claim(1)
        Delivery.objects.update(state=UNKNOWN, ended_at=timezone.now())
        start()
        sleeping.record([DeliveryAttempt(mail, DeliveryResult.NOT_TRIED)])
        campaign.refresh_from_db()
        assert campaign.state == CampaignState.SENT
        assert states() == {"jana@example.com": UNKNOWN}

    def test_address_that_does_not_work_is_bounced(self, campaign: Campaign, server: MailServer) -> None:
        delivery = deliver_to(campaign, "jana@example.com")
        server.replies["RCPT"] = "550 5.1.1 nobody here"
        send_pending()
        delivery.refresh_from_db()
        assert delivery.state == FAILED
        assert delivery.bounced_at
        assert delivery.last_error.startswith("550 5.1.1")
        subscription = Subscription.objects.get()
        assert subscription.state is State.BOUNCED
        assert subscription.consent_events.get().comment == "550 5.1.1 nobody here"

    def test_temporary_refusal_holds_back_no_other_recipient(self, campaign: Campaign) -> None:
        for number in range(5):
            deliver_to(campaign, f"sailor{number}@example.com")
        queue = CampaignQueue()
        mails = queue.claim(2)
        queue.record([DeliveryAttempt(mails[0], DeliveryResult.POSTPONED, "451 try later")])
        assert len(queue.claim(2)) == 2

    @pytest.mark.parametrize("is_stopped", [False, True])
    def test_mails_of_a_claim_that_fails_later_are_handed_back(
        self, campaign: Campaign, is_stopped: bool
    ) -> None:
        """The database goes away while the second campaign is claimed, and perhaps the sender ends then."""
        deliver_to(campaign, "jana@example.com")
        deliver_to(start_another(), "john@example.com")
        active, claims = Sender(), itertools.count()

        def fail_second(execute: Any, sql: str, *arguments: Any) -> Any:
            if sql.startswith('UPDATE "campaigns_delivery"') and next(claims):
                raise OperationalError("unavailable")
            return execute(sql, *arguments)

        with connection.execute_wrapper(fail_second), pytest.raises(OperationalError):
            active.work()
        assert sorted(states().values()) == [SENDING, WAITING]
        if is_stopped:
            active.close()
            assert set(states().values()) == {WAITING}
            active = Sender()
        while active.work():
            pass
        assert set(states().values()) == {SENT}
        active.close()
