"""Key rotation: tokens and sessions stay valid while their key is a fallback."""

import pytest
from django.conf import settings as configured
from django.test import Client
from pytest_django import Settings

from accounts import tokens
from accounts.models import User
from accounts.tests.test_tokens import is_refused, me

pytestmark = pytest.mark.django_db

NEW = "a new key for these tests " + "0123456789abcdef" * 2


@pytest.fixture
def user() -> User:
    return User.objects.create_superuser("jana@example.org", "fair winds 2025")


class TestTokens:
    def replace_key(self, settings: Settings, *fallbacks: str) -> None:
        settings.GRAPHQL_JWT = settings.GRAPHQL_JWT | {"JWT_SECRET_KEY": NEW}
        settings.JWT_SECRET_KEY_FALLBACKS = list(fallbacks)

    def test_token_of_a_fallback_key_is_valid(self, user: User, settings: Settings) -> None:
        token = tokens.issue(user)
        self.replace_key(settings, "another key that was in use before", configured.JWT_SECRET_KEY)
        assert me(token).data

    def test_token_of_a_removed_key_is_invalid(self, user: User, settings: Settings) -> None:
        token = tokens.issue(user)
        self.replace_key(settings)
        assert is_refused(me(token))

    def test_new_token_is_signed_with_the_new_key(self, user: User, settings: Settings) -> None:
        self.replace_key(settings, configured.JWT_SECRET_KEY)
        token = tokens.issue(user)
        self.replace_key(settings)
        assert me(token).data


class TestAdminSessions:
    @pytest.mark.parametrize(("is_fallback", "status"), [(True, 200), (False, 302)])
    def test_session_needs_its_key_as_a_fallback(
        self, user: User, settings: Settings, is_fallback: bool, status: int
    ) -> None:
        client = Client()
        client.force_login(user)
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY] if is_fallback else []
        settings.SECRET_KEY = NEW
        assert client.get("/admin/").status_code == status

    def test_new_password_ends_a_session_of_a_fallback_key(self, user: User, settings: Settings) -> None:
        client = Client()
        client.force_login(user)
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = NEW
        user.set_password("fair winds 2026")
        user.save()
        assert client.get("/admin/").status_code == 302
