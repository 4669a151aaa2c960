"""What is stored about the newsletters that a reader got (see `sailing.privacy`)."""

from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.models import Delivery
from newsletter.campaigns.rendering import render_summary
from sailing.privacy.personal_data import Section, sections


def _get_subject(delivery: Delivery) -> str:
    """Return the subject of the mail, in its language."""
    texts = (text for text in delivery.campaign.texts.all() if text.language == delivery.language)
    return next((render_summary(text)[0] for text in texts), "")


sections.append(
    Section(
        "newsletter_deliveries",
        _("Newsletters sent to you"),
        Delivery,
        lambda email: (
            Delivery.objects.filter(subscription__email=email)
            .order_by("pk")
            .prefetch_related("campaign__texts")
        ),
        exclude=("subscription", "next_attempt_at"),
        values={"campaign": _get_subject},  # the name of a campaign is for admins
    )
)
