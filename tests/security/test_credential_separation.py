"""Credentials of the admin and of the API are not interchangeable (OWASP CSRF Prevention Cheat Sheet)."""

from typing import Any

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import User
from newsletter.models import Subscription
from tests.api import post_graphql
from tests.security.corpus import SUBSCRIBE

pytestmark = pytest.mark.django_db

ME = "{ me { email } }"


@pytest.fixture
def admin() -> User:
    return User.objects.create_superuser("admin@example.com", "a long password")


@pytest.fixture
def signed_in(admin: User) -> Client:
    """Return the browser of an admin, with CSRF checks."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin)
    return client


def test_admin_session_signs_nobody_in_and_a_bearer_token_wins_over_it(
    signed_in: Client, admin: User
) -> None:
    signed_in.cookies["JWT"] = tokens.issue(admin)
    assert post_graphql(ME, client=signed_in).error["code"] == "UNAUTHENTICATED"
    member = User.objects.create_user("jana@example.com", "a long password")
    answer = post_graphql(ME, token=tokens.issue(member), client=signed_in)
    assert answer.data == {"email": "jana@example.com"}


def test_bearer_token_does_not_open_the_admin(admin: User) -> None:
    token = tokens.issue(admin)
    client = Client(headers={"Authorization": f"Bearer {token}"})
    client.cookies["JWT"] = client.cookies["sessionid"] = token
    response = client.get("/admin/accounts/user/")
    assert response.status_code == 302
    assert response.headers["Location"].startswith("/admin/login/")


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
)
def test_cross_site_form_is_refused_by_the_api(signed_in: Client, content_type: str) -> None:
    """Browsers send these content types across sites without a preflight request."""
    body = f'{{"query": "mutation {{ {SUBSCRIBE} }}"}}'.encode()
    response = signed_in.post("/graphql?query={me{id}}", body, content_type=content_type)
    assert response.status_code == 415
    assert not Subscription.objects.exists()


def test_cors_allows_configured_origins_only(settings: Any) -> None:
    partner = settings.CORS_ALLOWED_ORIGINS[0]
    for origin, allowed in (("https://evil.example", None), (partner, partner)):
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        headers = Client().options("/graphql", headers=asked).headers
        assert headers.get("Access-Control-Allow-Origin") == allowed
        assert "Access-Control-Allow-Credentials" not in headers
