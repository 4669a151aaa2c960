"""The pages of the welcome series."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from newsletter.campaigns import series, services
from newsletter.campaigns.models import Campaign, CampaignState, DeliveryState
from newsletter.campaigns.tests.admin_pages import (
    LIST,
    WRITE,
    get_path,
    get_state,
    post,
    read,
    read_form,
    read_text,
    save,
)
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory, prepare_deliveries
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client

pytestmark = pytest.mark.django_db

SERIES = f"{LIST}series/"


@pytest.fixture
def client() -> Client:
    return staff_client(*WRITE, "send_campaign")


def add_step(days: int = 0, *, is_on: bool = False, **values: Any) -> Campaign:
    hour = 9 if days else None
    values = {"user_type": "sailor", "delay_hour": hour, "name": f"Day {days}"} | values
    step: Campaign = CampaignFactory(delay_days=days, **values)
    if is_on:
        series.turn_on(campaign=step, expected_version=services.get_version(step))
    return step


def test_page_lists_the_steps_in_order_with_their_figures(client: Client) -> None:
    first = add_step(0, is_on=True)
    for days in (7, 2):
        add_step(days)
    add_step(0, user_type="company", name="Hello")
    DeliveryFactory.create_batch(3, campaign=first, state=DeliveryState.SENT)
    DeliveryFactory(campaign=first, state=DeliveryState.SENT, unsubscribed_at=timezone.now())
    Campaign.objects.filter(pk=first.pk).update(recipient_count=4)
    first.links.update(clicks=2)
    text = read_text(client, SERIES)
    assert re.findall("Day 0|Day 2|Day 7|Hello", text) == ["Day 0", "Day 2", "Day 7", "Hello"]
    for part in ("right after confirming", "7 days after confirming at 9:00 (UTC)", " 4 50.0 25.0%"):
        assert part in text
    assert "/turn_off/" in read(client, SERIES)
    viewer = read(staff_client("view_campaign", email="viewer@example.com"), SERIES)
    assert not [shown for shown in ("/turn_off/", "/add/") if shown in viewer]


def test_new_step_exists_once_it_is_saved(client: Client) -> None:
    for number, delay in enumerate(((0, None), (1, 9))):
        add_url = html.unescape(re.findall(r'href="([^"]*/add/.*?sailor.*?)"', read(client, SERIES))[0])
        posted = read_form(client, add_url, name=f"Step {number}", subject_en="Ahoy", body_en="Ahoy")
        assert Campaign.objects.count() == number
        response = client.post(add_url, posted)
        step = Campaign.objects.latest("pk")
        assert response.headers["Location"] == get_path(step)
        assert (step.user_type, step.delay_days, step.delay_hour) == ("sailor", *delay)
    page: Any = client.post(add_url, posted | {"user_type": ""})
    assert "user_type" in page.context["form"].errors
    client.post(f"{LIST}add/", {"name": "Campaign"})
    assert not Campaign.objects.latest("pk").is_step


def test_editor_of_a_step_has_an_audience_and_a_delay_of_its_own(client: Client) -> None:
    step = add_step(2)
    add_step(5)
    add_step(7, user_type="company")
    fields = client.get(get_path(step)).context["form"].fields
    assert not {"segment", "excluded_campaign", "is_public"} & set(fields)
    for changes, status, stored in (
        ({"delay_days": "7", "delay_hour": "9"}, 302, ("sailor", 7, 9)),
        ({"delay_days": "5", "delay_hour": "9"}, 200, ("sailor", 7, 9)),  # another step has it
        ({"delay_days": "366"}, 200, ("sailor", 7, 9)),
        ({"delay_days": ""}, 200, ("sailor", 7, 9)),
        ({"delay_days": "0", "user_type": "company"}, 302, ("company", 0, None)),
    ):
        assert save(client, step, **changes).status_code == status
        step.refresh_from_db()
        assert (step.user_type, step.delay_days, step.delay_hour) == stored
    assert "delay_days" not in client.get(get_path(CampaignFactory())).context["form"].fields


def test_step_that_is_on_is_edited_without_errors_only(client: Client) -> None:
    step = add_step(is_on=True)
    page = read(client, get_path(step))
    assert "what the next subscribers get" in page
    assert 'name="_send"' not in page
    response = save(client, step, delay_days="0", body_en="[more](https://sailing.example/new)")
    assert response.status_code == 302, response.context["form"].errors
    assert step.links.filter(url="https://sailing.example/new").exists()
    response = save(client, step, delay_days="0", subject_en="")
    assert "Nothing was saved, because the step is on" in response.content.decode()
    editor = staff_client("view_campaign", "change_campaign", email="editor@example.com")
    assert "form" not in editor.get(get_path(step)).context


@pytest.mark.parametrize(("days", "is_mailed"), [(1, False), (5, True)])
def test_shorter_delay_of_a_running_step_mails_no_crowd(client: Client, days: int, is_mailed: bool) -> None:
    step, now = add_step(5, is_on=True, delay_hour=None), timezone.now()
    Campaign.objects.update(started_at=now - timedelta(days=30))
    for age in (3, 6):
        SubscriptionFactory(confirmed=True, confirmed_at=now - timedelta(days=age))
    assert save(client, step, delay_days=str(days), delay_hour="").status_code == 302
    prepare_deliveries(1)
    assert step.deliveries.exists() is is_mailed


def test_step_for_the_other_audience_leaves_those_who_wait_for_it(client: Client) -> None:
    step = add_step(is_on=True)
    SubscriptionFactory(confirmed=True, paused=True)
    prepare_deliveries(1)
    assert step.deliveries.exists()
    assert save(client, step, delay_days="0", user_type="company").status_code == 302
    step.refresh_from_db()
    assert (step.deliveries.count(), step.recipient_count) == (0, 0)


def test_step_is_switched_once_and_only_as_it_was_shown(client: Client) -> None:
    step = add_step()
    page = post(client, step, "send", expected_version="draft")
    assert "Please look at it again" in page.content.decode()
    assert get_state(step) == CampaignState.DRAFT
    for name, done in (("send", "The step is on."), ("turn_off", "The step is off.")):
        assert done in post(client, step, name).content.decode()
        assert done not in post(client, step, name).content.decode()
    assert LogEntry.objects.count() == 2
    assert post(client, step, "pause").status_code == 404
    assert post(client, CampaignFactory(), "turn_off").status_code == 404


def test_stopped_step_has_a_notice_until_it_is_turned_on_or_left_off(client: Client) -> None:
    step, notice = add_step(is_on=True), "database was restored"
    Campaign.objects.update(state=CampaignState.PAUSED, stop_reason="restored")
    pages = ("/admin/", SERIES, get_path(step, "results"))
    assert all(notice in read(client, page) for page in pages)
    post(client, step, "turn_off")
    assert not any(notice in read(client, page) for page in pages)
