"""The hourly count of invitations."""

from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from newsletter.invitations import services
from sailing.jobs import queue
from sailing.jobs.models import Job

COUNT = "invitations.count"


@queue.register(COUNT, label=_("Count invitations"), interval=timedelta(hours=1))
def run_count(job: Job) -> bool:
    """Settle what a killed process has left, then count by the key of the inviter, which is the cursor."""
    if not settings.INVITATIONS:
        return False
    if job.cursor is None and (left_over := services.list_left_over()[:1]):
        # One in each step, because it locks the address of its inviter.
        services.settle(subscription=left_over[0])
        return True
    job.cursor = services.update_counts(after=job.cursor or 0)
    return job.cursor is not None
