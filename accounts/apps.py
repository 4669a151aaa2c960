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
        from sailing.erasure import PersonalDataModel, register

        for step in (purge_expired_links, warn_expiring, purge_unverified):
            retention.register(step)
        contents = _(
            "profile, permissions, sessions and email links; an admin's history is kept without the name"
        )
        # Erasing a subscriber keeps the account.
        register(
            PersonalDataModel(User, contents, is_erased_with_person=False, before_erase=erasure.before_erase)
        )
