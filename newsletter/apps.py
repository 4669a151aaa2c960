from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NewsletterConfig(AppConfig):
    name = "newsletter"
    verbose_name = _("Newsletter")

    def ready(self) -> None:
        from sailing.mail.recording import mail_bounced

        mail_bounced.connect(_record_bounce)


def _record_bounce(email: str, **_signal: Any) -> None:
    from newsletter.services import lifecycle

    lifecycle.record_bounce(email=email)
