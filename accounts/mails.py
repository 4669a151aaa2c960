"""Mails to members, each with a fresh token and in the member's language.

No mail contains a name: anyone can sign up with somebody else's address, and what they typed as a name
would reach that mailbox in our mail (OWASP, "Content Spoofing").
"""

from datetime import timedelta

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
}


def enqueue_link(
    user: User, purpose: LinkPurpose, *, to: str = "", priority: MailPriority = MailPriority.URGENT
) -> None:
    """Send a link to verify the address, to choose a new password, or to confirm the new address `to`."""
    token = AccountLink.issue(purpose, user=user, email=to or user.email)
    hours = AccountLink.LIFETIMES[purpose] // timedelta(hours=1)
    _enqueue(MAILS[purpose], user, priority, to=to, hours=hours, **_build_urls(user, purpose, token))


def enqueue_email_changed(user: User, *, old_email: str) -> None:
    """Tell the owner of the old address that it was replaced. The mail has no link."""
    _enqueue("accounts/email_changed", user, to=old_email, changed_at=timezone.now())


def enqueue_password_changed(user: User) -> None:
    """Tell a member that the password was changed, perhaps by somebody else. The mail has no link."""
    _enqueue("accounts/password_changed", user, changed_at=timezone.now())


def enqueue_account_deleted(user: User, *, is_newsletter_kept: bool) -> None:
    """Confirm to a former member that the account is deleted. The mail belongs to no row any more."""
    context = {"recipient": user.email, "is_newsletter_kept": is_newsletter_kept}
    outbox.enqueue("accounts/account_deleted", to=user.email, language=user.language, context=context)


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
