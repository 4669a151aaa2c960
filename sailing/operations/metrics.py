"""Metrics in the text format of Prometheus, at `/metrics` behind METRICS_TOKEN.

All numbers come from the database, so every process gives the same. Requests are counted from the log, whose
lines have a status code and a duration.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from sailing import __version__, database
from sailing.jobs.models import Job, JobState
from sailing.jobs.queue import MAX_ATTEMPTS
from sailing.mail import installation
from sailing.mail.models import MailState, OutboxEmail
from sailing.operations.queues import read_watches

FAILURE_PERIOD = timedelta(days=1)

Read = Callable[[], Iterable[Metric]]
_registry = CollectorRegistry()


class _RegisteredFunction(Collector):
    def __init__(self, read: Read) -> None:
        self._read = read

    def collect(self) -> Iterable[Metric]:
        return self._read()


def register(read: Read) -> Read:
    """Register a function that counts rows of an app, as a decorator. It is called for each scrape."""
    _registry.register(_RegisteredFunction(read))
    return read


def metrics(request: HttpRequest) -> HttpResponse:
    """Return all gauges to callers with the token, and 401 to others."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    headers = {"Cache-Control": "no-store"}
    if not constant_time_compare(token, settings.METRICS_TOKEN):
        headers["WWW-Authenticate"] = "Bearer"
        return HttpResponse("Unauthorized", status=401, content_type="text/plain", headers=headers)
    return HttpResponse(generate_latest(_registry), content_type=CONTENT_TYPE_LATEST, headers=headers)


@register
def describe_release() -> Iterator[InfoMetricFamily]:
    """Return the version of the release. Two processes with different ones are two releases at once."""
    yield InfoMetricFamily("sailing_release", "The release that runs.", {"version": __version__})


@register
def measure_database() -> Iterator[GaugeMetricFamily]:
    """Return the size of the database, which a plan limits."""
    size = database.read_size(connection)
    yield GaugeMetricFamily("sailing_database_bytes", "Size of the database.", value=size)


@register
def count_queues() -> Iterator[GaugeMetricFamily]:
    """Count mails and jobs."""
    failed_since = timezone.now() - FAILURE_PERIOD
    mails, jobs = OutboxEmail.objects, Job.objects
    waiting = mails.filter(state=MailState.WAITING)
    yield GaugeMetricFamily("sailing_mails_waiting", "Mails that are not sent yet.", value=waiting.count())
    failed_mails = mails.filter(state=MailState.FAILED, next_attempt_at__gt=failed_since)
    yield GaugeMetricFamily(
        "sailing_mails_failed",
        "Mails that finally failed in the last 24 hours.",
        value=failed_mails.count(),
    )
    yield GaugeMetricFamily(
        "sailing_sending_stopped",
        "1 if nothing is sent because the database was restored or copied.",
        value=int(installation.is_copy()),
    )
    states = GaugeMetricFamily("sailing_jobs", "Background jobs of the last 30 days.", labels=["state"])
    for state in JobState:
        states.add_metric([state.value], jobs.filter(state=state).count())
    yield states
    # A job that was refused, as for a bad file, has not failed.
    failed_jobs = jobs.filter(state=JobState.FAILED, attempts__gte=MAX_ATTEMPTS, finished_at__gt=failed_since)
    yield GaugeMetricFamily(
        "sailing_jobs_failed", "Jobs that finally failed in the last 24 hours.", value=failed_jobs.count()
    )


@register
def measure_waiting() -> Iterator[GaugeMetricFamily]:
    """Return how long what is watched has waited."""
    for state in read_watches():
        yield GaugeMetricFamily(
            f"sailing_{state.watch.name}_seconds", state.watch.description, value=state.seconds
        )
