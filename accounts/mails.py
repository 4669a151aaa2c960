"""Mails to members, in their language.

No mail contains a name: anyone can sign up with somebody else's address, and what they typed as a name
would reach that mailbox in our mail (OWASP, "Content Spoofing").
"""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from accounts.models import AccountLink, LinkPurpose, User
from sailing.mail import outbox
from sailing.mail.links import link_url, not_me_url
from sailing.mail.models import MailPriority

LINKS = {
    LinkPurpose.VERIFY: ("accounts/verification", "accounts:verify"),
    LinkPurpose.RESET: ("accounts/password_reset", "accounts:reset"),
    LinkPurpose.CHANGE_EMAIL: ("accounts/email_change", "accounts:change_email"),
}
"""The mail and the page of each link."""


def enqueue_link(
    user: User, purpose: LinkPurpose, *, to: str = "", priority: MailPriority = MailPriority.URGENT
) -> None:
    """Send a new link to verify the address, choose a password, or confirm the new address `to`."""
    name, view = LINKS[purpose]
    token = AccountLink.issue(purpose, user=user, email=to or user.email)
    url = link_url(view, token=token, language=user.language)
    hours = AccountLink.LIFETIMES[purpose] // timedelta(hours=1)
    asks = purpose != LinkPurpose.RESET
    context = {"hours": hours, "url": url, "not_me_url": not_me_url(url), "asks_password": asks}
    _enqueue(name, user, to=to or user.email, priority=priority, **context)


def enqueue_email_changed(user: User, *, old_email: str) -> None:
    """Tell the owner of the old address that it was replaced. The mail has no link."""
    _enqueue("accounts/email_changed", user, to=old_email, changed_at=timezone.now())


def enqueue_password_changed(user: User) -> None:
    """Tell a member that the password was changed, perhaps by somebody else. The mail has no link."""
    _enqueue("accounts/password_changed", user, to=user.email, changed_at=timezone.now())


def enqueue_account_deleted(user: User, *, is_newsletter_kept: bool) -> None:
    """Confirm to a former member that the account is deleted. The mail belongs to no row any more."""
    context = {"recipient": user.email, "is_newsletter_kept": is_newsletter_kept}
    outbox.enqueue("accounts/account_deleted", to=user.email, language=user.language, context=context)


def _enqueue(
    name: str, user: User, *, to: str, priority: MailPriority = MailPriority.URGENT, **context: Any
) -> None:
    outbox.enqueue(
        name,
        to=to,
        language=user.language,
        context={"user": user, "recipient": to, **context},
        subject_key=outbox.subject_key(User, user.pk),
        priority=priority,
    )
