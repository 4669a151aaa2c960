"""Metrics in the text format of Prometheus, at `/metrics` behind METRICS_TOKEN.

All numbers come from the database, so every process gives the same. Requests are counted from the log, whose
lines have a status code and a duration.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from sailing.jobs.models import Job, JobState
from sailing.mail import installation
from sailing.operations.queues import read_jobs, read_mails, read_watches

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FAILURE_PERIOD = timedelta(days=1)


@dataclass(frozen=True)
class Gauge:
    """A number, or one for each value of a label. Names, labels and values need no escaping."""

    name: str
    description: str
    numbers: int | Mapping[str, int]
    label: str = ""

    def format(self) -> str:
        """Return the lines of this gauge."""
        lines = [f"# HELP {self.name} {self.description}", f"# TYPE {self.name} gauge"]
        if isinstance(self.numbers, int):
            lines.append(f"{self.name} {self.numbers}")
        else:
            lines += [
                f'{self.name}{{{self.label}="{value}"}} {number}' for value, number in self.numbers.items()
            ]
        return "\n".join([*lines, ""])


Source = Callable[[], Iterable[Gauge]]
_sources: list[Source] = []


def register(source: Source) -> Source:
    """Add a function that counts rows of an app. Its module must be imported in the app's `ready`."""
    _sources.append(source)
    return source


def metrics(request: HttpRequest) -> HttpResponse:
    """Return all gauges to callers with the token, and 401 to others."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    headers = {"Cache-Control": "no-store"}
    if not constant_time_compare(token, settings.METRICS_TOKEN):
        headers["WWW-Authenticate"] = "Bearer"
        return HttpResponse("Unauthorized", status=401, content_type="text/plain", headers=headers)
    text = "".join(gauge.format() for source in _sources for gauge in source())
    return HttpResponse(text, content_type=CONTENT_TYPE, headers=headers)


@register
def measure_database() -> Iterator[Gauge]:
    """Return the size of the database, which a plan limits."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            yield Gauge("sailing_database_bytes", "Size of the database.", cursor.fetchone()[0])


@register
def count_queues() -> Iterator[Gauge]:
    """Count mails and jobs."""
    failed_since = timezone.now() - FAILURE_PERIOD
    mails, jobs = read_mails(failed_since), read_jobs(failed_since)
    yield Gauge("sailing_mails_waiting", "Mails that are not sent yet.", mails.waiting)
    yield Gauge("sailing_mails_failed", "Mails that finally failed in the last 24 hours.", mails.failed)
    yield Gauge(
        "sailing_sending_stopped",
        "1 if nothing is sent because the database was restored or copied.",
        int(installation.is_copy()),
    )
    states = {state.value: Job.objects.filter(state=state).count() for state in JobState}
    yield Gauge("sailing_jobs", "Background jobs of the last 30 days.", states, "state")
    yield Gauge("sailing_jobs_failed", "Jobs that finally failed in the last 24 hours.", jobs.failed)


@register
def measure_waiting() -> Iterator[Gauge]:
    """Return how long what is watched has waited."""
    for state in read_watches():
        yield Gauge(f"sailing_{state.watch.name}_seconds", state.watch.description, state.seconds)
