"""The export of members: its fields."""

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


def test_row_has_the_profile_and_the_state_of_the_account(admin_client: Client) -> None:
    texts = {
        "email": "jana@example.com",
        "first_name": "Jana",
        "last_name": "Nováková",
        "nickname": "Skipper",
        "phone": "777 123 456",
        "nationality": "Czech",
        "captain_license_number": "CZ-12345",
        "favorite_position": "Helmsman",
        "language": "cs",
    }
    MemberFactory(**texts, captain_license=True, is_email_verified=True)
    at = datetime(2025, 6, 1, 12, tzinfo=UTC)
    User.objects.update(created_at=at, updated_at=at)
    admin_client.post(PATH)
    run_pending_jobs()
    file = b"".join(admin_client.get(f"{PATH}{Job.objects.latest('pk').pk}/file/")).decode("utf-8-sig")
    rows = {row["email"]: row for row in csv.DictReader(io.StringIO(file, newline=""))}
    assert rows["jana@example.com"] == {
        **texts,
        **dict.fromkeys(("captain_license", "is_email_verified", "is_active"), "yes"),
        **dict.fromkeys(("created_at", "updated_at"), "2025-06-01T12:00:00+00:00"),
        "last_login": "",
    }
