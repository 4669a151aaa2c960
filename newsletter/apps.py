from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NewsletterConfig(AppConfig):
    name = "newsletter"
    verbose_name = _("Newsletter")

    def ready(self) -> None:
        from newsletter import traps
        from newsletter.models import ConsentEvent, State, Subscription, SubscriptionLink
        from newsletter.retention import UNANSWERED_LIFETIME, purge_expired_links, purge_unanswered
        from sailing.jobs import retention
        from sailing.mail.sender import mail_bounced
        from sailing.operations import metrics
        from sailing.privacy import personal_data
        from sailing.privacy.erasure import PersonalDataModel, register

        retention.register(purge_expired_links)
        retention.register(purge_unanswered)
        retention.state_periods({"unansweredSubscriptions": UNANSWERED_LIFETIME})
        contents = _("the subscription, its consent history and its email links")
        register(PersonalDataModel(Subscription, contents, is_erased_with_person=True))
        personal_data.register(
            personal_data.Section(
                "newsletter_subscriptions",
                _("Newsletter subscriptions"),
                Subscription,
                lambda email: Subscription.objects.filter(email=email).select_related("import_batch"),
                personal_data.get_labels(
                    Subscription,
                    "email",
                    "user_type",
                    "source",
                    "language",
                    "is_active",
                    "is_confirmed",
                    "created_at",
                    "confirmed_at",
                    "unsubscribed_at",
                    "asked_again_at",
                    "bounced_at",
                    "paused_until",
                    "last_mail_at",
                    "reminded_at",
                    "is_imported",
                    "import_batch",
                ),
                # The name of the file is for admins.
                heading="user_type",
                values={"import_batch": lambda row: row.import_batch and row.import_batch.created_at},
            )
        )
        personal_data.register(
            personal_data.Section(
                "newsletter_consents",
                _("History of the newsletter consent"),
                ConsentEvent,
                lambda email: ConsentEvent.objects.filter(subscription__email=email),
                personal_data.get_labels(
                    ConsentEvent,
                    "kind",
                    "at",
                    "user_type",
                    "source",
                    "language",
                    "wording",
                    "reason",
                    "comment",
                ),
                heading="kind",
            )
        )
        personal_data.register(
            personal_data.Section(
                "newsletter_links",
                _("Links in emails about the newsletter"),
                SubscriptionLink,
                lambda email: SubscriptionLink.objects.filter(subscription__email=email).order_by("pk"),
                {
                    "purpose": _("purpose"),
                    "created_at": _("created"),
                    "expires_at": _("expires"),
                    "used_at": _("used or closed"),
                },
                heading="purpose",
            )
        )
        mail_bounced.connect(_record_bounce)
        metrics.register(
            lambda: [
                metrics.Gauge(
                    "sailing_subscriptions",
                    "Subscriptions by state.",
                    {state.value: Subscription.objects.in_state(state).count() for state in State},
                    "state",
                ),
                metrics.Gauge(
                    "sailing_subscriptions_dropped",
                    "Submissions that a trap for bots dropped in the last 24 hours.",
                    traps.count_dropped(),
                    "trap",
                ),
            ]
        )


def _record_bounce(email: str, **_signal: Any) -> None:
    from newsletter import services

    services.record_bounce(email=email)
