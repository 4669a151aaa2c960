from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NewsletterConfig(AppConfig):
    name = "newsletter"
    verbose_name = _("Newsletter")

    def ready(self) -> None:
        from newsletter import imports  # noqa: F401 - registers its jobs
        from newsletter.models import State, Subscription
        from newsletter.retention import purge_expired_links, purge_unanswered
        from sailing import retention
        from sailing.email.sender import mail_bounced
        from sailing.erasure import PersonalDataModel, register
        from sailing.monitoring import metrics

        retention.register(purge_expired_links)
        retention.register(purge_unanswered)
        contents = _("the subscription, its consent history and its email links")
        register(PersonalDataModel(Subscription, contents, is_erased_with_person=True))
        mail_bounced.connect(_record_bounce)
        metrics.register(
            lambda: [
                metrics.Gauge(
                    "sailing_subscriptions",
                    "Subscriptions by state.",
                    {state.value: Subscription.objects.in_state(state).count() for state in State},
                    "state",
                )
            ]
        )


def _record_bounce(email: str, **_signal: Any) -> None:
    from newsletter import services

    services.record_bounce(email=email)
