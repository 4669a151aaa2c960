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
from newsletter.campaigns.tests.admin_pages import LIST, get_path, get_state, post, read_form, save
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory, prepare_deliveries
from newsletter.campaigns.tests.test_admin_editor import list_names
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import group_client, staff_client
from tests.mailbox import english_left, text

pytestmark = pytest.mark.django_db

SERIES = f"{LIST}series/"
ALL = ("view_campaign", "add_campaign", "change_campaign", "send_campaign")


def add_step(days: int = 0, **values: Any) -> Campaign:
    hour = 9 if days else None
    values = {"user_type": "sailor", "delay_hour": hour, "name": f"Day {days}"} | values
    step: Campaign = CampaignFactory(delay_days=days, **values)
    return step


def turned_on(days: int = 0, **values: Any) -> Campaign:
    step = add_step(days, **values)
    series.turn_on(campaign=step, expected_version=services.get_version(step))
    return step


def read(client: Client, path: str) -> str:
    page: Any = client.get(path)
    return text(page)


def test_page_lists_the_steps_of_both_audiences_in_order() -> None:
    for days in (7, 0, 2):
        add_step(days)
    add_step(0, user_type="company", name="Hello")
    page = read(staff_client(*ALL), SERIES)
    positions = [page.index(name) for name in ("Day 0", "Day 2", "Day 7", "Hello")]
    assert positions == sorted(positions)
    assert "right after confirming" in page
    assert "7 days after confirming at 9:00 (UTC)" in page


def test_page_has_the_figures_of_each_step() -> None:
    step = turned_on()
    DeliveryFactory.create_batch(3, campaign=step, state=DeliveryState.SENT, ended_at=timezone.now())
    DeliveryFactory(campaign=step, state=DeliveryState.SENT, unsubscribed_at=timezone.now())
    Campaign.objects.update(recipient_count=4)
    link = step.links.first()
    assert link
    link.clicks = 2
    link.save()
    page = read(staff_client(*ALL), SERIES)
    assert ">4</a>" in page
    assert "50.0" in page
    assert "25.0%" in page
    assert "/turn_off/" in page
    page = read(staff_client("view_campaign", email="viewer@example.com"), SERIES)
    assert not [shown for shown in ("/turn_off/", "/add/") if shown in page]


def test_new_step_exists_once_it_is_saved() -> None:
    client = staff_client(*ALL)
    for number, (days, hour) in enumerate(((0, None), (1, 9))):
        add_url = html.unescape(re.findall(r'href="([^"]*/add/.*?sailor.*?)"', read(client, SERIES))[0])
        posted = read_form(client, add_url, name=f"Step {number}", subject_en="Ahoy", body_en="Ahoy")
        assert Campaign.objects.count() == number
        response = client.post(add_url, posted)
        step = Campaign.objects.latest("pk")
        assert response.headers["Location"] == get_path(step)
        assert (step.user_type, step.delay_days, step.delay_hour) == ("sailor", days, hour)
    page: Any = client.post(add_url, posted | {"user_type": ""})
    assert "user_type" in page.context["form"].errors
    client.post(f"{LIST}add/", {"name": "Campaign"})
    assert not Campaign.objects.latest("pk").is_step


def test_editor_of_a_step_has_a_delay_and_an_audience() -> None:
    client, step = staff_client(*ALL), add_step(2)
    fields = client.get(get_path(step)).context["form"].fields
    assert not {"segment", "excluded_campaign", "is_public"} & set(fields)
    for changes, status, stored in (
        ({"delay_days": "5", "delay_hour": "18"}, 302, ("sailor", 5, 18)),
        ({"delay_days": "366"}, 200, ("sailor", 5, 18)),
        ({"delay_days": ""}, 200, ("sailor", 5, 18)),
        ({"delay_days": "0", "user_type": "company"}, 302, ("company", 0, None)),
    ):
        assert save(client, step, **changes).status_code == status
        step.refresh_from_db()
        assert (step.user_type, step.delay_days, step.delay_hour) == stored
    fields = client.get(get_path(CampaignFactory())).context["form"].fields
    assert "delay_days" not in fields


def test_step_that_is_on_is_edited_without_errors_only() -> None:
    client, step = staff_client(*ALL), turned_on()
    page = client.get(get_path(step)).content.decode()
    assert "what the next readers get" in page
    assert 'name="_send"' not in page
    response = save(client, step, delay_days="0", body_en="[more](https://sailing.example/new)")
    assert response.status_code == 302, response.context["form"].errors
    assert step.links.filter(url="https://sailing.example/new").exists()
    response = save(client, step, delay_days="0", subject_en="")
    assert "Nothing was saved, because the step is on" in response.content.decode()
    editor = staff_client("view_campaign", "change_campaign", email="editor@example.com")
    assert "form" not in editor.get(get_path(step)).context


@pytest.mark.parametrize(("days", "is_mailed"), [(1, False), (5, True)])
def test_shorter_delay_of_a_step_that_is_on_mails_no_crowd(days: int, is_mailed: bool) -> None:
    client, step, now = staff_client(*ALL), turned_on(5, delay_hour=None), timezone.now()
    Campaign.objects.update(started_at=now - timedelta(days=30))
    for age in (3, 6):
        SubscriptionFactory(confirmed=True, confirmed_at=now - timedelta(days=age))
    assert save(client, step, delay_days=str(days), delay_hour="").status_code == 302
    prepare_deliveries(1)
    assert step.deliveries.exists() is is_mailed


def test_step_for_the_other_audience_leaves_those_who_wait_for_it() -> None:
    client, step = staff_client(*ALL), turned_on()
    SubscriptionFactory(confirmed=True, paused=True)
    prepare_deliveries(1)
    assert step.deliveries.exists()
    assert save(client, step, delay_days="0", user_type="company").status_code == 302
    step.refresh_from_db()
    assert (step.deliveries.count(), step.recipient_count) == (0, 0)


def test_two_steps_of_an_audience_have_different_delays() -> None:
    client, step = staff_client(*ALL), add_step(2)
    add_step(5)
    add_step(7, user_type="company")
    page: Any = save(client, step, delay_days="5", delay_hour="9")
    assert page.context["form"].errors["delay_days"] == ["Another step has this delay already."]
    assert save(client, step, delay_days="7", delay_hour="9").status_code == 302


def test_step_is_switched_once_and_only_as_it_was_shown() -> None:
    step, client = add_step(), staff_client(*ALL)
    page = post(client, step, "send", expected_version="draft")
    assert "Please look at it again" in page.content.decode()
    assert get_state(step) == CampaignState.DRAFT
    for name, done in (("send", "The step is on."), ("turn_off", "The step is off.")):
        assert done in post(client, step, name).content.decode()
        assert done not in post(client, step, name).content.decode()
    assert LogEntry.objects.count() == 2


def test_step_with_errors_has_no_button() -> None:
    step = add_step()
    step.texts.update(subject="")
    page = staff_client(*ALL).get(get_path(step, "send")).content.decode()
    assert "1 error to fix" in page
    # As in the list below: the texts in both languages have the same one.
    assert "expected_version" not in page


def test_campaigns_are_not_turned_off_and_steps_neither_paused_nor_scheduled() -> None:
    client, campaign, step = staff_client(*ALL), CampaignFactory(), add_step()
    assert post(client, campaign, "turn_off").status_code == 404
    for name in ("resume", "cancel", "pause", "unschedule"):
        assert post(client, step, name).status_code == 404
    assert get_state(step) == CampaignState.DRAFT


def test_steps_are_not_among_the_campaigns() -> None:
    turned_on(name="Odyssey")
    CampaignFactory(name="Campaign")
    client = staff_client(*ALL)
    assert list_names(client) == {"Campaign"}
    assert "Odyssey" not in client.get("/admin/").content.decode()
    assert SERIES in client.get(LIST).content.decode()


def test_stopped_step_has_a_notice_until_it_is_turned_on_or_left_off() -> None:
    step, client, notice = turned_on(), staff_client(*ALL), "database was restored"
    Campaign.objects.update(state=CampaignState.PAUSED, stop_reason="restored")
    pages = ("/admin/", SERIES, f"{LIST}{step.pk}/results/")
    assert all(notice in client.get(page).content.decode() for page in pages)
    post(client, step, "turn_off")
    assert not any(notice in client.get(page).content.decode() for page in pages)


def test_pages_are_in_czech() -> None:
    step, client = turned_on(2), group_client("Managers")
    SubscriptionFactory(confirmed=True, confirmed_at=timezone.now() - timedelta(days=9))
    off = add_step(5)
    client.cookies["django_language"] = "cs"
    pages = (f"{off.pk}/send", f"{step.pk}/results", f"{step.pk}/history", f"{step.pk}/test", "series")
    for page in pages:
        assert not english_left(read(client, f"{LIST}{page}/"), "newsletter")
