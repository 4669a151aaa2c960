"""The export of subscribers: fields, filters, escaped formulas, log, streaming."""

import csv
import io
import json
from datetime import UTC, datetime

import pytest
from django.test import Client
from structlog.testing import capture_logs

from newsletter.tests.factories import SubscriptionFactory

pytestmark = pytest.mark.django_db

CSV, JSON = "0", "1"


def export(client: Client, file_format: str, query: str = "") -> str:
    path = f"/admin/newsletter/subscription/export/{query}"
    response = client.post(path, {"format": file_format, "resource": "0"})
    assert response.status_code == 200
    assert response.streaming  # see `StreamingExportMixin`
    assert response.headers["Content-Disposition"].startswith("attachment")
    return b"".join(response).decode()


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_row_has_all_fields(admin_client: Client) -> None:
    SubscriptionFactory(
        email="jana@example.com",
        source="landing-sailors",
        language="cs",
        confirmed=True,
        created_at=datetime(2025, 6, 1, 12, 0, tzinfo=UTC),
        confirmed_at=datetime(2025, 6, 1, 12, 5, tzinfo=UTC),
    )
    expected = {
        "email": "jana@example.com",
        "user_type": "sailor",
        "is_active": "yes",
        "is_confirmed": "yes",
        "source": "landing-sailors",
        "language": "cs",
        "created_at": "2025-06-01T12:00:00+00:00",
        "confirmed_at": "2025-06-01T12:05:00+00:00",
        "unsubscribed_at": "",
        "bounced_at": "",
    }
    assert rows(export(admin_client, CSV)) == [expected]
    assert json.loads(export(admin_client, JSON)) == [expected]


def test_filters_and_search_of_the_list_are_applied(admin_client: Client) -> None:
    SubscriptionFactory(email="one@example.com", language="cs")
    SubscriptionFactory(email="two@example.com", language="en")
    found = rows(export(admin_client, CSV, "?language__exact=cs&q=EXAMPLE"))
    assert [row["email"] for row in found] == ["one@example.com"]


@pytest.mark.parametrize("start", ["=", "+", "-", "'=", "''+"])
def test_formula_in_an_address_is_escaped(admin_client: Client, start: str) -> None:
    SubscriptionFactory(email=f"{start}cmd@example.com")
    assert rows(export(admin_client, CSV))[0]["email"] == f"'{start}cmd@example.com"
    assert json.loads(export(admin_client, JSON))[0]["email"] == f"{start}cmd@example.com"


def test_export_is_logged_without_addresses(admin_client: Client, admin_user: object) -> None:
    SubscriptionFactory(email="jana@example.com")
    with capture_logs() as lines:
        export(admin_client, CSV)
    (line,) = [line for line in lines if line["event"] == "exported"]
    assert line["admin"] == admin_user.pk  # type: ignore[attr-defined]
    assert "jana" not in str(lines)
