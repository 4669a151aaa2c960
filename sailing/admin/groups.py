"""The roles of admins: three groups, and superusers."""

from typing import Any

from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.utils.translation import gettext_lazy as _

SUPERUSER = "superuser"
ROLES = {  # by the name of the group
    "": _("None"),
    "Viewers": _("Viewer"),
    "Editors": _("Editor"),
    "Managers": _("Manager"),
    SUPERUSER: _("Superuser"),
}


def _list_all(model: str) -> list[str]:
    return [model.replace(".", f".{action}_") for action in ("view", "add", "change", "delete")]


EDITORS = (
    "newsletter.view_subscription",
    "newsletter.add_subscription",
    "newsletter.change_subscription",
    "newsletter.view_interest",
    *_list_all("campaigns.campaign"),
    *_list_all("campaigns.picture"),
    *_list_all("campaigns.segment"),
    "invitations.view_inviter",
    *_list_all("invitations.milestone"),
)

GROUPS: dict[str, tuple[str, ...]] = {  # permissions (`app.codename`) by the name of the group
    "Managers": (
        *EDITORS,
        "accounts.view_user",
        "newsletter.delete_subscription",
        "newsletter.export_subscription",
        *_list_all("newsletter.interest"),
        "campaigns.send_campaign",
        "invitations.export_inviter",
        "jobs.view_job",
        "jobs.change_job",
        "mail.view_outboxemail",
        "mail.change_outboxemail",
        "admin.view_logentry",
    ),
    "Editors": EDITORS,
    "Viewers": (
        *(permission for permission in EDITORS if ".view_" in permission),
        "accounts.view_user",
        "jobs.view_job",
        "mail.view_outboxemail",
    ),
}


def get_role(user: Any) -> str:
    if user.is_superuser:
        return SUPERUSER
    names = [group.name for group in user.groups.all()] if user.is_staff else []
    return next((name for name in ROLES if name in names), "")


@transaction.atomic
def set_role(user: Any, role: str) -> None:
    user.is_staff, user.is_superuser = bool(role), role == SUPERUSER
    user.save(update_fields=["is_staff", "is_superuser"])
    user.groups.set(Group.objects.filter(name=role))
    user.user_permissions.clear()


def store(*, using: str, **_signal: Any) -> None:
    """Give the groups exactly their permissions, after the migrations of `auth`, which come last."""
    stored = Permission.objects.using(using).select_related("content_type")
    by_name = {f"{each.content_type.app_label}.{each.codename}": each for each in stored}
    for name, permissions in GROUPS.items():
        group, _is_new = Group.objects.using(using).get_or_create(name=name)
        group.permissions.set(by_name[each] for each in permissions if each in by_name)
