"""Mails to members, each with a fresh token and in the member's language.

No mail contains a name: anyone can sign up with somebody else's address, and what they typed as a name
would reach that mailbox in our mail (OWASP, "Content Spoofing").
"""

from datetime import datetime, timedelta

from django.utils import timezone

from accounts.models import AccountLink, LinkPurpose, User
from sailing.mail import outbox
from sailing.mail.links import link_url, not_me_url
from sailing.mail.models import MailPriority

MAILS = {
    LinkPurpose.VERIFY: "accounts/verification",
    LinkPurpose.RESET: "accounts/password_reset",
    LinkPurpose.CHANGE_EMAIL: "accounts/email_change",
}
VIEWS = {
    LinkPurpose.VERIFY: "accounts:verify",
    LinkPurpose.RESET: "accounts:reset",
    LinkPurpose.CHANGE_EMAIL: "accounts:change_email",
    LinkPurpose.UNDO_EMAIL: "accounts:undo_email",
}


def enqueue_link(
    user: User, purpose: LinkPurpose, *, to: str = "", priority: MailPriority = MailPriority.URGENT
) -> None:
    """Send a link to verify the address, to choose a new password, or to confirm the new address `to`."""
    token = AccountLink.issue(purpose, user=user, email=to or user.email)
    hours = AccountLink.LIFETIMES[purpose] // timedelta(hours=1)
    _enqueue(MAILS[purpose], user, priority, to=to, hours=hours, **_build_urls(user, purpose, token))


def enqueue_email_changed(user: User, *, old_email: str) -> None:
    """Tell the owner of the old address that it was replaced, with a link to undo that."""
    token = AccountLink.issue(LinkPurpose.UNDO_EMAIL, user=user, email=old_email)
    url = _build_urls(user, LinkPurpose.UNDO_EMAIL, token)["url"]
    days = AccountLink.LIFETIMES[LinkPurpose.UNDO_EMAIL].days
    _enqueue("accounts/email_changed", user, to=old_email, url=url, days=days, changed_at=timezone.now())


def enqueue_expiry_warning(user: User, *, expires_at: datetime) -> None:
    """Warn a member that the unverified account will be deleted; the link is valid until then.

    Members without a password get a link to choose one, which verifies the address too.
    """
    purpose = LinkPurpose.RESET if user.is_unclaimed else LinkPurpose.VERIFY
    lifetime = expires_at - timezone.now()
    token = AccountLink.issue(purpose, lifetime=lifetime, user=user, email=user.email)
    urls = _build_urls(user, purpose, token)
    _enqueue("accounts/expiry_warning", user, MailPriority.NORMAL, expires_at=expires_at, **urls)


def enqueue_password_changed(user: User) -> None:
    """Tell a member that the password was changed, perhaps by somebody else. The mail has no link."""
    _enqueue("accounts/password_changed", user, changed_at=timezone.now())


def enqueue_account_deleted(user: User, *, to: str, is_newsletter_kept: bool) -> None:
    """Confirm to a former member that the account is deleted. The mail belongs to no row any more.

    `to`: the address of the account, or an earlier one.
    """
    context = {
        "recipient": to,
        "is_earlier": to != user.email,
        "is_newsletter_kept": is_newsletter_kept,
    }
    outbox.enqueue("accounts/account_deleted", to=to, language=user.language, context=context)


def _build_urls(user: User, purpose: LinkPurpose, token: str) -> dict[str, str]:
    url = link_url(VIEWS[purpose], token=token, language=user.language)
    return {"url": url, "not_me_url": not_me_url(url)}


def _enqueue(
    name: str,
    user: User,
    priority: MailPriority = MailPriority.URGENT,
    /,
    *,
    to: str = "",
    **context: object,
) -> None:
    """Store a mail to the member, or to the address `to` instead."""
    outbox.enqueue(
        name,
        to=to or user.email,
        language=user.language,
        context={"user": user, "recipient": to or user.email, **context},
        subject_key=outbox.subject_key(User, user.pk),
        priority=priority,
    )
