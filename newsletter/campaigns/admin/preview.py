"""What the preview of a campaign shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.http import QueryDict
from django.utils.decorators import method_decorator
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns import rendering
from newsletter.campaigns.models import Campaign, CampaignText

# Pictures in a campaign may come from any https address. Policies of the page apply in the preview too.
show_pictures = method_decorator(csp_update({"img-src": ["https:"]}))

DISPLAYS = {"desktop": _("Desktop"), "phone": _("Phone"), "text": _("Plain text")}


@dataclass(frozen=True)
class PreviewChoice:
    """What the preview shows: a text, a display of DISPLAYS, and whether in dark mode."""

    language: str
    display: str = "desktop"
    is_dark: bool = False

    @classmethod
    def read(cls, values: QueryDict, default_language: str) -> "PreviewChoice":
        """Read the controls of the preview. Unknown values count as the default."""
        language = values.get("preview_language", "")
        display = values.get("preview_display", "")
        return cls(
            language=language if language in dict(settings.LANGUAGES) else default_language,
            display=display if display in DISPLAYS else "desktop",
            is_dark=bool(values.get("preview_dark")),
        )


def load_texts(campaign: Campaign) -> list[CampaignText]:
    """Return the text of each language, unsaved and empty if there is none."""
    stored = {text.language: text for text in campaign.texts.all()} if campaign.pk else {}
    return [
        stored.get(language) or CampaignText(campaign=campaign, language=language)
        for language, _name in settings.LANGUAGES
    ]


def find_first_language(texts: Sequence[CampaignText]) -> str:
    """Return the language that a preview begins with: the admin's, unless only the other one has a text."""
    languages = [text.language for text in texts if not text.is_missing] or [text.language for text in texts]
    current = get_language()
    return current if current in languages else languages[0]


def describe_preview(
    campaign: Campaign, texts: Sequence[CampaignText], choice: PreviewChoice
) -> dict[str, Any]:
    """Return what the preview shows."""
    text = next(text for text in texts if text.language == choice.language)
    context: dict[str, Any] = {
        "choice": choice,
        "displays": DISPLAYS,
        "preview_languages": settings.LANGUAGES,
        "is_blank": all(text.is_missing for text in texts),
    }
    if text.is_missing:
        return context
    mail = rendering.render(campaign, text, links={})
    # As for a reader whose name is not known.
    links = dict.fromkeys(rendering.PERSONAL_LINKS, f"{settings.SITE_URL}/newsletter")
    return {
        **context,
        "mail": mail,
        "subject": rendering.fill(mail.subject, links),
        "preheader": rendering.fill(mail.preheader, links),
        "html": rendering.fill_html(mail.build_preview(is_dark=choice.is_dark), links),
        "plain_text": rendering.fill(mail.text, links),
    }
