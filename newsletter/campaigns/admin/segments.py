"""Segments: their pages, and the filter of the list of subscribers."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import display_for_field
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.admin.pages import TEMPLATES, describe_counts
from newsletter.campaigns.audience import count_segment, filter_by_segment
from newsletter.campaigns.models import ENDED_STATES, Campaign, CampaignState, Segment
from newsletter.imports.models import ImportBatch
from newsletter.models import Interest, Subscription
from sailing.admin.lists import format_time
from sailing.admin.pages import SailingModelAdmin
from sailing.attribution import ATTRIBUTION_FIELDS, clean_attribution

DAYS = ("subscribed_since", "subscribed_before")
ORIGINS = ("source", *ATTRIBUTION_FIELDS, "import_batch")

SECTIONS: list[tuple[Any, Any]] = [
    (None, {"fields": ("name",)}),
    (_("Subscribers"), {"fields": ("user_type", "language", *DAYS)}),
    (
        _("Where they came from"),
        {"fields": ORIGINS, "description": _("Enter UTM tags exactly as they appear in the link.")},
    ),
    (_("Activity"), {"fields": ("received_campaign", "min_invitations")}),
    (_("Interests"), {"fields": ("interests", "interest_match")}),
]
CRITERIA = [name for _title, section in SECTIONS[1:-1] for name in section["fields"]]


class ImportField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Any) -> str:
        return f"{obj} ({format_time(obj.created_at, 'SHORT_DATE_FORMAT')})"


class SegmentForm(forms.ModelForm):  # type: ignore[type-arg]
    """The criteria of a segment. A blank one means any."""

    # Declared, because Django admin would put links to other pages beside them.
    import_batch = ImportField(
        label=_("Imported file"),
        queryset=ImportBatch.objects.all(),
        empty_label=_("No restriction"),
        required=False,
    )
    interests = forms.ModelMultipleChoiceField(
        label=_("Interested in"),
        queryset=Interest.objects.all(),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    received_campaign = forms.ModelChoiceField(
        label=_("Only those who received"),
        queryset=Campaign.objects.filter(state__in=ENDED_STATES, started_at__isnull=False),
        empty_label=_("No restriction"),
        required=False,
    )

    class Meta:
        model = Segment
        fields = ("name", *CRITERIA, "interests", "interest_match")
        widgets = {
            "name": forms.TextInput,
            "interest_match": forms.RadioSelect,
            **{name: forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}) for name in DAYS},
        }
        help_texts = {
            "min_invitations": _("At least this many people joined through the subscriber’s link."),
            "referrer": _("The domain of the site with the link, such as www.facebook.com."),
        }

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        # As they are stored with subscriptions.
        typed = {name: cleaned.get(name) for name in ATTRIBUTION_FIELDS}
        for name, value in clean_attribution(typed).items():
            if typed[name] and not value:
                self.add_error(name, _("No link to the site has this value."))
            cleaned[name] = value
        return cleaned


@admin.register(Segment)
class SegmentAdmin(SailingModelAdmin):
    """Segments. A script loads the numbers of their readers, which may take seconds to count."""

    form = SegmentForm
    add_label = _("New segment")
    intro = _("Groups of subscribers that match your criteria, always up to date, for campaigns and filters.")
    empty_text = _("Groups that you use again appear here once you add them.")
    list_display = ("name", "criteria", "recipients")
    number_columns = ("recipients",)
    list_select_related = ("import_batch", "received_campaign")
    list_per_page = 20
    change_form_template = f"{TEMPLATES}/segment.html"
    search_fields = ("name",)
    search_help_text = _("Name")

    def has_change_permission(self, request: HttpRequest, obj: Segment | None = None) -> bool:
        """Only admins who may send campaigns change whom a scheduled one reaches."""
        is_scheduled = obj is not None and obj.campaigns.filter(state=CampaignState.SCHEDULED).exists()
        may_change = not is_scheduled or request.user.has_perm("campaigns.send_campaign")
        return may_change and super().has_change_permission(request, obj)

    def get_urls(self) -> list[Any]:
        return [
            self.route("count/", self.count_view, "count"),
            self.route("<int:pk>/count/", self.count_view, "count"),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Segment]:
        segments: QuerySet[Segment] = super().get_queryset(request)
        return segments.prefetch_related("interests")

    def get_fieldsets(self, request: HttpRequest, obj: Segment | None = None) -> Any:
        return SECTIONS if Interest.objects.exists() else SECTIONS[:-1]

    @admin.display(description=_("criteria"))
    def criteria(self, segment: Segment) -> str:
        return format_html_join("", "<div>{}</div>", ((each,) for each in describe_segment(segment)))

    @admin.display(description=_("recipients"))
    def recipients(self, segment: Segment) -> str:
        url = self.get_url("count", segment.pk)
        return format_html('<div class="reader-count" data-url="{}">…</div>', url)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        segment = kwargs["obj"]
        context["criteria"] = describe_segment(segment) if segment else []
        context["count_url"] = self.get_url("count", *([segment.pk] if segment else []))
        return super().render_change_form(request, context, *args, **kwargs)

    def count_view(self, request: HttpRequest, pk: int | None = None) -> HttpResponse:
        """Return the number of readers of a segment, or of the posted form, which may have errors."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        segment = Segment() if pk is None else get_object_or_404(Segment, pk=pk)
        interests = None
        if request.method == "POST":
            form = self.get_form(request, segment)(request.POST, instance=segment)
            form.full_clean()
            interests = form.cleaned_data.get("interests")
        counts = count_segment(segment, interests)
        return TemplateResponse(request, f"{TEMPLATES}/audience.html", describe_counts(counts))


def describe_segment(segment: Segment) -> list[str]:
    """Return the criteria of a segment in words."""
    found = []
    for name in CRITERIA:
        if value := getattr(segment, name):
            field: Any = Segment._meta.get_field(name)
            is_date = isinstance(value, date)
            text = date_format(value, "SHORT_DATE_FORMAT") if is_date else display_for_field(value, field, "")
            found.append(f"{capfirst(field.verbose_name)}: {text}")
    if interests := segment.interests.all():
        names = ", ".join(map(str, interests))
        found.append(f"{capfirst(_('interests'))}: {names} ({segment.get_interest_match_display()})")
    return found or [str(segment.get_user_type_display())]


class SegmentFilter(admin.SimpleListFilter):
    """Filter subscribers by segment."""

    title = _("segment")
    parameter_name = "segment"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, Any]]:
        return [(str(pk), name) for pk, name in Segment.objects.values_list("pk", "name")]

    def has_output(self) -> bool:
        # A deleted segment must not show, or export, everybody.
        return bool(self.value()) or super().has_output()

    def queryset(self, request: HttpRequest, queryset: QuerySet[Subscription]) -> QuerySet[Subscription]:
        value = self.value()
        return filter_by_segment(queryset, get_object_or_404(Segment, pk=value)) if value else queryset
