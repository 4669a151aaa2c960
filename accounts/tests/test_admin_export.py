"""The export of members: fields, permissions, escaped formulas, log."""

import csv
import io
from datetime import UTC, datetime

import pytest
from django.test import Client

from accounts.models import User
from accounts.tests.factories import MemberFactory
from sailing.jobs.models import Job
from tests.jobs import run_pending_jobs

pytestmark = pytest.mark.django_db

PATH = "/admin/accounts/user/export/"


def export(client: Client, file_format: str = "csv", query: str = "") -> str:
    response = client.post(PATH + query, {"format": file_format})
    assert response.status_code == 302
    run_pending_jobs()
    file = client.get(f"{PATH}{Job.objects.latest('pk').pk}/file/")
    assert file.headers["Content-Disposition"].startswith("attachment")
    return b"".join(file).decode()


def rows(text: str) -> dict[str, dict[str, str]]:
    """Return each row by its address."""
    return {row["email"]: row for row in csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))}


def test_row_has_the_profile_and_the_state_of_the_account(admin_client: Client) -> None:
    member = MemberFactory(
        email="jana@example.com",
        nickname="Skipper",
        phone="777 123 456",
        nationality="Czech",
        captain_license=True,
        captain_license_number="CZ-12345",
        favorite_position="Helmsman",
        utm_source="mast",
        language="cs",
        is_email_verified=True,
    )
    at = datetime(2025, 6, 1, 12, tzinfo=UTC)
    User.objects.filter(pk=member.pk).update(created_at=at, updated_at=at)
    expected = {
        "email": "jana@example.com",
        "first_name": "Jana",
        "last_name": "Nováková",
        "nickname": "Skipper",
        "phone": "777 123 456",
        "nationality": "Czech",
        "captain_license": "yes",
        "captain_license_number": "CZ-12345",
        "favorite_position": "Helmsman",
        "utm_source": "mast",
        "utm_medium": "",
        "utm_campaign": "",
        "referrer": "",
        "language": "cs",
        "is_email_verified": "yes",
        "is_active": "yes",
        "created_at": "2025-06-01T12:00:00+00:00",
        "updated_at": "2025-06-01T12:00:00+00:00",
        "last_login": "",
    }
    assert rows(export(admin_client))["jana@example.com"] == expected
