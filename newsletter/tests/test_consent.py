"""The consent history is complete and append-only."""

import json
from collections.abc import Callable

import pytest
from django.conf import settings
from django.db import transaction
from django.utils import translation

from newsletter.models import STATEMENT, STATEMENT_VERSION, ConsentEvent, ConsentKind, Subscription
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, unsubscribe_address
from tests.api import czech_visitor
from tests.mailbox import latest, press_button

pytestmark = pytest.mark.django_db

# After changing a text here, give the statement a new version.
STATEMENTS = {
    "en": "I want to receive the Sailing newsletter by email."
    " I can unsubscribe at any time with the link in each email.",
    "cs": "Chci dostávat newsletter Sailing e-mailem. Odhlásit se mohu kdykoli odkazem v každé zprávě.",
}


def test_event_records_kind_language_wording_source_and_audience() -> None:
    client = czech_visitor()
    subscribe(client=client, userType="company", source="landing-companies")
    welcome = latest()
    press_button(confirm_address(welcome), client=client)
    press_button(unsubscribe_address(welcome).replace("lang=cs", "lang=en"))
    expected = [("requested", "cs"), ("reminder", "cs"), ("confirmed", "cs"), ("unsubscribed", "en")]
    assert list(ConsentEvent.objects.values_list("kind", "language", "wording", "source", "user_type")) == [
        (kind, language, STATEMENT_VERSION, "landing-companies", "company") for kind, language in expected
    ]


@pytest.mark.parametrize("language", STATEMENTS)
def test_form_shows_the_statement_of_this_version(language: str) -> None:
    messages = json.loads((settings.BASE_DIR / f"frontend/messages/{language}.json").read_text())
    with translation.override(language):
        assert messages["newsletter.statement"] == str(STATEMENT) == STATEMENTS[language]
    assert STATEMENT_VERSION == "2026-11-24"


@pytest.mark.parametrize(
    "change",
    [
        lambda event: event.save(),
        lambda event: event.delete(),
        lambda event: ConsentEvent.objects.update(kind=ConsentKind.CONFIRMED),
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
