"""`manage.py doctor` names what is wrong, and fails if there is a problem."""

import errno
import re
import shutil
import tempfile
from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from dns import resolver
from pytest_django import Settings

from sailing import database
from sailing.jobs import claims, heartbeats
from sailing.jobs.models import WorkerHeartbeat
from sailing.mail import installation
from sailing.mail.models import Installation
from sailing.operations import doctor
from tests.database import failing_database
from tests.mailbox import create_mail
from tests.processes import free_port

pytestmark = pytest.mark.django_db

Examine = Callable[..., list[str]]
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def _healthy(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let there be nothing to find."""
    settings.SITE_URL, settings.ADMIN_SECOND_FACTOR = "https://sailing.example", True
    settings.SECURE_SSL_REDIRECT = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS = 1_000_000
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=10**9))
    for part in heartbeats.PARTS:
        heartbeats.Heartbeat(part).renew_if_due()


@pytest.fixture
def examine(capsys: pytest.CaptureFixture[str]) -> Examine:
    """Return a function that runs the command and returns its lines, the last one with its exit status."""

    def run(**options: Any) -> list[str]:
        status = "status 0"
        try:
            call_command("doctor", **options)
        except CommandError as error:
            status = f"status 1: {error}"
        return [*capsys.readouterr().out.splitlines(), status]

    return run


def find_trouble(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("ok ")]


def test_each_subject_of_a_healthy_site_has_a_line(examine: Examine) -> None:
    lines = examine()
    assert find_trouble(lines) == ["status 0"]
    subjects = {re.split(r"\s{2,}", line)[1].partition(" ")[0] for line in lines[:-1]}
    assert subjects >= {"settings", "disk", "database", "clock", "timeouts", "migrations", "size", "worker"}
    assert subjects >= {"mails", "jobs", "campaigns", "retention", "mail"}


def copy_database() -> None:
    installation.adopt()
    Installation.objects.update(identity="another database")


NO_FOLDER = FileNotFoundError(errno.ENOENT, "No such file or directory")
"""As with a `DATABASE_URL` of SQLite in a folder that does not exist."""


def assert_problem(examine: Examine, subject: str, text: str) -> None:
    lines = find_trouble(examine())
    assert re.match(rf"PROBLEM  {subject} .*{text}", lines[0])
    assert lines[-1] == f"status 1: There are problems: {', '.join([subject] * (len(lines) - 1))}."
    if subject not in doctor.NEEDED_FOR_A_RELEASE:
        assert examine(release=True)[-1] == "status 0"


@pytest.mark.parametrize(
    ("module", "name", "fake", "subject", "text"),
    [
        (database, "is_statement_timeout_set", lambda _connection: False, "timeouts", "no statement timeout"),
        (claims, "now", lambda: timezone.now() - 6 * MINUTE, "clock", r"36\d s ahead of the database"),
        (shutil, "disk_usage", lambda _folder: SimpleNamespace(free=0), "disk", "0 bytes left"),
        (shutil, "disk_usage", mock.Mock(side_effect=NO_FOLDER), "disk", ": No such file or directory"),
        (tempfile, "gettempdir", mock.Mock(side_effect=FileNotFoundError), "disk", "TMPDIR"),
    ],
)
def test_problem_of_the_machine_is_named(
    examine: Examine,
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    name: str,
    fake: Any,
    subject: str,
    text: str,
) -> None:
    monkeypatch.setattr(module, name, fake)
    assert_problem(examine, subject, text)


@pytest.mark.parametrize(
    ("break_it", "subject", "text"),
    [
        (
            lambda: MigrationRecorder(connection).migration_qs.filter(app="jobs").delete(),
            "migrations",
            "pending: manage.py migrate",
        ),
        (
            lambda: WorkerHeartbeat.objects.filter(part="mails").update(at=timezone.now() - 4 * MINUTE),
            "worker",
            r"No worker is running, .* \(24\d s of at most 180 s\)",
        ),
        (
            lambda: WorkerHeartbeat.objects.filter(part="jobs").delete(),
            "worker",
            "no worker has handled jobs yet",
        ),
        (lambda: create_mail(next_attempt_at=timezone.now() - 9 * MINUTE), "mails", "Emails wait. "),
        (copy_database, "sending", "run manage.py after_restore"),
    ],
)
def test_problem_in_the_database_is_named(
    examine: Examine, break_it: Callable[[], object], subject: str, text: str
) -> None:
    break_it()
    assert_problem(examine, subject, text)


def test_unreachable_database_fails_a_release(examine: Examine) -> None:
    for options in ({}, {"release": True}):
        with failing_database():
            lines = find_trouble(examine(**options))
        assert lines == [
            "PROBLEM  database    database unavailable",
            "status 1: There are problems: database.",
        ]


def test_what_is_risky_or_unusual_is_a_warning(examine: Examine, settings: Settings) -> None:
    settings.ADMIN_SECOND_FACTOR = False
    MigrationRecorder(connection).record_applied("jobs", "9999_of_the_next_release")
    MigrationRecorder(connection).record_applied("jobs", "0000_squashed_long_ago")
    risk, migration, status = find_trouble(examine())
    assert risk.startswith("warning  settings    ADMIN_SECOND_FACTOR is off")
    assert migration.startswith("warning  migrations  1 of a newer release")
    assert status == "status 0"


def test_unreachable_mail_server_is_named_but_not_before_a_release(
    examine: Examine, settings: Settings
) -> None:
    settings.EMAIL_BACKEND = "sailing.mail.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", free_port()
    problem, status = find_trouble(examine())
    assert re.match(r"PROBLEM  mail server 127.0.0.1:\d+: ConnectionRefusedError", problem)
    assert status.startswith("status 1")
    assert not any("mail server" in line for line in examine(release=True))
    status = examine(release=True, send_test_mail="jana@example.org")[-1]
    assert status.startswith("status 1: The test mail was not sent: ConnectionRefusedError")


def test_mail_error_that_is_none_of_the_network_is_named_too(examine: Examine, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "sailing.mail.smtp.EmailBackend"
    settings.EMAIL_HOST = "smtp..example.org"  # a provider's refusal and an odd password raise others
    problem, _status = find_trouble(examine())
    assert re.match(r"PROBLEM  mail server smtp\.\.example\.org:\d+: UnicodeError", problem)
    status = examine(release=True, send_test_mail="jana@example.org")[-1]
    assert status.startswith("status 1: The test mail was not sent: UnicodeError")


def test_mail_is_sent_when_asked(examine: Examine) -> None:
    examine()
    assert not mail.outbox
    assert "accepted a test mail to jana@example.org" in examine(send_test_mail="jana@example.org")[-2]
    message: EmailMessage
    (message,) = mail.outbox
    assert (message.to, message.from_email) == (["jana@example.org"], "Sailing <hello@sailing.example>")


RECORDS = {
    ("news.sailing.example", "MX"): ["10 mx.sailing.example."],
    ("news.sailing.example", "TXT"): ['"v=spf1 include:mail.example" " -all"', '"something else"'],
    ("_dmarc.sailing.example", "TXT"): ['"v=DMARC1; p=none"'],
    ("key._domainkey.news.sailing.example", "TXT"): ['"v=DKIM1; p=abc"'],
}


class TestDns:
    @pytest.fixture(autouse=True)
    def _records(self, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        settings.DEFAULT_FROM_EMAIL = "Sailing <hello@news.sailing.example>"
        self.records = dict(RECORDS)

        def resolve(name: str, kind: str, **_options: Any) -> list[Any]:
            if (name, kind) not in self.records:
                raise resolver.NXDOMAIN
            return [SimpleNamespace(to_text=lambda text=text: text) for text in self.records[name, kind]]

        monkeypatch.setattr(resolver, "resolve", resolve)

    def test_records_of_the_sender_are_shown(self, examine: Examine) -> None:
        lines = examine(dns="key")
        assert find_trouble(lines) == ["status 0"]
        assert "ok       SPF         news.sailing.example: v=spf1 include:mail.example -all" in lines
        assert any(line.startswith("ok       DMARC ") for line in lines)
        assert any(line.startswith("ok       DKIM ") for line in lines)

    def test_missing_and_doubled_records_are_warnings(self, examine: Examine) -> None:
        self.records = {("news.sailing.example", "TXT"): 2 * ['"v=spf1 -all"']}
        mx, spf, dmarc, dkim, status = find_trouble(examine(dns="key"))
        assert "v=spf1 -all, v=spf1 -all" in spf
        assert all(line.endswith("no record") for line in (mx, dmarc, dkim))
        assert status == "status 0"

    @pytest.mark.parametrize(
        ("parent", "found"),
        [
            (
                "news.sailing.co.example",
                "ok       DMARC       _dmarc.news.sailing.co.example: v=DMARC1; p=none",
            ),
            ("sailing.co.example", "ok       DMARC       _dmarc.sailing.co.example: v=DMARC1; p=none"),
            ("example", "warning  DMARC       _dmarc.mail.news.sailing.co.example: no record"),
        ],
    )
    def test_policy_of_a_parent_that_is_no_top_level_domain_is_found_and_named(
        self, examine: Examine, settings: Settings, parent: str, found: str
    ) -> None:
        settings.DEFAULT_FROM_EMAIL = "hello@mail.news.sailing.co.example"
        self.records[f"_dmarc.{parent}", "TXT"] = ['"v=DMARC1; p=none"']
        assert found in examine(dns="")

    def test_dns_that_does_not_answer_is_a_problem(
        self, examine: Examine, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(resolver, "resolve", mock.Mock(side_effect=resolver.NoNameservers))
        assert examine(dns="")[-1] == "status 1: There are problems: MX, SPF, DMARC."
        assert not any("SPF" in line for line in examine()), "nothing is looked up unless asked"
