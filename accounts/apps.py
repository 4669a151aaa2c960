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
        from sailing.erasure import register
        from sailing.monitoring import metrics

        for step in (purge_expired_links, warn_expiring, purge_unverified):
            retention.register(step)
        register(
            User,
            contents=_(
                "profile, permissions, sessions and email links; an admin's history is kept without the name"
            ),
            is_erased_with_person=False,  # erasing a subscriber keeps the account
            before_erase=erasure.before_erase,
        )
        metrics.register(
            lambda: [
                metrics.Gauge("sailing_members", "Members.", User.objects.filter(is_active=True).count())
            ]
        )
