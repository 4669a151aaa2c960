"""Filters of the list of members."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from sailing.admin.lists import ChoicesOrBlankFilter


class BadgeFilter(admin.SimpleListFilter):
    """Filter by a badge of the list. `badges`: the label and the condition of each."""

    badges: ClassVar[dict[str, tuple[Any, Q]]]

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(value, label) for value, (label, _condition) in self.badges.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        value = self.value()
        if not value:
            return queryset
        if value not in self.badges:
            raise IncorrectLookupParameters(f"not a value of the filter: {value}")
        return queryset.filter(self.badges[value][1])


class AccountFilter(BadgeFilter):
    """Filter by the state of the account."""

    title = _("account")
    parameter_name = "account"
    badges: ClassVar = {
        "active": (_("Active"), Q(is_active=True, is_staff=False)),
        "admin": (_("Admin"), Q(is_active=True, is_staff=True)),
        "deactivated": (_("Deactivated"), Q(is_active=False)),
    }


class EmailFilter(BadgeFilter):
    """Filter by the state of the address."""

    title = _("email state")
    parameter_name = "email_state"
    badges: ClassVar = {
        "verified": (_("Verified"), Q(is_email_verified=True, email_undeliverable_at=None)),
        "unverified": (_("Unverified"), Q(is_email_verified=False, email_undeliverable_at=None)),
        "undeliverable": (_("Undeliverable"), Q(email_undeliverable_at__isnull=False)),
    }


class PositionFilter(ChoicesOrBlankFilter):
    """Filter by favorite position. The list of choices is long, so it opens on request."""

    opens_on_request = True
