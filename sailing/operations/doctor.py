"""What `manage.py doctor` checks: the settings, and what the site needs to run and to send mails.

Each check yields findings, one line each. A check that reads the database ends at its first outage.
"""

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parseaddr
from pathlib import Path

from django.conf import settings
from django.core import checks
from django.core.mail import get_connection
from django.db import DatabaseError, InterfaceError, connection
from django.template.defaultfilters import filesizeformat

from sailing import database
from sailing.errors import describe_outage, is_database_unavailable
from sailing.jobs import claims, heartbeats
from sailing.mail import installation, replies
from sailing.operations import health, release
from sailing.operations.queues import read_watches

OK, WARNING, PROBLEM = "ok", "warning", "PROBLEM"

NEEDED_FOR_A_RELEASE = {"settings", "database"}
"""The subjects without which a release cannot start. It may well be the remedy for other problems."""

MIN_FREE_BYTES = 250 * 1024**2
"""Of a disk."""

DNS_SECONDS = 5.0


@dataclass(frozen=True)
class Finding:
    """What is right or wrong about a subject. `status` is one of OK, WARNING and PROBLEM."""

    subject: str
    status: str
    text: str

    def __str__(self) -> str:
        return f"{self.status:<8} {self.subject:<11} {self.text}"


def examine(*, is_release: bool = False) -> Iterator[Finding]:
    """Check the site. `is_release`: ask no server but the database, which `migrate` changes next."""
    yield from check_settings()
    yield from check_disks()
    try:
        yield from check_database(is_release=is_release)
    except (DatabaseError, InterfaceError) as error:
        reason = describe_outage(error) if is_database_unavailable(error) else type(error).__name__
        yield Finding("database", PROBLEM, reason)
    if not is_release:
        yield check_mail_server()


def check_settings() -> Iterator[Finding]:
    """Name the risky settings, as `manage.py check --deploy` does."""
    found = [each for each in checks.run_checks(include_deployment_checks=True) if not each.is_silenced()]
    for message in found:
        yield Finding("settings", PROBLEM if message.level >= checks.ERROR else WARNING, message.msg)
    if not found:
        yield Finding("settings", OK, "no risk")


def check_disks() -> Iterator[Finding]:
    """Measure the disks of this machine that the site writes to."""
    folders = set()
    try:
        folders.add(Path(tempfile.gettempdir()))
    except FileNotFoundError:
        yield Finding("disk", PROBLEM, "no folder takes temporary files: name one in TMPDIR")
    if connection.vendor == "sqlite":
        folders.add(Path(connection.settings_dict["NAME"]).parent)
    for folder in sorted(folders):
        try:
            free = shutil.disk_usage(folder).free
        except OSError as error:
            yield Finding("disk", PROBLEM, f"{folder}: {error.strerror}")
            continue
        status = OK if free >= MIN_FREE_BYTES else PROBLEM
        yield Finding("disk", status, f"{folder} has {_format_size(free)} left")


def check_database(*, is_release: bool) -> Iterator[Finding]:
    """Check the database, and what the worker has left there. Raises database errors."""
    connection.ensure_connection()
    yield Finding("database", OK, ", ".join(release.read_versions()))
    yield _check_clock()
    if connection.vendor == "postgresql":
        has_pooler = database.has_pooler(connection)
        advice = "yes, so migrate at the address of the database itself"
        yield Finding("pooler", OK, advice if has_pooler else "none")
    if database.is_statement_timeout_set(connection):
        yield Finding("timeouts", OK, "in force")
    else:
        missing = "no statement timeout is in force (docs/deploy.md, PgBouncer)"
        yield Finding("timeouts", PROBLEM, missing)
    migrations = release.compare_migrations()
    if migrations.pending:  # so tables may be missing
        status = OK if is_release else PROBLEM
        yield Finding("migrations", status, f"{migrations.pending} pending: manage.py migrate")
        return
    if migrations.newer:
        newer = f"{migrations.newer} of a newer release, which runs too or ran before"
        yield Finding("migrations", WARNING, newer)
    else:
        yield Finding("migrations", OK, "none pending")
    if health.is_read_only():
        yield Finding("database", PROBLEM, "database read-only")
    else:
        database.try_to_store(connection)
    yield Finding("size", OK, _format_size(database.read_size(connection)))
    yield from _check_sending()


def _check_clock() -> Finding:
    seconds = claims.measure_clock_offset()
    if abs(seconds) <= claims.MAX_CLOCK_OFFSET_SECONDS:
        return Finding("clock", OK, "agrees with the clock of the database")
    side = "ahead of" if seconds > 0 else "behind"
    return Finding("clock", PROBLEM, f"this machine is {abs(seconds)} s {side} the database")


def _check_sending() -> Iterator[Finding]:
    """Check whether the site may send from this database, whether a worker runs, and what waits."""
    if installation.is_copy():
        copy = "this database was restored or copied: run manage.py after_restore, until then nothing is sent"
        yield Finding("sending", PROBLEM, copy)
    never_run = heartbeats.list_never_run()
    for state in read_watches():
        subject = state.watch.name.removesuffix("_due").removesuffix("_heartbeat")
        seconds = f"{state.seconds} s of at most {state.watch.limit.total_seconds():.0f} s"
        if subject == "worker" and never_run:
            yield Finding(subject, PROBLEM, f"no worker has handled {' and '.join(never_run)} yet")
        elif state.is_overdue:
            yield Finding(subject, PROBLEM, f"{state.watch.problem} ({seconds})")
        else:
            yield Finding(subject, OK, seconds if state.since else "nothing waits")


def check_mail_server() -> Finding:
    """Connect and sign in to the mail server. Other ways of sending show nothing without a mail."""
    if not settings.EMAIL_BACKEND.endswith("smtp.EmailBackend"):
        name = settings.EMAIL_BACKEND.split(".")[-2]
        return Finding("mail server", OK, f"{name}, which only --send-test-mail can check")
    address = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        with get_connection():
            return Finding("mail server", OK, f"{address} lets the site in")
    except Exception as error:  # noqa: BLE001 - backends raise various errors
        return Finding("mail server", PROBLEM, f"{address}: {replies.describe(error)}")


def check_sender_domain(selector: str) -> Iterator[Finding]:
    """Look up what receivers look up about the sender's domain. `selector`: of its DKIM key, if known."""
    from dns.exception import DNSException  # imported here because only this check needs it

    domain = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2]
    labels = domain.split(".")
    parents = [".".join(labels[start:]) for start in range(1, len(labels) - 1)]
    lookups = {
        "MX": ("MX", "", [domain]),
        "SPF": ("TXT", "v=spf1", [domain]),
        # A domain without its own has that of its organization, which is one of its parents.
        "DMARC": ("TXT", "v=DMARC1", [f"_dmarc.{name}" for name in (domain, *parents)]),
    }
    if selector:
        lookups["DKIM"] = ("TXT", "", [f"{selector}._domainkey.{domain}"])
    for subject, (kind, beginning, names) in lookups.items():
        try:
            name, found = _look_up_first(names, kind, beginning)
        except DNSException as error:
            yield Finding(subject, PROBLEM, f"{names[0]}: {type(error).__name__}")
            continue
        is_right = found if kind == "MX" else len(found) == 1
        yield Finding(subject, OK if is_right else WARNING, f"{name}: {', '.join(found) or 'no record'}")


def _look_up_first(names: list[str], kind: str, beginning: str) -> tuple[str, list[str]]:
    """Return the first of some names that has records, and these; otherwise the first name and none."""
    for name in names:
        if found := _look_up(name, kind, beginning):
            return name, found
    return names[0], []


def _look_up(name: str, kind: str, beginning: str) -> list[str]:
    """Return the records of a kind that begin so. Raises DNSException."""
    from dns import resolver

    try:
        answers = resolver.resolve(name, kind, lifetime=DNS_SECONDS)
    except (resolver.NXDOMAIN, resolver.NoAnswer):
        return []
    texts = [answer.to_text().replace('" "', "").strip('"') for answer in answers]
    return [text for text in texts if text.startswith(beginning)]


def _format_size(size: int) -> str:
    return filesizeformat(size).replace("\xa0", " ")
