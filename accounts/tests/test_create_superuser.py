"""`createsuperuser` with a password from the environment."""

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User

pytestmark = pytest.mark.django_db


def create(email: str = "admin@example.com") -> None:
    call_command("createsuperuser", "--noinput", email=email, verbosity=0)


def test_valid_password_creates_a_superuser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "Blue-Water9!")
    create()
    admin = User.objects.get()
    assert admin.is_superuser
    assert admin.check_password("Blue-Water9!")


@pytest.mark.parametrize(
    ("password", "message"),
    [
        ("Short1!", "Password must be at least 8 characters"),
        ("no-capital-9", "Must contain at least one uppercase letter"),
        ("P@ssw0rd", "This password is too common."),
    ],
)
def test_invalid_password_is_refused(monkeypatch: pytest.MonkeyPatch, password: str, message: str) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", password)
    with pytest.raises(CommandError, match=r"^DJANGO_SUPERUSER_PASSWORD: ") as refusal:
        create()
    assert message in str(refusal.value)
    assert password not in str(refusal.value)
    assert not User.objects.exists()
