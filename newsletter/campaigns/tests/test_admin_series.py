"""The pages of the welcome series."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from newsletter.campaigns import series, services
from newsletter.campaigns.models import Campaign, CampaignState, DeliveryState
from newsletter.campaigns.tests.admin_pages import LIST, get_path, get_state, post, save
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory
from newsletter.campaigns.tests.test_admin_editor import list_names
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import group_client, staff_client
from tests.mailbox import english_left, text

pytestmark = pytest.mark.django_db

SERIES = f"{LIST}series/"
ALL = ("view_campaign", "add_campaign", "change_campaign", "send_campaign", "view_campaign_figures")


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
    html = read(staff_client(*ALL), SERIES)
    positions = [html.index(name) for name in ("Day 0", "Day 2", "Day 7", "Hello")]
    assert positions == sorted(positions)
    assert "right after confirming" in html
    assert "7 days after confirming, at 9:00 (UTC)" in html


def test_page_has_the_figures_of_each_step() -> None:
    step = turned_on()
    DeliveryFactory.create_batch(3, campaign=step, state=DeliveryState.SENT, ended_at=timezone.now())
    DeliveryFactory(campaign=step, state=DeliveryState.SENT, unsubscribed_at=timezone.now())
    Campaign.objects.update(recipient_count=4)
    link = step.links.first()
    assert link
    link.clicks.create(hour=timezone.now(), count=2)
    html = read(staff_client(*ALL), SERIES)
    assert ">4</a>" in html
    assert "50.0" in html
    assert "25.0%" in html
    assert ">4</a>" not in read(staff_client("view_campaign", email="viewer@example.com"), SERIES)


def test_new_step_comes_last() -> None:
    client = staff_client(*ALL)
    for days, hour in ((0, None), (1, 9)):
        response = client.post(f"{SERIES}add/sailor/")
        step = Campaign.objects.latest("pk")
        assert response.headers["Location"] == get_path(step)
        assert (step.user_type, step.delay_days, step.delay_hour) == ("sailor", days, hour)
    assert list(series.list_steps("sailor"))[-1] == step


def test_editor_of_a_step_has_a_delay_and_no_audience() -> None:
    client, step = staff_client(*ALL), add_step(2)
    form = client.get(get_path(step)).context["form"]
    assert {"delay_days", "delay_hour"} <= set(form.fields)
    assert form["user_type"].is_hidden
    assert not {"language", "source", "excluded_campaign", "is_public"} & set(form.fields)
    assert save(client, step, delay_days="5", delay_hour="18").status_code == 302
    step.refresh_from_db()
    assert (step.delay_days, step.delay_hour, step.user_type) == (5, 18, "sailor")
    save(client, step, delay_days="0", delay_hour="18")
    step.refresh_from_db()
    assert (step.delay_days, step.delay_hour) == (0, None)
    assert save(client, step, delay_days="366").status_code == 200
    assert save(client, step, delay_days="").status_code == 200
    campaign = CampaignFactory()
    assert "delay_days" not in client.get(get_path(campaign)).context["form"].fields


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
    series.add_due_readers()
    assert step.deliveries.exists() is is_mailed


def test_two_steps_of_an_audience_have_different_delays() -> None:
    client, step = staff_client(*ALL), add_step(2)
    add_step(5)
    add_step(7, user_type="company")
    page: Any = save(client, step, delay_days="5", delay_hour="9")
    assert page.context["form"].errors["delay_days"] == ["Another step has this delay already."]
    assert save(client, step, delay_days="7", delay_hour="9").status_code == 302


def test_step_is_switched_once_and_only_as_it_was_shown() -> None:
    step, client = add_step(), staff_client(*ALL)
    page = post(client, step, "turn-on", expected_version="draft")
    assert "Please look at it again" in page.content.decode()
    assert get_state(step) == CampaignState.DRAFT
    fields = {"expected_version": services.get_version(step)}
    for _click in range(2):
        assert "The step is on." in post(client, step, "turn-on", **fields).content.decode()
    for _click in range(2):
        assert "The step is off." in post(client, step, "turn-off").content.decode()
    assert LogEntry.objects.count() == 2


def test_step_with_errors_has_no_button() -> None:
    step = add_step()
    step.texts.update(subject="")
    page = staff_client(*ALL).get(get_path(step, "turn-on")).content.decode()
    assert "1 error to fix" in page
    # As in the list below: the texts in both languages have the same one.
    assert "expected_version" not in page


def test_switch_needs_the_permission_to_send() -> None:
    step = add_step()
    client = staff_client("view_campaign", "change_campaign", "add_campaign")
    assert post(client, step, "turn-on").status_code == 403
    assert get_state(step) == CampaignState.DRAFT
    assert "/turn-on/" not in client.get(SERIES).content.decode()
    assert staff_client(email="nobody@example.com").get(SERIES).status_code == 403


def test_campaigns_have_no_switch_and_steps_are_not_sent() -> None:
    client, campaign, step = staff_client(*ALL), CampaignFactory(), add_step()
    assert client.get(get_path(campaign, "turn-on")).status_code == 404
    assert client.get(get_path(step, "send")).headers["Location"] == get_path(step, "turn-on")
    for name in ("resume", "cancel", "pause", "unschedule"):
        post(client, step, name)
        assert get_state(step) == CampaignState.DRAFT


def test_steps_are_not_among_the_campaigns() -> None:
    turned_on(name="Odyssey")
    CampaignFactory(name="Campaign")
    client = staff_client(*ALL)
    assert list_names(client) == {"Campaign"}
    assert "Odyssey" not in client.get("/admin/").content.decode()
    assert SERIES in client.get(LIST).content.decode()


def test_pages_of_a_step_that_is_on() -> None:
    step, client = turned_on(), staff_client(*ALL)
    for name in ("progress", "figures", "history", "test"):
        page = client.get(get_path(step, name))
        assert page.status_code == 200
        assert "Cancel the campaign" not in page.content.decode()
    assert "The step is on" in client.get(get_path(step, "progress")).content.decode()


def test_stopped_step_has_a_notice_until_it_is_turned_on_or_left_off() -> None:
    step, client, notice = turned_on(), staff_client(*ALL), "database was restored"
    Campaign.objects.update(state=CampaignState.PAUSED, stop_reason="restored")
    assert notice in client.get(SERIES).content.decode()
    post(client, step, "turn-off")
    assert notice not in client.get(SERIES).content.decode()


def test_pages_are_in_czech() -> None:
    step, client = turned_on(2), group_client("Managers")
    SubscriptionFactory(confirmed=True, confirmed_at=timezone.now() - timedelta(days=9))
    off = add_step(5)
    client.cookies["django_language"] = "cs"
    pages = (f"{off.pk}/turn-on", f"{step.pk}/progress", "series")
    for page in pages:
        assert not english_left(read(client, f"{LIST}{page}/"), "newsletter")
