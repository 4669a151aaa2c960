from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from accounts.services import verification
        from sailing.mail.recording import mail_bounced

        mail_bounced.connect(verification.record_bounce)
