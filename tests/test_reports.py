"""What Sentry is told when something fails."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
from django.test import Client
from sentry_sdk.transport import Transport

from sailing import reports, token_paths


class Recorder(Transport):
    """Keeps what would be sent."""

    sent: list[dict[str, Any]]

    def __init__(self) -> None:
        super().__init__()
        self.sent = []

    def capture_envelope(self, envelope: Any) -> None:
        self.sent += [item.payload.json for item in envelope.items if item.type == "event"]


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    transport = Recorder()
    reports.start("https://key@sentry.example/1", transport=transport, default_integrations=False)
    # The integrations patch Django for the whole process; one is enough to see what they would send.
    yield transport
    sentry_sdk.init()


@pytest.mark.django_db
def test_a_report_names_the_fault_and_nobody(recorder: Recorder, monkeypatch: pytest.MonkeyPatch) -> None:
    address = f"{uuid.uuid4()}@example.org"  # not in the source, which a report quotes

    def broken(**values: Any) -> None:
        raise ValueError(f"DETAIL: Key (email)=({values['request'].email}) already exists.")

    monkeypatch.setattr("newsletter.schema.services.subscribe", broken)
    monkeypatch.setattr(
        "sailing.graphql.view.logger.error", lambda _event, exc_info: sentry_sdk.capture_exception(exc_info)
    )
    query = 'mutation { subscribeNewsletter(input: {email: "%s", userType: "sailor"}) { success } }'
    Client().post("/graphql", {"query": query % address}, content_type="application/json")
    (event,) = recorder.sent
    assert event["exception"]["values"][-1]["value"] == "DETAIL: Key (email)=([address]) already exists."
    assert address not in json.dumps(event)


def test_of_a_request_only_its_method_is_told() -> None:
    event = {
        "request": {
            "method": "POST",
            "url": "https://x/newsletter/confirm/secret/",
            "data": {"email": "a@b.cz"},
        },
        "exception": {"values": [{"value": "at /newsletter/confirm/secret/"}]},
        "breadcrumbs": {"values": [{"message": "secret"}]},
    }
    assert reports.without_persons(event, {}) == {
        "request": {"method": "POST"},
        "exception": {"values": [{"value": f"at {token_paths.masked('/newsletter/confirm/secret/')}"}]},
    }
    assert "secret" not in json.dumps(event["exception"])
