"""Members and sign-up forms."""

from typing import Any

import factory
from factory.django import DjangoModelFactory

from accounts.models import User

PASSWORD = "Fair winds, 2025!"
WRONG = "Foul winds, 2025!"
NEW_PASSWORD = "New winds, 2026!"
NEW_PASSWORDS: dict[str, Any] = {"new_password1": NEW_PASSWORD, "new_password2": NEW_PASSWORD}
"""The form for a new password, on the pages behind links and in Django admin."""


class MemberFactory(DjangoModelFactory):
    """A member with an unverified address."""

    class Meta:
        model = User

    email = factory.Sequence(lambda number: f"member{number}@example.com")
    first_name = "Jana"
    last_name = "Nováková"
    password = factory.django.Password(PASSWORD)


NEW_USER = {
    "email": "jana@example.com",
    "firstName": "Jana",
    "lastName": "Nováková",
    "nickname": "",
    "phone": "",
    "nationality": "",
    "isEmailVerified": False,
}
"""What the API says about a new member, besides the key and the time."""


def form(**values: Any) -> dict[str, Any]:
    """Return the values of a valid sign-up form, overridden by `values`."""
    return {
        "firstName": "Jana",
        "lastName": "Nováková",
        "email": "jana@example.com",
        "password": PASSWORD,
        "captainLicense": True,
        "captainLicenseNumber": "CZ-12345",
        "favoritePosition": "Trimer of jib",
    } | values
