"""The pages of campaigns in Django admin, for tests of different pages."""

from datetime import timedelta
from typing import Any

from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from newsletter.campaigns import services
from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from sailing.admin.tests.helpers import staff_client

LIST = "/admin/campaigns/campaign/"
SEND_NOW = {"send": "now"}
SEND_LATER = {"schedule": "at", "at_0": "2100-01-01", "at_1": "10:30"}


def running_campaign(state: str = CampaignState.SENDING) -> Campaign:
    at = timezone.now() - timedelta(minutes=5)
    campaign: Campaign = CampaignFactory(state=state, started_at=at, prepared_at=at)
    return campaign


def sender() -> Client:
    return staff_client("view_campaign", "send_campaign")


def editor() -> Client:
    return staff_client("send_campaign", "change_campaign", email="editor@example.com")


def get_path(campaign: Campaign, name: str = "change") -> str:
    return f"{LIST}{campaign.pk}/{name}/"


def read(client: Client, campaign: Campaign, name: str = "results") -> str:
    response = client.get(get_path(campaign, name))
    assert response.status_code == 200
    return response.content.decode()


def post(client: Client, campaign: Campaign, name: str, **values: Any) -> Any:
    """Post a form, that of the send page with the version that is stored now."""
    values = {"expected_version": services.get_version(Campaign.objects.get(pk=campaign.pk)), **values}
    return client.post(get_path(campaign, name), values, follow=True)


def read_form(client: Client, path: str, **changes: str) -> dict[str, str]:
    """Return what a browser would post from the form of a page, with some changes."""
    form = client.get(path).context["form"]
    values = {name: form[name].value() for name in form.fields}
    posted = {name: str(value) for name, value in values.items() if value not in (None, False)}
    return posted | changes


def save(client: Client, campaign: Campaign, **changes: str) -> Any:
    """Change a campaign in its editor."""
    path = get_path(campaign)
    return client.post(path, read_form(client, path, **changes))


def get_messages(page: Any) -> list[str]:
    return [str(message) for message in page.context["messages"]]


def get_state(campaign: Campaign) -> str:
    campaign.refresh_from_db()
    return campaign.state


def history() -> list[str]:
    return list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))
