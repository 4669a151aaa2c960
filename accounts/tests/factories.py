"""Members, and what a visitor types to become one."""

from typing import Any

import factory
from factory.django import DjangoModelFactory

from accounts.models import User

PASSWORD = "Fair winds, 2025!"


class MemberFactory(DjangoModelFactory):
    """A member who has not verified their address yet."""

    class Meta:
        model = User

    email = factory.Sequence(lambda number: f"member{number}@example.com")
    first_name = "Jana"
    last_name = "Nováková"
    password = factory.django.Password(PASSWORD)


def form(**values: Any) -> dict[str, Any]:
    """What the sign-up form sends: good values, except for those given."""
    return {
        "firstName": "Jana",
        "lastName": "Nováková",
        "email": "jana@example.com",
        "password": PASSWORD,
        "captainLicense": True,
        "captainLicenseNumber": "CZ-12345",
        "favoritePosition": "Trimer of jib",
    } | values
