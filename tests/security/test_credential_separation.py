"""Credentials of the admin and of the API are not interchangeable (OWASP CSRF Prevention Cheat Sheet)."""

from typing import Any

import pytest
from django.test import Client
from graphql import GraphQLInputObjectType, GraphQLObjectType, get_nullable_type
from pytest_django import DjangoAssertNumQueries

from accounts import tokens
from accounts.models import User
from newsletter.models import Subscription
from sailing.schema import schema
from tests.api import post_graphql
from tests.security.corpus import SUBSCRIBE

pytestmark = pytest.mark.django_db

ME = "{ me { email } }"
PUBLIC_FIELDS = {"signUp", "signIn", "logout", "requestPasswordReset", "subscribeNewsletter"}
"""Signing out needs a token, but not that of a member who may still sign in."""


@pytest.fixture
def admin() -> User:
    return User.objects.create_superuser("admin@example.com", "a long password")


@pytest.fixture
def signed_in(admin: User) -> Client:
    """Return the browser of an admin, with CSRF checks."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin)
    return client


def write_value(kind: Any) -> str:
    """Return a value of an input type in GraphQL's notation, with every field and nothing in it."""
    kind = get_nullable_type(kind)
    if isinstance(kind, GraphQLInputObjectType):
        return f"{{{write_values(kind.fields)}}}"
    return {"String": '""', "Boolean": "true", "Int": "0"}[kind.name]


def write_values(inputs: dict[str, Any]) -> str:
    return ", ".join(f"{name}: {write_value(each.type)}" for name, each in inputs.items())


@pytest.mark.parametrize("operation", ["query", "mutation"])
def test_all_but_the_public_fields_need_a_valid_bearer_token(
    operation: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    root = schema.graphql_schema.type_map[operation.capitalize()]
    for name in root.fields.keys() - PUBLIC_FIELDS:
        field = root.fields[name]
        arguments = f"({write_values(field.args)})" if field.args else ""
        is_object = isinstance(get_nullable_type(field.type), GraphQLObjectType)
        document = f"{operation} {{ {name}{arguments} {'{ __typename }' if is_object else ''} }}"
        for token in ("", "nonsense"):
            with django_assert_num_queries(0):
                error = post_graphql(document, token=token).error
            assert error == {"message": "Please sign in.", "code": "UNAUTHENTICATED"}, name


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


def test_csrf_token_or_origin_of_another_site_is_refused_by_the_admin(signed_in: Client) -> None:
    """tests/test_every_url.py posts without a token."""
    other = Client(enforce_csrf_checks=True)
    other.get("/admin/login/")
    form = {"csrfmiddlewaretoken": other.cookies["csrftoken"].value, "email": "x@example.com"}
    assert signed_in.post("/admin/accounts/user/add/", form).status_code == 403
    for origin in ("https://evil.example", "null"):
        for page in ("/admin/logout/", "/admin/accounts/user/", "/admin/login/"):
            assert signed_in.post(page, form, headers={"Origin": origin}).status_code == 403


def test_admin_sign_in_renews_the_session(admin: User) -> None:
    client = Client()
    client.cookies["sessionid"] = "chosen-by-somebody-else"
    form = {"username": admin.email, "password": "a long password"}
    client.post("/admin/login/?next=/admin/", form)
    assert client.cookies["sessionid"].value != "chosen-by-somebody-else"
    assert client.get("/admin/").status_code == 200
