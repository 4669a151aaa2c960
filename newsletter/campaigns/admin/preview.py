"""What the preview of a campaign shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.http import QueryDict
from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.markdown import PERSONAL_FIELDS
from newsletter.campaigns.models import Block, Campaign, CampaignText
from newsletter.campaigns.rendering import render
from newsletter.models import AUDIENCES, UserType

# Pictures in a campaign may come from any https address. Policies of the page apply in the preview too.
show_pictures = method_decorator(csp_update({"img-src": ["https:"]}))

DISPLAYS = {"desktop": _("Desktop"), "phone": _("Phone"), "text": _("Plain text")}


@dataclass(frozen=True)
class PreviewChoice:
    """What the preview shows: a text, for which readers, a display of DISPLAYS, and whether in dark mode.

    `audience` counts for a campaign to both audiences.
    """

    language: str
    audience: str = UserType.SAILOR
    display: str = "desktop"
    is_dark: bool = False

    @classmethod
    def read(cls, values: QueryDict, default_language: str) -> "PreviewChoice":
        """Read the controls of the preview. Unknown values count as the default."""
        language = values.get("preview_language", "")
        audience = values.get("preview_audience", "")
        display = values.get("preview_display", "")
        return cls(
            language=language if language in dict(settings.LANGUAGES) else default_language,
            audience=audience if audience in UserType.values else UserType.SAILOR,
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
        "preview_audiences": AUDIENCES,
        "has_one_audience": bool(campaign.audience),
        "is_blank": all(text.is_missing for text in texts),
    }
    if text.is_missing:
        return context
    mail = render(campaign, text, links=None, audience=campaign.audience or choice.audience)
    links = _list_links()
    return {
        **context,
        "mail": mail,
        "subject": mail.fill(mail.subject, links),
        "preheader": mail.fill(mail.preheader, links),
        "html": mail.fill(mail.build_preview(is_dark=choice.is_dark), links),
        "plain_text": mail.fill(mail.text, links),
    }


def preview_block(block: Block) -> list[dict[str, str]]:
    """Return a mail with nothing but the block for each language; `html` is blank without a text.

    The mail has a title of its own, so that a heading in the block looks as in the middle of a mail.
    """
    found = []
    for language, name in settings.LANGUAGES:
        body, html = block.get_body(language), ""
        if body.strip():
            with translation.override(language):
                title = gettext("Your subject")
            text = CampaignText(language=language, subject=title, body=f"# {title}\n\n{body}")
            mail = render(Campaign(), text, links=None, audience="")
            html = mail.fill(mail.build_preview(), _list_links())
        found.append({"language": language, "name": name, "html": html})
    return found


def _list_links() -> dict[str, str]:
    """Return the personal links of a preview, which is for readers whose name is not known either."""
    return dict.fromkeys(PERSONAL_FIELDS, f"{settings.SITE_URL}/newsletter")
