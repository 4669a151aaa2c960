from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class InvitationsConfig(AppConfig):
    name = "newsletter.invitations"
    verbose_name = _("Invitations")

    def ready(self) -> None:
        from newsletter.invitations import services
        from newsletter.services.lifecycle import subscription_begun, subscription_requested

        subscription_requested.connect(services.record_request)
        subscription_begun.connect(services.settle_after_commit)
