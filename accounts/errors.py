"""What goes wrong with members on purpose."""

from django.utils.translation import gettext_lazy as _

from sailing.errors import ApiError, BadUserInput, Unauthenticated


class InvalidCredentials(ApiError):
    """No member has this email and this password. Which of the two is wrong is not told.

    Its code is not UNAUTHENTICATED: that one says that the request's own token counts no more.
    """

    code = "INVALID_CREDENTIALS"
    status = 200

    def __init__(self) -> None:
        super().__init__(_("Invalid email or password."))


class MemberErased(Unauthenticated):
    """The member was erased meanwhile, so that no token of theirs counts any more."""


class MailLimitReached(ApiError):
    """The mailbox gets no more mails for now (`sailing.email.mailbox_budget`)."""

    code = "MAIL_LIMIT_REACHED"
    status = 200

    def __init__(self) -> None:
        super().__init__(
            _("We have already sent several emails to this address. Please use the link in the latest one.")
        )


def email_taken() -> BadUserInput:
    """The error for a second sign-up with one address."""
    return BadUserInput(_("An account with this email already exists."), field="email")
