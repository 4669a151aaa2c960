"""The mails about an account, each in the language that its member signed up in.

None of them has a name in it. Anyone can sign up with somebody else's address, and whatever they typed as
a name would reach that mailbox in a mail of ours (OWASP, "Email injection" and content spoofing).
They are about the account, not subscribed to: no List-Unsubscribe.
"""

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.links import RESET_LIFETIME, VERIFY_LIFETIME
from accounts.models import User
from sailing.email import outbox
from sailing.email import tokens as email_tokens


def enqueue_verification(user: User, *, token: str) -> None:
    """The mail that asks the owner of a mailbox to say that it is theirs."""
    _enqueue_link(
        "accounts/verification", user, view="accounts:verify", token=token, lifetime=VERIFY_LIFETIME
    )


def enqueue_expiry_warning(user: User, *, token: str, expires_at: datetime) -> None:
    """The mail that tells a member when the unverified account will be deleted, and how to keep it."""
    url = email_tokens.url("accounts:verify", token=token, language=user.language)
    _enqueue(
        "accounts/expiry_warning", user, url=url, not_me_url=email_tokens.not_me(url), expires_at=expires_at
    )


def enqueue_password_reset(user: User, *, token: str) -> None:
    """The mail with which an admin lets a member choose a new password."""
    _enqueue_link(
        "accounts/password_reset", user, view="accounts:reset", token=token, lifetime=RESET_LIFETIME
    )


def enqueue_password_changed(user: User) -> None:
    """The mail that tells a member what may have been somebody else's doing; it has no link to press."""
    _enqueue("accounts/password_changed", user, changed_at=timezone.now())


def _enqueue_link(name: str, user: User, *, view: str, token: str, lifetime: timedelta) -> None:
    url = email_tokens.url(view, token=token, language=user.language)
    _enqueue(name, user, url=url, not_me_url=email_tokens.not_me(url), hours=lifetime // timedelta(hours=1))


def _enqueue(name: str, user: User, **context: object) -> None:
    outbox.enqueue(
        name,
        to=user.email,
        language=user.language,
        context={"user": user, **context},
        about=outbox.about(User, user.pk),
        is_urgent=True,  # somebody waits for it; a flood of newsletter mails must not hold it up
    )
