"""The admin in whose name a job works."""

import pytest

from accounts.models import User
from sailing.jobs.permissions import require_admin
from sailing.jobs.queue import JobFailed

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("lost", ["is_active", "is_staff", "is_superuser"])
def test_admin_who_lost_a_right_is_refused(lost: str) -> None:
    user = User.objects.create_superuser("jana@example.com", "fair winds 2025")
    assert require_admin(user.pk, "sailing.view_job") == user
    setattr(user, lost, False)
    user.save()
    with pytest.raises(JobFailed):
        require_admin(user.pk, "sailing.view_job")


@pytest.mark.parametrize("right", ["is_active", "is_staff"])
def test_right_to_sign_in_is_needed_even_without_a_permission(right: str) -> None:
    user = User.objects.create_superuser("jana@example.com", "fair winds 2025")
    setattr(user, right, False)
    user.save()
    with pytest.raises(JobFailed):
        require_admin(user.pk)


def test_erased_admin_is_refused() -> None:
    with pytest.raises(JobFailed):
        require_admin(None)
