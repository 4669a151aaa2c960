from django.apps import AppConfig


class NewsletterConfig(AppConfig):
    name = "newsletter"

    def ready(self) -> None:
        from newsletter.services import lifecycle
        from sailing.mail.outbox import mail_bounced

        mail_bounced.connect(lifecycle.record_bounce)
