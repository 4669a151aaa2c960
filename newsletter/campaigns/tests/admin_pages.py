"""The pages of campaigns in Django admin, for tests of different pages."""

from typing import Any

from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils.html import strip_tags

from newsletter.campaigns import services
from newsletter.campaigns.models import Campaign
from sailing.admin.tests.helpers import staff_client

LIST = "/admin/campaigns/campaign/"
WRITE = ("view_campaign", "add_campaign", "change_campaign")


def sender() -> Client:
    return staff_client("view_campaign", "send_campaign")


def get_path(campaign: Campaign, name: str = "change") -> str:
    return f"{LIST}{campaign.pk}/{name}/"


def read(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def read_text(client: Client, path: str) -> str:
    """Return the text of a page without its markup."""
    return " ".join(strip_tags(read(client, path).replace("<", " <")).split())


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
