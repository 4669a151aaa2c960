from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NewsletterConfig(AppConfig):
    name = "newsletter"
    verbose_name = _("Newsletter")

    def ready(self) -> None:
        from newsletter.models import State, Subscription
        from newsletter.retention import purge_expired_links, purge_unanswered
        from sailing import retention
        from sailing.erasure import register
        from sailing.monitoring import metrics

        retention.register(purge_expired_links)
        retention.register(purge_unanswered)
        register(
            Subscription,
            contents=_("the subscription, its consent history and its email links"),
            is_erased_with_person=True,
        )
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
