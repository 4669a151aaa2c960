"""A member's row: profile, sessions, data, deactivation and deletion."""

from collections.abc import Collection, Mapping
from typing import Any

import structlog
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from accounts import mails
from accounts.errors import LastSuperuser, MemberErased
from accounts.models import LinkPurpose, User
from accounts.services.sign_in import refuse_second_factor, require_password
from accounts.validation import validate_profile
from sailing import history
from sailing.client import Client
from sailing.errors import Unauthenticated
from sailing.privacy import personal_data
from sailing.privacy.erasure import erase, erase_person, plan_erasure
from sailing.privacy.personal_data import Document
from sailing.ratelimit.limits import check_key_rate, check_rate
from sailing.status import watch

PERSONAL_DATA_RATE = "10/h"

logger = structlog.get_logger(__name__)


def update_profile(*, client: Client, user: User, values: Mapping[str, Any]) -> User:
    """Change the given ones of `User.PROFILE_FIELDS`. Raises RateLimited, Unauthenticated and BadUserInput.

    None leaves a field as it is; a blank value clears an optional field.
    """
    check_rate(client, group="update-profile", rate=settings.MEMBER_RATE)
    changes = validate_profile(values)
    with transaction.atomic():
        current = lock(user)
        for name, value in changes.items():
            setattr(current, name, value)
        if changes:
            current.save()
    return current


def end_own_sessions(*, client: Client, user: User) -> None:
    """End all sessions of a member, that of the request too. Raises RateLimited and Unauthenticated."""
    check_rate(client, group="sign-out-everywhere", rate=settings.MEMBER_RATE)
    with transaction.atomic():
        sign_out_everywhere(user=user)
        record_own_action(user, gettext_noop("Signed out everywhere by the member."))


def sign_out_everywhere(*, user: User) -> None:
    """Invalidate all bearer tokens and sessions of a member."""
    with transaction.atomic():
        current = lock(user)
        current.end_sessions()
        current.save()
    logger.info("signed_out_everywhere", user_id=user.pk)


def get_personal_data(user: User) -> Document:
    """Return everything that is stored about a member. Raises RateLimited and Unauthenticated.

    What belongs to the mailbox is included only if the member has verified it.
    """
    check_key_rate(user.pk, group="personal-data", rate=PERSONAL_DATA_RATE)
    document = personal_data.render(user.email, is_verified=user.is_email_verified)
    with transaction.atomic():
        record_own_action(lock(user), gettext_noop("Data downloaded by the member."))
    logger.info("personal_data_downloaded", user_id=user.pk)
    return document


def delete_account(*, client: Client, user: User, current_password: str, keep_newsletter: bool) -> None:
    """Delete the account of a member at once, and confirm that by mail.

    The subscriptions of the address are deleted too, unless the member keeps them. With an unverified address
    they are kept, and no mail is sent there: the mailbox may belong to another person.
    Raises RateLimited, Unauthenticated, SecondFactorNeeded, BadUserInput, WrongPassword and LastSuperuser.
    """
    check_rate(client, group="delete-account", rate=settings.MEMBER_RATE)
    refuse_second_factor(user)
    require_password(client, user, current_password)
    with transaction.atomic():
        require_other_superuser(than=[user.pk])
        is_newsletter_kept = keep_newsletter and len(plan_erasure(user).erased) > 1
        # All tokens may have ended meanwhile. A new address would have ended them too.
        if keep_newsletter or not user.is_email_verified:
            is_erased = erase(User, [user.pk], token_version=user.token_version) > 0
        else:
            is_erased = erase_person(user, token_version=user.token_version)
        if not is_erased:
            raise MemberErased
        if user.is_email_verified and not user.email_undeliverable_at:
            mails.enqueue_account_deleted(user, is_newsletter_kept=is_newsletter_kept)
    logger.info("account_deleted", user_id=user.pk)


def deactivate(*, user: User) -> bool:
    """Deactivate a member and end all sessions and links; return False if inactive. Raises LastSuperuser."""
    with transaction.atomic():
        require_other_superuser(than=[user.pk])
        current = lock(user)
        if not current.is_active:
            return False
        current.is_active = False
        current.end_sessions()
        current.save()
        current.close_links(*LinkPurpose)
    logger.info("deactivated", user_id=user.pk)
    return True


def activate(*, user: User) -> bool:
    """Undo a deactivation; return False if the member was active. Their earlier tokens stay invalid."""
    with transaction.atomic():
        current = lock(user)
        if current.is_active:
            return False
        current.is_active = True
        current.save()
    logger.info("activated", user_id=user.pk)
    return True


def require_other_superuser(*, than: Collection[int]) -> None:
    """Raise LastSuperuser if no superuser but these can sign in.

    If any of these is one, all superusers are locked until the transaction ends, so that two of them cannot
    remove each other. Call it before locking any of them otherwise, to avoid a deadlock.
    """
    superusers = User.objects.filter(is_superuser=True, is_staff=True, is_active=True)
    if not superusers.filter(pk__in=than).exists():
        return
    # A plain "FOR UPDATE" would block inserts into the admin history, which refers to the row.
    locked = superusers.order_by("pk").select_for_update(no_key=True)
    keys = set(locked.values_list("pk", flat=True))
    if keys and keys <= set(than):
        raise LastSuperuser


def lock(user: User) -> User:
    """Return the locked row of a member. Raises MemberErased."""
    current = User.objects.select_for_update().filter(pk=user.pk).first()
    if current is None:
        raise MemberErased
    return current


def lock_signed_in(member: User) -> User:
    """Return the locked row of a request's member. Raises Unauthenticated if all tokens ended meanwhile."""
    current = lock(member)
    if current.token_version != member.token_version:
        raise Unauthenticated
    return current


@watch("members", label=_("Members"), model="accounts.User")
def count_members() -> int:
    return User.objects.filter(is_active=True).count()


def record_own_action(member: User, text: str) -> None:
    """Add what a member did to the history of the account, without the address."""
    history.record(member, User, member.pk, text, key=member.pk)
