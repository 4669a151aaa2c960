from django.apps import AppConfig


class InvitationsConfig(AppConfig):
    name = "newsletter.invitations"

    def ready(self) -> None:
        from newsletter.invitations import services
        from newsletter.segment_criteria import criteria
        from newsletter.services.lifecycle import (
            address_corrected,
            subscription_begun,
            subscription_requested,
        )

        subscription_requested.connect(services.record_request)
        address_corrected.connect(services.keep_open_invitation)
        subscription_begun.connect(services.settle_after_commit)
        criteria["min_invitations"] = services.find_inviters
