"""The totals of each day."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from time_machine import TimeMachineFixture

from newsletter.growth import jobs
from newsletter.growth.jobs import KIND
from newsletter.growth.models import STOCKS, DailyTotal, Measure
from newsletter.models import ConsentEvent, ConsentKind, Subscription, UserType
from newsletter.tests.factories import SubscriptionFactory
from sailing.jobs import queue
from sailing.privacy.erasure import erase
from tests.jobs import Killed, kill_after, run_pending_jobs

pytestmark = pytest.mark.django_db

NOW = datetime(2027, 5, 10, 12, tzinfo=UTC)
TODAY = NOW.date()


@pytest.fixture(autouse=True)
def _clock(time_machine: TimeMachineFixture) -> None:
    time_machine.move_to(NOW, tick=False)


def subscribe(*kinds: ConsentKind, at: datetime = NOW, **values: Any) -> Subscription:
    """Store a subscription and its events, all at one time."""
    subscription = SubscriptionFactory(created_at=at, **values)
    for kind in kinds:
        add_event(subscription, kind, at=at)
    return subscription


def add_event(subscription: Subscription, kind: ConsentKind, *, at: datetime = NOW) -> None:
    ConsentEvent.objects.create(
        subscription=subscription, kind=kind, at=at, language="en", user_type=subscription.user_type
    )


def count() -> None:
    queue.enqueue(KIND)
    run_pending_jobs()


def read(measure: Measure, *, day: date | None = None) -> dict[tuple[str, ...], int]:
    """Return the numbers above 0 by audience, language, origin and campaign; of all days, or of one."""
    rows = DailyTotal.objects.filter(measure=measure, count__gt=0, **({"day": day} if day else {}))
    return {
        tuple(key): number
        for *key, number in rows.values_list("user_type", "language", "origin", "campaign", "count")
    }


def test_sign_ups_are_counted_by_audience_language_and_origin() -> None:
    subscribe(ConsentKind.REQUESTED, utm_source="mast", utm_campaign="spring", referrer="forum.example")
    subscribe(ConsentKind.REQUESTED, ConsentKind.REQUESTED, utm_source="mast", utm_campaign="spring")
    subscribe(ConsentKind.REQUESTED, referrer="forum.example", language="cs")
    subscribe(ConsentKind.REQUESTED, user_type=UserType.COMPANY)
    subscribe(ConsentKind.ADDED, ConsentKind.INVITED)
    subscribe(is_imported=True)
    count()
    assert read(Measure.SIGNED_UP) == {
        ("sailor", "en", "mast", "spring"): 2,
        ("sailor", "cs", "forum.example", ""): 1,
        ("company", "en", "", ""): 1,
    }


LONG_AGO = NOW - timedelta(days=300)
LEFT: dict[str, Any] = {"is_active": False, "unsubscribed_at": NOW}
LEFT_LONG_AGO: dict[str, Any] = {"is_active": False, "unsubscribed_at": LONG_AGO}


@pytest.mark.parametrize(
    ("kinds", "values", "measure"),
    [
        ([ConsentKind.CONFIRMED], {}, Measure.CONFIRMED),
        ([ConsentKind.CONFIRMED, ConsentKind.CONFIRMED], {}, Measure.CONFIRMED),
        ([ConsentKind.IMPORTED_CONSENT], {}, Measure.CONFIRMED),
        ([ConsentKind.RESTORED], {}, Measure.CONFIRMED),
        ([ConsentKind.REACHABLE], {}, Measure.CONFIRMED),
        ([ConsentKind.ENDED_BY_ADMIN, ConsentKind.RESTORED], {}, None),
        ([ConsentKind.BOUNCED, ConsentKind.REACHABLE], {}, None),
        ([ConsentKind.UNSUBSCRIBED], LEFT, Measure.UNSUBSCRIBED),
        ([ConsentKind.COMPLAINED], LEFT, Measure.UNSUBSCRIBED),
        ([ConsentKind.IMPORTED_OPT_OUT], LEFT, Measure.UNSUBSCRIBED),
        ([ConsentKind.IMPORTED_OPT_OUT], LEFT_LONG_AGO, None),
        ([ConsentKind.IMPORTED_OPT_OUT], {}, None),  # they confirmed on the site, and stay
        ([ConsentKind.ENDED_BY_ADMIN], {"is_active": False}, Measure.UNSUBSCRIBED),
        ([ConsentKind.ENDED_BY_ADMIN], LEFT_LONG_AGO, None),
        ([ConsentKind.BOUNCED], {"bounced_at": NOW}, Measure.UNDELIVERABLE),
        ([ConsentKind.BOUNCED], {"bounced_at": NOW} | LEFT_LONG_AGO, None),
        ([ConsentKind.EXPLAINED], LEFT, None),
    ],
)
def test_movement_of_a_reader_is_counted_once(
    kinds: list[ConsentKind], values: dict[str, Any], measure: Measure | None
) -> None:
    subscribe(*kinds, confirmed=True, **values)
    count()
    movements = (Measure.CONFIRMED, Measure.UNSUBSCRIBED, Measure.UNDELIVERABLE)
    counted = {each: sum(read(each).values()) for each in movements if read(each)}
    assert counted == ({measure: 1} if measure else {})


@pytest.mark.parametrize(
    ("since", "kinds", "joined", "left"),
    [
        (LONG_AGO, [ConsentKind.UNSUBSCRIBED, ConsentKind.CONFIRMED], 0, 0),
        (NOW, [ConsentKind.UNSUBSCRIBED, ConsentKind.CONFIRMED], 1, 0),
        (LONG_AGO, [ConsentKind.CONFIRMED, ConsentKind.UNSUBSCRIBED], 1, 1),  # they had left before
    ],
)
def test_reader_who_leaves_and_comes_back_on_one_day_did_neither(
    since: datetime, kinds: list[ConsentKind], joined: int, left: int
) -> None:
    ends = LEFT if kinds[-1] is ConsentKind.UNSUBSCRIBED else {}
    reader = subscribe(ConsentKind.CONFIRMED, at=since, confirmed=True, **ends)
    for minutes, kind in enumerate(kinds, 1):
        add_event(reader, kind, at=NOW + timedelta(minutes=minutes))
    jobs.count_day(TODAY)
    assert sum(read(Measure.CONFIRMED).values()) == joined
    assert sum(read(Measure.UNSUBSCRIBED).values()) == left


def test_reader_who_had_left_comes_back_although_a_file_says_again_that_they_left() -> None:
    reader = subscribe(ConsentKind.CONFIRMED, at=LONG_AGO, confirmed=True)
    add_event(reader, ConsentKind.UNSUBSCRIBED, at=LONG_AGO + timedelta(days=1))
    add_event(reader, ConsentKind.IMPORTED_OPT_OUT)
    add_event(reader, ConsentKind.CONFIRMED, at=NOW + timedelta(minutes=1))
    jobs.count_day(TODAY)
    assert sum(read(Measure.CONFIRMED).values()) == 1


def test_end_of_a_request_that_nobody_confirmed_is_not_counted() -> None:
    subscribe(ConsentKind.UNSUBSCRIBED, **LEFT)
    subscribe(ConsentKind.BOUNCED, bounced_at=NOW)
    count()
    assert read(Measure.UNSUBSCRIBED) == read(Measure.UNDELIVERABLE) == {}


def test_first_confirmation_of_a_sign_up_is_counted_where_it_came_from() -> None:
    subscribe(ConsentKind.REQUESTED, ConsentKind.CONFIRMED, confirmed=True, utm_source="mast")
    subscribe(ConsentKind.CONFIRMED, confirmed=True, utm_source="mast")  # asked for by a member
    earlier = NOW - timedelta(days=2)
    back = subscribe(ConsentKind.REQUESTED, ConsentKind.CONFIRMED, at=earlier, confirmed=True)
    add_event(back, ConsentKind.CONFIRMED)
    count()
    assert read(Measure.COMPLETED, day=TODAY) == {("sailor", "en", "mast", ""): 1}
    assert sum(read(Measure.CONFIRMED, day=TODAY).values()) == 3


def test_readers_include_the_paused_and_no_one_else() -> None:
    SubscriptionFactory(confirmed=True)
    SubscriptionFactory(confirmed=True, paused=True)
    SubscriptionFactory(confirmed=True, unsubscribed=True)
    SubscriptionFactory(confirmed=True, bounced=True)
    SubscriptionFactory(language="cs")
    count()
    assert read(Measure.READERS) == {("sailor", "en", "", ""): 2}
    assert read(Measure.WAITING) == {("sailor", "cs", "", ""): 1}


def test_first_run_counts_each_day_since_the_first_event() -> None:
    for days_ago in (0, 0, 2):
        subscribe(ConsentKind.REQUESTED, at=NOW - timedelta(days=days_ago))
    count()
    found = DailyTotal.objects.filter(measure=Measure.SIGNED_UP).values_list("day", "count")
    assert dict(found) == {TODAY - timedelta(days=2): 1, TODAY: 2}
    assert set(DailyTotal.objects.filter(measure=Measure.WAITING).values_list("day", flat=True)) == {TODAY}


def test_first_run_without_any_event_counts_that_there_is_nobody() -> None:
    count()
    assert set(DailyTotal.objects.values_list("day", "measure", "count")) == {
        (TODAY, measure.value, 0) for measure in STOCKS
    }


def test_past_day_survives_an_erasure_and_the_open_day_follows_it(
    time_machine: TimeMachineFixture,
) -> None:
    early = subscribe(ConsentKind.REQUESTED, ConsentKind.CONFIRMED, confirmed=True)
    count()
    time_machine.move_to(NOW + timedelta(days=1), tick=False)
    count()  # closes the day before
    late = subscribe(ConsentKind.REQUESTED, at=NOW + timedelta(days=1))
    count()
    time_machine.move_to(NOW + timedelta(days=1, hours=1), tick=False)
    erase(Subscription, [early.pk, late.pk])
    count()
    assert read(Measure.SIGNED_UP, day=TODAY) == {("sailor", "en", "", ""): 1}
    assert read(Measure.READERS, day=TODAY)["sailor", "en", "", ""] == 1
    assert not DailyTotal.objects.filter(day__gt=TODAY, count__gt=0).exists()
    count()  # nobody is left; the closed day stays closed all the same
    assert read(Measure.SIGNED_UP, day=TODAY) == {("sailor", "en", "", ""): 1}


def test_event_after_the_last_run_of_a_day_is_counted_on_the_next_day(
    time_machine: TimeMachineFixture,
) -> None:
    late = NOW.replace(hour=23, minute=59)
    count()
    subscribe(ConsentKind.REQUESTED, at=late)
    time_machine.move_to(late + timedelta(minutes=30), tick=False)
    count()
    assert read(Measure.SIGNED_UP, day=TODAY) == {("sailor", "en", "", ""): 1}


def test_day_is_that_of_the_time_zone_of_the_site(settings: Any) -> None:
    settings.TIME_ZONE = "Europe/Prague"
    subscribe(ConsentKind.REQUESTED, at=datetime(2027, 5, 9, 22, 30, tzinfo=UTC))  # half past midnight
    count()
    assert read(Measure.SIGNED_UP, day=TODAY) == {("sailor", "en", "", ""): 1}


def test_interrupted_run_leaves_the_totals_of_before_and_is_repeated(
    monkeypatch: pytest.MonkeyPatch, time_machine: TimeMachineFixture
) -> None:
    subscribe(ConsentKind.REQUESTED)
    count()
    subscribe(ConsentKind.REQUESTED)
    kill_after(monkeypatch, jobs, "count_day")
    with pytest.raises(Killed):
        count()
    assert read(Measure.SIGNED_UP) == {("sailor", "en", "", ""): 1}
    time_machine.move_to(NOW + queue.CLAIM_LIFETIME, tick=False)
    run_pending_jobs()
    assert read(Measure.SIGNED_UP) == {("sailor", "en", "", ""): 2}
