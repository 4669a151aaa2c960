"""The three groups of admins, and the names of permissions.

Every run of `migrate` gives the groups exactly these permissions.

Permissions are stored after the migrations (`post_migrate`), so a migration could not grant them. A
permission that does not exist yet is granted by the first run after the one that adds it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.contrib.admin import AdminSite
from django.contrib.admin.models import LogEntry
from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import Group, Permission
from django.db.models import Q, QuerySet
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class AdminGroup:
    """A group as it is stored (`name`), and as it is shown. `permissions`: `app.codename`."""

    name: str
    label: str | Promise
    description: str | Promise
    permissions: tuple[str, ...]


def _list_all(model: str) -> list[str]:
    """Return the permissions to view, add, change and delete the rows of a model (`app.model`)."""
    app, name = model.split(".")
    return [f"{app}.{action}_{name}" for action in ("view", "add", "change", "delete")]


GROUPS = (
    AdminGroup(
        "Managers",
        _("Managers"),
        _(
            "subscribers with growth, imports, exports and erasure; segments; campaigns and series with"
            " sending; early access; background jobs and the outbox; a view of members"
        ),
        (
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
    ),
    AdminGroup(
        "Editors",
        _("Editors"),
        _(
            "subscribers with growth and imports, without asking them to confirm and without exports and"
            " erasure; segments; campaigns and series without sending; a view of early access,"
            " and its milestones"
        ),
        (
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
    ),
    AdminGroup(
        "Viewers",
        _("Viewers"),
        _(
            "a view of members, subscribers, growth, segments, campaigns and series, early"
            " access, jobs and the outbox; no changes"
        ),
        (
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
    ),
)


ACTIONS = {
    "view": _("view"),
    "add": _("add"),
    "change": _("change"),
    "delete": _("delete"),
    "export": _("export"),
    "send": _("send"),
    "confirm": _("import people as confirmed"),
}
"""What a permission allows, by its codename without the name of the model."""


def get_label(group: Group) -> str:
    """Return the name of a group in the language of the request."""
    return next((str(known.label) for known in GROUPS if known.name == group.name), group.name)


def get_description(group: Group) -> str:
    """Return the name of a group with what its members may do, as HTML."""
    known = next((known for known in GROUPS if known.name == group.name), None)
    description = capfirst(str(known.description)) if known else ""
    return format_html("<span><strong>{}</strong> {}</span>", get_label(group), description)


def get_permissions(site: AdminSite) -> QuerySet[Permission]:
    """Return the permissions of the models that have a page in admin."""
    found = Q(pk__in=())
    for model in filter(site.is_registered, apps.get_models()):
        options = model._meta
        usable = ("view",) if model is LogEntry else options.default_permissions
        codenames = [get_permission_codename(action, options) for action in usable]
        codenames += [codename for codename, _name in options.permissions]
        found |= Q(
            content_type__app_label=options.app_label,
            content_type__model=options.model_name,
            codename__in=codenames,
        )
    permissions = Permission.objects.filter(found).select_related("content_type")
    return permissions.order_by("content_type__app_label", "content_type__model", "pk")


def name_parts(permission: Permission) -> tuple[str, str]:
    """Return the model and the action of a permission in the language of the request."""
    model = permission.content_type.model_class()
    action = ACTIONS.get(permission.codename.replace(f"_{permission.content_type.model}", "", 1))
    name = model._meta.verbose_name_plural if model else permission.content_type.model
    return capfirst(str(name)), str(action or permission.name)


def describe_permission(permission: Permission) -> str:
    return ": ".join(name_parts(permission))


def group_permissions(permissions: Iterable[Permission]) -> list[tuple[str, list[tuple[int, str]]]]:
    """Return permissions as choices: for each model, the keys and the actions.

    The model is a hidden part of each label, because a box takes no name from the heading of its group.
    """
    found: dict[str, list[tuple[int, str]]] = {}
    for permission in permissions:
        model, action = name_parts(permission)
        label = format_html('<span class="visually-hidden">{}: </span>{}', model, action)
        found.setdefault(model, []).append((permission.pk, label))
    return sorted(found.items())


def store(*, using: str, **_signal: Any) -> None:
    """Create the groups and set their permissions. Receives `post_migrate` of the app `auth`.

    Django creates the permissions of the apps in the order of INSTALLED_APPS; those of our apps come before
    `auth`.
    """
    for group in GROUPS:
        stored, _is_new = Group.objects.using(using).get_or_create(name=group.name)
        wanted = Q()
        for name in group.permissions:
            app, _dot, codename = name.partition(".")
            wanted |= Q(content_type__app_label=app, codename=codename)
        stored.permissions.set(Permission.objects.using(using).filter(wanted))
