"""Subscribers in Django admin, fast with a million rows."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

from django import forms
from django.apps import apps
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from newsletter.admin import actions, home
from newsletter.models import ConsentEvent, LeavingAnswer, State, Subscription, UserType
from sailing.admin.charts import Chart, charts
from sailing.admin.erasure import ErasableModelAdmin
from sailing.admin.exports import ExportMixin
from sailing.admin.lists import ChoicesOrBlankFilter, StrictListMixin, format_time, render_badge
from sailing.admin.read_only import ReadOnlyInline, ReadOnlyMixin

SEARCH_ID_LIMIT = 500
"""Up to this number, a search fetches the ids of its results first."""

DATES = (
    "created_at",
    "confirmed_at",
    "paused_until",
    "unsubscribed_at",
    "asked_again_at",
    "last_mail_at",
    "reminded_at",
)

BADGES = {
    State.PENDING: "waiting",
    State.CONFIRMED: "good",
    State.DEACTIVATED: "off",
    State.UNSUBSCRIBED: "off",
    State.BOUNCED: "bad",
}


charts[Subscription] = Chart(
    _("Sign-ups for the newsletter"),
    rows=Subscription.objects.filter(is_imported=False),
    category_field="user_type",
    categories=list(UserType),
)


def has_import_permission(request: HttpRequest) -> bool:
    """Return whether the admin may import subscribers, and see and undo imports."""
    user: Any = request.user
    return bool(user.is_active and user.is_staff and user.has_perm("newsletter.add_subscription"))


class StateFilter(admin.SimpleListFilter):
    """Filter by `Subscription.state`, which is derived from several fields."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        return State.choices

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        value = self.value()
        return queryset.in_state(State(value)) if value in State.values else queryset


class PauseFilter(admin.SimpleListFilter):
    """Filter by `Subscription.is_paused`."""

    title = _("paused")
    parameter_name = "paused"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        return [("yes", _("Yes")), ("no", _("No"))]

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        if self.value() == "yes":
            return queryset.filter(paused_until__gt=timezone.now())
        return queryset.not_paused() if self.value() == "no" else queryset


class ImportFilter(admin.SimpleListFilter):
    """Filter by import. Only the last ones are choices; the page of each import links to its subscribers."""

    title = _("import")
    parameter_name = "import"
    CHOICES = 8

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        if not has_import_permission(request):
            return []
        batches = apps.get_model("imports", "ImportBatch").objects
        return [(str(batch.pk), batch) for batch in batches.all()[: self.CHOICES]]

    def has_output(self) -> bool:
        return bool(self.lookup_choices) or self.value() is not None  # the link of an older import works too

    def queryset(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> QuerySet[Subscription]:
        value = self.value()
        return queryset.filter(import_batch=int(value)) if value else queryset


class ConsentHistory(ReadOnlyInline):
    """The consent events of a subscription."""

    model = ConsentEvent
    fields = ("at", "kind", "user_type", "source", "language", "wording", "reason", "comment")


class SubscriptionForm(forms.ModelForm):  # type: ignore[type-arg]
    """The fields that an admin may correct."""

    def clean_bounced_at(self) -> datetime | None:
        bounced_at: datetime | None = self.cleaned_data["bounced_at"]
        if bounced_at and bounced_at > timezone.now():
            raise forms.ValidationError(_("A mail cannot have bounced in the future."))
        return bounced_at


@admin.register(Subscription)
class SubscriptionAdmin(ExportMixin, StrictListMixin, ErasableModelAdmin):
    """Subscribers. Only the first name, the language and the bounce can be edited.

    A consent was given by the owner of one mailbox for one audience, so address and user type are fixed.
    Whether a subscription is active or confirmed is changed by actions, which write the consent history.
    Subscribers cannot be added by hand for the same reason. The links of the mails are not shown, because
    they act for the owner.

    Measured with a million rows on PostgreSQL (`make bench ONLY=growth`): an exact count is one index scan,
    and a search for a part of an address has its own index (migration 0001). Facets and the count of the
    unfiltered list cost more and are switched off.
    """

    form = SubscriptionForm
    list_display = (
        "email",
        "user_type",
        "state_badge",
        "source",
        "language",
        "created_at",
    )
    list_filter = (
        StateFilter,
        "user_type",
        PauseFilter,
        "is_imported",
        ("source", ChoicesOrBlankFilter),
        "language",
        ImportFilter,
        "created_at",
    )
    search_fields = ("email__contains",)
    search_help_text = _("Part of an address")
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    actions = (actions.activate, actions.deactivate, actions.resend_confirmation)
    change_list_template = "admin/newsletter/subscription/change_list.html"
    home_template = "admin/newsletter/home.html"
    export_fields = (
        "email",
        "first_name",
        "user_type",
        "is_active",
        "is_confirmed",
        "source",
        "language",
        "created_at",
        "confirmed_at",
        "paused_until",
        "unsubscribed_at",
        "bounced_at",
    )
    inlines: ClassVar[list[Any]] = [ConsentHistory]  # campaigns add theirs
    fieldsets = (
        (None, {"fields": ("email", "first_name", "user_type", "state_badge", "is_active", "is_confirmed")}),
        (_("Details"), {"fields": ("source", "import_link", "language", "bounced_at")}),
        (_("Dates"), {"fields": DATES}),
    )
    readonly_fields = (
        "email",
        "user_type",
        "state_badge",
        "is_active",
        "is_confirmed",
        "source",
        "import_link",
        *DATES,
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_home_context(self, request: HttpRequest) -> dict[str, Any]:
        return {
            **home.describe_readers(request),
            "may_import": has_import_permission(request),
            "may_export": self.has_export_permission(request),
        }

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        return home.find_bounces()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Subscription], search_term: str
    ) -> tuple[QuerySet[Subscription], bool]:
        """Search for a part of an address.

        The list runs the search twice, for the count and for the rows. Up to SEARCH_ID_LIMIT results are
        searched once, and both queries use their ids.
        """
        # Addresses are stored in lower case, so a lower-case term needs no case folding in the database.
        found, may_repeat = super().get_search_results(request, queryset, search_term.lower())
        if search_term.strip():
            keys = list(found.order_by().values_list("pk", flat=True)[: SEARCH_ID_LIMIT + 1])
            if len(keys) <= SEARCH_ID_LIMIT:
                found = queryset.filter(pk__in=keys)
        return found, may_repeat

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        # A function: the template calls it only if the page shows the chart.
        context = {**(extra_context or {}), "sign_ups": charts[Subscription].draw}
        response: HttpResponse = super().changelist_view(request, context)
        return response

    def save_model(self, request: HttpRequest, obj: Subscription, form: Any, change: bool) -> None:
        # Changed fields only: the owner may have unsubscribed since this page was opened.
        obj.save(update_fields=form.changed_data)

    @admin.display(description=_("import"))
    def import_link(self, subscription: Subscription) -> str:
        """Return a link to the import that the subscriber came from."""
        if not subscription.import_batch:
            return gettext("before imports were recorded") if subscription.is_imported else "-"
        url = reverse("admin:imports_importbatch_change", args=[subscription.import_batch_id])
        return format_html('<a href="{}">{}</a>', url, subscription.import_batch)

    @admin.display(description=_("state"))
    def state_badge(self, subscription: Subscription) -> str:
        """Return the state with the end of a pause, or the earlier answer if somebody asked again since."""
        state = subscription.state
        badge = render_badge(BADGES[state], state.label)
        facts: list[tuple[Any, datetime | None]] = []
        if subscription.is_subscribed and subscription.is_paused:
            facts = [(_("paused until %(date)s"), subscription.paused_until)]
        elif subscription.asked_again_at:
            if subscription.unsubscribed_at:
                facts = [(_("unsubscribed on %(date)s"), subscription.unsubscribed_at)]
            elif subscription.confirmed_at:
                facts = [(_("confirmed on %(date)s"), subscription.confirmed_at)]
            facts.append((_("asked again on %(date)s"), subscription.asked_again_at))
        texts = [text % {"date": format_time(at, "DATE_FORMAT")} for text, at in facts if at]
        return format_html("{} {}", badge, " · ".join(texts)) if texts else badge


@admin.register(LeavingAnswer)
class LeavingAnswerAdmin(ReadOnlyMixin, StrictListMixin):
    """Why subscribers left, the latest first, without their addresses."""

    list_display = fields = ("at", "reason", "comment", "user_type", "language")
    list_display_links = None
    list_filter = ("reason", "user_type", "language", "at")
    search_fields = ("comment",)
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[LeavingAnswer]:
        return super().get_queryset(request).filter(reason__gt="")  # as its index says

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("newsletter.view_subscription")
