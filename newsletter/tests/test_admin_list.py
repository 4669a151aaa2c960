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

from newsletter.admin import SubscriptionAdmin
from newsletter.imports.models import ImportBatch
from newsletter.models import Source, State, Subscription, UserType
from newsletter.services import administration
from newsletter.tests.factories import SubscriptionFactory
from sailing.mail import installation

pytestmark = pytest.mark.django_db

LIST = "/admin/newsletter/subscription/"
IMPORT = "/admin/imports/importbatch/import/"
MAX_QUERIES = 12


def get_addresses(client: Client, query: str = "") -> set[str]:
    """Return the addresses on the list page."""
    response = client.get(LIST + query)
    assert response.status_code == 200, response
    return {subscription.email for subscription in response.context["cl"].result_list}


class TestFilters:
    def test_filters_and_search(self, admin_client: Client) -> None:
        SubscriptionFactory(email="sailor@example.com", source=Source.LANDING_SAILORS, language="cs")
        SubscriptionFactory(
            email="firm@example.com", first_name="Jiřina", user_type=UserType.COMPANY, confirmed=True
        )
        SubscriptionFactory(
            email="gone@example.com",
            unsubscribed=True,
            created_at=timezone.now().replace(year=2020, month=5, day=1),
        )
        for query, found in {
            "?state=unsubscribed": {"gone"},
            "?user_type__exact=company": {"firm"},
            "?source__exact=landing-sailors": {"sailor"},
            "?source__exact=landing-sailors&language__exact=en": set(),
            "?created_at__lt=2021-01-01+00:00:00%2B00:00": {"gone"},
            "?q=SAILOR@": {"sailor"},
            "?q=+firm+example": {"firm"},
            "?q=jiř": {"firm"},
            "?q=jiřina+firm@": {"firm"},
            "?q=%25": set(),
            "?q=_": set(),
        }.items():
            assert get_addresses(admin_client, query) == {f"{name}@example.com" for name in found}, query

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

    def test_each_state_has_its_number_with_the_other_filters(self, admin_client: Client) -> None:
        SubscriptionFactory()
        SubscriptionFactory.create_batch(2, confirmed=True)
        for number in range(3):
            SubscriptionFactory(email=f"gone{number}@example.com", user_type="company", unsubscribed=True)
        for query, counts in (
            ("?state=unsubscribed", ["6", "1", "2", "0", "3", "0"]),
            ("?q=gone1&state=confirmed", ["1", "0", "0", "0", "1", "0"]),
        ):
            page = admin_client.get(LIST + query).content.decode()
            assert re.findall(r'<span class="count">(\d+)</span>', page) == counts

    def test_long_list_is_not_counted_by_state(
        self, admin_client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("newsletter.admin.filters.COUNTED_ROWS", 2)
        SubscriptionFactory.create_batch(3)
        page = admin_client.get(LIST).content.decode()
        assert "?state=confirmed" in page
        assert 'class="count"' not in page


def test_number_of_queries_does_not_depend_on_the_rows(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    batch = ImportBatch.objects.create(file_name="fair.csv")
    SubscriptionFactory.create_batch(20, is_imported=True, import_batch=batch)
    installation.is_copy()  # the first question makes the database the site's
    with django_assert_max_num_queries(MAX_QUERIES):
        admin_client.get(LIST)


@pytest.mark.parametrize(("rows", "counts"), [(2, 0), (3, 1)])
def test_search_that_fits_a_page_does_not_run_again_to_count(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, rows: int, counts: int
) -> None:
    monkeypatch.setattr(SubscriptionAdmin, "list_per_page", 2)
    SubscriptionFactory.create_batch(rows)
    with CaptureQueriesContext(connection) as queries:
        assert admin_client.get(f"{LIST}?q=example").context["cl"].result_count == rows
    assert sum("__count" in query["sql"] and "%example%" in query["sql"] for query in queries) == counts


def test_empty_list_says_why_and_offers_no_actions(admin_client: Client) -> None:
    assert "There are no subscribers yet." in admin_client.get(LIST).content.decode()
    page = admin_client.get(f"{LIST}?q=nobody").content.decode()
    assert "No subscriber matches." in page
    assert 'name="action"' not in page


def test_import_filter_has_each_file_and_those_that_were_not_imported(admin_client: Client) -> None:
    batch = ImportBatch.objects.create(file_name="fair.csv")
    SubscriptionFactory(email="fair@example.com", is_imported=True, import_batch=batch)
    SubscriptionFactory(email="imported@example.com", is_imported=True)
    SubscriptionFactory(email="own@example.com")
    assert f'<a href="?import={batch.pk}">fair.csv</a>' in admin_client.get(LIST).content.decode()
    assert get_addresses(admin_client, f"?import={batch.pk}") == {"fair@example.com"}
    assert get_addresses(admin_client, "?import=any") == {"fair@example.com", "imported@example.com"}
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
        assert f'field-origin is-hidden">{source}</td>' in row
        assert source in admin_client.get(f"{LIST}{subscription.pk}/change/").content.decode()
    assert get_addresses(admin_client, "?source__exact=") == {
        each.email for each, source in expected.items() if source == "The site"
    }
