"""The job that answers requests for a new password (docs/decisions/022-members-manage-their-account.md)."""

from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services import passwords
from sailing.jobs import queue, retention
from sailing.jobs.models import Job
from sailing.jobs.queue import RunningJob
from sailing.jobs.retention import delete_batch

RETENTION = timedelta(hours=1)
"""Of finished jobs. Anybody can add them, and they would bury those of the admins."""

REQUESTS_PER_STEP = 50
"""Requests that one job answers, which halves the work for each when many wait."""


@queue.register(passwords.RESET_JOB, label=_("Answer a request for a new password"))
def send_reset_mail(job: RunningJob) -> Iterator[None]:
    """Send the mail, if the address belongs to a member who may get one. Answer waiting requests with it."""
    with job.step():
        requests = [job.arguments, *job.finish_others(REQUESTS_PER_STEP - 1)]
        keys = {request["member"] for request in requests if request["member"]}
        # Before any mailbox is locked: a visitor may hold one of the members and want a mailbox.
        members = User.objects.filter(pk__in=keys).order_by("pk")
        for user in list(members.select_for_update()):
            passwords.send_reset_mail(user=user, is_budgeted=True)
    yield


@retention.register
def purge_finished() -> bool:
    """Delete a batch of finished jobs; return whether more are left."""
    return delete_batch(
        Job.objects.filter(kind=passwords.RESET_JOB, finished_at__lt=timezone.now() - RETENTION)
    )
