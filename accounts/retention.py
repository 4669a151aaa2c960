"""The retention of unverified accounts and of email links (see `sailing.jobs.retention`)."""

from datetime import timedelta

from django.utils import timezone

from accounts import tokens
from accounts.models import AccountLink, User
from sailing.jobs import retention
from sailing.privacy.erasure import erase

UNVERIFIED_LIFETIME = timedelta(days=14)
retention.periods |= {"unverifiedAccounts": UNVERIFIED_LIFETIME, "session": tokens.LIFETIME}

BATCH_SIZE = 20  # erased in one step, which locks them until its end; each erasure searches other tables


@retention.register
def purge_expired_links() -> bool:
    return AccountLink.purge_expired()


@retention.register
def purge_unverified() -> bool:
    """Erase a batch of accounts that were never verified; return whether more are due."""
    expired = User.objects.filter(
        created_at__lte=timezone.now() - UNVERIFIED_LIFETIME,
        is_email_verified=False,
        was_email_verified=False,
        is_active=True,
        is_staff=False,
        is_superuser=False,
    ).order_by("created_at")
    keys = list(expired.select_for_update(skip_locked=True).values_list("pk", flat=True)[:BATCH_SIZE])
    erase(User, keys)
    return len(keys) == BATCH_SIZE
