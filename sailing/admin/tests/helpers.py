"""Helpers for tests of Django admin, shared by the project and both apps."""

import csv
import io
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


def start_export(client: Client, query: str = "", page: str = "newsletter/subscription") -> str:
    """Start the export of a list and return the path of its file."""
    job_page = client.post(f"/admin/{page}/export/{query}").headers["Location"]
    return job_page.replace("jobs/job", f"{page}/export").replace("change", "file")


def download(client: Client, path: str) -> bytes:
    response: Any = client.get(path)
    content = b"".join(response)
    assert response.headers["Content-Length"] == str(len(content))
    return content


def read_file(content: bytes, delimiter: str = ",") -> list[dict[str, str]]:
    text = io.StringIO(content.decode("utf-8-sig"), newline="")
    return list(csv.DictReader(text, delimiter=delimiter))


def export(client: Client, *list_options: str) -> list[dict[str, str]]:
    """Export a list by a job; return the rows of the file."""
    path = start_export(client, *list_options)
    run_pending_jobs()
    return read_file(download(client, path))
