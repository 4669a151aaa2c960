"""The previous release can write after a migration, during a deploy and after a rollback."""

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from accounts.models import User

pytestmark = pytest.mark.django_db


def test_previous_release_can_store_a_member() -> None:
    before = MigrationLoader(connection).project_state(("accounts", "0002_profile_and_links")).apps
    before.get_model("accounts", "User").objects.create(email="jana@example.com")
    member = User.objects.get()
    assert (member.kept_jti, member.was_email_verified) == ("", False)
