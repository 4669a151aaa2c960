"""Write, check and test a campaign."""

from collections.abc import Sequence
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.translation import get_language, gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import drafts, rendering, series, services
from newsletter.campaigns.admin.forms import DELAY_FIELDS, CampaignForm, TestForm
from newsletter.campaigns.admin.pages import TEMPLATES, CampaignPages, describe_counts, describe_problems
from newsletter.campaigns.audience import count_audience
from newsletter.campaigns.models import ENDED_STATES, Campaign, CampaignState, CampaignText
from newsletter.campaigns.services import CampaignRefused
from sailing.errors import RateLimited
from sailing.ratelimit.limits import check_key_rate

AUDIENCE_FIELDS = ("user_type", "excluded_campaign", "segment", *DELAY_FIELDS)


class EditorPages(CampaignPages):
    """Write, check and test a campaign."""

    form = CampaignForm
    fields = CampaignForm.Meta.fields
    add_label = _("New campaign")
    change_form_template = f"{TEMPLATES}/editor.html"
    delete_confirmation_template = f"{TEMPLATES}/delete_confirmation.html"

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

    # Pictures in a campaign may come from any https address. Policies of the page apply in the preview too.
    @method_decorator(csp_update({"img-src": ["https:"]}))
    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> Any:
        if object_id and request.method != "POST":
            campaign = self.get_object(request, object_id)
            may_view = self.has_view_permission(request, campaign)
            if campaign and may_view and not self.can_edit(request, campaign):
                return self._read_page(request, campaign)
        return super().changeform_view(request, object_id, *args, **kwargs)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        obj, form = kwargs["obj"], context["adminform"].form
        campaign, texts = form.instance, form.build_texts()
        preview = describe_preview(campaign, texts)
        context |= {
            **(self.describe(request, obj) if obj else {"can_send": self.can_send(request, campaign)}),
            **preview,
            "shown": form.find_shown_language() or preview["shown"],
            # The page counts nobody: its script loads the numbers.
            **describe_problems(campaign, texts),
            "form": form,
            "title": campaign.name or (_("New step") if form.is_step else self.add_label),
            "subtitle": None,
            "audience_fields": [form[name] for name in AUDIENCE_FIELDS if name in form.fields],
        }
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Campaign, form: Any, change: bool) -> None:
        if not change:
            obj.created_by_id = request.user.pk
        elif not self.can_edit(request, obj):
            raise PermissionDenied
        elif obj.state == CampaignState.SENDING and {"user_type", *DELAY_FIELDS} & set(form.changed_data):
            obj.started_at = timezone.now()  # nobody whose new time has passed gets it at once
            if "user_type" in form.changed_data:
                series.delete_waiting(obj)  # of the other audience
        super().save_model(request, obj, form, change)
        form.save_texts()
        if obj.is_step and obj.started_at:
            services.store_links(obj)

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return super().log_change(request, obj, message) if message else None

    def response_add(self, request: HttpRequest, obj: Campaign, *args: Any, **kwargs: Any) -> HttpResponse:
        return self._answer_saved(request, obj, draft="new-step" if obj.is_step else "new")

    def response_change(self, request: HttpRequest, obj: Campaign) -> HttpResponse:
        return self._answer_saved(request, obj, draft=str(obj.pk))

    def _answer_saved(self, request: HttpRequest, campaign: Campaign, *, draft: str) -> HttpResponse:
        """Lead to the page of the button that saved. The browser forgets the draft that the message names."""
        messages.success(request, gettext("Saved."), f"campaign-draft-{request.user.pk}-{draft}")
        page = next((name for name in ("test", "send") if f"_{name}" in request.POST), "change")
        return self.redirect(page, campaign.pk)

    def _read_page(self, request: HttpRequest, campaign: Campaign) -> HttpResponse:
        """Show a campaign that this admin cannot change, or that nobody can change any more."""
        texts = CampaignForm(instance=campaign).build_texts()
        context = describe_preview(campaign, texts)
        if campaign.is_editable:
            context |= describe_problems(campaign, texts)
            if not campaign.is_step:  # whose readers confirm later
                context |= describe_counts(count_audience(campaign, campaign.list_languages()))
        return self.show(request, campaign, "read", **context)

    # What the editor loads while its form is filled in

    def check_view(self, request: HttpRequest) -> HttpResponse:
        """Return the preview and the problems of the posted form."""
        form = self._read_form(request)
        texts = form.build_texts()
        context = {**describe_preview(form.instance, texts), **describe_problems(form.instance, texts)}
        return TemplateResponse(request, f"{TEMPLATES}/check.html", context)

    def count_view(self, request: HttpRequest) -> HttpResponse:
        """Return the number of recipients of the posted form."""
        form = self._read_form(request)
        languages = [text.language for text in form.build_texts() if not text.is_missing]
        counts = describe_counts(count_audience(form.instance, languages))
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

    # Test and duplicate

    def test_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Ask who gets a test, and send it."""
        campaign = self.get_campaign(request, pk, "change")
        form = TestForm(request.POST or None, campaign=campaign, user=request.user)
        if form.is_valid():
            try:
                check_key_rate(request.user.pk or 0, group="campaign test", rate=settings.CAMPAIGN_TEST_RATE)
                drafts.send_test(campaign=campaign, **form.cleaned_data)
            except (CampaignRefused, RateLimited) as error:
                messages.error(request, str(error))
            else:
                self.log_change(request, campaign, gettext_noop("Sent a test."))
                text = gettext("The test is on its way to %(addresses)s.")
                addresses = ", ".join(form.cleaned_data["addresses"])
                messages.success(request, text % {"addresses": addresses})
                return self.redirect("change", campaign.pk)
        texts = campaign.list_texts()
        return self.show(request, campaign, "test", title=_("Send a test"), form=form, texts=texts)

    def duplicate_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Copy a campaign to a new draft by POST, with `rest` for those who did not get it."""
        campaign = self.get_campaign(request, pk, "add")
        if request.method != "POST":
            return self.redirect("change", campaign.pk)
        for_the_rest = "rest" in request.POST and campaign.state in ENDED_STATES
        copy = drafts.create_duplicate(campaign=campaign, by=request.user, for_the_rest=for_the_rest)
        self.log_addition(request, copy, gettext_noop("Duplicated."))
        messages.success(request, gettext("You are editing the copy now."))
        return self.redirect("change", copy.pk)


def describe_preview(campaign: Campaign, texts: Sequence[CampaignText]) -> dict[str, Any]:
    """Return the mail in each language. `shown` first: the admin's, unless only the other has a text."""
    written = [text.language for text in texts if not text.is_missing]
    current = get_language()
    return {
        "previews": [_describe_mail(campaign, text) for text in texts],
        "shown": current if current in written or not written else written[0],
        "is_blank": not written,
    }


def _describe_mail(campaign: Campaign, text: CampaignText) -> dict[str, Any]:
    mail = rendering.render(campaign, text, links={})
    links = dict.fromkeys(rendering.PERSONAL_LINKS, f"{settings.SITE_URL}/newsletter")
    return {
        "text": text,
        "subject": rendering.fill(mail.subject, links),
        "preheader": rendering.fill(mail.preheader, links),
        "html": rendering.fill_html(mail.build_preview(), links),
    }
