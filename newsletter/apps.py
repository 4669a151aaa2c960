from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class NewsletterConfig(AppConfig):
    name = "newsletter"
    verbose_name = _("Newsletter")

    def ready(self) -> None:
        from newsletter.models import Subscription
        from newsletter.retention import purge_expired_links, purge_unanswered
        from sailing import retention
        from sailing.erasure import PersonalDataModel, register

        retention.register(purge_expired_links)
        retention.register(purge_unanswered)
        contents = _("the subscription, its consent history and its email links")
        register(PersonalDataModel(Subscription, contents, is_erased_with_person=True))
