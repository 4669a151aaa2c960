"""Expected account errors."""

from django.utils.translation import gettext_lazy as _

from sailing.errors import ApiError, BadUserInput, Unauthenticated


class InvalidCredentials(ApiError):
    """No active member has this email and password. UNAUTHENTICATED is about the request's bearer token."""

    code = "INVALID_CREDENTIALS"
    message = _("Invalid email or password.")


class MemberErased(Unauthenticated):
    """The member was erased after the request was authenticated."""


class WrongPassword(BadUserInput):
    def __init__(self) -> None:
        super().__init__(_("The current password is wrong."), field="currentPassword")


class EmailTaken(BadUserInput):
    def __init__(self) -> None:
        super().__init__(_("An account with this email already exists."), field="email")


class MailLimitReached(ApiError):
    """The budget of the mailbox is used up (`sailing.mail.mailboxes`)."""

    code = "MAIL_LIMIT_REACHED"
    message = _("We have already sent several emails to this address. Please use the link in the latest one.")


class SecondFactorNeeded(ApiError):
    """An admin with a second factor must not be taken over with the password alone."""

    code = "SECOND_FACTOR_NEEDED"
    message = _(
        "This account has two-step sign-in. Change its password in the administration; for anything else, "
        "ask a superuser."
    )


class LastSuperuser(ApiError):
    """No active superuser would be left."""

    code = "LAST_SUPERUSER"
    message = _("You are the last admin with all rights. Please give them to somebody else before you leave.")
