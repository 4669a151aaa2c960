"""The welcome series: who gets which step, when, and only once, and its pages in Django admin."""

import html
import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from time_machine import TimeMachineFixture

from newsletter.campaigns import series, services
from newsletter.campaigns.models import Campaign, CampaignState, Delivery, DeliveryState
from newsletter.campaigns.sender import CampaignQueue
from newsletter.campaigns.tests.factories import CampaignFactory, DeliveryFactory, prepare_deliveries
from newsletter.campaigns.tests.test_admin import LIST, get_path, post, read, read_form, read_text, save
from newsletter.models import ConsentKind, Subscription, UserType
from newsletter.services.lifecycle import begin_subscription, end_subscription
from newsletter.tests.factories import SubscriptionFactory
from sailing.admin.tests.helpers import staff_client
from sailing.mail.installation import stop_restored_work
from sailing.mail.transport import DeliveryAttempt, DeliveryResult

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen_clock")]

SERIES = f"{LIST}series/"
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def add_step(days: int = 0, hour: int | None = None, *, is_on: bool = True, **values: Any) -> Campaign:
    values = {"user_type": UserType.SAILOR, "name": f"Day {days}", **values}
    step: Campaign = CampaignFactory(delay_days=days, delay_hour=hour, **values)
    if is_on:
        turn_on()
    return step


def turn_on() -> None:
    step = Campaign.objects.latest("pk")
    series.turn_on(campaign=step, expected_version=services.get_version(step))
    # The clock stands still, and whatever comes next is later.
    Campaign.objects.filter(pk=step.pk).update(started_at=timezone.now() - timedelta.resolution)


def confirm(subscription: Subscription | None = None) -> None:
    begin_subscription(subscription or SubscriptionFactory(), language="en")


def send() -> list[tuple[str, str]]:
    """Add who is due and send everything that is; return the addresses with their steps."""
    sent: list[tuple[str, str]] = []
    queue = CampaignQueue()
    while mails := queue.claim(100):
        queue.record([DeliveryAttempt(mail, DeliveryResult.ACCEPTED) for mail in mails])
        found = Delivery.objects.filter(pk__in=[mail.pk for mail in mails]).order_by("pk")
        sent += found.values_list("subscription__email", "campaign__name")
    return sent


def test_step_is_due(settings: Settings) -> None:
    settings.TIME_ZONE = "Europe/Prague"
    for days, hour, now, confirmed_by in (
        (2, None, "2027-05-31T10:00+02:00", "2027-05-29T10:00+02:00"),
        (1, 9, "2027-05-31T08:59+02:00", "2027-05-30T00:00+02:00"),
        (1, 9, "2027-05-31T09:00+02:00", "2027-05-31T00:00+02:00"),
        (7, 0, "2027-05-31T00:00+02:00", "2027-05-25T00:00+02:00"),
        (1, 9, "2027-03-28T09:00+02:00", "2027-03-28T00:00+01:00"),  # the clocks go forward on that day
    ):
        step, at = Campaign(delay_days=days, delay_hour=hour), datetime.fromisoformat(now)
        resolution = timedelta.resolution if hour is not None else timedelta()
        assert series.get_confirmed_until(step, at) == datetime.fromisoformat(confirmed_by) - resolution


def leave() -> None:
    end_subscription(Subscription.objects.get(), event=ConsentKind.UNSUBSCRIBED, language="en")


def turn_off() -> None:
    series.turn_off(campaign=Campaign.objects.get())


def pause(hours: int) -> None:
    Subscription.objects.update(paused_until=timezone.now() + hours * HOUR)


def come() -> None:
    confirm(Subscription.objects.first())


@pytest.mark.parametrize(
    ("events", "sent"),
    [
        # Steps come in order at their times.
        ([(0, lambda: [add_step(2, 18), add_step(), add_step(1, 9)]), (0, come)], [(0, 0), (21, 1), (54, 2)]),
        # Turning a step on mails nobody whose day has passed.
        ([(0, come), (24, lambda: add_step(2))], [(48, 2)]),
        ([(0, come), (24, lambda: add_step(1, 8))], []),
        # Nobody gets a step twice, also after coming again.
        ([(0, add_step), (0, come), (1, leave), (24, come), (25, turn_off), (26, turn_on)], [(0, 0)]),
        # A paused reader gets it after the pause, however it ends.
        ([(0, add_step), (0, come), (0, lambda: pause(3))], [(3, 0)]),
        # A turn that comes while the step is off, or after a restore, has passed.
        ([(0, lambda: add_step(1)), (0, come), (23, turn_off), (25, turn_on)], []),
        ([(0, add_step), (1, come), (1, stop_restored_work), (2, turn_on)], []),
    ],
)
def test_steps_come_at_their_hours(time_machine: TimeMachineFixture, events: Any, sent: Any) -> None:
    """Each event, and each step that the reader got, by its day, stands beside its hour."""
    get_user_model().objects.create_superuser("admin@sailing.example", "pw")
    found = []
    for hour in range(max(hour for hour, _what in [*events, *sent]) + 30):
        for _hour, happen in (event for event in events if event[0] == hour):
            happen()
        found += [(hour, int(name.removeprefix("Day "))) for _email, name in send()]
        time_machine.shift(HOUR)
    assert found == sent


@pytest.mark.parametrize(("days", "is_due"), [(2, True), (3, False)])
def test_outage_of_three_days_is_caught_up(time_machine: Any, days: int, is_due: bool) -> None:
    step = add_step()
    time_machine.shift(DAY)
    confirm()
    time_machine.shift(days * DAY)
    assert len(send()) == is_due
    step.refresh_from_db()
    assert step.state == CampaignState.SENDING  # nothing turns it off by itself


def test_only_who_confirmed_while_it_is_on_gets_a_step(time_machine: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(series, "BATCH_SIZE", 2)
    step = add_step()
    time_machine.shift(MINUTE)
    readers: dict[str, dict[str, Any]] = {
        "english": {},
        "czech": {"language": "cs"},
        "company": {"user_type": UserType.COMPANY},
        "unconfirmed": {"is_confirmed": False},
        "unsubscribed": {"unsubscribed": True},
        "paused": {"paused": True},  # gets it later
        "asked-again": {"asked_again_at": timezone.now()},
        "earlier": {"confirmed_at": timezone.now() - 2 * MINUTE},
        "imported": {"is_imported": True},
        "unknown-time": {"confirmed_at": None},
    }
    for name, values in readers.items():
        SubscriptionFactory(email=f"{name}@example.com", confirmed=True, **values)
    step.texts.filter(language="cs").update(subject="", body="")  # its readers get the other text
    assert sorted(email for email, _name in send()) == ["czech@example.com", "english@example.com"]
    step.refresh_from_db()
    assert step.recipient_count == 3  # the paused one too
    time_machine.shift(MINUTE)
    confirm(Subscription.objects.get(email="imported@example.com"))
    assert [email for email, _name in send()] == ["imported@example.com"]


def test_page_lists_the_steps_in_order_with_their_figures(admin_client: Client) -> None:
    first = add_step()
    for days, hour in ((7, 9), (2, None)):
        add_step(days, hour, is_on=False)
    add_step(is_on=False, user_type="company", name="Hello")
    DeliveryFactory.create_batch(3, campaign=first, state=DeliveryState.SENT)
    DeliveryFactory(campaign=first, state=DeliveryState.SENT, unsubscribed_at=timezone.now())
    Campaign.objects.filter(pk=first.pk).update(recipient_count=4)
    first.links.update(clicks=2)
    text = read_text(admin_client, SERIES)
    assert re.findall("Day 0|Day 2|Day 7|Hello", text) == ["Day 0", "Day 2", "Day 7", "Hello"]
    for part in ("right after confirming", "7 days after confirming, at 9:00 (UTC)", " 4 50.0 25.0%"):
        assert part in text
    assert "/turn_off/" in read(admin_client, SERIES)
    viewer = read(staff_client("view_campaign", email="viewer@example.com"), SERIES)
    assert not [shown for shown in ("/turn_off/", "/add/") if shown in viewer]


def test_new_step_exists_once_it_is_saved(admin_client: Client) -> None:
    for number, delay in enumerate(((0, None), (1, 9))):
        add_url = html.unescape(re.findall(r'href="([^"]*/add/.*?sailor.*?)"', read(admin_client, SERIES))[0])
        posted = read_form(admin_client, add_url, name=f"Step {number}", subject_en="Ahoy", body_en="Ahoy")
        assert Campaign.objects.count() == number
        response = admin_client.post(add_url, posted)
        step = Campaign.objects.latest("pk")
        assert response.headers["Location"] == get_path(step)
        assert (step.user_type, step.delay_days, step.delay_hour) == ("sailor", *delay)
    page: Any = admin_client.post(add_url, posted | {"user_type": ""})
    assert "user_type" in page.context["form"].errors
    admin_client.post(f"{LIST}add/", {"name": "Campaign"})
    assert not Campaign.objects.latest("pk").is_step


def test_editor_of_a_step_has_an_audience_and_a_delay_of_its_own(admin_client: Client) -> None:
    step = add_step(2, 9, is_on=False)
    add_step(5, 9, is_on=False)
    add_step(7, 9, is_on=False, user_type="company")
    fields = admin_client.get(get_path(step)).context["form"].fields
    assert not {"segment", "excluded_campaign", "is_public"} & set(fields)
    for changes, status, stored in (
        ({"delay_days": "7", "delay_hour": "9"}, 302, ("sailor", 7, 9)),
        ({"delay_days": "5", "delay_hour": "9"}, 200, ("sailor", 7, 9)),  # another step has it
        ({"delay_days": "366"}, 200, ("sailor", 7, 9)),
        ({"delay_days": ""}, 200, ("sailor", 7, 9)),
        ({"delay_days": "0", "user_type": "company"}, 302, ("company", 0, None)),
    ):
        assert save(admin_client, step, **changes).status_code == status
        step.refresh_from_db()
        assert (step.user_type, step.delay_days, step.delay_hour) == stored
    assert "delay_days" not in admin_client.get(get_path(CampaignFactory())).context["form"].fields


def test_step_that_is_on_is_edited_without_errors_only(admin_client: Client) -> None:
    step = add_step()
    page = read(admin_client, get_path(step))
    assert "what the next subscribers get" in page
    assert 'name="_send"' not in page
    response = save(admin_client, step, delay_days="0", body_en="[more](https://sailing.example/new)")
    assert response.status_code == 302, response.context["form"].errors
    assert step.links.filter(url="https://sailing.example/new").exists()
    response = save(admin_client, step, delay_days="0", subject_en="")
    assert "Nothing was saved, because the step is on" in response.content.decode()
    editor = staff_client("view_campaign", "change_campaign", email="editor@example.com")
    assert "form" not in editor.get(get_path(step)).context
    SubscriptionFactory(confirmed=True, paused=True)
    prepare_deliveries(1)
    assert step.deliveries.exists()
    assert save(admin_client, step, delay_days="0", user_type="company").status_code == 302
    step.refresh_from_db()
    assert (step.deliveries.count(), step.recipient_count) == (0, 0)


@pytest.mark.parametrize(("days", "is_mailed"), [(1, False), (5, True)])
def test_shorter_delay_mails_no_crowd(admin_client: Client, days: int, is_mailed: bool) -> None:
    step, now = add_step(5), timezone.now()
    Campaign.objects.update(started_at=now - timedelta(days=30))
    for age in (3, 6):
        SubscriptionFactory(confirmed=True, confirmed_at=now - timedelta(days=age))
    assert save(admin_client, step, delay_days=str(days), delay_hour="").status_code == 302
    prepare_deliveries(1)
    assert step.deliveries.exists() is is_mailed


def test_step_is_switched_once_and_only_as_it_was_shown(admin_client: Client) -> None:
    step = add_step(is_on=False)
    page = post(admin_client, step, "send", expected_version="draft")
    assert "Please look at it again" in page.content.decode()
    assert Campaign.objects.get().state == CampaignState.DRAFT
    for name, done in (("send", "The step is on."), ("turn_off", "The step is off.")):
        assert done in post(admin_client, step, name).content.decode()
        assert done not in post(admin_client, step, name).content.decode()
    assert LogEntry.objects.count() == 2
    assert post(admin_client, step, "pause").status_code == 404
    assert post(admin_client, CampaignFactory(), "turn_off").status_code == 404


def test_stopped_step_has_a_notice_until_it_is_turned_on_or_left_off(admin_client: Client) -> None:
    step, notice = add_step(), "database was restored"
    Campaign.objects.update(state=CampaignState.PAUSED, stop_reason="restored")
    pages = ("/admin/", SERIES, get_path(step, "results"))
    assert all(notice in read(admin_client, page) for page in pages)
    post(admin_client, step, "turn_off")
    assert not any(notice in read(admin_client, page) for page in pages)
