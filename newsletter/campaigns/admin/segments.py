"""Segments: their pages, and the filter of the list of subscribers."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from newsletter.admin import SubscriptionAdmin
from newsletter.campaigns import services
from newsletter.campaigns.admin.audience import describe_segment, describe_segment_counts
from newsletter.campaigns.admin.pages import TEMPLATES, has_permission
from newsletter.campaigns.audience import filter_by_segment
from newsletter.campaigns.models import ENDED_STATES, Campaign, InterestMatch, Segment
from newsletter.models import Interest, Subscription
from sailing.admin.lists import StrictListMixin, format_time, render_time
from sailing.attribution import ATTRIBUTION_FIELDS, clean_attribution
from sailing.ratelimit.limits import check_user_rate

DAYS = ("subscribed_since", "subscribed_before")
CAMPAIGNS = ("received_campaign", "missed_campaign")
INTERESTS = ("interests", "interest_match")

COUNT_RATE = "120/m"

SECTIONS = (
    (_("Readers"), ("user_type", "language", *DAYS)),
    (_("Where they came from"), ("source", *ATTRIBUTION_FIELDS, "import_batch")),
    (_("Invitations"), ("min_invitations",)),
    (_("Interests"), INTERESTS),
    (_("Campaigns"), CAMPAIGNS),
)
"""The fields of the form below the name, with their headings."""


class _ImportField(forms.ModelChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Any) -> str:
        return f"{obj} ({format_time(obj.created_at, 'SHORT_DATE_FORMAT')})"


class _InterestsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    def label_from_instance(self, obj: Any) -> str:
        name = super().label_from_instance(obj)
        return name if obj.is_offered else _("%(name)s (retired)") % {"name": name}


def _make_campaign_field(label: Any) -> "forms.ModelChoiceField[Campaign]":
    ended = Campaign.objects.filter(state__in=ENDED_STATES, started_at__isnull=False)
    return forms.ModelChoiceField(
        label=label, queryset=ended, empty_label=_("Does not matter"), required=False
    )


class SegmentForm(forms.ModelForm):  # type: ignore[type-arg]
    """The criteria of a segment. A blank one means any."""

    import_batch = _ImportField(
        label=_("Imported file"),
        queryset=apps.get_model("imports", "ImportBatch")._default_manager.all(),
        empty_label=_("Does not matter"),
        required=False,
    )
    interests = _InterestsField(
        label=_("Interested in"),
        queryset=Interest.objects.all(),
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    interest_match = forms.ChoiceField(
        label=_("A reader must have chosen"),
        choices=InterestMatch.choices,
        widget=forms.RadioSelect,
        required=False,
    )
    received_campaign = _make_campaign_field(_("Only those who got"))
    missed_campaign = _make_campaign_field(_("Only those who did not get"))

    class Meta:
        model = Segment
        fields = ("name", *(name for _title, names in SECTIONS for name in names))
        widgets = {
            "name": forms.TextInput,
            **{name: forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}) for name in DAYS},
        }
        help_texts = {
            "utm_source": _("This tag and the next two as they stand in the address of the link."),
            "min_invitations": _("At least this many people joined through the reader’s link."),
            "referrer": _("The host of the site with the link, such as www.facebook.com."),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        if not self.instance.interest_match:
            self.initial["interest_match"] = InterestMatch.ANY
        elif self._has_lost_interests():
            self.fields["interests"].help_text = _(
                "The interests of this segment are gone. Nobody is in it until you choose others."
            )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        # As they are stored with subscriptions.
        typed = {name: cleaned.get(name) for name in ATTRIBUTION_FIELDS}
        for name, value in clean_attribution(typed).items():
            if typed[name] and not value:
                self.add_error(name, _("No link to the site has this value."))
            cleaned[name] = value
        since, before = (cleaned.get(name) for name in DAYS)
        if since and before and since >= before:
            self.add_error("subscribed_before", _("Choose a day after “subscribed since”."))
        has_criterion = cleaned.get("interests") or self._has_lost_interests()
        match = cleaned.get("interest_match") or self.instance.interest_match or InterestMatch.ANY
        cleaned["interest_match"] = match if has_criterion else ""
        return cleaned

    def _has_lost_interests(self) -> bool:
        """Return whether all interests of the segment are gone. It has nobody then, and must stay so."""
        segment = self.instance
        return bool(segment.pk and segment.interest_match and not segment.interests.exists())


@admin.register(Segment)
class SegmentAdmin(StrictListMixin):
    """Segments. The page of each loads the number of readers that a campaign to it would have now."""

    form = SegmentForm
    fields = SegmentForm.Meta.fields
    add_label = _("New segment")
    intro = _(
        "Named audiences. A campaign can go to one, and the list of subscribers and its exports can be"
        " filtered by one. Readers join and leave it as they fit its criteria."
    )
    parent_model = Campaign
    empty_text = _("Audiences that you use again appear here once you add them.")
    list_display = ("name", "criteria", "changed")
    change_list_template = "admin/newsletter/shared_change_list.html"
    change_form_template = f"{TEMPLATES}/segment.html"
    search_fields = ("name",)
    search_help_text = _("Part of a name")
    actions = None

    def get_urls(self) -> list[Any]:
        return [self.route("count/", self.count_view, "count"), *super().get_urls()]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Segment]:
        segments: QuerySet[Segment] = super().get_queryset(request)
        return segments.select_related("import_batch", *CAMPAIGNS).prefetch_related("interests")

    @admin.display(description=_("criteria"))
    def criteria(self, segment: Segment) -> str:
        return " · ".join(describe_segment(segment))

    @admin.display(description=_("changed"), ordering="changed_at")
    def changed(self, segment: Segment) -> str:
        return render_time(segment.changed_at, _("changed"))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not self._explain_lock(request, obj)

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        segment = super().get_object(request, object_id, from_field)
        if segment and request.method == "POST" and transaction.get_connection().in_atomic_block:
            services.lock_segment(segment.pk)
        return segment

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj = kwargs["obj"]
        form: SegmentForm = context["adminform"].form
        may_edit = self.has_change_permission(request, obj) if obj else self.has_add_permission(request)
        # What the segment has is shown even if it is not offered: saving without the field would erase it.
        hidden: set[str] = set()
        if not (Interest.objects.exists() or (obj and obj.interest_match)):
            hidden.update(INTERESTS)
        context |= {
            "form": form,
            "may_edit": may_edit,
            "sections": [
                (title, [form[name] for name in names if may_edit and name not in hidden])
                for title, names in SECTIONS
            ],
            "criteria": [] if may_edit else describe_segment(obj),
            "lock": self._explain_lock(request, obj),
            "count_url": reverse("admin:campaigns_segment_count", query={"segment": obj.pk} if obj else None),
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def response_post_save_add(self, request: HttpRequest, obj: Segment) -> HttpResponseRedirect:
        # Not to the list, which has no numbers.
        return self.redirect("change", obj.pk)

    def response_post_save_change(self, request: HttpRequest, obj: Segment) -> HttpResponseRedirect:
        return self.response_post_save_add(request, obj)

    def count_view(self, request: HttpRequest) -> HttpResponse:
        """Return the number of readers of a segment, or of the posted form, which may have errors."""
        key = request.GET.get("segment", "")
        segment = self.get_object(request, key)
        is_posted = request.method == "POST"
        may_edit = self.has_add_permission(request) or self.has_change_permission(request)
        if not (may_edit if is_posted else self.has_view_permission(request)):
            raise PermissionDenied
        check_user_rate(request.user.pk or 0, group="segment count", rate=COUNT_RATE)
        interests: Iterable[Interest] | None = None
        if is_posted:
            # A segment whose interests are gone has nobody, with the same form.
            form = SegmentForm(request.POST, instance=segment)
            form.full_clean()
            segment, interests = form.instance, form.cleaned_data.get("interests", ())
        elif key and segment is None:
            raise Http404  # a deleted segment is not everybody
        counts = describe_segment_counts(segment or Segment(), interests)
        return TemplateResponse(request, f"{TEMPLATES}/audience.html", counts)

    def _explain_lock(self, request: HttpRequest, segment: Segment | None) -> str:
        may_send = has_permission(request, "send_campaign")
        return services.explain_segment_lock(segment, may_send=may_send) if segment else ""


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
        if not value:
            return queryset
        segment = Segment.objects.filter(pk=int(value)).first()
        if segment is None:
            raise IncorrectLookupParameters(f"not a segment: {value}")
        return filter_by_segment(queryset, segment)


SubscriptionAdmin.list_filter.append(SegmentFilter)
