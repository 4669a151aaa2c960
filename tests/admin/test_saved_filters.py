"""Saved filters of the lists: saving, applying and deleting them, each admin their own."""

import pytest
from django.test import Client

from accounts.models import User
from newsletter.tests.factories import SubscriptionFactory
from sailing.models import SavedFilter
from tests.admin.helpers import staff_client

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"
QUERY = "user_type__exact=company&q=a%26b"


def get_page(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def save(user: User, **values: str) -> SavedFilter:
    fields = {"model": "newsletter.Subscription", "name": "Companies", "query": QUERY, **values}
    return SavedFilter.objects.create(user=user, **fields)


def test_filter_is_saved_under_a_name_and_shown_above_the_list(
    admin_client: Client, admin_user: User
) -> None:
    SubscriptionFactory(user_type="company")
    link = f"{LIST}filters/save/?{QUERY}"
    assert link.replace("&", "&amp;") in get_page(admin_client, f"{LIST}?{QUERY}&p=1")
    assert 'value="search: a&amp;b, user type: Company"' in get_page(admin_client, link)
    response = admin_client.post(link, {"name": "<b>Companies</b>"})
    assert response.headers["Location"] == f"{LIST}?{QUERY}"
    saved = SavedFilter.objects.get()
    assert (saved.user, saved.model, saved.query) == (admin_user, "newsletter.Subscription", QUERY)
    page = get_page(admin_client, LIST)
    assert "&lt;b&gt;Companies&lt;/b&gt;</a>" in page
    assert f'href="?{QUERY.replace("&", "&amp;")}"' in page


def test_unfiltered_list_offers_nothing_to_save(admin_client: Client) -> None:
    assert "filters/save/" not in get_page(admin_client, LIST)


@pytest.mark.parametrize("name", ["", "x" * 61])
def test_bad_name_is_refused(admin_client: Client, name: str) -> None:
    assert admin_client.post(f"{LIST}filters/save/?{QUERY}", {"name": name}).status_code == 200
    assert not SavedFilter.objects.exists()


def test_list_without_a_filter_is_not_saved(admin_client: Client) -> None:
    response = admin_client.post(f"{LIST}filters/save/", {"name": "Everybody"}, follow=True)
    assert "Choose a filter first" in response.content.decode()
    assert not SavedFilter.objects.exists()


def test_same_name_or_same_rows_replace_a_saved_filter(admin_client: Client, admin_user: User) -> None:
    save(User.objects.create_user("other@example.com", is_staff=True))
    save(admin_user, name="Kept", query="q=kept")
    for name, query in (("Companies", QUERY), ("Firms", QUERY), ("Firms", "q=firm")):
        admin_client.post(f"{LIST}filters/save/?{query}", {"name": name})
    own = SavedFilter.objects.filter(user=admin_user).order_by("pk")
    assert [(saved.name, saved.query) for saved in own] == [("Kept", "q=kept"), ("Firms", "q=firm")]
    assert SavedFilter.objects.exclude(user=admin_user).count() == 1


@pytest.mark.parametrize(
    ("query", "name"),
    [
        (
            "created_at__gte=2026-11-16+00%3A00%3A00%2B00%3A00&created_at__lt=2026-11-23+00%3A00%3A00%2B00%3A00",
            "subscribed: Nov. 16, 2026 – Nov. 22, 2026",
        ),
        (
            "created_at__gte=2026-11-16+00%3A00%3A00%2B00%3A00&created_at__lt=2026-11-17+00%3A00%3A00%2B00%3A00",
            "subscribed: Nov. 16, 2026",
        ),
    ],
)
def test_dates_are_named_because_they_stay(admin_client: Client, query: str, name: str) -> None:
    assert f'value="{name}"' in get_page(admin_client, f"{LIST}filters/save/?{query}")


def test_too_long_query_is_refused(admin_client: Client) -> None:
    response = admin_client.post(f"{LIST}filters/save/?q={'x' * 2000}", {"name": "Long"})
    assert response.status_code == 200
    assert not SavedFilter.objects.exists()


def test_unknown_filter_is_not_saved(admin_client: Client) -> None:
    response = admin_client.post(f"{LIST}filters/save/?password__regex=x", {"name": "Secret"})
    assert response.headers["Location"] == f"{LIST}?e=1"
    assert not SavedFilter.objects.exists()


def test_filters_of_other_admins_and_lists_are_not_shown(admin_client: Client, admin_user: User) -> None:
    save(User.objects.create_user("other@example.com", is_staff=True), name="Theirs")
    save(admin_user, model="accounts.User", name="Members")
    page = get_page(admin_client, LIST)
    assert "Theirs" not in page
    assert "Members</a>" not in page


def test_own_filter_is_deleted_and_the_list_stays_as_it_was(admin_client: Client, admin_user: User) -> None:
    saved = save(admin_user)
    url = f"{LIST}filters/{saved.pk}/delete/?{QUERY}"
    assert url.replace("&", "&amp;") in get_page(admin_client, f"{LIST}?{QUERY}")
    assert admin_client.get(url).status_code == 404
    assert admin_client.post(url).headers["Location"] == f"{LIST}?{QUERY}"
    assert not SavedFilter.objects.exists()


def test_filter_of_another_admin_cannot_be_deleted(admin_client: Client) -> None:
    saved = save(User.objects.create_user("other@example.com", is_staff=True))
    admin_client.post(f"{LIST}filters/{saved.pk}/delete/")
    assert SavedFilter.objects.exists()


def test_saving_needs_the_permission_to_view_the_list() -> None:
    client = staff_client("view_user")
    assert client.post(f"{LIST}filters/save/?{QUERY}", {"name": "Mine"}).status_code == 403
    assert not SavedFilter.objects.exists()
