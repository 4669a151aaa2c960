"""Pages and endpoints behind the links of campaigns."""

from typing import Any

import structlog
from csp.decorators import csp_update
from django.conf import settings
from django.contrib import admin
from django.db import Error as DatabaseFailure
from django.db.models import F, Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from newsletter.campaigns import rendering
from newsletter.campaigns.models import Campaign, CampaignLink, CampaignState, CampaignText, Picture
from sailing.client import LANGUAGES, current_client
from sailing.errors import RateLimited
from sailing.ratelimit.limits import check_rate
from sailing.web.pages.views import describe_link, localized

CLICK_RATE = "1/d"
"""Clicks of one client on one link that count: a scanner of a mail provider opens the links of many readers.

The counter of a rate is a digest, and lasts as long.
"""

logger = structlog.get_logger(__name__)


def list_issues() -> QuerySet[Campaign]:
    """Return the campaigns of the archive, the newest first."""
    texts = CampaignText.objects.exclude(subject="").defer("body")  # emptied ones would each read the body
    public = Campaign.objects.filter(is_public=True, state=CampaignState.SENT)
    return public.order_by("-started_at", "-pk").prefetch_related(Prefetch("texts", texts))


def find_text(campaign: Campaign, language: str) -> CampaignText | None:
    """Return the text of a campaign in a language, else in the other, or None if it has none."""
    texts = campaign.list_texts()
    return next((text for text in texts if text.language == language), texts[0] if texts else None)


@csp_update({"img-src": ["https:"]})  # a campaign may show pictures of other sites
@require_safe
def web_version(request: HttpRequest, key: str) -> HttpResponse:
    """Show a campaign as a page, in the language of the reader if it has a text in it.

    Anyone with the key may read it once sending has begun; before that, only admins who may view campaigns.
    """
    campaign = get_object_or_404(Campaign, key=key)
    is_preview = campaign.started_at is None
    language = get_language() or settings.LANGUAGE_CODE
    text = find_text(campaign, language)
    if text is None or (is_preview and not _may_preview(request)):
        raise Http404
    is_public = campaign.is_public and campaign.state == CampaignState.SENT
    context: dict[str, Any] = {
        "campaign": campaign,
        "text": text,
        "is_preview": is_preview,
        "is_public": is_public,
        "is_translated": text.language == language,
    }
    context["title"], context["body"] = rendering.render_web_version(text)
    if is_public:
        context |= _head(request.path, language, campaign.list_languages())
        context["description"] = rendering.render_summary(text)[1] or context["title"]
    response = render(request, "newsletter/campaigns/issue.html", context)
    if is_preview:
        response.headers["Cache-Control"] = "private, no-store"
    return response


def _may_preview(request: HttpRequest) -> bool:
    may_view = admin.site.get_model_admin(Campaign).has_view_permission(request)
    return bool(admin.site.has_permission(request) and may_view)


def _head(path: str, language: str, languages: list[str]) -> dict[str, Any]:
    """Return the addresses for search engines, and previews elsewhere, in a language that has a text."""
    shown = language if language in languages else languages[0]
    return {
        **describe_link(shown, languages),
        "canonical": localized(path, shown),
        "alternates": [(code, localized(path, code)) for code in sorted(languages, reverse=True)],
    }


@require_safe
def archive(request: HttpRequest) -> HttpResponse:
    """List the public issues."""
    language = get_language() or settings.LANGUAGE_CODE
    issues = [
        (campaign, text, *rendering.render_summary(text))
        for campaign in list_issues()
        if (text := find_text(campaign, language))
    ]
    context = {"issues": issues, **_head(request.path, language, sorted(LANGUAGES))}
    return render(request, "newsletter/campaigns/archive.html", context)


@require_safe
def picture(request: HttpRequest, name: str) -> HttpResponse:
    """Return a picture, which never changes."""
    content = get_object_or_404(Picture, name=name).content
    headers = {
        "Cache-Control": "public, max-age=31536000, immutable",
        # Mails and shared links show it, in a browser from the origin of another site.
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
    content_type = "image/png" if name.endswith("png") else "image/jpeg"
    return HttpResponse(bytes(content), content_type, headers=headers)


@require_safe
def click(request: HttpRequest, key: str) -> HttpResponse:
    """Redirect to a stored address, and count the click, unless it is a HEAD or a prefetch."""
    link = get_object_or_404(CampaignLink, key=key)
    if request.method == "GET" and "prefetch" not in request.headers.get("Sec-Purpose", ""):
        try:
            check_rate(current_client.get(), group=f"click {link.pk}", rate=CLICK_RATE)
            # The database adds, so that simultaneous clicks all count.
            CampaignLink.objects.filter(pk=link.pk).update(clicks=F("clicks") + 1)
        except RateLimited:
            pass
        except DatabaseFailure as error:  # the reader gets to the page all the same
            logger.warning("click_not_counted", error=type(error).__name__)
    headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"}
    return HttpResponseRedirect(link.url, headers=headers)
