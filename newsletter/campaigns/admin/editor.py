"""Write, preview, check and test a campaign."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import drafts, services
from newsletter.campaigns.admin.audience import describe_counts
from newsletter.campaigns.admin.forms import DELAY_FIELDS, CampaignForm, TestForm, list_field_problems
from newsletter.campaigns.admin.pages import TEMPLATES, CampaignPages, has_permission
from newsletter.campaigns.admin.preview import (
    PreviewChoice,
    describe_preview,
    find_first_language,
    load_texts,
    show_pictures,
)
from newsletter.campaigns.checks import find_problems
from newsletter.campaigns.models import ENDED_STATES, Campaign, CampaignState
from newsletter.campaigns.services import CampaignRefused
from sailing.errors import RateLimited
from sailing.ratelimit.limits import check_user_rate

TEST_RATE = "20/h"
"""Tests that one admin may send. Each may go to all admins, in all languages."""

LIVE_PREVIEW_RATE = "120/m"
"""Previews of one admin, who types: the editor waits 0.4 s before each."""

AUDIENCE_FIELDS = ("user_type", "segment", "excluded_campaign", *DELAY_FIELDS)


class EditorPages(CampaignPages):
    """Write, preview, check and test a campaign."""

    form = CampaignForm
    fields = CampaignForm.Meta.fields
    add_label = _("New campaign")
    missing_text = _("This campaign no longer exists.")
    change_form_template = "admin/newsletter/campaigns/editor.html"
    delete_confirmation_template = "admin/newsletter/campaigns/delete_confirmation.html"

    def get_urls(self) -> list[Any]:
        return [
            self.route("preview/", self.live_preview_view, "live_preview"),
            self.route("audience/", self.live_audience_view, "live_audience"),
            self.route("<int:pk>/preview/", self.preview_view, "preview"),
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
        obj = kwargs["obj"]
        form: CampaignForm = context["adminform"].form
        campaign = obj or Campaign()
        if form.is_bound:
            # The page after an error, with what was posted.
            campaign, texts = form.instance, form.build_texts()
        else:
            texts = load_texts(campaign)
        choice = PreviewChoice.read(request.POST, find_first_language(texts))
        context |= {
            **(self.describe(request, obj) if obj else {}),
            **describe_preview(campaign, texts, choice),
            # The page counts nobody: its script loads the numbers.
            "problems": find_problems(campaign, texts),
            "has_fields": True,
            "form": form,
            "languages": form.languages,
            "may_send": has_permission(request, "send_campaign") and campaign.is_editable,
            "title": campaign.name or (_("New step") if form.is_step else self.add_label),
            "subtitle": None,
            "audience_fields": [form[name] for name in AUDIENCE_FIELDS if name in form.fields],
            "is_nav_sidebar_enabled": False,  # the preview needs the room
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Campaign, form: Any, change: bool) -> None:
        if change:
            if not self.can_edit(request, obj):
                raise PermissionDenied
            names = [name for name in form.changed_data if name in CampaignForm.Meta.fields]
            if "delay_days" in names:
                names.append("delay_hour")  # the form clears it without a delay
            if obj.state == CampaignState.SENDING and {"user_type", *DELAY_FIELDS}.intersection(names):
                obj.started_at = timezone.now()  # nobody whose new time has passed gets it at once
                names.append("started_at")
            obj.save(update_fields=[*names, "changed_at"])
        else:
            obj.created_by_id = request.user.pk
            obj.save()
        form.save_texts()
        if obj.is_step and obj.started_at:
            services.store_links(obj)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return super().log_change(request, obj, message) if message else None

    def response_add(
        self, request: HttpRequest, obj: Campaign, post_url_continue: str | None = None
    ) -> HttpResponse:
        return self._answer_saved(request, obj)

    def response_change(self, request: HttpRequest, obj: Campaign) -> HttpResponse:
        return self._answer_saved(request, obj)

    def _answer_saved(self, request: HttpRequest, campaign: Campaign) -> HttpResponse:
        """Lead to the page of the button that saved, and tell the browser which of its drafts was saved."""
        name = next((name for name in ("test", "send", "preview") if f"_{name}" in request.POST), "change")
        if name == "send" and campaign.is_step:
            name = "turn_on"
        if name == "change":
            messages.success(request, gettext("Saved."))
        url = self.get_url(name, campaign.pk)
        draft = request.POST.get("draft")
        return HttpResponseRedirect(f"{url}?{urlencode({'saved': draft})}" if draft else url)

    # The preview

    def live_preview_view(self, request: HttpRequest) -> HttpResponse:
        """Return the preview and the problems of the posted form."""
        form = self._read_live_form(request)
        check_user_rate(request.user.pk or 0, group="campaign preview", rate=LIVE_PREVIEW_RATE)
        campaign, texts = form.instance, form.build_texts()
        choice = PreviewChoice.read(request.POST, find_first_language(texts))
        problems = find_problems(campaign, texts)
        preview = describe_preview(campaign, texts, choice)
        return JsonResponse(
            {
                "preview": render_to_string(f"{TEMPLATES}/preview.html", preview, request),
                "problems": render_to_string(
                    f"{TEMPLATES}/problems.html",
                    {**preview, "problems": [*list_field_problems(form), *problems], "has_fields": True},
                    request,
                ),
            }
        )

    def live_audience_view(self, request: HttpRequest) -> HttpResponse:
        """Return the number of recipients of the posted form."""
        form = self._read_live_form(request)
        counts = describe_counts(form.instance, form.build_texts())
        return TemplateResponse(request, f"{TEMPLATES}/audience.html", counts)

    def _read_live_form(self, request: HttpRequest) -> CampaignForm:
        """Return the posted form, whose instance is not stored. It may have errors, such as an empty name."""
        if not (self.has_add_permission(request) or self.has_change_permission(request)):
            raise PermissionDenied
        if request.method != "POST":
            raise Http404
        form = CampaignForm(request.POST)
        form.full_clean()
        return form

    @show_pictures
    def preview_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Show the saved version."""
        return self._read_page(request, self.get_campaign(request, pk))

    def _read_page(self, request: HttpRequest, campaign: Campaign) -> HttpResponse:
        """Show a campaign that this admin cannot change, or that nobody can change any more."""
        texts = load_texts(campaign)
        choice = PreviewChoice.read(request.GET, find_first_language(texts))
        context = describe_preview(campaign, texts, choice)
        if campaign.is_editable:
            # The readers of a step are those who confirm later.
            counts = {} if campaign.is_step else describe_counts(campaign, texts)
            context |= {**counts, "problems": find_problems(campaign, texts)}
        return self.show(request, campaign, "read", **context)

    # Test, duplicate, delete

    def test_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask who gets a test, and send it."""
        campaign = self.get_campaign(request, pk, "change_campaign")
        languages = campaign.list_languages()
        user: Any = request.user
        initial = {"addresses": [user.email], "languages": languages}
        form = TestForm(request.POST or None, initial=initial, campaign=campaign)
        if request.method == "POST" and form.is_valid() and self._send_test(request, campaign, form):
            return self.redirect("change", campaign.pk)
        return self.show(request, campaign, "test", title=_("Send a test"), form=form, languages=languages)

    def _send_test(self, request: HttpRequest, campaign: Campaign, form: Form) -> bool:
        addresses = form.cleaned_data["addresses"]
        try:
            check_user_rate(request.user.pk or 0, group="campaign test", rate=TEST_RATE)
            drafts.send_test(campaign=campaign, **form.cleaned_data)
        except (CampaignRefused, RateLimited) as error:
            messages.error(request, str(error.message))
            return False
        self.log_change(request, campaign, gettext_noop("Sent a test."))
        text = gettext("The test is on its way to %(addresses)s.")
        messages.success(request, text % {"addresses": ", ".join(addresses)})
        return True

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
