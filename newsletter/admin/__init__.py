"""Subscribers, their interests and their reasons for leaving in Django admin."""

from datetime import timedelta
from typing import Any, ClassVar
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.html import format_html_join
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from newsletter.admin import growth
from newsletter.admin.filters import BounceFilter, ImportFilter, SourceFilter, StateFilter
from newsletter.admin.pages import SubscriberPages, render_state
from newsletter.models import AUDIENCES, ConsentEvent, ConsentKind, Interest, LeavingAnswer, Subscription
from sailing.admin.erasure import ErasableModelAdmin
from sailing.admin.exports import ExportMixin
from sailing.admin.lists import render_badge
from sailing.admin.pages import ReadOnlyMixin, SailingModelAdmin
from sailing.attribution import ATTRIBUTION_FIELDS


@admin.register(Subscription)
class SubscriptionAdmin(ExportMixin, SubscriberPages, ErasableModelAdmin):
    """Subscribers. Only the first name and the language can be edited.

    A consent was given by the owner of one mailbox for one audience, so services change all else, and write
    the consent history. The links of the mails are not shown, because they act for the owner.
    """

    list_display = ("email", "state_badge", "user_type", "language", "origin", "created_at")
    hidden_columns = ("origin", "created_at")
    list_select_related = ("import_batch",)
    list_filter: ClassVar[list[Any]] = [
        StateFilter,
        "user_type",
        ("source", SourceFilter),
        "language",
        ImportFilter,
        "created_at",
        ("bounced_at", BounceFilter),
    ]
    search_fields = ("email__contains", "first_name__icontains")
    search_help_text = _("Address or name")
    add_label = _("Add a subscriber")
    home_template = "admin/newsletter/home.html"
    export_fields = (
        "email",
        "first_name",
        "user_type",
        "state",
        "source",
        *ATTRIBUTION_FIELDS,
        "language",
        "interest_names",
        "created_at",
        "confirmed_at",
        "paused_until",
        "unsubscribed_at",
        "bounced_at",
    )
    readonly_fields = ("user_type", "origin", "attribution", "interests", "created_at", "other_audience")

    def get_home_context(self, request: HttpRequest) -> dict[str, Any]:
        """Return the confirmed and the waiting subscribers, by audience and language and in all."""
        counts = growth.build_counts()
        groups = Subscription.objects.order_by("-user_type", "-language").values("user_type", "language")
        readers = list(groups.annotate(**counts))
        audiences, languages = dict(AUDIENCES), dict(settings.LANGUAGES)
        for group in readers:
            group["audience"] = audiences[group["user_type"]]
            group["language_name"] = languages[group["language"]]
        return {
            "readers": readers,
            "totals": {name: sum(group[name] for group in readers) for name in counts},
            "list_url": self.get_url("changelist"),
        }

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
        since = today - timedelta(days=7)
        count = Subscription.objects.filter(bounced_at__gte=since).count()
        text = ngettext(
            "%(count)d address stopped working in the last 7 days.",
            "%(count)d addresses stopped working in the last 7 days.",
            count,
        )
        url = f"{self.get_url('changelist')}?{urlencode({'bounced_at__gte': since})}"
        return [(text % {"count": count}, url)] if count else []

    def get_urls(self) -> list[Any]:
        return [self.route("growth/", self.growth_view, "growth"), *super().get_urls()]

    def growth_view(self, request: HttpRequest) -> TemplateResponse:
        """Show the growth of one of the periods, by default of the first."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        periods = {str(days): days for days in growth.PERIODS}
        days = periods.get(request.GET.get("days", ""), growth.PERIODS[0])
        context = growth.describe_growth(days)
        return self.show_page(request, "admin/newsletter/growth.html", title=gettext("Growth"), **context)

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        from newsletter.campaigns.admin.segments import SegmentFilter

        return [*super().get_list_filter(request), SegmentFilter]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Subscription]:
        """Return the subscribers, with what `origin` needs for each row."""
        by_admin = ConsentEvent.objects.filter(
            subscription=OuterRef("pk"), kind__in=(ConsentKind.ADDED, ConsentKind.CORRECTED)
        )
        rows: QuerySet[Subscription] = super().get_queryset(request)
        return rows.annotate(is_added_by_admin=Exists(by_admin))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Subscription], search_term: str
    ) -> tuple[QuerySet[Subscription], bool]:
        # Addresses are stored in lower case, so a lower-case term needs no case folding in the database.
        return super().get_search_results(request, queryset, search_term.lower())

    def save_model(self, request: HttpRequest, obj: Subscription, form: Any, change: bool) -> None:
        # Changed fields only: the owner may have unsubscribed since this page was opened.
        obj.save(update_fields=form.changed_data)

    def get_export_rows(self, request: HttpRequest) -> Any:
        rows: Any = super().get_export_rows(request)
        return rows.with_state().with_interest_names()

    @admin.display(description=_("source"), ordering="source")
    def origin(self, subscription: Subscription) -> str:
        """Return the import, or the page of the site, that the subscriber came from."""
        if batch := subscription.import_batch:
            return gettext("Import of %(file)s") % {"file": batch}
        if subscription.is_imported:
            return gettext("An import")
        if subscription.is_added_by_admin:  # type: ignore[attr-defined]  # of `get_queryset`
            return gettext("An admin")
        return subscription.get_source_display() or gettext("The site")

    @admin.display(description=_("the same address"))
    def other_audience(self, subscription: Subscription) -> str:
        """Return a link to the subscription of the address in the other audience."""
        others = Subscription.objects.filter(email=subscription.email).exclude(pk=subscription.pk)
        links = (
            (self.get_url("change", other.pk), other.get_user_type_display(), render_state(other))
            for other in others
        )
        return format_html_join(" ", '<a href="{}">{}</a> {}', links)

    def get_fields(self, request: HttpRequest, obj: Subscription | None = None) -> list[Any]:
        fields = ["first_name", "language", "user_type", "origin"]
        if obj and obj.attribution:
            fields.append("attribution")
        if obj and obj.interests.exists():
            fields.append("interests")
        fields.append("created_at")
        if obj and self.other_audience(obj):
            fields.append("other_audience")
        return fields

    @admin.display(description=_("state"))
    def state_badge(self, subscription: Subscription) -> str:
        return render_state(subscription)


@admin.register(LeavingAnswer)
class LeavingAnswerAdmin(ReadOnlyMixin, SailingModelAdmin):
    """Why subscribers left, the latest first, without their addresses."""

    empty_text = _(
        "When subscribers unsubscribe and say why, their answers appear here, without their addresses."
    )
    fields = ("at", "reason", "comment", "user_type", "language")
    list_display = ("at", "reason", "comment", "user_type", "language")
    title_column = "reason"
    list_display_links = None
    list_filter = ("reason", "user_type", "language", "at")
    search_fields = ("comment",)
    search_help_text = _("Comment")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LeavingAnswer]:
        return super().get_queryset(request).filter(reason__gt="")  # as its index says

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("newsletter.view_subscription")


def list_names() -> list[str]:
    """Return the columns of a name in both languages; that of the page first, because Django links it."""
    return ["name_cs", "name_en"] if get_language() == "cs" else ["name_en", "name_cs"]


@admin.register(Interest)
class InterestAdmin(SailingModelAdmin):
    """The interests. One that readers have chosen, or that a segment uses, is retired instead of deleted."""

    add_label = _("Add an interest")
    intro = _(
        "Topics that subscribers can choose after confirming and in their preferences, never when they sign"
        " up. Segments can use them."
    )
    empty_text = _("Subscribers are asked for their interests once you add some.")
    fields = ("name_en", "name_cs", "position", "is_offered")
    number_columns = ("position",)
    change_form_template = "admin/newsletter/shared_change_form.html"

    def get_list_display(self, request: HttpRequest) -> Any:
        return [*list_names(), "position", "state_badge"]

    @admin.display(description=_("state"), ordering="is_offered")
    def state_badge(self, interest: Interest) -> str:
        if interest.is_offered:
            return render_badge("good", _("Offered"))
        return render_badge("off", _("Retired"))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # Without it, a segment would have more readers than its admin meant.
        is_unused = obj is None or not (obj.subscriptions.exists() or obj.segments.exists())
        return is_unused and super().has_delete_permission(request, obj)
