"""The list of subscribers in Django admin: what it shows, finds, and how much it asks of the database."""

from datetime import timedelta
from itertools import product

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from newsletter import admin
from newsletter.models import LinkPurpose, Source, State, Subscription, SubscriptionLink, UserType
from newsletter.tests.factories import SubscriptionFactory

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"
QUERIES = 6
"""Session, user, their second factor, count, rows, chart."""


def addresses(client: Client, query: str = "") -> set[str]:
    """The addresses on the list page."""
    response = client.get(LIST + query)
    assert response.status_code == 200, response
    return {subscription.email for subscription in response.context["cl"].result_list}


def staff(*permissions: str) -> Client:
    """A signed-in admin with these permissions and no others."""
    user = User.objects.create_user("staff@example.com", "only for tests", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    return client


class TestWhoMaySeeIt:
    def test_a_visitor_is_sent_to_sign_in(self, client: Client) -> None:
        response = client.get(LIST)
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/admin/login/")

    @pytest.mark.parametrize("page", ["", "import/", "export/"])
    def test_an_admin_without_permissions_may_not(self, page: str) -> None:
        assert staff().get(LIST + page).status_code == 403

    def test_who_may_only_view_neither_imports_nor_acts(self) -> None:
        subscription = SubscriptionFactory()
        client = staff("view_subscription")
        page = client.get(LIST)
        assert page.status_code == 200
        assert "import/" not in page.content.decode()
        assert client.get(f"{LIST}import/").status_code == 403
        assert client.get(f"{LIST}export/").status_code == 200
        client.post(LIST, {"action": "deactivate", "_selected_action": [str(subscription.pk)]})
        subscription.refresh_from_db()
        assert subscription.is_active

    def test_nobody_is_added_by_hand(self, admin_client: Client) -> None:
        assert admin_client.get(f"{LIST}add/").status_code == 403


class TestWhatItShows:
    def test_each_column(self, admin_client: Client) -> None:
        SubscriptionFactory(
            email="jana@example.com",
            user_type=UserType.COMPANY,
            source=Source.LANDING_COMPANIES,
            language="cs",
        )
        page = admin_client.get(LIST).content.decode()
        for shown in ("jana@example.com", "Company", "Landing for companies", ">cs<"):
            assert shown in page

    @pytest.mark.parametrize(
        ("state", "badge"),
        [
            ({}, '<span class="badge badge-waiting">Pending</span>'),
            ({"confirmed": True}, '<span class="badge badge-good">Confirmed</span>'),
            ({"confirmed": True, "unsubscribed": True}, '<span class="badge badge-off">Unsubscribed</span>'),
            ({"bounced": True}, '<span class="badge badge-bad">Bounced</span>'),
        ],
    )
    def test_the_state_as_a_badge(self, admin_client: Client, state: dict[str, bool], badge: str) -> None:
        SubscriptionFactory(**state)
        assert badge in admin_client.get(LIST).content.decode()

    def test_the_newest_first(self, admin_client: Client) -> None:
        now = timezone.now()
        for days in (2, 0, 1):
            SubscriptionFactory(email=f"{days}@example.com", created_at=now - timedelta(days=days))
        rows = admin_client.get(LIST).context["cl"].result_list
        assert [row.email for row in rows] == ["0@example.com", "1@example.com", "2@example.com"]

    def test_no_link_of_any_mail(self, admin_client: Client) -> None:
        subscription = SubscriptionFactory()
        (token,) = SubscriptionLink.issue(LinkPurpose.UNSUBSCRIBE, subscription=subscription)
        link = SubscriptionLink.objects.get()
        for page in ("", f"{subscription.pk}/change/", f"{subscription.pk}/delete/"):
            content = admin_client.get(LIST + page).content.decode()
            assert token not in content
            assert link.token_hash not in content


class TestWhatItFinds:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("?state=pending", {"sailor@example.com"}),
            ("?state=confirmed", {"firm@example.com"}),
            ("?state=unsubscribed", {"gone@example.com"}),
            ("?state=bounced", {"lost@example.com"}),
            ("?user_type__exact=company", {"firm@example.com", "lost@example.com"}),
            ("?is_active__exact=0", {"gone@example.com"}),
            ("?is_confirmed__exact=1", {"firm@example.com", "gone@example.com", "lost@example.com"}),
            ("?source=landing-sailors", {"sailor@example.com"}),
            ("?source=none", {"gone@example.com"}),
            ("?language=cs", {"sailor@example.com"}),
            ("?source=landing-sailors&language=en", set()),
            ("?created_at__lt=2021-01-01+00:00:00%2B00:00", {"gone@example.com"}),
            ("?q=SAILOR@", {"sailor@example.com"}),
            ("?q=+firm+example", {"firm@example.com"}),
            ("?q=%25", set()),
            ("?q=_", set()),
        ],
    )
    def test_filters_and_search(self, admin_client: Client, query: str, found: set[str]) -> None:
        SubscriptionFactory(email="sailor@example.com", source=Source.LANDING_SAILORS, language="cs")
        SubscriptionFactory(
            email="firm@example.com",
            user_type=UserType.COMPANY,
            source=Source.LANDING_COMPANIES,
            confirmed=True,
        )
        SubscriptionFactory(
            email="gone@example.com",
            confirmed=True,
            unsubscribed=True,
            created_at=timezone.now().replace(year=2020, month=5, day=1),
        )
        SubscriptionFactory(
            email="lost@example.com",
            user_type=UserType.COMPANY,
            source=Source.LANDING_COMPANIES,
            confirmed=True,
            unsubscribed=True,
            is_active=True,
            bounced=True,
        )
        assert addresses(admin_client, query) == found

    def test_each_state_finds_those_whose_badge_tells_it(self) -> None:
        for confirmed, unsubscribed, bounced in product((False, True), repeat=3):
            SubscriptionFactory(confirmed=confirmed, unsubscribed=unsubscribed, bounced=bounced)
        everybody = Subscription.objects.all()
        for state in State:
            expected = {subscription.pk for subscription in everybody if subscription.state is state}
            assert {subscription.pk for subscription in everybody.in_state(state)} == expected
            assert expected


@pytest.mark.parametrize("rows", [1, 90])
def test_the_number_of_queries_does_not_grow_with_the_rows(
    admin_client: Client, django_assert_num_queries: DjangoAssertNumQueries, rows: int
) -> None:
    SubscriptionFactory.create_batch(rows)
    with django_assert_num_queries(QUERIES):
        admin_client.get(LIST)


def test_a_search_looks_through_the_addresses_once(admin_client: Client) -> None:
    SubscriptionFactory(email="sailor@example.com")
    with CaptureQueriesContext(connection) as asked:
        assert addresses(admin_client, "?q=sailor") == {"sailor@example.com"}
    assert sum("%sailor%" in query["sql"] for query in asked) == 1
    assert len(asked) == QUERIES + 1


@pytest.mark.parametrize("rows", [3, 4, 5])
def test_a_search_shows_all_that_it_finds(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(admin, "FEW", 3)
    SubscriptionFactory(email="other@example.com")
    emails = {f"sailor{number}@example.com" for number in range(rows)}
    for email in emails:
        SubscriptionFactory(email=email)
    assert addresses(admin_client, "?q=sailor") == emails
