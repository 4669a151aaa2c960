"""`manage.py check --deploy`: it names risky settings."""

import subprocess
import sys
from typing import Any
from unittest import mock

import pytest
from django.core import checks
from pytest_django import Settings

from sailing.operations import checks as operations_checks
from tests.processes import ROOT, environment


def test_production_settings_pass_the_deployment_checks() -> None:
    process = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level=WARNING"],
        cwd=ROOT,
        env=environment(
            SITE_URL="https://sailing.example",
            ALLOWED_HOSTS="sailing.example",
            TRUSTED_PROXY_COUNT="1",
            ADMIN_SECOND_FACTOR="true",
        ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")


PLAIN_SMTP = {"EMAIL_HOST_PASSWORD": "secret", "EMAIL_HOST": "mail.example"}
RISKS: list[tuple[str, dict[str, Any]]] = [
    ("SITE_URL", {"SITE_URL": "http://sailing.example"}),
    ("ALLOWED_HOSTS", {"ALLOWED_HOSTS": ["sailing.example", "*"]}),
    ("ADMIN_SECOND_FACTOR", {"ADMIN_SECOND_FACTOR": False}),
    ("EMAIL_URL", {"EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend"}),
    ("EMAIL_URL", PLAIN_SMTP),
    *(("", PLAIN_SMTP | {name: True}) for name in ("EMAIL_USE_TLS", "EMAIL_USE_SSL")),
    ("", PLAIN_SMTP | {"EMAIL_HOST": "localhost"}),
    ("", PLAIN_SMTP | {"EMAIL_HOST_PASSWORD": ""}),
    ("MAIL_ONLY_TO", {"MAIL_ONLY_TO": frozenset({"example.org"})}),
    ("EMAIL_WEBHOOK_SECRET", {"EMAIL_PROVIDER": "postmark"}),
]
"""The setting that is named, blank for none, and what is set."""


@pytest.fixture
def production(settings: Settings) -> Settings:
    """Return settings of a public site without a risk."""
    settings.SITE_URL = "https://sailing.example"
    settings.ALLOWED_HOSTS, settings.ADMIN_SECOND_FACTOR = ["sailing.example"], True
    settings.SECURE_SSL_REDIRECT = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    settings.SECURE_HSTS_SECONDS = 1_000_000
    return settings


def list_risks() -> list[str]:
    """Return the warnings of `manage.py check --deploy` about security."""
    found = checks.run_checks(tags=[checks.Tags.security], include_deployment_checks=True)
    return [message.msg for message in found if not message.is_silenced()]


@pytest.mark.parametrize(("name", "changes"), RISKS)
def test_deployment_check_warns(production: Settings, name: str, changes: dict[str, Any]) -> None:
    assert not list_risks()
    for key, value in changes.items():
        setattr(production, key, value)
    assert [risk.partition(" ")[0] for risk in list_risks()] == [name] * bool(name)
    assert not checks.run_checks(tags=[checks.Tags.security])


@pytest.mark.parametrize(("version", "actual", "is_named"), [("2.36", "2.36", False), ("2.36", "2.41", True)])
def test_database_whose_texts_are_sorted_otherwise_is_named(
    monkeypatch: pytest.MonkeyPatch, db: None, version: str, actual: str, is_named: bool
) -> None:
    database = mock.MagicMock(vendor="postgresql")
    database.get_database_version.return_value = (15,)
    database.cursor.return_value.__enter__.return_value.fetchone.return_value = (version, actual)
    monkeypatch.setattr(operations_checks, "connection", database)
    found = [message.msg for message in checks.run_checks(databases=["default"])]
    assert any("collation" in text for text in found) is is_named


def test_collation_is_read_from_the_database(db: None) -> None:
    assert not operations_checks.check_collation(["default"])
