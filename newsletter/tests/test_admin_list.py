"""The list of subscribers in Django admin: permissions, columns, filters, search, queries."""

import re
from datetime import timedelta
from itertools import product

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from newsletter import admin
from newsletter.imports.models import ImportBatch
from newsletter.models import Source, State, Subscription, UserType
from newsletter.services import administration
from newsletter.tests.factories import SubscriptionFactory

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"
IMPORT = "/admin/imports/importbatch/import/"
MAX_QUERIES = 12


def get_addresses(client: Client, query: str = "") -> set[str]:
    """Return the addresses on the list page."""
    response = client.get(LIST + query)
    assert response.status_code == 200, response
    return {subscription.email for subscription in response.context["cl"].result_list}


class TestColumns:
    @pytest.mark.parametrize(
        ("state", "badge"),
        [
            ({}, '<span class="badge badge-waiting">Waiting</span>'),
            ({"confirmed": True}, '<span class="badge badge-good">Confirmed</span>'),
            ({"confirmed": True, "paused": True}, '<span class="badge badge-waiting">Paused</span>'),
            ({"confirmed": True, "unsubscribed": True}, '<span class="badge badge-off">Unsubscribed</span>'),
            ({"bounced": True}, '<span class="badge badge-bad">Undeliverable</span>'),
            ({"is_active": False}, '<span class="badge badge-off">Unsubscribed</span>'),
            (
                {"confirmed": True, "is_active": False},
                '<span class="badge badge-off">Unsubscribed</span>',
            ),
        ],
    )
    def test_state_has_one_badge(self, admin_client: Client, state: dict[str, bool], badge: str) -> None:
        SubscriptionFactory(**state)
        page = admin_client.get(LIST).content.decode()
        assert badge in page
        assert page.count('<span class="badge') == 1

    def test_newest_subscribers_come_first(self, admin_client: Client) -> None:
        now = timezone.now()
        for days in (2, 0, 1):
            SubscriptionFactory(email=f"{days}@example.com", created_at=now - timedelta(days=days))
        rows = admin_client.get(LIST).context["cl"].result_list
        assert [row.email for row in rows] == ["0@example.com", "1@example.com", "2@example.com"]


class TestFilters:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("?state=pending", {"sailor@example.com"}),
            ("?state=confirmed", set()),
            ("?state=unsubscribed", {"gone@example.com"}),
            ("?state=bounced", {"lost@example.com"}),
            ("?user_type__exact=company", {"firm@example.com", "lost@example.com"}),
            ("?state=paused", {"firm@example.com"}),
            ("?source__exact=landing-sailors", {"sailor@example.com"}),
            ("?source__exact=", {"gone@example.com"}),
            ("?language__exact=cs", {"sailor@example.com"}),
            ("?source__exact=landing-sailors&language__exact=en", set()),
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
            paused_until=timezone.now() + timedelta(days=1),
        )
        SubscriptionFactory(
            email="gone@example.com",
            confirmed=True,
            unsubscribed=True,
            paused_until=timezone.now() - timedelta(days=1),
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
        assert get_addresses(admin_client, query) == found

    def test_state_filter_agrees_with_the_badge(self) -> None:
        now = timezone.now()
        for is_confirmed, is_active, unsubscribed, bounced, asked_again, paused in product(
            (False, True), repeat=6
        ):
            SubscriptionFactory(
                is_confirmed=is_confirmed,
                is_active=is_active,
                unsubscribed_at=now if unsubscribed else None,
                bounced_at=now if bounced else None,
                asked_again_at=now if asked_again else None,
                paused_until=now + timedelta(days=1) if paused else None,
            )
        everyone = Subscription.objects.all()
        for state in State:
            expected = {subscription.pk for subscription in everyone if subscription.state is state}
            assert {subscription.pk for subscription in everyone.in_state(state)} == expected
            assert expected
        stored = dict(everyone.with_state().values_list("pk", "state"))  # type: ignore[misc]
        assert stored == {subscription.pk: subscription.state for subscription in everyone}
        assert sum(everyone.in_state(state).count() for state in State) == everyone.count()

    @pytest.mark.parametrize(
        ("query", "counts"),
        [
            ("", [6, 1, 2, 0, 3, 0]),
            ("?state=unsubscribed", [6, 1, 2, 0, 3, 0]),
            ("?user_type__exact=company", [3, 0, 0, 0, 3, 0]),
            ("?q=gone1&state=confirmed", [1, 0, 0, 0, 1, 0]),
        ],
    )
    def test_each_state_has_its_number(self, admin_client: Client, query: str, counts: list[int]) -> None:
        SubscriptionFactory()
        SubscriptionFactory.create_batch(2, confirmed=True)
        for number in range(3):
            SubscriptionFactory(email=f"gone{number}@example.com", user_type="company", unsubscribed=True)
        page = admin_client.get(LIST + query).content.decode()
        shown = re.findall(r'<span class="count">(\d+)</span>', page)
        assert [int(count) for count in shown] == counts

    def test_long_list_is_not_counted_by_state(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("newsletter.admin.filters.COUNTED_ROWS", 2)
        SubscriptionFactory.create_batch(3)
        page = admin_client.get(LIST).content.decode()
        assert "?state=confirmed" in page
        assert 'class="count"' not in page


@pytest.mark.parametrize("rows", [1, 90])
def test_number_of_queries_does_not_depend_on_the_rows(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries, rows: int
) -> None:
    batch = ImportBatch.objects.create(file_name="fair.csv")
    SubscriptionFactory.create_batch(rows, is_imported=True, import_batch=batch)
    with django_assert_max_num_queries(MAX_QUERIES):
        admin_client.get(LIST)


def test_search_scans_the_addresses_once(admin_client: Client) -> None:
    SubscriptionFactory(email="sailor@example.com")
    with CaptureQueriesContext(connection) as queries:
        assert get_addresses(admin_client, "?q=sailor") == {"sailor@example.com"}
    assert sum("%sailor%" in query["sql"] for query in queries) == 1
    assert len(queries) <= MAX_QUERIES + 1


@pytest.mark.parametrize("rows", [3, 4, 5])
def test_search_shows_all_results_below_and_above_the_id_limit(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(admin, "SEARCH_ID_LIMIT", 3)
    SubscriptionFactory(email="other@example.com")
    emails = {f"sailor{number}@example.com" for number in range(rows)}
    for email in emails:
        SubscriptionFactory(email=email)
    assert get_addresses(admin_client, "?q=sailor") == emails


def test_chosen_filters_can_be_removed_one_by_one(admin_client: Client) -> None:
    SubscriptionFactory(confirmed=True, language="cs")
    page = admin_client.get(f"{LIST}?state=confirmed&language__exact=cs&q=example").content.decode()
    chips = re.findall(r'<li><a href="\?([^"]*)">(.*?) <span aria-hidden', page)
    assert [(label, set(url.split("&amp;"))) for url, label in chips] == [
        ("State: Confirmed", {"language__exact=cs", "q=example"}),
        ("Language: Čeština", {"state=confirmed", "q=example"}),
    ]


def test_empty_list_says_why_and_offers_no_actions(admin_client: Client) -> None:
    assert "There are no subscribers yet." in admin_client.get(LIST).content.decode()
    page = admin_client.get(f"{LIST}?q=nobody").content.decode()
    assert "No address contains “nobody”." in page
    assert 'name="action"' not in page
    assert "No subscriber matches." in admin_client.get(f"{LIST}?q=nobody&state=paused").content.decode()


def test_import_filter_has_those_that_were_imported_and_those_that_were_not(admin_client: Client) -> None:
    SubscriptionFactory(email="imported@example.com", is_imported=True)
    SubscriptionFactory(email="own@example.com")
    assert get_addresses(admin_client, "?import=any") == {"imported@example.com"}
    assert get_addresses(admin_client, "?import=none") == {"own@example.com"}


def test_source_is_that_of_the_page_of_the_subscriber(admin_client: Client) -> None:
    batch = ImportBatch.objects.create(file_name="fair.csv")
    landing = Source.LANDING_COMPANIES
    expected: dict[Subscription, str] = {
        SubscriptionFactory(source=landing, is_imported=True, import_batch=batch): "Import of fair.csv",
        SubscriptionFactory(is_imported=True): "An import",
        administration.add(
            email="by-hand@example.com", user_type=UserType.SAILOR, language="en", by_id=None
        ): "An admin",
        SubscriptionFactory(source=landing): "Landing for companies",
        SubscriptionFactory(): "The site",
    }
    page = admin_client.get(LIST).content.decode()
    for subscription, source in expected.items():
        row = page.partition(f"{subscription.pk}/change/")[2].partition("</tr>")[0]
        assert f'<td class="field-origin">{source}</td>' in row
        assert source in admin_client.get(f"{LIST}{subscription.pk}/change/").content.decode()
    assert '?source__exact=">The site</a>' in page
    assert get_addresses(admin_client, "?source__exact=") == {
        each.email for each, source in expected.items() if source == "The site"
    }


def test_import_filter_shows_the_names_of_files_as_they_are(admin_client: Client) -> None:
    batch = ImportBatch.objects.create(file_name="fair.csv")
    SubscriptionFactory(is_imported=True, import_batch=batch)
    assert f'<a href="?import={batch.pk}">fair.csv</a>' in admin_client.get(LIST).content.decode()


def test_chart_is_not_above_a_part_of_the_list(admin_client: Client) -> None:
    SubscriptionFactory()
    assert 'class="chart"' in admin_client.get(LIST).content.decode()
    for query in ("?q=example", "?state=pending"):
        assert 'class="chart"' not in admin_client.get(LIST + query).content.decode()
