"""The database that the site sends mails from: a restored or copied one sends nothing until an admin agrees.

A backup holds mails that were waiting and campaigns under way. Whoever restores it, or copies it to try
something, must not mail everyone again. So the database keeps its own identity, which no copy has.
"""

import os
from typing import Any

import structlog
from django.conf import settings
from django.db import connection, transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from sailing.jobs.models import UNFINISHED, Job, JobState
from sailing.mail.models import Installation, MailState, OutboxEmail

NOT_SENT = "Not sent, because the database was restored or copied."
"""The last error of mails that waited in a backup."""

Report = list[tuple[str | Promise, int]]
"""What was ended or paused, and how much of it."""

database_restored: Any = Signal()
"""The work in the database is being stopped. A receiver stops that of its app, in the same transaction, and
returns a `Report`."""

logger = structlog.get_logger(__name__)


def read_identity() -> str:
    """Return what tells this database from its copies.

    PostgreSQL: the cluster, the database, and the table of the identity. Any restore creates a new table,
    even into the same database; migrations and a failover keep all three. SQLite: the file.
    """
    table = Installation._meta.db_table
    if connection.vendor != "postgresql":
        name = str(connection.settings_dict["NAME"])
        return f"{name} {os.stat(name).st_ino}" if os.path.exists(name) else "memory"
    with connection.cursor() as cursor:
        # Some hosts do not let their customers call it.
        cursor.execute("SELECT has_function_privilege('pg_control_system()', 'execute')")
        cluster = "(SELECT system_identifier FROM pg_control_system())" if cursor.fetchone()[0] else "0"
        cursor.execute(
            f"SELECT {cluster}, oid, %s::regclass::oid FROM pg_database WHERE datname = current_database()",  # noqa: S608
            [table],
        )
        return " ".join(map(str, cursor.fetchone()))


def may_send() -> bool:
    """Return whether the site may send mails from this database. A new one gets its identity here."""
    installation, _is_new = Installation.objects.get_or_create(pk=1, defaults=_describe())
    return installation.identity == read_identity()


def is_copy() -> bool:
    """Return whether this is a copy of the database that the site sent mails from."""
    identity = Installation.objects.filter(pk=1).values_list("identity", flat=True).first()
    return identity is not None and identity != read_identity()


def adopt() -> None:
    """Let the site send mails from this database."""
    Installation.objects.update_or_create(pk=1, defaults=_describe())


def read_other_site() -> str | None:
    """Return the SITE_URL that the database was last used with, if it was another, as in a copy."""
    others = Installation.objects.filter(pk=1).exclude(site_url__in=["", settings.SITE_URL])
    return others.values_list("site_url", flat=True).first()


def warn_about_other_site() -> None:
    """Log a warning if the database was last used with another SITE_URL."""
    if known := read_other_site():
        logger.warning("database_of_another_site", site_url=settings.SITE_URL, last_site_url=known)


def stop_restored_work(*, is_trial: bool = False) -> Report:
    """End the mails, campaigns and jobs that waited in a backup, and let the site send mails again.

    An admin can still send each mail, resume each campaign and continue each job. `is_trial`: only count.
    """
    with transaction.atomic():
        now = timezone.now()
        jobs = Job.objects.filter(state__in=UNFINISHED).update(state=JobState.CANCELLED, finished_at=now)
        mails = OutboxEmail.objects.filter(state=MailState.WAITING)
        count = mails.update(state=MailState.FAILED, last_error=NOT_SENT, next_attempt_at=now)
        report: Report = [(_("Emails that are not sent"), count), (_("Jobs that are canceled"), jobs)]
        for _receiver, more in database_restored.send(sender=Installation):
            report += more
        adopt()
        if is_trial:
            transaction.set_rollback(True)
    if not is_trial:
        logger.warning("restored_work_stopped", mails=count, jobs=jobs)
    return report


def _describe() -> dict[str, str]:
    return {"identity": read_identity(), "site_url": settings.SITE_URL}
