"""`UserManager.get_by_natural_key`, used by Django's sign-in and commands."""

import pytest

from accounts.models import User
from accounts.tests.factories import MemberFactory

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("typed", ["jana@člun.cz", " Jana@ČLUN.cz ", "JANA@xn--lun-eqa.CZ"])
def test_member_is_found_by_any_spelling_of_the_address(typed: str) -> None:
    member = MemberFactory(email="jana@xn--lun-eqa.cz")
    assert User.objects.get_by_natural_key(typed) == member


@pytest.mark.parametrize("typed", [None, "", " ", "jana", "jana@localhost", "a" * 300, "petr@example.com"])
def test_unknown_or_invalid_address_finds_nobody(typed: str | None) -> None:
    MemberFactory(email="jana@example.com")
    with pytest.raises(User.DoesNotExist):
        User.objects.get_by_natural_key(typed)
