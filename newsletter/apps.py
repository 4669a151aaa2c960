from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NewsletterConfig(AppConfig):
    name = "newsletter"
    verbose_name = _("Newsletter")

    def ready(self) -> None:
        from newsletter import chart, retention
        from newsletter.models import Subscription
        from sailing import operators, outbox

        outbox.tidying.connect(retention.tidy)
        operators.show_daily(_("Sign-ups for the newsletter"), Subscription, chart.sign_ups)
