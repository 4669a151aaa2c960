"""Lists of Django admin asked for with parameters that nobody's filter has written."""

from urllib.parse import urlencode

import pytest
from django.contrib import admin
from django.db.models import DateTimeField, Model
from django.test import Client
from django.urls import reverse
from post_office.models import STATUS, Email

from accounts.models import User
from newsletter.models import Subscription

# On PostgreSQL a refused value ends the transaction that a test would otherwise run in.
pytestmark = pytest.mark.django_db(transaction=True)

VALUES = [
    "99999999999",
    "9" * 5000,
    "not a date",
    "2025-13-45",
    "0001-01-01 00:00:00+14:00",
    "\x00",
    "(",
]


def rows() -> None:
    """One row of each list, so that a lookup has something to look at."""
    User.objects.create_user("member@example.com")
    Subscription.objects.create(email="jana@example.com", user_type="sailor")
    Email.objects.create(from_email="a@example.com", to=["b@example.com"], status=STATUS.failed)


def parameters(model: type[Model]) -> list[str]:
    """What a list may be asked for by: its filters, its fields with lookups, and Django's own names."""
    filters: list[str] = [
        str(getattr(item, "parameter_name", item)) for item in admin.site._registry[model].list_filter
    ]
    date = next(field.name for field in model._meta.fields if isinstance(field, DateTimeField))
    lookups = [f"{date}__{lookup}" for lookup in ("gte", "lt", "year", "month")]
    names = ["q", "o", "p", "all", "e", "_facets", "pk", "pk__in", "pk__regex", *filters, *lookups]
    return [*names, *(f"{name}__exact" for name in filters)]


@pytest.fixture
def browser(admin_client: Client) -> Client:
    admin_client.raise_request_exception = False
    rows()
    return admin_client


@pytest.mark.parametrize("model", sorted(admin.site._registry, key=str))
def test_no_parameter_breaks_a_list(browser: Client, model: type[Model]) -> None:
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    broken = []
    for name in parameters(model):
        for value in VALUES:
            query = urlencode({name: value})
            answer = browser.get(f"{address}?{query}")
            redirected = answer.status_code == 302 and answer.headers["Location"].endswith("?e=1")
            if answer.status_code not in (200, 400) and not redirected:
                broken.append((query[:80], answer.status_code))
    assert not broken


@pytest.mark.parametrize("page", ["accounts/user", "newsletter/subscription"])
@pytest.mark.parametrize("query", ["created_at__year=99999999999", "is_active__exact=7"])
def test_a_bad_filter_does_not_break_an_export(browser: Client, page: str, query: str) -> None:
    answer = browser.get(f"/admin/{page}/export/?{query}")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/admin/{page}/export/?e=1")
    assert browser.get(answer.headers["Location"]).status_code == 200


@pytest.mark.parametrize("key", ["x", "", "\x00", "99999999999999999999999", "0", "-1", "é/../x"])
@pytest.mark.parametrize("page", ["accounts/user", "newsletter/subscription", "post_office/email"])
def test_no_key_breaks_a_page_or_an_action(browser: Client, page: str, key: str) -> None:
    for view in ("change", "delete", "history"):
        assert browser.get(f"/admin/{page}/{key}/{view}/").status_code in (302, 403, 404)
    for action in ("deactivate", "requeue", "export_admin_action"):
        sent = {"action": action, "_selected_action": key}
        assert browser.post(f"/admin/{page}/", sent).status_code in (200, 302, 400)


def test_an_error_of_our_own_is_not_taken_for_a_bad_filter(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_arguments: object) -> None:
        raise ValueError("ours")

    monkeypatch.setattr("newsletter.admin.SubscriptionAdmin.get_ordering", fail)
    assert browser.get("/admin/newsletter/subscription/").status_code == 500
    assert browser.get("/admin/newsletter/subscription/?e=1").status_code == 500


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\\\\evil"]
)
def test_a_refused_next_leads_to_the_first_page_of_admin(client: Client, target: str) -> None:
    User.objects.create_superuser("boss@example.com", "fair winds 2025")
    form = {"username": "boss@example.com", "password": "fair winds 2025"}
    answer = client.post(f"/admin/login/?{urlencode({'next': target})}", form)
    assert answer.headers["Location"] == "/admin/"
