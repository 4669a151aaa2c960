"""Filters of the list of members."""

from typing import ClassVar

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from sailing.admin.lists import ChoicesOrBlankFilter, ConditionFilter


class AccountFilter(ConditionFilter):
    """Filter by the state of the account."""

    title = _("account")
    parameter_name = "account"
    conditions: ClassVar = {
        "active": (_("Active"), Q(is_active=True, is_staff=False)),
        "admin": (_("Admin"), Q(is_active=True, is_staff=True)),
        "deactivated": (_("Deactivated"), Q(is_active=False)),
    }


class EmailFilter(ConditionFilter):
    """Filter by the state of the address."""

    title = _("email state")
    parameter_name = "email_state"
    conditions: ClassVar = {
        "verified": (_("Verified"), Q(is_email_verified=True, email_undeliverable_at=None)),
        "unverified": (_("Unverified"), Q(is_email_verified=False, email_undeliverable_at=None)),
        "undeliverable": (_("Undeliverable"), Q(email_undeliverable_at__isnull=False)),
    }


class PositionFilter(ChoicesOrBlankFilter):
    """Filter by favorite position. The list of choices is long, so it opens on request."""

    opens_on_request = True
