"""The state of the site: one list of the apps' watches, for the log, metrics, doctor and Django admin."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import structlog
from django.db.models import F, QuerySet
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.timesince import timesince

from sailing.database import Now
from sailing.errors import is_database_unavailable

OVERDUE_SECONDS = 8 * 60  # a queue may wait so long: with the pauses between checks or scrapes, 10 minutes

Value = float | Mapping[Any, int] | None  # a number, one for each of some `Choices`, or unknown

logger = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Watch:
    """A number that an admin or a monitor wants to know.

    `name`: ends with its unit. `label`, `problem`: for admins who may view `model` (`app.Model`). A number
    above `limit` is a problem, and so is None; with `is_optional`, None is nothing to tell. Failures are on
    the home page and in a list instead (`is_on_system_page`).
    """

    name: str
    read: Callable[[], Value]
    label: str | Promise
    model: str
    problem: str | Promise = ""
    limit: float | None = None
    is_optional: bool = False
    is_on_system_page: bool = True


@dataclass(frozen=True)
class Reading:
    watch: Watch
    value: Value

    @property
    def is_problem(self) -> bool:
        if self.value is None or isinstance(self.value, Mapping):
            return self.value is None
        return self.watch.limit is not None and self.value > self.watch.limit

    def __str__(self) -> str:
        if isinstance(self.value, Mapping):
            return ", ".join(f"{state.label}\u00a0{_format(count)}" for state, count in self.value.items())
        if self.value is None:
            return "–"
        if self.watch.name.endswith("_bytes"):
            return filesizeformat(self.value)
        if self.watch.name.endswith("_seconds"):
            now = timezone.now()
            return timesince(now - timedelta(seconds=self.value), now)
        return _format(self.value)


watches: list[Watch] = []


def watch(name: str, **options: Any) -> Callable[[Callable[[], Value]], Callable[[], Value]]:
    """Register the decorated function as the `read` of a `Watch`."""

    def register(read: Callable[[], Value]) -> Callable[[], Value]:
        watches.append(Watch(name, read, **options))
        return read

    return register


def read(chosen: Iterable[Watch]) -> list[Reading]:
    """Read some watches. Raises the errors of an unavailable database; other errors are logged."""
    readings = [Reading(each, _read(each)) for each in chosen]
    return [each for each in readings if each.value is not None or not each.watch.is_optional]


def find_problems() -> list[Reading]:
    readings = read(each for each in watches if each.limit is not None)
    return [reading for reading in readings if reading.is_problem]


def measure_age(rows: QuerySet[Any], field: str, *, newest: bool = False) -> float | None:
    """Return the seconds since the time of the oldest row, by the database's clock; None without rows."""
    ordered = rows.order_by(f"-{field}" if newest else field)
    age = ordered.annotate(age=Now() - F(field)).values_list("age", flat=True).first()
    return None if age is None else round(age.total_seconds())


def measure_wait(rows: QuerySet[Any], field: str = "next_attempt_at") -> float:
    """Return how many seconds the oldest row has waited since a time; 0 if none does."""
    return max(0, measure_age(rows, field) or 0)


def _format(number: float) -> str:
    return number_format(number, force_grouping=True)


def _read(each: Watch) -> Value:
    try:
        return each.read()
    except Exception as error:
        if is_database_unavailable(error):
            raise
        logger.exception("watch_failed", watch=each.name)
        return None
