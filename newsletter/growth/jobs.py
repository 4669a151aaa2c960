"""Count each day (see `newsletter.growth.models.DailyTotal`)."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from newsletter.growth.models import STOCKS, DailyTotal, Measure, get_bounds, get_today
from newsletter.models import SUBSCRIBED_STATES, ConsentEvent, ConsentKind, State, Subscription, UserType
from sailing.jobs import queue
from sailing.jobs.models import Job

KIND = "growth"
INTERVAL = timedelta(hours=1)
DAY = timedelta(days=1)

OWNER_ENDS = (ConsentKind.UNSUBSCRIBED, ConsentKind.COMPLAINED, ConsentKind.IMPORTED_OPT_OUT)
ENDS = (*OWNER_ENDS, ConsentKind.ENDED_BY_ADMIN, ConsentKind.BOUNCED)
BEGINNINGS = (ConsentKind.CONFIRMED, ConsentKind.IMPORTED_CONSENT)
RETURNS = (ConsentKind.CONFIRMED, ConsentKind.RESTORED, ConsentKind.REACHABLE)


@queue.register(KIND, label=_("Count the growth of the newsletter"), interval=INTERVAL)
def run(job: Job) -> bool:
    """Count the next day since the last run, whose day was not over. The cursor is the last day counted."""
    today = get_today()
    day = date.fromisoformat(job.cursor) + DAY if job.cursor else _find_first_day() or today
    if day <= today:
        count_day(day)
    job.cursor = day.isoformat()
    return day < today


def count_day(day: date) -> None:
    """Store the totals of a day in place of those stored before. What is there now is counted only today."""
    totals = [*_count_sign_ups(day), *_count_movements(day)]
    replaced = DailyTotal.objects.filter(day=day)
    if day == get_today():
        totals += _count_stocks(day)
    else:
        replaced = replaced.exclude(measure__in=STOCKS)
    replaced.delete()
    DailyTotal.objects.bulk_create(totals, batch_size=1000)


def _find_first_day() -> date | None:
    """Return the last day that was counted; at first, that of the oldest event."""
    last: date | None = DailyTotal.objects.aggregate(last=Max("day"))["last"]
    if last:
        return last
    first: datetime | None = ConsentEvent.objects.aggregate(first=Min("at"))["first"]
    return timezone.localdate(first, timezone.get_default_timezone()) if first else None


def _count_sign_ups(day: date) -> Iterator[DailyTotal]:
    """Count new subscriptions that were asked for on the site, and those that confirm for the first time."""
    events = ConsentEvent.objects.filter(subscription=OuterRef("subscription"))
    requested = ConsentEvent.objects.filter(subscription=OuterRef("pk"), kind=ConsentKind.REQUESTED)
    bounds = get_bounds(day)
    new = Subscription.objects.filter(Exists(requested), created_at__range=bounds)
    yield from _count(new, day, Measure.SIGNED_UP, prefix="", has_origin=True)
    confirmed = ConsentEvent.objects.filter(
        Exists(events.filter(kind=ConsentKind.REQUESTED)),
        ~Exists(events.filter(kind=ConsentKind.CONFIRMED, at__lt=bounds[0])),
        kind=ConsentKind.CONFIRMED,
        at__range=bounds,
    )
    yield from _count(confirmed, day, Measure.COMPLETED, has_origin=True)


def _count_movements(day: date) -> Iterator[DailyTotal]:
    """Count the confirmed subscriptions that began, ended, or came back.

    An end counts if the subscription is still ended by it: an opt-out in a file may change nothing, and what
    ended and came back on one day did neither.
    """
    bounds = get_bounds(day)
    of_readers = ConsentEvent.objects.filter(at__range=bounds, subscription__is_confirmed=True)
    events = ConsentEvent.objects.filter(subscription=OuterRef("subscription"))
    began_before = events.filter(kind__in=BEGINNINGS, at__lt=bounds[0])
    ended_today = events.filter(kind__in=ENDS, at__range=(bounds[0], OuterRef("at")))
    before = events.filter(kind__in=(*BEGINNINGS, *RETURNS, *ENDS), at__lt=bounds[0]).order_by("-at", "-pk")
    had_left = Q(last_before__in=ENDS)
    joined = Q(kind__in=BEGINNINGS) & ~Exists(began_before)
    came_back = Q(kind__in=RETURNS) & (had_left | ~Exists(ended_today))
    ended_by_owner = Q(kind__in=OWNER_ENDS, subscription__unsubscribed_at__range=bounds)
    is_ongoing = Q(subscription__is_active=True, subscription__unsubscribed_at=None)
    ended_by_admin = Q(
        kind=ConsentKind.ENDED_BY_ADMIN,
        subscription__is_active=False,
        subscription__unsubscribed_at=None,
    )
    bounced = Q(kind=ConsentKind.BOUNCED, subscription__bounced_at__range=bounds) & is_ongoing
    beginnings = of_readers.alias(last_before=Subquery(before.values("kind")[:1])).filter(joined | came_back)
    yield from _count(beginnings, day, Measure.CONFIRMED)
    yield from _count(of_readers.filter(ended_by_owner | ended_by_admin), day, Measure.UNSUBSCRIBED)
    yield from _count(of_readers.filter(bounced), day, Measure.UNDELIVERABLE)


def _count_stocks(day: date) -> Iterator[DailyTotal]:
    """Count what is there now; also what there is none of, so that each counted day has rows."""
    for measure, states in ((Measure.READERS, SUBSCRIBED_STATES), (Measure.WAITING, (State.PENDING,))):
        rows = Subscription.objects.in_state(*states).order_by().values_list("user_type", "language")
        counts = {(audience, language): count for audience, language, count in rows.annotate(Count("pk"))}
        for user_type in UserType:
            for language, _name in settings.LANGUAGES:
                count = counts.get((user_type.value, language), 0)
                yield DailyTotal(
                    day=day, measure=measure, user_type=user_type, language=language, count=count
                )


def _count(
    rows: QuerySet[Any],
    day: date,
    measure: Measure,
    *,
    prefix: str = "subscription__",
    has_origin: bool = False,
) -> Iterator[DailyTotal]:
    """Count subscriptions by audience and language. `prefix` leads from a row to the subscription.

    `has_origin`: also by where they came from.
    """
    source = NullIf(F(f"{prefix}utm_source"), Value(""))
    origins = (
        (Coalesce(source, F(f"{prefix}referrer")), F(f"{prefix}utm_campaign"))
        if has_origin
        else (Value(""), Value(""))
    )
    groups = rows.order_by().values_list(f"{prefix}user_type", f"{prefix}language", *origins)
    for user_type, language, origin, campaign, count in groups.annotate(Count(f"{prefix}pk", distinct=True)):
        yield DailyTotal(
            day=day,
            measure=measure,
            user_type=user_type,
            language=language,
            origin=origin,
            campaign=campaign,
            count=count,
        )
