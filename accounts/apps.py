from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from accounts import erasure
        from accounts.models import User
        from accounts.retention import purge_expired_links, purge_unverified, warn_expiring
        from sailing import retention
        from sailing.email.sender import mail_bounced
        from sailing.erasure import PersonalDataModel, register
        from sailing.monitoring import metrics

        for step in (purge_expired_links, warn_expiring, purge_unverified):
            retention.register(step)
        contents = _(
            "profile, permissions, sessions and email links; an admin's history is kept without the name"
        )
        # Erasing a subscriber keeps the account.
        register(
            PersonalDataModel(User, contents, is_erased_with_person=False, before_erase=erasure.before_erase)
        )
        mail_bounced.connect(_record_bounce)
        metrics.register(
            lambda: [
                metrics.Gauge("sailing_members", "Members.", User.objects.filter(is_active=True).count())
            ]
        )


def _record_bounce(email: str, **_signal: Any) -> None:
    from accounts import services

    services.record_bounce(email=email)
