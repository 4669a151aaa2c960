"""One mail a day to the superusers, when mails or jobs failed or wait for too long; otherwise none."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.email import outbox
from sailing.email.tokens import page_url
from sailing.jobs import queue
from sailing.jobs.queue import RunningJob
from sailing.models import Job, JobState
from sailing.monitoring.queues import read_jobs, read_mails, read_watches

KIND = "operations.report"
INTERVAL = timedelta(days=1)


@queue.register(KIND, label=_("Daily report to admins"), interval=INTERVAL)
def run(job: RunningJob) -> Iterator[None]:
    """Report what has failed since the last report."""
    with job.step():
        reports = Job.objects.filter(kind=KIND, state=JobState.DONE).order_by("-started_at")
        last = reports.values_list("started_at", flat=True).first()
        enqueue_report(since=last or timezone.now() - INTERVAL)
    yield


def enqueue_report(*, since: datetime) -> None:
    """Store the mails to all active superusers, each in their language, if there is something to say."""
    mails, jobs = read_mails(since), read_jobs(since)
    context: dict[str, Any] = {
        "since": since,
        "failed_mails": mails.failed,
        "failed_jobs": jobs.failed,
        "overdue": [state for state in read_watches() if state.is_overdue],
    }
    if not any(value for name, value in context.items() if name != "since"):
        return
    users: Any = get_user_model()._default_manager
    for user in users.filter(is_superuser=True, is_active=True):
        outbox.enqueue(
            "operations/report",
            to=user.email,
            language=user.language,
            subject_key=outbox.subject_key(type(user), user.pk),
            context={
                **context,
                "user": user,
                "url": page_url(reverse("admin:operations"), language=user.language),
            },
        )
