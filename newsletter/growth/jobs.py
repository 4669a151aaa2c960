"""Count each day (see `newsletter.growth.models.DailyTotal`)."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

from django.db.models import Case, CharField, Count, Exists, F, Max, Min, OuterRef, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from newsletter.growth.models import IMPORT, STOCKS, DailyTotal, Measure
from newsletter.models import SUBSCRIBED_STATES, ConsentEvent, ConsentKind, State, Subscription
from sailing.jobs import queue
from sailing.jobs.queue import RunningJob

KIND = "growth"
INTERVAL = timedelta(hours=1)
DAY = timedelta(days=1)

MEASURES = {
    ConsentKind.CONFIRMED: Measure.CONFIRMED,
    ConsentKind.IMPORTED_CONSENT: Measure.CONFIRMED,
    ConsentKind.UNSUBSCRIBED: Measure.UNSUBSCRIBED,
    ConsentKind.COMPLAINED: Measure.UNSUBSCRIBED,
    ConsentKind.IMPORTED_OPT_OUT: Measure.UNSUBSCRIBED,
    ConsentKind.ENDED_BY_ADMIN: Measure.UNSUBSCRIBED,
    ConsentKind.BOUNCED: Measure.UNDELIVERABLE,
}


@queue.register(KIND, label=_("Count the growth of the newsletter"), interval=INTERVAL)
def run(job: RunningJob) -> Iterator[None]:
    """Count the days since the last run, each in one step; the day of the last run was not over."""
    today = timezone.localdate()
    day = _find_first_day() or today
    while day <= today:
        with job.step():
            count_day(day)
        yield
        day += DAY


def count_day(day: date) -> None:
    """Store the totals of a day in place of those stored before. What is there now is counted only today."""
    totals = [*_count_sign_ups(day), *_count_events(day)]
    replaced = DailyTotal.objects.filter(day=day)
    if day == timezone.localdate():
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
    return timezone.localdate(first) if first else None


def _count_sign_ups(day: date) -> Iterator[DailyTotal]:
    requests = ConsentEvent.objects.filter(subscription=OuterRef("pk"), kind=ConsentKind.REQUESTED)
    rows = Subscription.objects.filter(Exists(requests), created_at__range=_get_bounds(day))
    return _count(rows, day, prefix="", measure=Value(Measure.SIGNED_UP.value))


def _count_events(day: date) -> Iterator[DailyTotal]:
    was_reader = Q(kind__in=(ConsentKind.CONFIRMED, ConsentKind.IMPORTED_CONSENT)) | Q(
        subscription__is_confirmed=True
    )
    rows = ConsentEvent.objects.filter(was_reader, kind__in=MEASURES, at__range=_get_bounds(day))
    measures = [When(kind=kind, then=Value(measure.value)) for kind, measure in MEASURES.items()]
    return _count(rows, day, prefix="subscription__", measure=Case(*measures, output_field=CharField()))


def _count_stocks(day: date) -> Iterator[DailyTotal]:
    for measure, states in ((Measure.READERS, SUBSCRIBED_STATES), (Measure.WAITING, (State.PENDING,))):
        rows = Subscription.objects.in_state(*states).order_by().values_list("user_type", "language")
        for user_type, language, count in rows.annotate(Count("pk")):
            yield DailyTotal(day=day, measure=measure, user_type=user_type, language=language, count=count)


def _count(rows: QuerySet[Any], day: date, *, prefix: str, measure: Any) -> Iterator[DailyTotal]:
    """Count subscriptions by measure, audience, language and origin. `prefix`: leads to the subscription."""
    origin = Case(
        When(**{f"{prefix}is_imported": True}, then=Value(IMPORT)),
        When(**{f"{prefix}utm_source__gt": ""}, then=F(f"{prefix}utm_source")),
        default=F(f"{prefix}referrer"),
    )
    groups = rows.order_by().values_list(
        measure, f"{prefix}user_type", f"{prefix}language", origin, f"{prefix}utm_campaign"
    )
    for name, user_type, language, where, campaign, count in groups.annotate(
        Count(f"{prefix}pk", distinct=True)
    ):
        yield DailyTotal(
            day=day,
            measure=name,
            user_type=user_type,
            language=language,
            origin=where,
            campaign=campaign,
            count=count,
        )


def _get_bounds(day: date) -> tuple[datetime, datetime]:
    """Return the first and the last moment of a day in the time zone of the site."""
    return tuple(timezone.make_aware(datetime.combine(day, at)) for at in (time.min, time.max))  # type: ignore[return-value]
