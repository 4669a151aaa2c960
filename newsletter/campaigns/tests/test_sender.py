"""Sending: each recipient gets one mail, in their language, and what happens to it is recorded."""

import re
import threading
import time
from datetime import timedelta
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import parseaddr
from typing import Any

import pytest
from django.db import OperationalError
from django.utils import timezone
from pytest_django import Settings

from newsletter.campaigns import rendering, tokens
from newsletter.campaigns import sender as campaign_sender
from newsletter.campaigns.models import (
    Campaign,
    CampaignState,
    Delivery,
    DeliveryState,
    SkipReason,
    StopReason,
)
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.models import State, Subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing import environment
from sailing.jobs.models import WorkerHeartbeat
from sailing.mail.models import MailPriority
from sailing.mail.recording import MAX_ATTEMPTS
from sailing.mail.results import DeliveryAttempt, DeliveryResult
from sailing.mail.sender import Sender
from tests.mail_server import MailServer
from tests.mailbox import create_mail, send_pending

pytestmark = pytest.mark.django_db(transaction=True)

WAITING, SENDING, SENT = DeliveryState.WAITING, DeliveryState.SENDING, DeliveryState.SENT
SKIPPED, FAILED, UNKNOWN = DeliveryState.SKIPPED, DeliveryState.FAILED, DeliveryState.UNKNOWN
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def _long_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a claim not end because the machine is slow."""
    monkeypatch.setattr(campaign_sender, "TURN_SECONDS", 60)


@pytest.fixture
def campaign() -> Campaign:
    """Return a campaign that is being sent."""
    return CampaignFactory(state=CampaignState.SENDING, started_at=timezone.now(), prepared_at=timezone.now())


def deliver_to(campaign: Campaign, email: str, **values: Any) -> Delivery:
    subscription = SubscriptionFactory(email=email, confirmed=True, language=values.pop("language", "en"))
    return DeliveryFactory(campaign=campaign, subscription=subscription, **values)


def read(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body
    return str(body.get_content())


def states() -> dict[str, str]:
    return dict(Delivery.objects.values_list("subscription__email", "state"))


def start(count: int = 1) -> list[campaign_sender.CampaignMail]:
    return CampaignQueue().claim(count)


def pass_silence(minutes: int) -> None:
    """Let no sender have worked for some minutes."""
    WorkerHeartbeat.objects.update(at=timezone.now() - timedelta(minutes=minutes))


LONG_NAME = "Příliš žluťoučký kůň úpěl ďábelské ódy a pak plul přes moře až do přístavu, s.r.o."
SENDERS = [
    ("hello@sailing.example", "", "hello@sailing.example"),
    ("<hello@sailing.example>", "", "hello@sailing.example"),
    ("Sailing <hello@sailing.example>", "Sailing", "hello@sailing.example"),
    ("Ahoj <ahoj@PLACHTĚNÍ.example>", "Ahoj", "ahoj@xn--plachtn-eza62b.example"),
    ('"Jana \\"Bára\\" \\\\ Nová" <jana@sailing.example>', 'Jana "Bára" \\ Nová', "jana@sailing.example"),
    ('"jana@sailing.example" <hello@sailing.example>', "jana@sailing.example", "hello@sailing.example"),
    ('"Plachty, s.r.o." <hello@sailing.example>', "Plachty, s.r.o.", "hello@sailing.example"),
    *(
        (f"{name} <hello@sailing.example>", name, "hello@sailing.example")
        for name in (
            "Plachty, s.r.o.",
            "Plachty; Lode: [x] (y)",
            "O'Hara & Synové, a.s.",
            "Lodě\u00a0s.\u00a0r.\u00a0o.",
            "👩\u200d👧 a lodě",
            LONG_NAME,
            LONG_NAME.encode("ascii", "replace").decode(),
        )
    ),
    ("Plachty \\ Lode <hello@sailing.example>", "Plachty \\ Lode", "hello@sailing.example"),
]
"""Values of DEFAULT_FROM_EMAIL; the name and the address that readers see."""


class TestMails:
    @pytest.mark.parametrize(("value", "name", "address"), SENDERS)
    def test_sender_arrives_as_configured(
        self,
        campaign: Campaign,
        server: MailServer,
        settings: Settings,
        monkeypatch: pytest.MonkeyPatch,
        value: str,
        name: str,
        address: str,
    ) -> None:
        monkeypatch.setattr("sailing.mail.sender.POLL_SECONDS", 0.05)
        monkeypatch.setenv("DEFAULT_FROM_EMAIL", value)
        settings.DEFAULT_FROM_EMAIL = environment.read_sender("DEFAULT_FROM_EMAIL")
        deliver_to(campaign, "jana@example.com")
        create_mail()
        send_pending()
        assert server.senders == [address] * 2
        for _recipients, message in server.received:
            written = dict(message.raw_items())["From"]
            assert max(map(len, written.splitlines())) < 78
            encoded_name, found_address = parseaddr(written.replace("\r\n", ""))
            # `message["From"]` of Python 3.11 has a space between two encoded words.
            assert (str(make_header(decode_header(encoded_name))), found_address) == (name, address)

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

    def test_invitation_link_is_that_of_the_reader(self, campaign: Campaign, server: MailServer) -> None:
        campaign.texts.update(body="[Invite your crew]({invitation_url})")
        readers = [deliver_to(campaign, f"{name}@example.com").subscription for name in ("anna", "eva")]
        send_pending()
        received = {addresses[0]: message for addresses, message in server.received}
        for reader in readers:
            assert reader
            for kind in ("plain", "html"):
                assert f"/newsletter?invitation={reader.pk.hex}" in read(received[reader.email], kind)

    def test_links_of_a_mail_find_its_delivery(self, campaign: Campaign, server: MailServer) -> None:
        delivery = deliver_to(campaign, "jana@example.com", language="cs")
        send_pending()
        ((_addresses, message),) = server.received
        header = re.fullmatch(
            r"<http://testserver/newsletter/unsubscribe/d/(.+)/\?lang=cs>",
            message["List-Unsubscribe"].strip(),
        )
        assert header
        assert tokens.find(header[1]) == delivery
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        html = read(message, "html")
        assert header[1] in html
        assert f"/newsletter/preferences/{header[1]}/" in html

    def test_links_in_the_text_lead_to_the_redirect_that_counts(
        self, campaign: Campaign, server: MailServer
    ) -> None:
        link = campaign.links.create(url="https://sailing.example/regatta")
        deliver_to(campaign, "jana@example.com")
        send_pending()
        ((_addresses, message),) = server.received
        for kind in ("plain", "html"):
            content = read(message, kind)
            assert f"http://testserver/newsletter/go/{link.key}/" in content
            assert "https://sailing.example/regatta" not in content

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
        for number in range(3):
            deliver_to(campaign, f"sailor{number}@example.com")
        create_mail(recipient="member@example.com", priority=MailPriority.BULK)
        send_pending()
        assert server.recipients[0] == "member@example.com"
        assert len(server.recipients) == 4


class TestConsent:
    @pytest.mark.parametrize(
        ("values", "reason"),
        [
            ({"is_active": False, "unsubscribed_at": timezone.now()}, SkipReason.UNSUBSCRIBED),
            ({"is_active": False}, SkipReason.UNSUBSCRIBED),
            ({"bounced_at": timezone.now()}, SkipReason.BOUNCED),
            ({"is_confirmed": False}, SkipReason.UNCONFIRMED),
            ({"asked_again_at": timezone.now()}, SkipReason.UNCONFIRMED),
            ({"paused_until": timezone.now() + timedelta(days=1)}, SkipReason.PAUSED),
        ],
    )
    def test_consent_is_checked_again_before_the_mail(
        self, campaign: Campaign, values: dict[str, Any], reason: SkipReason
    ) -> None:
        delivery = deliver_to(campaign, "jana@example.com")
        Subscription.objects.update(**values)
        assert not start()
        delivery.refresh_from_db()
        assert (delivery.state, delivery.skip_reason) == (SKIPPED, reason)
        assert delivery.ended_at

    def test_pause_ends_by_itself(self, campaign: Campaign) -> None:
        deliver_to(campaign, "jana@example.com")
        Subscription.objects.update(paused_until=timezone.now())
        assert len(start()) == 1

    def test_erased_subscriber_is_skipped(self, campaign: Campaign) -> None:
        delivery = deliver_to(campaign, "jana@example.com")
        Subscription.objects.all().delete()
        assert not start()
        delivery.refresh_from_db()
        assert (delivery.state, delivery.skip_reason) == (SKIPPED, SkipReason.ERASED)

    def test_skipped_recipients_do_not_delay_the_others(self, campaign: Campaign) -> None:
        for number in range(20):
            deliver_to(campaign, f"sailor{number}@example.com")
        Subscription.objects.exclude(email="sailor19@example.com").update(is_active=False)
        queue = CampaignQueue()
        turns = [queue.claim(1)]
        while queue.has_more and len(turns) < 20:
            turns.append(queue.claim(1))
        (mail,) = turns[-1]
        assert mail.recipient == "sailor19@example.com"


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

    def test_no_more_mails_are_started_than_threads_are_free(self, campaign: Campaign) -> None:
        for number in range(5):
            deliver_to(campaign, f"sailor{number}@example.com")
        queue = CampaignQueue()
        assert len(queue.claim(2)) == 2
        assert Delivery.objects.filter(state=SENDING).count() == 2
        assert not queue.claim(0)

    def test_postponed_delivery_is_waited_for(self, campaign: Campaign) -> None:
        deliver_to(campaign, "jana@example.com", next_attempt_at=timezone.now() + HOUR)
        assert not start()
        campaign.refresh_from_db()
        assert campaign.state == CampaignState.SENDING

    def test_campaign_that_cannot_be_rendered_does_not_stop_others(
        self, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deliver_to(campaign, "jana@example.com")
        other = CampaignFactory(state=CampaignState.SENDING, started_at=timezone.now())
        deliver_to(other, "john@example.com")
        render = rendering.render

        def fail(each: Campaign, *arguments: Any, **values: Any) -> Any:
            if each == campaign:
                raise ValueError("broken")
            return render(each, *arguments, **values)

        monkeypatch.setattr(rendering, "render", fail)
        (mail,) = start(2)
        assert mail.recipient == "john@example.com"

    def test_campaign_without_mails_starts_nothing_until_it_is_rendered(
        self, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deliver_to(campaign, "jana@example.com")
        queue = CampaignQueue()
        with monkeypatch.context() as patch:
            patch.setattr(rendering, "render", lambda *_arguments, **_values: 1 / 0)
            queue.claim(1)
        queue._campaigns[0].quiet_until = 0.0
        queue._next_search = time.monotonic() + 60
        assert not queue.claim(1)
        assert states() == {"jana@example.com": WAITING}
        queue._next_search = 0.0
        (mail,) = queue.claim(1)
        assert mail.recipient == "jana@example.com"

    def test_rate_limit_is_shared_by_all_senders(self, campaign: Campaign, settings: Settings) -> None:
        settings.CAMPAIGN_MAILS_PER_SECOND = 3
        for number in range(9):
            deliver_to(campaign, f"sailor{number}@example.com")
        queues = [CampaignQueue(), CampaignQueue()]
        for queue in queues:
            queue.claim(0)  # renders the campaign
        time.sleep(1 - time.time() % 1)  # a whole second is ahead
        assert [len(queue.claim(2)) for queue in queues] == [2, 1]

    def test_rate_limit_leaves_to_a_campaign_what_an_earlier_one_does_not_use(
        self, campaign: Campaign, settings: Settings
    ) -> None:
        settings.CAMPAIGN_MAILS_PER_SECOND = 1
        deliver_to(campaign, "jana@example.com", next_attempt_at=timezone.now() + HOUR)
        later = CampaignFactory(state=CampaignState.SENDING, started_at=timezone.now())
        deliver_to(later, "john@example.com")
        time.sleep(1 - time.time() % 1)  # a whole second is ahead
        (mail,) = start()
        assert mail.recipient == "john@example.com"


class TestResults:
    @pytest.mark.parametrize(
        ("result", "state"),
        [
            (DeliveryResult.ACCEPTED, SENT),
            (DeliveryResult.REFUSED, FAILED),
            (DeliveryResult.POSTPONED, WAITING),
            (DeliveryResult.INTERRUPTED, WAITING),
            (DeliveryResult.UNKNOWN, UNKNOWN),
            (DeliveryResult.UNREACHABLE, WAITING),
            (DeliveryResult.NOT_STARTED, WAITING),
        ],
    )
    def test_result_is_recorded(
        self, campaign: Campaign, result: DeliveryResult, state: DeliveryState
    ) -> None:
        deliver_to(campaign, "jana@example.com")
        queue = CampaignQueue()
        (mail,) = queue.claim(1)
        for _time in range(2):  # the second time changes nothing
            queue.record([DeliveryAttempt(mail, result, "451 later")])
            assert states() == {"jana@example.com": state}
        delivery = Delivery.objects.get()
        assert delivery.attempts == (result not in (DeliveryResult.UNREACHABLE, DeliveryResult.NOT_STARTED))
        assert (delivery.ended_at is not None) == (state in (SENT, FAILED, UNKNOWN))

    def test_last_attempt_fails_for_good(self, campaign: Campaign) -> None:
        deliver_to(campaign, "jana@example.com", attempts=MAX_ATTEMPTS - 1)
        queue = CampaignQueue()
        (mail,) = queue.claim(1)
        queue.record([DeliveryAttempt(mail, DeliveryResult.POSTPONED, "451 later")])
        assert states() == {"jana@example.com": FAILED}

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

    def test_mail_whose_reply_is_lost_is_listed_and_not_repeated(
        self, campaign: Campaign, server: MailServer
    ) -> None:
        deliver_to(campaign, "jana@example.com")
        server.hangs_up_on = "DATA"
        send_pending()
        assert states() == {"jana@example.com": UNKNOWN}
        server.hangs_up_on = ""
        send_pending()
        assert len(server.received) == 1

    def test_temporary_refusal_holds_back_no_other_recipient(self, campaign: Campaign) -> None:
        for number in range(5):
            deliver_to(campaign, f"sailor{number}@example.com")
        queue = CampaignQueue()
        mails = queue.claim(2)
        queue.record([DeliveryAttempt(mails[0], DeliveryResult.POSTPONED, "451 try later")])
        assert len(queue.claim(2)) == 2

    @pytest.mark.parametrize(
        ("minutes", "is_resumed", "state"),
        [
            (61, False, CampaignState.PAUSED),
            (61, True, CampaignState.SENDING),
            (59, False, CampaignState.SENDING),
        ],
    )
    @pytest.mark.parametrize("is_prepared", [True, False])
    def test_campaign_is_paused_if_no_sender_has_worked_for_an_hour(
        self, campaign: Campaign, minutes: int, is_resumed: bool, state: CampaignState, is_prepared: bool
    ) -> None:
        """Also by a sender that has worked all the time: the database went back to an earlier state."""
        queue = CampaignQueue()
        queue.claim(0)
        deliver_to(campaign, "jana@example.com")
        if not is_prepared:
            Campaign.objects.update(prepared_at=None)
        Campaign.objects.update(changed_at=timezone.now() - 2 * HOUR)
        pass_silence(minutes)
        if is_resumed:
            campaign.save()
        queue._next_search = 0
        assert bool(queue.claim(1)) is (state == CampaignState.SENDING)
        campaign.refresh_from_db()
        assert campaign.state == state
        assert (campaign.stop_reason == StopReason.ABANDONED) is (state == CampaignState.PAUSED)

    def test_campaign_without_mails_to_send_is_not_paused(self, campaign: Campaign) -> None:
        deliver_to(campaign, "jana@example.com", state=SENDING, next_attempt_at=timezone.now() + HOUR)
        Campaign.objects.update(changed_at=timezone.now() - 2 * HOUR)
        start()
        pass_silence(61)
        start()
        campaign.refresh_from_db()
        assert campaign.state == CampaignState.SENDING

    def test_ended_claim_becomes_unknown(self, campaign: Campaign) -> None:
        deliver_to(campaign, "jana@example.com")
        start()
        Delivery.objects.update(next_attempt_at=timezone.now())
        assert not start()
        assert states() == {"jana@example.com": UNKNOWN}

    def test_late_result_settles_an_unknown_delivery(self, campaign: Campaign) -> None:
        deliver_to(campaign, "jana@example.com")
        queue = CampaignQueue()
        (mail,) = queue.claim(1)
        Delivery.objects.update(next_attempt_at=timezone.now())
        start()
        queue.record([DeliveryAttempt(mail, DeliveryResult.ACCEPTED)])
        assert states() == {"jana@example.com": SENT}

    def test_late_failure_does_not_repeat_a_mail_of_another_sender(self, campaign: Campaign) -> None:
        deliver_to(campaign, "jana@example.com")
        queue = CampaignQueue()
        (mail,) = queue.claim(1)
        result = DeliveryAttempt(mail, DeliveryResult.NOT_STARTED)
        queue.record([result])
        start()
        queue.record([result])
        assert states() == {"jana@example.com": SENDING}

    def test_mails_of_a_failed_start_are_handed_back(
        self, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The database fails after the commit, before its answer, and the sender may not claim again."""
        deliver_to(campaign, "jana@example.com")
        queue = CampaignQueue()

        run = campaign_sender._claim

        def lose_the_answer(*arguments: Any) -> Any:
            run(*arguments)
            raise OperationalError("unavailable")

        with monkeypatch.context() as patch:
            patch.setattr(campaign_sender, "_claim", lose_the_answer)
            with pytest.raises(OperationalError):
                queue.claim(1)
        assert states() == {"jana@example.com": SENDING}
        queue.record([])
        assert states() == {"jana@example.com": WAITING}

    def test_mails_of_a_campaign_are_sent_later_if_the_next_campaign_fails(
        self, campaign: Campaign, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The database fails between two campaigns: the mails of the first were not handed over."""
        deliver_to(campaign, "jana@example.com")
        other = CampaignFactory(state=CampaignState.SENDING, started_at=timezone.now())
        deliver_to(other, "john@example.com")
        queue = CampaignQueue()
        run = campaign_sender._claim

        def fail_for_the_other(each: campaign_sender.SendingCampaign, *arguments: Any) -> Any:
            if each.pk == other.pk:
                raise OperationalError("unavailable")
            return run(each, *arguments)

        with monkeypatch.context() as patch:
            patch.setattr(campaign_sender, "_claim", fail_for_the_other)
            with pytest.raises(OperationalError):
                queue.claim(2)
        queue.record([])
        queue._campaigns[0].quiet_until = 0.0
        mails = queue.claim(2)
        assert sorted(mail.recipient for mail in mails) == ["jana@example.com", "john@example.com"]


class TestEnd:
    def test_stopped_sender_records_the_mails_under_way(self, campaign: Campaign, server: MailServer) -> None:
        for number in range(20):
            deliver_to(campaign, f"sailor{number}@example.com")
        stop = threading.Event()

        def stop_now() -> None:
            stop.set()
            time.sleep(0.2)

        server.on_accepted = stop_now
        sender = Sender()
        sender.send_pending(stop)
        sender.close()
        sent = Delivery.objects.filter(state=SENT).count()
        assert 0 < sent < 20
        assert sent == len(server.recipients)
        assert not Delivery.objects.filter(state=SENDING).exists()
