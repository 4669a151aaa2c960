from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NewsletterConfig(AppConfig):
    name = "newsletter"
    verbose_name = _("Newsletter")

    def ready(self) -> None:
        from newsletter.services import lifecycle
        from sailing.mail.recording import mail_bounced

        mail_bounced.connect(lifecycle.record_bounce)
