"""Write, check and test a campaign."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import drafts, services
from newsletter.campaigns.admin.audience import describe_counts
from newsletter.campaigns.admin.forms import DELAY_FIELDS, CampaignForm, TestForm
from newsletter.campaigns.admin.pages import TEMPLATES, CampaignPages, has_permission
from newsletter.campaigns.admin.preview import describe_preview, load_texts, show_pictures
from newsletter.campaigns.checks import find_problems
from newsletter.campaigns.models import ENDED_STATES, Campaign, CampaignState
from newsletter.campaigns.services import CampaignRefused
from sailing.errors import RateLimited
from sailing.ratelimit.limits import check_user_rate

TEST_RATE = "20/h"
"""Tests that one admin may send. Each may go to all admins, in all languages."""

AUDIENCE_FIELDS = ("user_type", "segment", "excluded_campaign", *DELAY_FIELDS)


class EditorPages(CampaignPages):
    """Write, check and test a campaign."""

    form = CampaignForm
    fields = CampaignForm.Meta.fields
    add_label = _("New campaign")
    change_form_template = "admin/newsletter/campaigns/editor.html"
    delete_confirmation_template = "admin/newsletter/campaigns/delete_confirmation.html"

    def get_urls(self) -> list[Any]:
        return [
            self.route("check/", self.check_view, "check"),
            self.route("audience/", self.count_view, "count"),
            self.route("<int:pk>/test/", self.test_view, "test"),
            self.route("<int:pk>/duplicate/", self.duplicate_view, "duplicate"),
            *super().get_urls(),
        ]

    # The editor

    def get_queryset(self, request: HttpRequest) -> QuerySet[Campaign]:
        campaigns: QuerySet[Campaign] = super().get_queryset(request)
        is_saving = request.method == "POST" and transaction.get_connection().in_atomic_block
        # Two admins may save at once, and a sender may start meanwhile.
        return campaigns.select_for_update(no_key=True) if is_saving else campaigns

    @show_pictures
    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        if object_id and request.method != "POST":
            campaign = self.get_object(request, object_id)
            may_view = self.has_view_permission(request, campaign)
            if campaign and may_view and not self.can_edit(request, campaign):
                return self._read_page(request, campaign)
        return super().changeform_view(request, object_id, form_url, extra_context)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj, form = kwargs["obj"], context["adminform"].form
        campaign = form.instance
        texts = form.build_texts() if form.is_bound else load_texts(campaign)
        add_label = _("New step") if form.is_step else self.add_label
        preview = describe_preview(campaign, texts)
        context |= {
            **(self.describe(request, obj) if obj else {}),
            **preview,
            "shown": form.find_shown_language() or preview["shown"],
            # The page counts nobody: its script loads the numbers.
            "problems": find_problems(campaign, texts),
            "form": form,
            "may_send": has_permission(request, "send_campaign") and campaign.is_editable,
            "title": campaign.name or add_label,
            "subtitle": None,
            "audience_fields": [form[name] for name in AUDIENCE_FIELDS if name in form.fields],
            "is_nav_sidebar_enabled": False,  # the preview needs the room
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Campaign, form: Any, change: bool) -> None:
        if not change:
            obj.created_by_id = request.user.pk
        elif not self.can_edit(request, obj):
            raise PermissionDenied
        elif obj.state == CampaignState.SENDING and {"user_type", *DELAY_FIELDS} & set(form.changed_data):
            obj.started_at = timezone.now()  # nobody whose new time has passed gets it at once
        super().save_model(request, obj, form, change)
        form.save_texts()
        if obj.is_step and obj.started_at:
            services.store_links(obj)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return super().log_change(request, obj, message) if message else None

    def response_add(
        self, request: HttpRequest, obj: Campaign, post_url_continue: str | None = None
    ) -> HttpResponse:
        return self._answer_saved(request, obj, draft="new-step" if obj.is_step else "new")

    def response_change(self, request: HttpRequest, obj: Campaign) -> HttpResponse:
        return self._answer_saved(request, obj, draft=str(obj.pk))

    def _answer_saved(self, request: HttpRequest, campaign: Campaign, *, draft: str) -> HttpResponse:
        """Lead to the page of the button that saved. The browser forgets the draft that the message names."""
        messages.success(request, gettext("Saved."), f"campaign-draft-{request.user.pk}-{draft}")
        page = next((name for name in ("test", "send") if f"_{name}" in request.POST), "change")
        return self.redirect(page, campaign.pk)

    # What the editor loads while its form is filled in

    def check_view(self, request: HttpRequest) -> HttpResponse:
        """Return the preview and the problems of the posted form."""
        form = self._read_form(request)
        texts = form.build_texts()
        context = {
            **describe_preview(form.instance, texts),
            "problems": find_problems(form.instance, texts),
        }
        return TemplateResponse(request, f"{TEMPLATES}/check.html", context)

    def count_view(self, request: HttpRequest) -> HttpResponse:
        """Return the number of recipients of the posted form."""
        form = self._read_form(request)
        counts = describe_counts(form.instance, form.build_texts())
        return TemplateResponse(request, f"{TEMPLATES}/audience.html", counts)

    def _read_form(self, request: HttpRequest) -> CampaignForm:
        """Return the posted form, whose instance is not stored. It may have errors, such as an empty name."""
        if not (self.has_add_permission(request) or self.has_change_permission(request)):
            raise PermissionDenied
        if request.method != "POST":
            raise Http404
        form = CampaignForm(request.POST)
        form.full_clean()
        return form

    def _read_page(self, request: HttpRequest, campaign: Campaign) -> HttpResponse:
        """Show a campaign that this admin cannot change, or that nobody can change any more."""
        texts = load_texts(campaign)
        context = describe_preview(campaign, texts)
        if campaign.is_editable:
            # The readers of a step are those who confirm later.
            counts = {} if campaign.is_step else describe_counts(campaign, texts)
            context |= {**counts, "problems": find_problems(campaign, texts)}
        return self.show(request, campaign, "read", **context)

    # Test, duplicate, delete

    def test_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask who gets a test, and send it."""
        campaign = self.get_campaign(request, pk, "change_campaign")
        form = TestForm(request.POST or None, campaign=campaign, user=request.user)
        if form.is_valid():
            try:
                check_user_rate(request.user.pk or 0, group="campaign test", rate=TEST_RATE)
                drafts.send_test(campaign=campaign, **form.cleaned_data)
            except (CampaignRefused, RateLimited) as error:
                messages.error(request, str(error))
            else:
                self.log_change(request, campaign, gettext_noop("Sent a test."))
                text = gettext("The test is on its way to %(addresses)s.")
                addresses = ", ".join(form.cleaned_data["addresses"])
                messages.success(request, text % {"addresses": addresses})
                return self.redirect("change", campaign.pk)
        return self.show(
            request, campaign, "test", title=_("Send a test"), form=form, texts=campaign.list_texts()
        )

    def duplicate_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Copy a campaign to a new draft by POST, with `rest` for those who did not get it."""
        campaign = self.get_campaign(request, pk, "add_campaign")
        if request.method != "POST":
            return self.redirect("change", campaign.pk)
        for_the_rest = "rest" in request.POST and campaign.state in ENDED_STATES
        copy = drafts.create_duplicate(campaign=campaign, by=request.user, for_the_rest=for_the_rest)
        self.log_addition(request, copy, gettext_noop("Duplicated."))
        messages.success(request, gettext("You are editing the copy now."))
        return self.redirect("change", copy.pk)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except CampaignRefused as error:
            messages.error(request, str(error))
            return self.redirect("change", object_id)

    def delete_model(self, request: HttpRequest, obj: Campaign) -> None:
        drafts.delete_campaign(campaign=obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> tuple[Any, Any, Any, Any]:
        # Texts and links belong to the campaign. Django would list them one by one.
        return [str(campaign) for campaign in objs], {self.opts.verbose_name_plural: len(objs)}, set(), []
