"""Environment variables: bad ones end the start with one line; `check --deploy` names those with a risk."""

import re
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import quote, urlencode

import environ
import pytest
from django.core import checks
from pytest_django import Settings

from sailing import environment
from sailing.operations import checks as operations_checks
from tests import processes

KEY = "8d1f5bd4a9c74a6d3f1c0a8e2b97cd54"
OTHER_KEY = "qRz0v7LkN1sWm4Xy8TbHc2Jd6FgPaUeO"
GOOD = {
    "SECRET_KEY": KEY,
    "ALLOWED_HOSTS": "sailing.example",
    "DATABASE_URL": "sqlite://:memory:",
    "EMAIL_URL": "smtp+tls://mail.example:587",
    "DEFAULT_FROM_EMAIL": "Sailing <hello@sailing.example>",
    "OPERATOR_NAME": "Sailing & Co.",
    "OPERATOR_ADDRESS": "Nábřežní 7, 120 00 Praha 2",
    "CONTACT_EMAIL": "ahoy@sailing.example",
}
LoadSettings = Callable[..., dict[str, Any]]


@pytest.fixture
def load_settings(monkeypatch: pytest.MonkeyPatch) -> LoadSettings:
    """Return a function that runs sailing/settings.py with the given changes to valid variables."""

    def load(environ_type: type[dict[str, str]] = dict, **changes: str) -> dict[str, Any]:
        monkeypatch.setattr(environ.Env, "read_env", lambda path: None)
        monkeypatch.setattr(environ.Env, "ENVIRON", environ_type({**GOOD, **changes}))
        return runpy.run_path(str(processes.ROOT / "sailing" / "settings.py"))

    return load


def test_settings_read_exactly_the_known_variables(load_settings: LoadSettings) -> None:
    names = set()

    class RecordingEnviron(dict[str, str]):
        def get(self, name: str, default: Any = None) -> Any:
            names.add(name)
            return super().get(name, default)

    load_settings(environ_type=RecordingEnviron)
    assert names == environment.VARIABLES


@pytest.mark.parametrize(
    "name", ["EMAIL_URL", "DEFAULT_FROM_EMAIL", "OPERATOR_NAME", "OPERATOR_ADDRESS", "CONTACT_EMAIL"]
)
def test_mail_and_operator_are_required_in_production_only(load_settings: LoadSettings, name: str) -> None:
    with pytest.raises(environment.BadSetting, match=f"^Sailing cannot start: {name} is missing.$"):
        load_settings(**{name: " "})
    assert load_settings(**{name: ""}, DEBUG="true")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("sqlite://:memory:", {"NAME": ":memory:"}),
        ("sqlite:///db.sqlite3", {"NAME": str(processes.ROOT / "db.sqlite3")}),
        (
            "postgres://sailing:p%40s%2Fs@db.example:5433/boats",
            {"USER": "sailing", "PASSWORD": "p@s/s", "HOST": "db.example", "PORT": 5433, "NAME": "boats"},
        ),
        ("postgres:///sailing?host=/run/postgresql", {"NAME": "sailing", "HOST": ""}),
    ],
)
def test_database_url_is_read(load_settings: LoadSettings, url: str, expected: dict[str, Any]) -> None:
    assert load_settings(DATABASE_URL=url)["DATABASES"]["default"].items() >= expected.items()


def test_options_of_the_database_url_replace_ours(load_settings: LoadSettings) -> None:
    given = {"sslmode": "verify-full", "options": "-c search_path=sailing", "tcp_user_timeout": 5000}
    url = f"postgres://db.example/sailing?{urlencode(given, quote_via=quote)}"
    options = load_settings(DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"]
    assert options.items() >= {"connect_timeout": 3, **given}.items()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {"SITE_URL": "https://sailing.example", "ADMIN_SECOND_FACTOR": True}),
        *(
            ({"EMAIL_URL": "consolemail://", **local}, {"EMAIL_PROVIDER": ""})
            for local in ({"ALLOWED_HOSTS": "localhost,127.0.0.1"}, {"DEBUG": "true"})
        ),
        (
            {"ALLOWED_HOSTS": "other.example,SAILING.example", "SITE_URL": "https://sailing.example:8443"},
            {"SITE_URL": "https://sailing.example:8443"},
        ),
        ({"SITE_URL": "http://sailing.example"}, {"ADMIN_SECOND_FACTOR": False}),
        ({"EMAIL_URL": "smtp+ssl://mail.example"}, {"EMAIL_PORT": 465}),
        ({"EMAIL_URL": "smtp+tls://mail.example"}, {"EMAIL_PORT": 587}),
        ({"MAIL_ONLY_TO": "plachtění.example"}, {"MAIL_ONLY_TO": ["xn--plachtn-eza62b.example"]}),
        (
            {"DEFAULT_FROM_EMAIL": '"Plachty, s.r.o." <ahoj@plachtění.example>'},
            {"DEFAULT_FROM_EMAIL": '"Plachty, s.r.o." <ahoj@xn--plachtn-eza62b.example>'},
        ),
    ],
)
def test_value_is_read(
    load_settings: LoadSettings, changes: dict[str, str], expected: dict[str, Any]
) -> None:
    assert load_settings(**changes).items() >= expected.items()


@pytest.mark.parametrize(
    ("provider", "setting"),
    [("mailgun", "MAILGUN_WEBHOOK_SIGNING_KEY"), ("mandrill", "MANDRILL_WEBHOOK_KEY")],
)
def test_provider_reports_by_its_webhook(load_settings: LoadSettings, provider: str, setting: str) -> None:
    given = {"EMAIL_WEBHOOK_SECRET": f"provider:{OTHER_KEY}", "EMAIL_WEBHOOK_SIGNING_KEY": "key-2"}
    found = load_settings(EMAIL_PROVIDER=provider, **given)["ANYMAIL"]
    assert (found["WEBHOOK_SECRET"], found[setting]) == tuple(given.values())


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("SECRET_KEY", "S3cr", "32 bytes"),
        ("SECRET_KEY", "0012300123111233322211000112233321", "random"),
        ("SECRET_KEY", "Change-Me!-S3cr8d1f5bd4a9c74a6d3f1c0a8e2b97cd54", "must be random"),
        ("SECRET_KEY_FALLBACKS", f"{OTHER_KEY},S3cr", "32 bytes"),
        ("METRICS_TOKEN", "S3cr", "32 bytes"),
        ("EMAIL_WEBHOOK_SECRET", "user:S3cr", "user:password"),
        ("ALLOWED_HOSTS", "https://sailing.example", "host names"),
        ("SITE_URL", "sailing.example", "https://example.org"),
        ("SITE_URL", "https://www.sailing.example", "ALLOWED_HOSTS"),
        ("CORS_ALLOWED_ORIGINS", "https://a.example/path", "https://example.org"),
        ("DEBUG", "maybe", "true or false"),
        ("BIND", "0.0.0.0:8000", "an address"),
        ("PORT", "70000", "whole number"),
        ("TRUSTED_PROXY_COUNT", "0", "from 1 to 10"),  # with https
        ("SUBSCRIBE_RATE", "20/m,60/d", "a rate like"),
        ("GA_MEASUREMENT_ID", "UA-1", "G-ABC123"),
        ("SENTRY_DSN", "sentry", "Sentry"),
        ("TIME_ZONE", "Europe/Atlantis", "like Europe/Prague"),
        ("DATABASE_URL", "", "is missing"),
        ("DATABASE_URL", "mysql://host/S3cr", "sqlite:///file"),
        ("DATABASE_URL", "sqlite://db.sqlite3", "sqlite:///file"),  # would be a host
        ("DATABASE_URL", "postgres://sailing:S3cr:t@db.example:port/sailing", "percent-encode"),
        ("EMAIL_URL", "pigeon://S3cr", "smtp+tls://"),
        ("EMAIL_URL", "smtp+tls://u:S3cr#t@mail.example", "percent-encode"),
        ("EMAIL_URL", "smtps://mail.example", "smtp+ssl://"),
        ("EMAIL_URL", "consolemail://", "sends nothing"),
        ("EMAIL_URL", "filemail:///tmp/mails", "absolute"),
        ("EMAIL_PROVIDER", "pigeon", "one of brevo"),
        ("DEFAULT_FROM_EMAIL", "Plachty, s.r.o. <hello@sailing.example>", "in quotes"),
        ("DEFAULT_FROM_EMAIL", "Sailing\r\nBcc: all@post.cz <hello@sailing.example>", "must be"),
        ("DEFAULT_FROM_EMAIL", "Plachtěn\udced <hello@sailing.example>", "must be"),  # no UTF-8
        ("CONTACT_EMAIL", "Sailing <ahoy@sailing.example>", "hello@example.org"),
        ("MAIL_ONLY_TO", ",", "empty list"),  # everybody would get email
        ("MAIL_ONLY_TO", "example.org,*.example.com", "hello@example.org"),
    ],
)
def test_bad_value_is_refused_in_one_line_without_a_secret(
    load_settings: LoadSettings, name: str, value: str, reason: str
) -> None:
    with pytest.raises(environment.BadSetting) as refusal:
        load_settings(**{name: value})
    message = str(refusal.value)
    assert re.fullmatch(f"Sailing cannot start: {name} [^\n]*{re.escape(reason)}[^\n]*", message)
    assert "S3cr" not in message


def test_site_url_is_required_for_many_hosts(load_settings: LoadSettings) -> None:
    with pytest.raises(environment.BadSetting, match="SITE_URL is missing"):
        load_settings(ALLOWED_HOSTS=".herokuapp.com")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("DATABASE_URI=sqlite://:memory:", r"DATABASE_URI \(in \.env\) is not a setting"),
        *(
            (f"OPERATOR_NAME={value}", r"OPERATOR_NAME \(in \.env\) must have no backslash and no open quote")
            for value in ('"Sail', "'Sail", "Sail\\")
        ),
        *(
            (line, r"line 2 of \.env must be NAME=value")
            for line in ("DEBUG = true", "  DEBUG=true", "export DEBUG=1", "s3cr3t", "\ufeffDEBUG=1")
        ),
    ],
)
def test_bad_line_of_the_env_file_is_refused_without_its_text(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / ".env"
    file.write_text(f"# s3cr3t below\n{line}s3cr3t\n", encoding="utf-8")
    with pytest.raises(environment.BadSetting, match=reason) as refusal:
        environment.read_file(file)
    assert "s3cr3t" not in str(refusal.value)


def test_quotes_inside_a_value_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environ.Env, "ENVIRON", {})
    lines = {"OPERATOR_NAME": '"O\'Brien"', "DEFAULT_FROM_EMAIL": '"Sails, Inc." <a@example.org>'}
    file = tmp_path / ".env"
    file.write_text("".join(f"{name}={value}\n" for name, value in lines.items()), encoding="utf-8")
    environment.read_file(file)
    assert environment.read("OPERATOR_NAME") == "O'Brien"
    assert environment.read("DEFAULT_FROM_EMAIL") == lines["DEFAULT_FROM_EMAIL"]


def test_production_settings_pass_the_deployment_checks() -> None:
    public = {"SITE_URL": "https://sailing.example", "ALLOWED_HOSTS": "sailing.example"}
    secure = {"TRUSTED_PROXY_COUNT": "1", "ADMIN_SECOND_FACTOR": "true"}
    processes.manage("check", "--deploy", "--fail-level=WARNING", **public, **secure)


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
    assert not operations_checks.check_collation(["default"])  # which is really read
    database = mock.MagicMock(vendor="postgresql")
    database.get_database_version.return_value = (15,)
    database.cursor.return_value.__enter__.return_value.fetchone.return_value = (version, actual)
    monkeypatch.setattr(operations_checks, "connection", database)
    found = [message.msg for message in checks.run_checks(databases=["default"])]
    assert any("collation" in text for text in found) is is_named
