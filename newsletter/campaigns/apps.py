from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CampaignsConfig(AppConfig):
    name = "newsletter.campaigns"
    verbose_name = _("Campaigns")

    def ready(self) -> None:
        from newsletter.campaigns import jobs, sender, webhooks  # noqa: F401 - register themselves
        from newsletter.campaigns.models import Delivery
        from newsletter.campaigns.progress import count_recent_deliveries
        from sailing.operations import metrics
        from sailing.privacy import personal_data

        personal_data.register(
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
            )
        )
        metrics.register(
            lambda: [
                metrics.Gauge(
                    "sailing_campaign_deliveries",
                    "Deliveries of campaigns that are being sent or ended in the last 24 hours.",
                    count_recent_deliveries(),
                    "state",
                )
            ]
        )


def _get_subject(delivery: Any) -> str:
    """Return the subject of the mail, in its language."""
    texts = delivery.campaign.texts.all()
    return next((str(text.subject) for text in texts if text.language == delivery.language), "")
