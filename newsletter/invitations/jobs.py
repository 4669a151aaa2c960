"""The hourly count of invitations."""

from collections.abc import Iterator
from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from newsletter.invitations import services
from sailing.jobs import queue
from sailing.jobs.queue import RunningJob

COUNT = "invitations.count"


@queue.register(COUNT, label=_("Count invitations"), interval=timedelta(hours=1))
def run_count(job: RunningJob) -> Iterator[None]:
    """Settle what a killed process has left, then count by the key of the inviter, which is the cursor."""
    if not settings.INVITATIONS:
        return
    if job.cursor is None:
        while left_over := services.list_left_over():
            for subscription in left_over:
                with job.step():  # each alone, because it locks the address of its inviter
                    services.settle(subscription=subscription)
                yield
        job.cursor = 0
    while job.cursor is not None:
        with job.step():
            job.cursor = services.update_counts(after=job.cursor)
        yield
