from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NewsletterConfig(AppConfig):
    name = "newsletter"
    verbose_name = _("Newsletter")

    def ready(self) -> None:
        from newsletter import retention
        from sailing import outbox

        outbox.tidying.connect(retention.tidy)
