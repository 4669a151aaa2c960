"""The admin in whose name a job works, and who may continue it."""

from typing import Any

import pytest
from django.contrib.auth.models import Permission

from accounts.models import User
from sailing.jobs import queue
from sailing.jobs.models import Job
from sailing.jobs.permissions import may_continue, require_admin
from sailing.jobs.queue import JobFailed

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("lost", "permissions"), [("is_active", ()), ("is_staff", ()), ("is_superuser", ("jobs.view_job",))]
)
def test_admin_who_lost_a_right_is_refused(lost: str, permissions: tuple[str, ...]) -> None:
    user = User.objects.create_superuser("jana@example.com", "fair winds 2025")
    assert require_admin(user.pk, *permissions) == user
    setattr(user, lost, False)
    user.save()
    with pytest.raises(JobFailed):
        require_admin(user.pk, *permissions)


def test_erased_admin_is_refused() -> None:
    with pytest.raises(JobFailed):
        require_admin(None)


ALONE = {"accounts.reset_mail", "growth", "invitations.count", "retention"}
"""The kinds that no admin starts."""

NEEDED: tuple[tuple[str, dict[str, Any], set[str]], ...] = (
    ("newsletter.check_import", {}, {"add_subscription"}),
    ("newsletter.import", {}, {"add_subscription"}),
    ("newsletter.import", {"consent_date": "2025-05-31"}, {"add_subscription", "confirm_importbatch"}),
    ("newsletter.undo_import", {}, {"add_subscription"}),
    ("campaigns.send", {}, {"send_campaign"}),
    (
        "export",
        {"model": "newsletter.subscription", "query": ""},
        {"view_subscription", "export_subscription"},
    ),
    ("admin.bulk_action", {"model": "accounts.User", "action": "deactivate"}, {"change_user"}),
)
"""Kinds with their arguments, and the permissions without which an admin may not continue them."""


def create_admin(*codenames: str) -> User:
    user = User.objects.create_user(f"{len(codenames)}@example.com", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    return user


def test_every_kind_of_an_admin_says_what_it_needs() -> None:
    assert {name for name, kind in queue.kinds.items() if kind.authorize is None} == ALONE


@pytest.mark.parametrize(("kind", "arguments", "codenames"), NEEDED, ids=[kind for kind, *_rest in NEEDED])
def test_job_is_continued_with_the_permissions_that_it_needs_alone(
    kind: str, arguments: dict[str, Any], codenames: set[str]
) -> None:
    job = Job(kind=kind, arguments=arguments, created_by=create_admin())
    assert may_continue(job, create_admin("change_job", *codenames))
    others = Permission.objects.exclude(codename__in=codenames).values_list("codename", flat=True)
    assert not may_continue(job, create_admin(*others))


def test_action_of_a_superuser_is_continued_by_superusers_only() -> None:
    first, second = (User.objects.create_superuser(f"{name}@example.com", "fair winds 2025") for name in "ab")
    kind, arguments, codenames = NEEDED[-1]
    job = Job(kind=kind, arguments=arguments, created_by=first)
    assert may_continue(job, second)
    assert not may_continue(job, create_admin(*codenames))


def test_kind_of_another_release_is_not_continued() -> None:
    assert not may_continue(Job(kind="gone"), create_admin("change_job"))
