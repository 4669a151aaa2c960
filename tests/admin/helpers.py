"""Helpers for tests of Django admin, shared by the project and both apps."""

from typing import Any

from django.contrib.auth.models import Permission
from django.test import Client

from accounts.models import User

PASSWORD = "fair winds 2025"


def staff_client(*codenames: str, email: str = "staff@example.com") -> Client:
    """Return the client of a signed-in admin who has these permissions only."""
    user = User.objects.create_user(email, PASSWORD, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client = Client()
    client.force_login(user)
    return client


def run_action(client: Client, path: str, action: str, *rows: Any) -> list[str]:
    """Apply an action of a change list to rows; return the messages of the next page."""
    selected = [str(row.pk) for row in rows]
    response = client.post(path, {"action": action, "_selected_action": selected}, follow=True)
    assert response.status_code == 200
    return [str(message) for message in response.context["messages"]]
