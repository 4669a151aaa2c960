from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NewsletterConfig(AppConfig):
    name = "newsletter"
    verbose_name = _("Newsletter")

    def ready(self) -> None:
        from newsletter.models import Subscription
        from newsletter.retention import purge_expired_links, purge_unanswered
        from sailing import retention
        from sailing.email.sender import mail_bounced
        from sailing.erasure import PersonalDataModel, register

        retention.register(purge_expired_links)
        retention.register(purge_unanswered)
        contents = _("the subscription, its consent history and its email links")
        register(PersonalDataModel(Subscription, contents, is_erased_with_person=True))
        mail_bounced.connect(_record_bounce)


def _record_bounce(email: str, **_signal: Any) -> None:
    from newsletter import services

    services.record_bounce(email=email)
