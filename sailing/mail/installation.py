"""A restored or copied database sends nothing until an admin agrees (docs/decisions/024)."""

import os
from typing import Any

import structlog
from django.db import connection, transaction
from django.dispatch import Signal
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from sailing.database import Now
from sailing.jobs.models import UNFINISHED, Job, JobState
from sailing.mail.models import Installation, MailState, OutboxEmail

NOT_SENT = "Not sent, because the database was restored or copied."  # the last error of such mails
Report = list[tuple[str | Promise, int]]  # what was ended or paused, and how much of it
database_restored: Any = Signal()  # a receiver stops the work of its app and returns a `Report`

logger = structlog.get_logger(__name__)


def read_identity() -> str:
    """Return what tells this database from its copies: any restore creates a new file or table."""
    if connection.vendor != "postgresql":
        name = str(connection.settings_dict["NAME"])
        return f"{name} {os.stat(name).st_ino}" if os.path.exists(name) else "memory"
    with connection.cursor() as cursor:
        # Some hosts do not let their customers ask.
        cursor.execute("SELECT has_function_privilege('pg_control_system()', 'execute')")
        cluster = "(SELECT system_identifier FROM pg_control_system())" if cursor.fetchone()[0] else "0"
        cursor.execute(
            f"SELECT {cluster}, oid, %s::regclass::oid FROM pg_database WHERE datname = current_database()",  # noqa: S608
            [Installation._meta.db_table],
        )
        return " ".join(map(str, cursor.fetchone()))


def is_copy() -> bool:
    """Return whether the site sent mails from another database before."""
    if known := Installation.objects.get().identity:
        return known != read_identity()
    adopt()
    return False


def adopt() -> None:
    """Let the site send mails from this database."""
    Installation.objects.update(identity=read_identity())


def stop_restored_work() -> Report:
    """End what waited in a backup, which an admin can continue, and let the site send mails again."""
    with transaction.atomic():
        jobs = Job.objects.filter(state__in=UNFINISHED).update(state=JobState.CANCELLED, finished_at=Now())
        mails = OutboxEmail.objects.filter(state=MailState.WAITING).update(
            state=MailState.FAILED, last_error=NOT_SENT, next_attempt_at=Now()
        )
        report: Report = [(_("Emails that are not sent"), mails), (_("Jobs that are canceled"), jobs)]
        for _receiver, more in database_restored.send(sender=Installation):
            report += more
        adopt()
    logger.warning("restored_work_stopped", mails=mails, jobs=jobs)
    return report
