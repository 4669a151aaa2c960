"""Validation of accounts input (spec section 5)."""

import re
from collections.abc import Mapping
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from graphene.utils.str_converters import to_camel_case

from accounts.models import MAX_LICENSE_LENGTH, MAX_NAME_LENGTH, MAX_PHONE_LENGTH, FavoritePosition, User
from sailing.errors import BadUserInput
from sailing.input_limits import MAX_PASSWORD_LENGTH, clean_line, normalize_password
from sailing.mail.addresses import normalize_email

MIN_LENGTH = 2
"""Of a name and of a license number (spec section 9)."""

NAME_EDGES = " ,;"
QUOTES = '"„“”«»'
"""What is copied together with a name: the comma of a list, and quotes around it."""

MIN_PASSWORD_LENGTH = 8
MIN_SIGN_IN_PASSWORD_LENGTH = 6

SPECIAL_CHARACTERS = "@$!%*?&"
"""A password has at least one of them; the texts below name them too."""

NEW_PASSWORD_ATTRIBUTES = {
    "minlength": MIN_PASSWORD_LENGTH,
    "passwordrules": f"minlength: {MIN_PASSWORD_LENGTH}; maxlength: {MAX_PASSWORD_LENGTH};"
    f" required: lower; required: upper; required: digit; required: [{SPECIAL_CHARACTERS}];",
}
"""Attributes of the fields of a new password, so that password managers propose one that is accepted
(developer.apple.com/documentation/security/customizing-password-autofill-rules)."""

NAMES = {
    "firstName": (
        gettext_lazy("First name is required"),
        gettext_lazy("First name must be at least 2 characters"),
        MAX_NAME_LENGTH,
    ),
    "lastName": (
        gettext_lazy("Last name is required"),
        gettext_lazy("Last name must be at least 2 characters"),
        MAX_NAME_LENGTH,
    ),
    "captainLicenseNumber": (
        gettext_lazy("License number is required when you have a captain license"),
        gettext_lazy("License number must be at least 2 characters"),
        MAX_LICENSE_LENGTH,
    ),
}
"""The errors of a missing and of a too short value, and its limit, by the GraphQL name of the field."""

PHONE = re.compile(r"\+?[0-9 ()-]{10,}")

PASSWORD_CHARACTERS = [
    (
        re.compile(r"[a-z]"),
        gettext_lazy("A lowercase letter"),
        gettext_lazy("Must contain at least one lowercase letter"),
    ),
    (
        re.compile(r"[A-Z]"),
        gettext_lazy("An uppercase letter"),
        gettext_lazy("Must contain at least one uppercase letter"),
    ),
    (re.compile(r"[0-9]"), gettext_lazy("A number"), gettext_lazy("Must contain at least one number")),
    (
        re.compile(f"[{SPECIAL_CHARACTERS}]"),
        gettext_lazy("A special character (@$!%*?&)"),
        gettext_lazy("Must contain at least one special character (@$!%*?&)"),
    ),
]
"""Patterns, each with its rule and with the error when it is missing."""


class PasswordRules:
    """Password validator of Django (AUTH_PASSWORD_VALIDATORS) with the rules for a new password."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Raise ValidationError with all broken rules, in the order of the spec."""
        errors = []
        try:
            password = normalize_password(password)
        except ValidationError as error:
            errors.append(error)
        if len(password) < MIN_PASSWORD_LENGTH:
            message = _("Password must be at least %(limit)d characters") % {"limit": MIN_PASSWORD_LENGTH}
            errors.append(ValidationError(message, code="password_too_short"))
        errors += [
            ValidationError(message, code="password_without")
            for pattern, _rule, message in PASSWORD_CHARACTERS
            if not pattern.search(password)
        ]
        if errors:
            raise ValidationError(errors)

    def list_rules(self) -> list[tuple[str, str]]:
        """Return a pattern for each rule, as JavaScript and Python read it, with the rule itself."""
        length = _("At least %(limit)d characters") % {"limit": MIN_PASSWORD_LENGTH}
        characters = [(pattern.pattern, str(rule)) for pattern, rule, _message in PASSWORD_CHARACTERS]
        return [(f".{{{MIN_PASSWORD_LENGTH},}}", length), *characters]

    def get_help_text(self) -> str:
        """Return the help text of password fields."""
        return _(
            "At least 8 characters, among them a lowercase letter, an uppercase letter, a number and one of"
            " @$!%*?&."
        )


def validate_sign_up(values: Mapping[str, Any]) -> dict[str, Any]:
    """Validate the sign-up form and return the fields of the member. A number without a license is dropped.

    Raises BadUserInput for the first broken rule, with the field's GraphQL name.
    """
    captain_license = bool(values.get("captain_license"))
    position = values.get("favorite_position") or ""
    fields = {
        "first_name": _clean_name(values["first_name"], "firstName"),
        "last_name": _clean_name(values["last_name"], "lastName"),
        "email": validate_email(values["email"]),
        "password": _clean_new_password(values["password"], field="password"),
        "captain_license": captain_license,
        "captain_license_number": "",
        "favorite_position": position,
    }
    if captain_license:
        number = values.get("captain_license_number") or ""
        fields["captain_license_number"] = _clean_name(number, "captainLicenseNumber")
    if position and position not in FavoritePosition.values:
        raise BadUserInput(_("Please choose one of the listed positions"), field="favoritePosition")
    return fields


def validate_sign_in(*, email: str, password: str) -> str:
    """Validate the sign-in form and return the normalized email. Raises BadUserInput."""
    address = validate_email(email)
    if len(_clean_password(password, field="password")) < MIN_SIGN_IN_PASSWORD_LENGTH:
        message = _("Password must be at least %(limit)d characters") % {"limit": MIN_SIGN_IN_PASSWORD_LENGTH}
        raise BadUserInput(message, field="password")
    return address


def validate_email(value: str) -> str:
    """Return the normalized email. Raises BadUserInput."""
    try:
        return normalize_email(value)
    except ValidationError as error:
        # The spec words this error differently in the newsletter form.
        message = _("Invalid email address") if error.code == "invalid" else error.messages[0]
        raise BadUserInput(message, field="email") from None


def validate_current_password(password: str) -> None:
    """Raise BadUserInput for a current password that is blank or too long to be hashed."""
    _clean_password(password, field="currentPassword")


def validate_password_change(*, current: str, new: str) -> None:
    """Validate a new password in place of the current one. Raises BadUserInput."""
    old_password = _clean_password(current, field="currentPassword")
    if _clean_new_password(new, field="newPassword") == old_password:
        message = _("Please choose a password that differs from the current one")
        raise BadUserInput(message, field="newPassword")


def validate_profile(values: Mapping[str, Any]) -> dict[str, str]:
    """Validate the given profile fields and return them. Raises BadUserInput."""
    given = [name for name in User.PROFILE_FIELDS if values.get(name) is not None]
    return {name: _clean_profile_text(values[name], name) for name in given}


def _clean_profile_text(value: str, name: str) -> str:
    field = to_camel_case(name)
    if field in NAMES:
        return _clean_name(value, field)
    if name == "phone":
        return _clean_phone(value)
    return _clean_text(value, field=field, limit=User.get_max_length(name))


def _clean_name(value: str, field: str) -> str:
    required, too_short, limit = NAMES[field]
    name = _clean_text(value, field=field, limit=limit).strip(NAME_EDGES)
    if len(name) > 1 and name[0] in QUOTES and name[-1] in QUOTES:
        name = name[1:-1].strip(NAME_EDGES)
    if len(name) < MIN_LENGTH:
        raise BadUserInput(too_short if name else required, field=field)
    return name


def _clean_phone(value: str) -> str:
    phone = _clean_text(value, field="phone", limit=MAX_PHONE_LENGTH)
    if phone and not PHONE.fullmatch(phone):
        raise BadUserInput(_("Please enter a valid phone number"), field="phone")
    return phone


def _clean_password(value: str, *, field: str) -> str:
    """Return a password in Unicode NFC. Raises BadUserInput for one that is blank or too long."""
    if not value:
        raise BadUserInput(_("Password is required"), field=field)
    try:
        return normalize_password(value)
    except ValidationError as error:
        raise BadUserInput(error.messages[0], field=field) from None


def _clean_new_password(value: str, *, field: str) -> str:
    password = _clean_password(value, field=field)
    try:
        validate_password(password)
    except ValidationError as error:
        raise BadUserInput(error.messages[0], field=field) from None
    return password


def _clean_text(value: str, *, field: str, limit: int) -> str:
    """Return a clean line of text (`clean_line`). Raises BadUserInput."""
    try:
        return clean_line(value, limit=limit)
    except ValidationError as error:
        raise BadUserInput(error.messages[0], field=field) from None
