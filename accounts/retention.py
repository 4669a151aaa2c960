"""The retention of unverified accounts and of email links (see `sailing.jobs.retention`)."""

from datetime import timedelta

from django.db.models import QuerySet
from django.utils import timezone

from accounts import tokens
from accounts.models import AccountLink, User
from accounts.services import verification
from sailing.jobs import retention
from sailing.privacy.erasure import erase

UNVERIFIED_LIFETIME = timedelta(days=14)
WARNED_BEFORE = timedelta(days=3)
BATCH_SIZE = 20
"""Accounts that one call erases, which are locked until its end. Each erasure searches other tables."""


@retention.register
def purge_expired_links() -> bool:
    """Delete a batch of links that were sent long ago; return whether more are left."""
    return AccountLink.purge_expired()


@retention.register
def warn_expiring() -> bool:
    """Warn a member that their unverified account will be deleted; return whether there was one.

    One at a time: locking the budgets of several mailboxes could cause a deadlock. No mail is sent if the
    budget of the mailbox is used up; the account expires anyway.
    """
    now = timezone.now()
    due = _find_unverified().filter(
        created_at__lte=now - UNVERIFIED_LIFETIME + WARNED_BEFORE, expiry_warned_at=None
    )
    user = due.select_for_update(skip_locked=True).first()
    if user:
        verification.warn_before_expiry(user=user, expires_at=now + WARNED_BEFORE)
    return user is not None


@retention.register
def purge_unverified() -> bool:
    """Delete a batch of accounts that were not verified after the warning; return whether more are due."""
    now = timezone.now()
    expired = _find_unverified().filter(
        created_at__lte=now - UNVERIFIED_LIFETIME, expiry_warned_at__lte=now - WARNED_BEFORE
    )
    keys = list(expired.select_for_update(skip_locked=True).values_list("pk", flat=True)[:BATCH_SIZE])
    erase(User, keys)
    return len(keys) == BATCH_SIZE


def _find_unverified() -> QuerySet[User]:
    """Return the accounts that may expire (`User.may_be_disowned`), without deactivated ones."""
    return User.objects.filter(
        is_email_verified=False,
        was_email_verified=False,
        is_active=True,
        is_staff=False,
        is_superuser=False,
    ).order_by("created_at")


retention.periods |= {
    "unverifiedAccounts": UNVERIFIED_LIFETIME,
    "expiryWarning": WARNED_BEFORE,
    "session": tokens.LIFETIME,
}
