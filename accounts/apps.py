from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("Accounts")

    def ready(self) -> None:
        from accounts import chart, retention
        from accounts.models import User
        from sailing import operators, outbox

        outbox.tidying.connect(retention.tidy)
        operators.show_daily(_("New members"), User, chart.sign_ups)
