"""The admin in whose name a job works, and who else may continue it."""

from typing import Any

from django.contrib.auth import get_user_model
from django.utils.translation import gettext_noop

from sailing.jobs import queue
from sailing.jobs.models import Job
from sailing.jobs.queue import JobFailed

REFUSED = gettext_noop("The admin who started the job no longer has the permission.")


def require_admin(user_id: int | None, *permissions: str) -> Any:
    """Return the admin who started a job.

    Rights may be lost before a job runs, or before it is continued.
    Raises JobFailed if the person is no longer an admin, or lacks one of the permissions (`app.codename`).
    """
    users = get_user_model()._default_manager
    user: Any = users.filter(pk=user_id or 0, is_active=True, is_staff=True).first()
    if user is None or not user.has_perms(permissions):
        raise JobFailed(REFUSED)
    return user


def may_continue(job: Job, user: Any) -> bool:
    """Return whether an admin has the rights that a job needs, which works in the name of who started it."""
    kind = queue.kinds.get(job.kind)
    try:
        if kind and kind.authorize:
            kind.authorize(job, user.pk)
    except JobFailed:
        return False
    return kind is not None
