"""The admin in whose name a job works."""

from typing import Any

from django.contrib.auth import get_user_model
from django.utils.translation import gettext_noop

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
