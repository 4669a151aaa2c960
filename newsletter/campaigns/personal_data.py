"""What is stored about the newsletters that a reader got (see `sailing.privacy`)."""

from django.utils.translation import gettext_lazy as _

from newsletter.campaigns.models import Delivery
from newsletter.campaigns.rendering import render_summary
from sailing.privacy import personal_data


def _get_subject(delivery: Delivery) -> str:
    """Return the subject of the mail, in its language."""
    texts = (text for text in delivery.campaign.texts.all() if text.language == delivery.language)
    return next((render_summary(text)[0] for text in texts), "")


personal_data.sections += [
    personal_data.Section(
        "newsletter_deliveries",
        _("Newsletters sent to you"),
        Delivery,
        lambda email: (
            Delivery.objects.filter(subscription__email=email)
            .order_by("pk")
            .prefetch_related("campaign__texts")
        ),
        {
            "campaign": _("subject"),
            "language": _("language"),
            **personal_data.get_labels(
                Delivery,
                "state",
                "skip_reason",
                "attempts",
                "last_error",
                "ended_at",
                "bounced_at",
            ),
            "soft_bounced_at": _("refused for now"),
            **personal_data.get_labels(Delivery, "complained_at", "unsubscribed_at"),
        },
        # The name of a campaign is for admins.
        values={"campaign": _get_subject},
        heading="campaign",
    ),
]
