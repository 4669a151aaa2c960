"""Settings that work and are risky: `manage.py check --deploy` and each process at its start name them."""

from typing import Any

import structlog
from django.conf import settings
from django.core import checks

logger = structlog.get_logger(__name__)


@checks.register(checks.Tags.security, deploy=True)
def check_settings(**_options: Any) -> list[checks.CheckMessage]:
    """Warn about each risky setting of the project. Django and the apps have checks of their own."""
    is_smtp_plain = not (settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL)
    is_mail_server_remote = settings.EMAIL_HOST not in settings.LOCAL_HOSTS
    risks = [
        (
            "sailing.W001",
            "SITE_URL is not https: passwords and sessions can be read on their way.",
            not settings.SITE_URL.startswith("https://"),
        ),
        ("sailing.W002", "ALLOWED_HOSTS accepts every host name.", "*" in settings.ALLOWED_HOSTS),
        (
            "sailing.W003",
            "ADMIN_SECOND_FACTOR is off: a password alone opens Django admin.",
            not settings.ADMIN_SECOND_FACTOR,
        ),
        (
            "sailing.W004",
            "EMAIL_URL writes emails to files: nobody gets them.",
            "filebased" in settings.EMAIL_BACKEND,
        ),
        (
            "sailing.W005",
            "EMAIL_URL has no TLS: the password of the mail server can be read on its way.",
            settings.EMAIL_HOST_PASSWORD and is_smtp_plain and is_mail_server_remote,
        ),
        ("sailing.W006", "MAIL_ONLY_TO is set: nobody else gets email.", settings.MAIL_ONLY_TO),
        (
            "sailing.W007",
            "EMAIL_WEBHOOK_SECRET is not set: the email provider cannot report bounces and complaints.",
            settings.EMAIL_PROVIDER and not settings.EMAIL_WEBHOOK_SECRET,
        ),
    ]
    return [checks.Warning(risk, id=name) for name, risk, is_present in risks if is_present]


def log_risks() -> None:
    """Log a line about each risky setting, unless the site is only for this machine.

    The risks are what the deployment checks of security warn about, those of Django and the apps included.
    """
    if settings.IS_LOCAL_SITE:
        return
    for message in checks.run_checks(tags=[checks.Tags.security], include_deployment_checks=True):
        if not message.is_silenced():
            logger.warning("risky_setting", risk=message.msg)
