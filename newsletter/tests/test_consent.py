"""The consent history is complete and append-only."""

import json
from collections.abc import Callable

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import translation

from newsletter.models import STATEMENT, STATEMENT_VERSION, ConsentEvent, ConsentKind, Subscription
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, unsubscribe_address
from tests.mailbox import latest, open_link, press_button, text

pytestmark = pytest.mark.django_db


def test_event_records_kind_language_wording_source_and_audience() -> None:
    client = Client()
    client.cookies.load({"django_language": "cs"})
    subscribe(client=client, userType="company", source="landing-companies")
    welcome = latest()
    press_button(confirm_address(welcome), client=client)
    press_button(unsubscribe_address(welcome).replace("lang=cs", "lang=en"))

    assert list(ConsentEvent.objects.values_list("kind", "language", "wording", "source", "user_type")) == [
        (ConsentKind.REQUESTED, "cs", STATEMENT_VERSION, "landing-companies", "company"),
        (ConsentKind.REMINDER, "cs", STATEMENT_VERSION, "landing-companies", "company"),
        (ConsentKind.CONFIRMED, "cs", STATEMENT_VERSION, "landing-companies", "company"),
        (ConsentKind.UNSUBSCRIBED, "en", STATEMENT_VERSION, "landing-companies", "company"),
    ]


@pytest.mark.parametrize("language", ["en", "cs"])
def test_form_shows_the_same_statement(language: str) -> None:
    catalogue = settings.BASE_DIR / f"frontend/messages/{language}.json"
    with translation.override(language):
        assert json.loads(catalogue.read_text())["newsletter.statement"] == str(STATEMENT)


def test_mail_and_confirm_page_show_the_statement() -> None:
    subscribe()
    assert str(STATEMENT) in latest().text
    assert str(STATEMENT) in latest().html
    assert str(STATEMENT) in text(open_link(confirm_address(latest())))


def test_changed_statement_needs_a_new_version() -> None:
    """After changing a text here, give the statement a new version."""
    with translation.override("cs"):
        czech = str(STATEMENT)
    with translation.override("en"):
        english = str(STATEMENT)
    assert (STATEMENT_VERSION, english, czech) == (
        "2026-11-24",
        "I want to receive the Sailing newsletter by email."
        " I can unsubscribe at any time with the link in each email.",
        "Chci dostávat newsletter Sailing e-mailem. Odhlásit se mohu kdykoli odkazem v každé zprávě.",
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda event: event.save(),
        lambda event: event.delete(),
        lambda event: ConsentEvent.objects.update(kind=ConsentKind.CONFIRMED),
        lambda event: ConsentEvent.objects.all().delete(),
        lambda event: event.subscription.consent_events.all().delete(),
        lambda event: ConsentEvent.objects.bulk_update([event], ["kind"]),
    ],
)
def test_event_cannot_be_changed_or_deleted(change: Callable[[ConsentEvent], object]) -> None:
    ConsentEvent.record(SubscriptionFactory(), ConsentKind.REQUESTED, language="en")
    event = ConsentEvent.objects.get()
    event.kind = ConsentKind.CONFIRMED
    with pytest.raises(TypeError), transaction.atomic():
        change(event)
    assert ConsentEvent.objects.get().kind == ConsentKind.REQUESTED


def test_no_ip_address_or_user_agent_is_stored() -> None:
    names = {field.name for field in (*ConsentEvent._meta.get_fields(), *Subscription._meta.get_fields())}
    assert not {name for name in names if "ip" in name.split("_") or "agent" in name}
