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


def test_invalid_password_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "P@ssword")
    with pytest.raises(CommandError) as refusal:
        create()
    assert str(refusal.value).splitlines() == [
        "DJANGO_SUPERUSER_PASSWORD is not accepted:",
        "- Must contain at least one number",
        "- This password is too common.",
    ]
    assert not User.objects.exists()
