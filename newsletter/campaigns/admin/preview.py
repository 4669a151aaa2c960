"""What the preview of a campaign shows."""

from collections.abc import Sequence
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.utils.decorators import method_decorator
from django.utils.translation import get_language

from newsletter.campaigns import rendering
from newsletter.campaigns.models import Campaign, CampaignText

# Pictures in a campaign may come from any https address. Policies of the page apply in the preview too.
show_pictures = method_decorator(csp_update({"img-src": ["https:"]}))


def load_texts(campaign: Campaign) -> list[CampaignText]:
    """Return the text of each language, unsaved and empty if there is none."""
    stored = {text.language: text for text in campaign.texts.all()} if campaign.pk else {}
    return [
        stored.get(language) or CampaignText(campaign=campaign, language=language)
        for language, _name in settings.LANGUAGES
    ]


def describe_preview(campaign: Campaign, texts: Sequence[CampaignText]) -> dict[str, Any]:
    """Return the mail in each language, as for a reader whose name is not known.

    `shown`: the language that the page begins with, the admin's unless only the other one has a text.
    """
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
