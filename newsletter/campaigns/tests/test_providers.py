"""Campaigns sent through email providers, played by a server on this machine."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from anymail.exceptions import AnymailNotSupportedWarning
from django.utils import timezone
from pytest_django import Settings

from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail.delivery import MAX_UNEXPLAINED
from sailing.mail.models import MailState
from sailing.mail.sender import FIRST_BACKOFF_SECONDS, Sender
from sailing.mail.tests.test_providers import ACCEPTED, REFUSED, STOP, Provider, Reply
from tests.mail_server import MailServer
from tests.mailbox import create_mail, send_pending

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings(f"ignore::{AnymailNotSupportedWarning.__module__}.AnymailNotSupportedWarning"),
]

Use = Callable[[str], None]


@pytest.fixture
def delivery() -> Delivery:
    """Return a delivery of a campaign that is being sent."""
    now = timezone.now()
    campaign: Campaign = CampaignFactory(state=CampaignState.SENDING, started_at=now, prepared_at=now)
    found: Delivery = DeliveryFactory(
        campaign=campaign, subscription=SubscriptionFactory(email="jana@example.com", confirmed=True)
    )
    return found


def send(delivery: Delivery) -> str:
    """Send what is due and return the state of the delivery."""
    send_pending()
    delivery.refresh_from_db()
    return delivery.state


def reference(delivery: Delivery) -> str:
    return f"{delivery.pk}.{delivery.campaign.key}"


SENT_METADATA: dict[str, Callable[[dict[str, Any]], Any]] = {
    "postmark": lambda sent: sent["Metadata"]["delivery"],
    "mailgun": lambda sent: sent["v:delivery"],
    "sendgrid": lambda sent: sent["custom_args"]["delivery"],
}
"""What each provider returns in its reports."""


@pytest.mark.parametrize("name", ACCEPTED)
def test_mail_names_its_delivery_to_the_provider(
    use: Use, provider: Provider, delivery: Delivery, name: str
) -> None:
    use(name)
    assert send(delivery) == DeliveryState.SENT
    assert SENT_METADATA[name](provider.sent) == reference(delivery)
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    ("name", "reply"),
    [("postmark", None), ("mailgun", (500, {"message": "No"})), ("sendgrid", (504, ""))],
)
def test_mail_whose_fate_is_unknown_is_listed_and_not_repeated(
    use: Use, provider: Provider, delivery: Delivery, name: str, reply: Reply | None
) -> None:
    use(name)
    provider.reply = reply
    assert send(delivery) == DeliveryState.UNKNOWN
    assert send(delivery) == DeliveryState.UNKNOWN
    assert len(provider.requests) == 1


@pytest.mark.parametrize("status", [401, 503])
def test_wrong_key_and_outage_fail_no_delivery(
    use: Use, provider: Provider, delivery: Delivery, status: int
) -> None:
    use("postmark")
    provider.reply = (status, {"ErrorCode": 10, "Message": "No"})
    assert send(delivery) == DeliveryState.WAITING
    assert delivery.attempts == 0


@pytest.mark.parametrize(("stream", "expected"), [("broadcast", "broadcast"), ("", None)])
def test_campaign_takes_its_own_stream_of_postmark(
    use: Use, settings: Settings, provider: Provider, delivery: Delivery, stream: str, expected: str | None
) -> None:
    use("postmark")
    settings.EMAIL_CAMPAIGN_STREAM = stream
    send(delivery)
    assert provider.sent.get("MessageStream") == expected


@pytest.mark.parametrize("name", ["", "ses"])
def test_mail_names_its_delivery_to_amazon(
    settings: Settings, server: MailServer, delivery: Delivery, name: str
) -> None:
    settings.EMAIL_PROVIDER = name
    assert send(delivery) == DeliveryState.SENT
    ((_addresses, message),) = server.received
    assert message["X-Metadata"] == (f'{{"delivery": "{reference(delivery)}"}}' if name else None)


class TestRefusedSender:
    @pytest.fixture
    def sender(self, use: Use, provider: Provider, delivery: Delivery) -> Iterator[Sender]:
        use("postmark")
        provider.reply = REFUSED
        self.campaign = delivery.campaign
        self.add(MAX_UNEXPLAINED + 2)
        active = Sender()
        yield active
        active.close()

    def add(self, count: int) -> None:
        for _delivery in range(count):
            DeliveryFactory(campaign=self.campaign, subscription=SubscriptionFactory(confirmed=True))

    def test_refusals_in_a_row_pause_campaigns_until_a_probe_is_accepted(
        self, sender: Sender, provider: Provider
    ) -> None:
        sender.send_pending(STOP)
        assert len(provider.requests) == MAX_UNEXPLAINED
        sender._queue_pause.resume_at = 0  # the pause is over
        sender.send_pending(STOP)
        assert len(provider.requests) == MAX_UNEXPLAINED + 1
        assert sender._queue_pause.left > FIRST_BACKOFF_SECONDS
        provider.reply = ACCEPTED["postmark"]
        sender._queue_pause.resume_at = 0
        sender.send_pending(STOP)
        assert not Delivery.objects.filter(attempts=0).exists()

    def test_paused_campaigns_delay_no_mail_of_the_outbox(self, sender: Sender, provider: Provider) -> None:
        sender.send_pending(STOP)
        sender._queue_pause.resume_at += 60  # however slow the machine is
        provider.reply = ACCEPTED["postmark"]
        mail = create_mail()
        sender.send_pending(STOP)
        mail.refresh_from_db()
        assert mail.state == MailState.SENT
        assert len(provider.requests) == MAX_UNEXPLAINED + 1  # the campaign still waits

    def test_refusals_with_an_acceptance_in_between_are_about_the_mails(
        self, sender: Sender, provider: Provider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("newsletter.campaigns.sender.SEARCH_SECONDS", 0.0)
        Delivery.objects.all().delete()
        for reply, count in ((REFUSED, MAX_UNEXPLAINED - 1), (ACCEPTED["postmark"], 1)) * 2:
            provider.reply = reply
            self.add(count)
            sender.send_pending(STOP)
        assert not Delivery.objects.filter(attempts=0).exists()
