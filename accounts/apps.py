from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.services import links
        from sailing.mail.outbox import mail_bounced

        mail_bounced.connect(links.record_bounce)
