"""Subscribers in Django admin, quick with hundreds of thousands of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from newsletter.admin import actions
from newsletter.admin.resources import SubscriptionExport, SubscriptionImport
from newsletter.models import ConsentEvent, Source, State, Subscription, UserType
from sailing.admin.charts import charts, register_chart
from sailing.admin.erasure import ErasureMixin
from sailing.admin.import_export import ExchangeMixin
from sailing.admin.inlines import ReadOnlyInline
from sailing.admin.lists import StrictListMixin

FEW = 500
"""Subscribers that a search names one by one, once it has found them."""

BADGES = {
    State.PENDING: "waiting",
    State.CONFIRMED: "good",
    State.UNSUBSCRIBED: "off",
    State.BOUNCED: "bad",
}


register_chart(
    _("Sign-ups for the newsletter"),
    rows=Subscription.objects.filter(is_imported=False),
    category_field="user_type",
    categories=list(UserType),
)


class StateFilter(admin.SimpleListFilter):
    """By the state that the badge tells, which several fields make up."""

    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        return State.choices

    def queryset(self, request: HttpRequest, queryset: Any) -> Any:
        value = self.value()
        return queryset.in_state(State(value)) if value in State.values else queryset


class SourceFilter(admin.SimpleListFilter):
    """By landing page, or none: Django's own filter does not offer the blank value."""

    title = _("source")
    parameter_name = "source"
    NONE = "none"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        return [*Source.choices, (self.NONE, _("None"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> QuerySet[Subscription]:
        if (value := self.value()) is None:
            return queryset
        return queryset.filter(source="" if value == self.NONE else value)


class LanguageFilter(admin.SimpleListFilter):
    """By language of the site: Django's own filter would look through the whole table for the values."""

    title = _("language")
    parameter_name = "language"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        return list(settings.LANGUAGES)

    def queryset(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> QuerySet[Subscription]:
        return queryset.filter(language=self.value()) if self.value() else queryset


class ConsentHistory(ReadOnlyInline):
    """What happened to the consent."""

    model = ConsentEvent
    fields = ("at", "kind", "user_type", "source", "language", "wording")


class SubscriptionForm(forms.ModelForm):  # type: ignore[type-arg]
    """What can be corrected by hand."""

    def clean_bounced_at(self) -> datetime | None:
        bounced_at: datetime | None = self.cleaned_data["bounced_at"]
        if bounced_at and bounced_at > timezone.now():
            raise forms.ValidationError(_("A mail cannot have bounced in the future."))
        return bounced_at


@admin.register(Subscription)
class SubscriptionAdmin(ExchangeMixin, StrictListMixin, ErasureMixin):
    """Subscribers: to find, to look at, to activate and deactivate, to import and export.

    Only the language and the bounce can be corrected by hand. A consent was given by the owner of one
    mailbox, for one audience: with another address or user type it would be nobody's. Whether a
    subscription is active or confirmed changes by the actions alone, which write the consent history.
    Nobody is added by hand for the same reason; the links of the mails are not shown, because who reads
    them can act for the owner.

    Measured with a million rows on PostgreSQL (`make bench ONLY=growth`): an exact count is one pass over
    an index; a search for a part of an address has an index of its own (migration 0005). What costs more
    is left out: counts beside each filter, and the second count, of the unfiltered list.
    """

    form = SubscriptionForm
    list_display = (
        "email",
        "user_type",
        "state_badge",
        "is_active",
        "is_confirmed",
        "source",
        "language",
        "created_at",
    )
    list_filter = (
        StateFilter,
        "user_type",
        "is_active",
        "is_confirmed",
        SourceFilter,
        LanguageFilter,
        "created_at",
    )
    search_fields = ("email__contains",)
    search_help_text = _("Part of an address")
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    actions = (actions.activate, actions.deactivate, actions.resend_confirmation)
    import_export_change_list_template = "admin/newsletter/subscription/change_list.html"
    import_template_name = "admin/newsletter/subscription/import.html"

    inlines = (ConsentHistory,)
    fieldsets = (
        (None, {"fields": ("email", "user_type", "state_badge", "is_active", "is_confirmed")}),
        (_("Details"), {"fields": ("source", "is_imported", "language", "bounced_at")}),
        (
            _("Dates"),
            {
                "fields": (
                    "created_at",
                    "confirmed_at",
                    "unsubscribed_at",
                    "asked_again_at",
                    "last_mail_at",
                    "reminded_at",
                )
            },
        ),
    )
    readonly_fields = (
        "email",
        "user_type",
        "state_badge",
        "is_active",
        "is_confirmed",
        "source",
        "is_imported",
        "created_at",
        "confirmed_at",
        "unsubscribed_at",
        "asked_again_at",
        "last_mail_at",
        "reminded_at",
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Subscription], search_term: str
    ) -> tuple[QuerySet[Subscription], bool]:
        """Those whose address has the term in it; looked for once, where they are few.

        The list asks for them twice (how many, the rows), and each time the database would look for the same
        parts of an address again. Where they are many, a first look at some of them
        comes on top.
        """
        # Addresses are stored in lower case; with the term in it too, the database folds none of them.
        found, may_repeat = super().get_search_results(request, queryset, search_term.lower())
        if search_term.strip():
            keys = list(found.order_by().values_list("pk", flat=True)[: FEW + 1])
            if len(keys) <= FEW:
                found = queryset.filter(pk__in=keys)
        return found, may_repeat

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        # The function, not its result: only a page that shows the chart pays for it.
        context = {**(extra_context or {}), "sign_ups": charts[Subscription].draw}
        response: HttpResponse = super().changelist_view(request, context)
        return response

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "language":
            return forms.ChoiceField(label=capfirst(db_field.verbose_name), choices=settings.LANGUAGES)
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Subscription, form: Any, change: bool) -> None:
        # Only what was changed here: the owner may have unsubscribed since this page was opened.
        obj.save(update_fields=form.changed_data)

    def get_export_resource_classes(self, request: HttpRequest) -> list[type]:
        return [SubscriptionExport]

    def get_import_resource_classes(self, request: HttpRequest) -> list[type]:
        return [SubscriptionImport]

    @admin.display(description=_("state"))
    def state_badge(self, subscription: Subscription) -> str:
        """The state, and what its owner had said before somebody asked again."""
        state = subscription.state
        badge = format_html('<span class="badge badge-{}">{}</span>', BADGES[state], state.label)
        if not subscription.asked_again_at:
            return badge
        facts = []
        if subscription.unsubscribed_at:
            facts.append(_("unsubscribed on %(date)s") % {"date": date_format(subscription.unsubscribed_at)})
        elif subscription.confirmed_at:
            facts.append(_("confirmed on %(date)s") % {"date": date_format(subscription.confirmed_at)})
        facts.append(_("asked again on %(date)s") % {"date": date_format(subscription.asked_again_at)})
        return format_html("{} {}", badge, " · ".join(facts))
