"""Validation of accounts input (spec section 5)."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from graphene.utils.str_converters import to_camel_case

from accounts.models import FavoritePosition, User
from sailing.errors import BadUserInput
from sailing.input_limits import MAX_PASSWORD_LENGTH, clean_line, normalize_password
from sailing.mail.addresses import normalize_email

MIN_LENGTH = 2  # of a name and of a license number (spec section 9)
NAME_EDGES = " ,;"  # copied together with a name, as are quotes around it
QUOTES = '"„“”«»'
PHONE = re.compile(r"\+?[0-9 ()-]{10,}")

MIN_PASSWORD_LENGTH = 8
MIN_SIGN_IN_PASSWORD_LENGTH = 6

NEW_PASSWORD_ATTRIBUTES = {
    "minlength": MIN_PASSWORD_LENGTH,
    "passwordrules": f"minlength: {MIN_PASSWORD_LENGTH}; maxlength: {MAX_PASSWORD_LENGTH};"
    " required: lower; required: upper; required: digit; required: [@$!%*?&];",
}
"""Attributes of the fields of a new password, so that password managers propose one that is accepted
(developer.apple.com/documentation/security/customizing-password-autofill-rules)."""

NAMES = {
    "first_name": (_("First name is required"), _("First name must be at least 2 characters")),
    "last_name": (_("Last name is required"), _("Last name must be at least 2 characters")),
    "captain_license_number": (
        _("License number is required when you have a captain license"),
        _("License number must be at least 2 characters"),
    ),
}
"""The errors of a missing and of a too short value."""

PASSWORD_CHARACTERS = [
    ("[a-z]", _("A lowercase letter"), _("Must contain at least one lowercase letter")),
    ("[A-Z]", _("An uppercase letter"), _("Must contain at least one uppercase letter")),
    ("[0-9]", _("A number"), _("Must contain at least one number")),
    (
        "[@$!%*?&]",
        _("A special character (@$!%*?&)"),
        _("Must contain at least one special character (@$!%*?&)"),
    ),
]
"""Patterns, each with its rule and with the error when it is missing."""

TOO_SHORT = _("Password must be at least %(limit)d characters")


class PasswordRules:
    """Password validator of Django (AUTH_PASSWORD_VALIDATORS) with the rules for a new password."""

    def validate(self, password: str, user: User | None = None) -> None:
        """Raise ValidationError with all broken rules, in the order of the spec."""
        password = normalize_password(password)
        is_short = len(password) < MIN_PASSWORD_LENGTH
        errors: list[Any] = [TOO_SHORT % {"limit": MIN_PASSWORD_LENGTH}] if is_short else []
        errors += [error for pattern, _rule, error in PASSWORD_CHARACTERS if not re.search(pattern, password)]
        if errors:
            raise ValidationError(errors)

    def list_rules(self) -> list[tuple[str, Any]]:
        """Return a pattern for each rule, as JavaScript and Python read it, with the rule itself."""
        length = _("At least %(limit)d characters") % {"limit": MIN_PASSWORD_LENGTH}
        characters = [(pattern, rule) for pattern, rule, _error in PASSWORD_CHARACTERS]
        return [(f".{{{MIN_PASSWORD_LENGTH},}}", length), *characters]

    def get_help_text(self) -> Any:
        return _("At least 8 characters: lowercase and uppercase letters, a number and a symbol (@$!%*?&).")


def validate_sign_up(values: Mapping[str, Any]) -> dict[str, Any]:
    """Validate the sign-up form and return the fields of the member. A number without a license is dropped.

    Raises BadUserInput for the first broken rule, with the field's GraphQL name.
    """
    has_license = bool(values.get("captain_license"))
    position = values.get("favorite_position") or ""
    fields = {
        "first_name": _clean_text(values, "first_name"),
        "last_name": _clean_text(values, "last_name"),
        "email": validate_email(values["email"]),
        "password": _clean_new_password(values["password"], field="password"),
        "captain_license": has_license,
        "captain_license_number": _clean_text(values, "captain_license_number") if has_license else "",
        "favorite_position": position,
    }
    if position and position not in FavoritePosition.values:
        raise BadUserInput(_("Please choose one of the listed positions"), field="favoritePosition")
    return fields


def validate_sign_in(*, email: str, password: str) -> str:
    """Validate the sign-in form and return the normalized email. Raises BadUserInput."""
    address = validate_email(email)
    if len(clean_password(password, field="password")) < MIN_SIGN_IN_PASSWORD_LENGTH:
        raise BadUserInput(TOO_SHORT % {"limit": MIN_SIGN_IN_PASSWORD_LENGTH}, field="password")
    return address


def validate_email(value: str) -> str:
    """Return the normalized email. Raises BadUserInput."""
    try:
        return normalize_email(value)
    except ValidationError as error:
        # The spec words this error differently in the newsletter form.
        message = _("Invalid email address") if error.code == "invalid" else error.messages[0]
        raise BadUserInput(message, field="email") from None


def validate_password_change(*, current: str, new: str) -> None:
    """Validate a new password in place of the current one. Raises BadUserInput."""
    old_password = clean_password(current, field="currentPassword")
    if _clean_new_password(new, field="newPassword") == old_password:
        message = _("Please choose a password that differs from the current one")
        raise BadUserInput(message, field="newPassword")


def validate_profile(values: Mapping[str, Any]) -> dict[str, str]:
    """Validate the given profile fields and return them. Raises BadUserInput."""
    given = [name for name in User.PROFILE_FIELDS if values.get(name) is not None]
    return {name: _clean_text(values, name) for name in given}


def clean_password(value: str, *, field: str) -> str:
    """Return a password in Unicode NFC. Raises BadUserInput for one that is blank or too long."""
    if not value:
        raise BadUserInput(_("Password is required"), field=field)
    with _refuse_at(field):
        return normalize_password(value)


def _clean_new_password(value: str, *, field: str) -> str:
    password = clean_password(value, field=field)
    with _refuse_at(field):
        validate_password(password)
    return password


def _clean_text(values: Mapping[str, Any], name: str) -> str:
    """Return the clean value of a column of `User`. Raises BadUserInput."""
    field = to_camel_case(name)
    with _refuse_at(field):
        text = clean_line(values.get(name) or "", limit=User.get_max_length(name))
    if name in NAMES:
        text = _unwrap_name(text)
        required, too_short = NAMES[name]
        if len(text) < MIN_LENGTH:
            raise BadUserInput(too_short if text else required, field=field)
    if name == "phone" and text and not PHONE.fullmatch(text):
        raise BadUserInput(_("Please enter a valid phone number"), field=field)
    return text


def _unwrap_name(text: str) -> str:
    name = text.strip(NAME_EDGES)
    if len(name) > 1 and name[0] in QUOTES and name[-1] in QUOTES:
        return name[1:-1].strip(NAME_EDGES)
    return name


@contextmanager
def _refuse_at(field: str) -> Iterator[None]:
    """Turn a ValidationError into a BadUserInput of a field."""
    try:
        yield
    except ValidationError as error:
        raise BadUserInput(error.messages[0], field=field) from None
