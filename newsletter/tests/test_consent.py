"""The record of consents: what it holds, and that nothing takes it back."""

import json
from collections.abc import Callable

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.utils import translation

from newsletter import consent
from newsletter.models import ConsentEvent, ConsentKind, Subscription
from newsletter.tests.conftest import Subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, unsubscribe_address
from tests.mailbox import latest, open_link, press_button, text

pytestmark = pytest.mark.django_db


def test_each_event_tells_what_was_shown_to_whom_from_where(subscribe: Subscribe) -> None:
    client = Client()
    client.cookies.load({"django_language": "cs"})
    subscribe(client=client, userType="company", source="landing-companies")
    welcome = latest()
    press_button(confirm_address(welcome), client=client)
    press_button(unsubscribe_address(welcome).replace("lang=cs", "lang=en"))

    assert list(ConsentEvent.objects.values_list("kind", "language", "wording", "source", "user_type")) == [
        (ConsentKind.REQUESTED, "cs", consent.STATEMENT_VERSION, "landing-companies", "company"),
        (ConsentKind.CONFIRMED, "cs", consent.STATEMENT_VERSION, "landing-companies", "company"),
        (ConsentKind.UNSUBSCRIBED, "en", consent.STATEMENT_VERSION, "landing-companies", "company"),
    ]


@pytest.mark.parametrize("language", ["en", "cs"])
def test_the_form_shows_the_statement_on_record(language: str) -> None:
    catalogue = settings.BASE_DIR / "frontend/src/i18n/messages" / language / "newsletter.json"
    with translation.override(language):
        assert json.loads(catalogue.read_text())["newsletter.statement"] == str(consent.STATEMENT)


def test_the_statement_stands_in_the_mail_and_beside_the_button(subscribe: Subscribe) -> None:
    subscribe()
    assert str(consent.STATEMENT) in latest().message
    assert str(consent.STATEMENT) in latest().html_message
    assert str(consent.STATEMENT) in text(open_link(confirm_address(latest())))


def test_another_statement_is_another_version() -> None:
    """Whoever changes a text here gives the statement a new version as well."""
    with translation.override("cs"):
        czech = str(consent.STATEMENT)
    with translation.override("en"):
        english = str(consent.STATEMENT)
    assert (consent.STATEMENT_VERSION, english, czech) == (
        "2026-11-21",
        "I want to receive the Sailing newsletter by email."
        " I can unsubscribe at any time with the link in each mail.",
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
def test_the_history_is_never_changed(change: Callable[[ConsentEvent], object]) -> None:
    consent.record(SubscriptionFactory(), ConsentKind.REQUESTED, language="en")
    event = ConsentEvent.objects.get()
    event.kind = ConsentKind.CONFIRMED
    with pytest.raises(TypeError), transaction.atomic():
        change(event)
    assert ConsentEvent.objects.get().kind == ConsentKind.REQUESTED


def test_the_history_goes_with_its_subscription() -> None:
    consent.record(SubscriptionFactory(), ConsentKind.REQUESTED, language="en")
    Subscription.objects.all().delete()
    assert not ConsentEvent.objects.exists()


def test_no_address_of_a_computer_is_kept() -> None:
    names = {field.name for field in (*ConsentEvent._meta.get_fields(), *Subscription._meta.get_fields())}
    assert not {name for name in names if "ip" in name.split("_") or "agent" in name}
