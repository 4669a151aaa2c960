from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from sailing.mail.recording import mail_bounced

        mail_bounced.connect(_record_bounce)


def _record_bounce(email: str, **_signal: Any) -> None:
    from accounts.services import verification

    verification.record_bounce(email=email)
