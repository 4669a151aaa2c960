"""Helpers for tests of Django admin, shared by the project and both apps."""

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.test import Client

from accounts.models import User
from sailing.admin import bulk_actions
from sailing.jobs.models import Job
from tests.jobs import run_pending_jobs

PASSWORD = "fair winds 2025"


def staff_client(*codenames: str, email: str = "staff@example.com") -> Client:
    """Return the client of a signed-in admin who has these permissions only."""
    user = User.objects.create_user(email, PASSWORD, is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client = Client()
    client.force_login(user)
    return client


def group_client(name: str) -> Client:
    """Return the client of an admin in a group."""
    client = staff_client()
    User.objects.get(email="staff@example.com").groups.set(Group.objects.filter(name=name))
    return client


def run_action(client: Client, path: str, action: str, *rows: Any) -> list[str]:
    """Apply an action of a change list to rows, by a job if there are several; return what it reports."""
    selected = [str(row.pk) for row in rows]
    response = client.post(path, {"action": action, "_selected_action": selected}, follow=True)
    assert response.status_code == 200
    if "bulk-action" in response.content.decode():
        client.post(path, response.context["fields"])
        run_pending_jobs()
        return [text for _tone, text in bulk_actions.report(Job.objects.latest("pk"))]
    return [str(message) for message in response.context["messages"]]
