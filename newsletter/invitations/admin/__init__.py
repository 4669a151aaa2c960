"""Invitations in Django admin: the early-access order, what is held, and the milestones.

Who came by whose link shows as numbers alone.
"""

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from newsletter.admin.interests import list_names
from newsletter.invitations.admin import actions
from newsletter.invitations.models import Invitation, Inviter, Milestone, Review
from newsletter.models import Subscription
from sailing.admin.exports import ExportMixin
from sailing.admin.lists import PeriodFilter, StrictListMixin, render_badge, render_number, render_time
from sailing.admin.read_only import ReadOnlyMixin

LIST_TEMPLATE = "admin/newsletter/invitations.html"

BADGES = {Review.HELD: "waiting", Review.ACCEPTED: "good", Review.REFUSED: "bad"}


SUBSCRIBER_FIELDS = ("email", "first_name", "user_type", "language")
"""What the export of early access has of a subscriber."""


EXAMPLES = {"name_en": "early access in the first wave", "name_cs": "přednostní přístup v první vlně"}
"""What a milestone brings, for example, in the language of each field."""


class OptionalPagesMixin(admin.ModelAdmin):  # type: ignore[type-arg]
    """A ModelAdmin whose pages exist only while invitations are turned on."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return settings.INVITATIONS and super().has_module_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return settings.INVITATIONS and super().has_view_permission(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return settings.INVITATIONS and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return settings.INVITATIONS and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return settings.INVITATIONS and super().has_delete_permission(request, obj)


@admin.register(Inviter)
class InviterAdmin(ReadOnlyMixin, ExportMixin, StrictListMixin, OptionalPagesMixin):
    """The order of early access: those by whose link most people came, then those who joined first.

    The list has its order as an index (`inviter_order`), and the numbers of the last hourly count.
    """

    list_title = _("Early access")
    empty_text = _("Readers appear here once somebody whom they invited counts.")
    parent_model = Subscription
    intro = _(
        "Readers by how many people came by their link, and then by when they joined. The numbers are up to"
        " an hour old. Sort an exported file by its columns “counted” and “joined_at”."
    )
    change_list_template = LIST_TEMPLATE
    list_per_page = 50
    list_display = ("subscriber", "people", "joined", "number")
    list_display_links = None
    list_filter = ("subscription__user_type", "subscription__language")
    list_select_related = ("subscription",)
    search_fields = ("subscription__email__contains",)
    search_help_text = _("Part of an address")
    actions = None
    export_fields = (*SUBSCRIBER_FIELDS, "counted", "joined_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Inviter]:
        return super().get_queryset(request).filter(counted__gt=0)

    def get_list_display(self, request: HttpRequest) -> Any:
        may_follow = request.user.has_perm("invitations.view_invitation")
        return self.list_display if may_follow else (*self.list_display[:-1], "plain_number")

    def get_export_rows(self, request: HttpRequest) -> QuerySet[Inviter]:
        rows: QuerySet[Inviter] = super().get_export_rows(request)
        return rows.annotate(**{name: F(f"subscription__{name}") for name in SUBSCRIBER_FIELDS})

    @admin.display(description=_("subscriber"))
    def subscriber(self, inviter: Inviter) -> str:
        url = reverse("admin:newsletter_subscription_change", args=[inviter.subscription_id])
        return format_html('<a href="{}">{}</a>', url, inviter.subscription.email)

    @admin.display(description=_("came by the link"), ordering="counted")
    def people(self, inviter: Inviter) -> str | None:
        return render_number(intcomma(inviter.counted), _("came by the link"))

    @admin.display(description=_("number of the link"))
    def number(self, inviter: Inviter) -> str | None:
        url = reverse("admin:invitations_invitation_changelist", query={"q": inviter.pk})
        link = format_html('<a href="{}">{}</a>', url, inviter.pk)
        return render_number(link, _("number of the link"))

    @admin.display(description=_("number of the link"))
    def plain_number(self, inviter: Inviter) -> str | None:
        return render_number(inviter.pk, _("number of the link"))

    @admin.display(description=_("joined"), ordering="joined_at")
    def joined(self, inviter: Inviter) -> str:
        return render_time(inviter.joined_at, _("joined"))


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyMixin, StrictListMixin, OptionalPagesMixin):
    """Who came by a link, without addresses, and what is held."""

    intro = _(
        "An invitation is held if many came from one network or by one link. It counts once you accept it."
        " Search for the number of a link to see its invitations."
    )
    empty_text = _("Invitations appear here once the people who were invited have confirmed.")
    parent_model = Subscription
    change_list_template = LIST_TEMPLATE

    list_per_page = 50
    list_display = ("settled_at", "review_badge", "hold_reason", "link", "audience", "language")
    list_display_links = None
    empty_value_display = ""
    list_filter = ("review", "hold_reason", ("settled_at", PeriodFilter))
    list_select_related = ("subscription", "inviter")
    search_fields = ("inviter__id__exact",)
    search_help_text = _("Number of the link")
    actions = (actions.accept, actions.refuse, actions.hold)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        return super().get_queryset(request).filter(settled_at__isnull=False)

    def has_review_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        may_change = request.user.has_perm("invitations.change_invitation")
        return may_change and self.has_view_permission(request)

    def get_attention(self, request: HttpRequest) -> list[tuple[str, str]]:
        """Return a notice of what is held, for those who may decide."""
        count = Invitation.objects.filter(review=Review.HELD).count()
        if not count or not self.has_review_permission(request):
            return []
        text = ngettext(
            "%(count)d invitation is held until you accept or refuse it.",
            "%(count)d invitations are held until you accept or refuse them.",
            count,
        )
        url = reverse("admin:invitations_invitation_changelist")
        return [(text % {"count": count}, f"{url}?review__exact={Review.HELD}")]

    @admin.display(description=_("review"), ordering="review")
    def review_badge(self, invitation: Invitation) -> str:
        state = Review(invitation.review)
        if state == Review.NONE:
            return format_html('<span class="quiet">{}</span>', state.label)
        return render_badge(BADGES[state], state.label)

    @admin.display(description=_("number of the link"), ordering="inviter_id")
    def link(self, invitation: Invitation) -> str | None:
        return render_number(invitation.inviter_id, _("number of the link"))

    @admin.display(description=_("audience"))
    def audience(self, invitation: Invitation) -> str:
        return invitation.subscription.get_user_type_display()

    @admin.display(description=_("language"))
    def language(self, invitation: Invitation) -> str:
        return invitation.subscription.get_language_display()


@admin.register(Milestone)
class MilestoneAdmin(StrictListMixin, OptionalPagesMixin):
    """What a number of invitations brings."""

    parent_model = Subscription
    add_label = _("Add a milestone")
    intro = _("What readers get once that many people have come by their link. They see it beside the link.")
    change_list_template = "admin/newsletter/shared_change_list.html"
    change_form_template = "admin/newsletter/shared_change_form.html"
    actions = None

    def get_list_display(self, request: HttpRequest) -> Any:
        return ["people", *list_names()]

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        if db_field.name in EXAMPLES:
            help_text = _("Readers see it after the number, for example: 3 · %(example)s")
            kwargs["help_text"] = help_text % {"example": EXAMPLES[db_field.name]}
        return super().formfield_for_dbfield(db_field, request, **kwargs)

    @admin.display(description=_("number of people"), ordering="threshold")
    def people(self, milestone: Milestone) -> str | None:
        unit = ngettext("person", "people", milestone.threshold)
        return render_number(intcomma(milestone.threshold), unit)
