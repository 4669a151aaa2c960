"""The rule that somebody can always administer the site."""

from collections.abc import Collection

from accounts.models import User


class LastSuperuser(Exception):
    """No active superuser would be left."""


def check_one_remains(*, without: Collection[int]) -> None:
    """Raise LastSuperuser where these are all the superusers who can sign in.

    Locks all superusers until the end of the transaction, so that two of them cannot remove each other.
    Call it before locking any of them otherwise: transactions that lock in one order do not deadlock.
    Locks nothing when none of these is a superuser.
    """
    superusers = User.objects.filter(is_superuser=True, is_staff=True, is_active=True)
    if not superusers.filter(pk__in=without).exists():
        return
    # Not "FOR UPDATE": what a superuser does is still recorded in the history, which refers to the row.
    locked = superusers.order_by("pk").select_for_update(no_key=True)
    keys = set(locked.values_list("pk", flat=True))
    if keys and keys <= set(without):
        raise LastSuperuser
