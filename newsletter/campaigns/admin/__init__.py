"""Campaigns in Django admin."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from newsletter.campaigns.admin.editor import EditorMixin
from newsletter.campaigns.admin.figures import FiguresMixin
from newsletter.campaigns.admin.sending import SendingMixin
from newsletter.campaigns.models import Campaign
from sailing.admin.lists import StrictListMixin


@admin.register(Campaign)
class CampaignAdmin(EditorMixin, SendingMixin, FiguresMixin, StrictListMixin, admin.ModelAdmin):  # type: ignore[type-arg]
    """Campaigns: write, check and test them (editor), send them (sending), read the results (figures).

    Every permission on campaigns includes viewing them, so that all pages and links between them work with
    any choice of permissions.
    """

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_module_permission(request)
