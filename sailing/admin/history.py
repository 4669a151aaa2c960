"""The admin history: what admins did, and members to their own account, on one page.

Django's history belongs to a row. What concerns a whole list, such as an export, is recorded without one.
"""

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from sailing.admin.pages import ReadOnlyMixin, SailingModelAdmin
from sailing.history import describe_entry, get_list_name


@admin.register(LogEntry)
class HistoryAdmin(ReadOnlyMixin, SailingModelAdmin):
    list_name = _("Admin history")
    empty_text = _("Nothing is recorded yet. What admins change appears here.")
    list_display = ("action_time", "user", "kind", "row", "change")
    list_display_links = None
    title_column = "change"
    empty_value_display = ""
    list_filter = ("action_time",)
    list_select_related = ("user", "content_type")
    search_fields = ("user__email",)
    search_help_text = _("Part of an admin’s address")
    ordering = ("-pk",)  # the time has no index

    @admin.display(description=_("list"))
    def kind(self, entry: LogEntry) -> str:
        return get_list_name(entry)

    @admin.display(description=_("row"))
    def row(self, entry: LogEntry) -> str:
        if entry.object_id is None:
            return ""
        url = None if entry.is_deletion() else entry.get_admin_url()
        return format_html('<a href="{}">{}</a>', url, entry.object_repr) if url else entry.object_repr

    @admin.display(description=_("what was done"))
    def change(self, entry: LogEntry) -> str:
        return describe_entry(entry)
