"""The roles of admins: three groups, and superusers.

Every run of `migrate` gives the groups exactly these permissions.

Permissions are stored after the migrations (`post_migrate`), so a migration could not grant them. A
permission that does not exist yet is granted by the first run after the one that adds it.
"""

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

SUPERUSER = "superuser"

ROLES = {
    "": _("None"),
    "Viewers": _("Viewer"),
    "Editors": _("Editor"),
    "Managers": _("Manager"),
    SUPERUSER: _("Superuser"),
}
"""By the name of the group."""


def _list_all(model: str) -> list[str]:
    """Return the permissions to view, add, change and delete the rows of a model (`app.model`)."""
    app, name = model.split(".")
    return [f"{app}.{action}_{name}" for action in ("view", "add", "change", "delete")]


GROUPS: dict[str, tuple[str, ...]] = {
    "Managers": (
        "accounts.view_user",
        *_list_all("newsletter.subscription"),
        "newsletter.export_subscription",
        *_list_all("newsletter.interest"),
        *_list_all("campaigns.campaign"),
        "campaigns.send_campaign",
        *_list_all("campaigns.picture"),
        *_list_all("campaigns.segment"),
        "invitations.view_inviter",
        "invitations.export_inviter",
        *_list_all("invitations.milestone"),
        "jobs.view_job",
        "jobs.change_job",
        "mail.view_outboxemail",
        "mail.change_outboxemail",
        "admin.view_logentry",
    ),
    "Editors": (
        "newsletter.view_subscription",
        "newsletter.add_subscription",
        "newsletter.change_subscription",
        "newsletter.view_interest",
        *_list_all("campaigns.campaign"),
        *_list_all("campaigns.picture"),
        *_list_all("campaigns.segment"),
        "invitations.view_inviter",
        *_list_all("invitations.milestone"),
    ),
    "Viewers": (
        "accounts.view_user",
        "newsletter.view_subscription",
        "newsletter.view_interest",
        "campaigns.view_campaign",
        "campaigns.view_picture",
        "campaigns.view_segment",
        "invitations.view_inviter",
        "invitations.view_milestone",
        "jobs.view_job",
        "mail.view_outboxemail",
    ),
}
"""Permissions by the name of the group: `app.codename`."""


def get_role(user: Any) -> str:
    """Return the role of a user, one of `ROLES`."""
    if user.is_superuser:
        return SUPERUSER
    names = [group.name for group in user.groups.all()] if user.is_staff else []
    return next((name for name in ROLES if name in names), "")


@transaction.atomic
def set_role(user: Any, role: str) -> None:
    """Give a user the rights of a role, and no others."""
    user.is_staff, user.is_superuser = bool(role), role == SUPERUSER
    user.save(update_fields=["is_staff", "is_superuser"])
    user.groups.set(Group.objects.filter(name=role))
    user.user_permissions.clear()


def store(*, using: str, **_signal: Any) -> None:
    """Create the groups and set their permissions. Receives `post_migrate` of the app `auth`.

    Django creates the permissions of the apps in the order of INSTALLED_APPS; those of our apps come before
    `auth`.
    """
    for group, permissions in GROUPS.items():
        stored, _is_new = Group.objects.using(using).get_or_create(name=group)
        wanted = Q()
        for name in permissions:
            app, _dot, codename = name.partition(".")
            wanted |= Q(content_type__app_label=app, codename=codename)
        stored.permissions.set(Permission.objects.using(using).filter(wanted))
