"""What works and is risky, for `manage.py check --deploy --database default`."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core import checks
from django.db import connection


@checks.register(checks.Tags.security, deploy=True)
def check_settings(**_options: Any) -> list[checks.CheckMessage]:
    """Warn about each risky setting of the project. Django and the apps have checks of their own."""
    is_remote = settings.EMAIL_HOST not in settings.LOCAL_HOSTS
    is_plain = is_remote and not (settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL)
    is_http = not settings.SITE_URL.startswith("https://")
    risks = {
        "SITE_URL is not https: passwords and sessions can be read on their way.": is_http,
        "ALLOWED_HOSTS accepts every host name.": "*" in settings.ALLOWED_HOSTS,
        "ADMIN_SECOND_FACTOR is off: a password alone opens Django admin.": not settings.ADMIN_SECOND_FACTOR,
        "EMAIL_URL writes emails to files: nobody gets them.": "filebased" in settings.EMAIL_BACKEND,
        "EMAIL_URL has no TLS: its password can be read on its way.": is_plain
        and settings.EMAIL_HOST_PASSWORD,
        "MAIL_ONLY_TO is set: nobody else gets email.": settings.MAIL_ONLY_TO,
        "EMAIL_WEBHOOK_SECRET is not set: the email provider cannot report bounces and complaints.": (
            settings.EMAIL_PROVIDER and not settings.EMAIL_WEBHOOK_SECRET
        ),
    }
    return [
        checks.Warning(risk, id=f"sailing.W00{number}")
        for number, (risk, is_present) in enumerate(risks.items(), 1)
        if is_present
    ]


@checks.register(checks.Tags.database)
def check_collation(databases: Sequence[str] | None, **_options: Any) -> list[checks.CheckMessage]:
    """Warn when a library of the server sorts texts otherwise than the indexes of the database."""
    if not databases or connection.vendor != "postgresql" or connection.get_database_version() < (15,):
        return []
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT datcollversion, pg_database_collation_actual_version(oid) FROM pg_database"
            " WHERE datname = current_database()"
        )
        stored, actual = cursor.fetchone()
    risk = f"The collation of the database has version {stored}, the server's has {actual}."
    hint = "Run REINDEX DATABASE, then ALTER DATABASE ... REFRESH COLLATION VERSION."
    return [] if stored == actual else [checks.Warning(risk, hint, id="sailing.W010")]
