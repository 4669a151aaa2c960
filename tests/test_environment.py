"""Environment variables: missing, unknown and invalid ones end the start with one line that names them."""

import os
import re
import runpy
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from sailing import environment

ROOT = Path(__file__).resolve().parent.parent
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
        monkeypatch.setattr(environment, "read_file", lambda path: None)
        monkeypatch.setattr(os, "environ", environ_type({**GOOD, **changes}))
        return runpy.run_path(str(ROOT / "sailing" / "settings.py"))

    return load


def test_settings_read_exactly_the_known_variables(load_settings: LoadSettings) -> None:
    names = set()

    class RecordingEnviron(dict[str, str]):
        def get(self, name: str, default: Any = None) -> Any:
            names.add(name)
            return super().get(name, default)

    load_settings(environ_type=RecordingEnviron)
    assert names == environment.VARIABLES


def test_default_rates_are_those_that_the_docs_name(load_settings: LoadSettings) -> None:
    found = load_settings()
    assert (found["SIGNIN_RATE"], found["MEMBER_RATE"]) == ("10/m", "30/m")
    assert found["MAIL_RATES"] == ["20/h", "60/d"]


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
        ("sqlite:///db.sqlite3", {"NAME": str(ROOT / "db.sqlite3")}),
        ("sqlite:////data/s%20a+b.sqlite3", {"NAME": "/data/s a+b.sqlite3"}),
        (
            "postgres://sailing:p%40s%2Fs@db.example:5433/boats",
            {"USER": "sailing", "PASSWORD": "p@s/s", "HOST": "db.example", "PORT": "5433", "NAME": "boats"},
        ),
        ("postgresql://sailing:p?s#s+:s@db.example/sailing", {"PASSWORD": "p?s#s+:s", "HOST": "db.example"}),
        ("postgres://one,two:5433/sailing", {"HOST": "one,two", "PORT": ",5433"}),
        ("postgres://[::1]:5432/sailing", {"HOST": "::1", "PORT": "5432"}),
        ("postgres://%2Fvar%2Frun%2FPostgres/sailing", {"HOST": "/var/run/Postgres", "NAME": "sailing"}),
    ],
)
def test_database_url_is_read(load_settings: LoadSettings, url: str, expected: dict[str, str]) -> None:
    assert load_settings(DATABASE_URL=url)["DATABASES"]["default"].items() >= expected.items()


def test_options_of_the_database_url_replace_ours(load_settings: LoadSettings) -> None:
    given = {"sslmode": "verify-full", "options": "-c search_path=sailing", "tcp_user_timeout": "5000"}
    url = f"postgres://db.example/sailing?{urlencode(given, quote_via=quote)}"
    options = load_settings(DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"]
    ours = {"connect_timeout": 3, "keepalives_idle": 5, "keepalives_interval": 2}
    assert options.items() >= {**ours, **given}.items()


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, {"SITE_URL": "https://sailing.example", "ADMIN_SECOND_FACTOR": True}),
        *(
            ({"EMAIL_URL": "consolemail://", **local}, {"EMAIL_PROVIDER": ""})
            for local in ({"ALLOWED_HOSTS": "localhost,127.0.0.1"}, {"DEBUG": "true"})
        ),
        ({"SITE_URL": "http://sailing.example"}, {"ADMIN_SECOND_FACTOR": False}),
        (
            {"ALLOWED_HOSTS": "other.example,SAILING.example", "SITE_URL": "https://sailing.example:8443"},
            {"SITE_URL": "https://sailing.example:8443"},
        ),
        (
            {"ALLOWED_HOSTS": ".example", "SITE_URL": "https://sailing.example"},
            {"SITE_URL": "https://sailing.example"},
        ),
        ({"EMAIL_URL": "smtp+ssl://mail.example"}, {"EMAIL_PORT": 465}),
        ({"EMAIL_URL": "smtp+tls://mail.example"}, {"EMAIL_PORT": 587}),
        ({"EMAIL_URL": "smtp+tls://mail.example:2587"}, {"EMAIL_PORT": 2587}),
        (
            {"DEFAULT_FROM_EMAIL": "Plachty, s.r.o. <ahoj@plachtění.example>"},
            {"DEFAULT_FROM_EMAIL": '"Plachty, s.r.o." <ahoj@xn--plachtn-eza62b.example>'},
        ),
        (
            {"DEFAULT_FROM_EMAIL": '"Hello @ Sailing" <hello@sailing.example>'},
            {"DEFAULT_FROM_EMAIL": '"Hello @ Sailing" <hello@sailing.example>'},
        ),
    ],
)
def test_value_is_read(
    load_settings: LoadSettings, changes: dict[str, str], expected: dict[str, Any]
) -> None:
    assert load_settings(**changes).items() >= expected.items()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"EMAIL_PROVIDER": "postmark"}, {}),
        (
            {"EMAIL_PROVIDER": "mailgun", "EMAIL_WEBHOOK_SIGNING_KEY": "key-2"},
            {"MAILGUN_WEBHOOK_SIGNING_KEY": "key-2"},
        ),
        (
            {"EMAIL_PROVIDER": "mandrill", "EMAIL_WEBHOOK_SIGNING_KEY": "key-2"},
            {"MANDRILL_WEBHOOK_KEY": "key-2"},
        ),
    ],
)
def test_provider_reports_by_its_webhook(
    load_settings: LoadSettings, given: dict[str, str], expected: dict[str, str]
) -> None:
    secret = f"provider:{OTHER_KEY}"
    found = load_settings(EMAIL_WEBHOOK_SECRET=secret, **given)
    assert found["EMAIL_PROVIDER"] == given["EMAIL_PROVIDER"]
    assert found["ANYMAIL"].items() >= {"WEBHOOK_SECRET": secret, **expected}.items()


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("SECRET_KEY", "", "is missing"),
        ("SECRET_KEY", "S3cr", "is shorter"),
        ("SECRET_KEY", "0012300123111233322211000112233321", "repeats itself"),
        ("SECRET_KEY", "Change-Me!-S3cr8d1f5bd4a9c74a6d3f1c0a8e2b97cd54", "placeholder"),
        ("SECRET_KEY_FALLBACKS", f"{OTHER_KEY},S3cr", "has an entry"),
        ("JWT_SECRET_KEY", KEY, "default"),
        ("METRICS_TOKEN", "S3cr", "is shorter"),
        ("ALLOWED_HOSTS", ",", "is missing"),
        ("ALLOWED_HOSTS", "https://sailing.example", "host name"),
        ("SITE_URL", "sailing.example", "https://example.org"),
        ("SITE_URL", "https://sailing.example:99999", "https://example.org"),
        ("SITE_URL", "https://www.sailing.example", "ALLOWED_HOSTS"),
        ("CORS_ALLOWED_ORIGINS", "https://a.example/path", "https://example.org"),
        ("DEBUG", "maybe", "true or false"),
        ("BIND", "0.0.0.0:8000", "an address"),
        ("PORT", "70000", "whole number"),
        ("PORT", "٨٠٠٠", "whole number"),
        ("TRUSTED_PROXY_COUNT", "0", "from 1 to 10"),  # with https
        ("SUBSCRIBE_RATE", "20/m,60/d", "a single rate"),
        ("MAIL_RATES", "20/h,often", "rates like"),
        ("GA_MEASUREMENT_ID", "UA-1", "G-ABC123"),
        ("SENTRY_DSN", "sentry", "Sentry"),
        ("DATABASE_URL", "", "is missing"),
        ("DATABASE_URL", "mysql://host/name", "start with"),
        ("DATABASE_URL", "sqlite://db.sqlite3", "sqlite:///file"),  # would be a host
        ("DATABASE_URL", "sqlite://", "sqlite:///file"),  # would be in memory
        ("DATABASE_URL", "sqlite:///db.sqlite3?mode=ro", "sqlite:///file"),
        ("DATABASE_URL", "postgres://db.example/sailing?pgbouncer=true", "pgbouncer"),
        ("DATABASE_URL", "postgres://db.example/sailing?sslmode=required", "sslmode"),
        ("DATABASE_URL", "postgres://db.example", "/name"),
        ("DATABASE_URL", "postgres:////var/run/postgresql/sailing", "%2Fvar%2Frun%2Fpostgresql/name"),
        ("DATABASE_URL", "postgres://sailing:S3cr@t@db.example/sailing", "percent-encode"),
        ("DATABASE_URL", "postgres://sailing:S3cr%t@db.example/sailing", "percent-encode"),
        ("DATABASE_URL", "postgres://sailing:3/S3cr?t=S3cr@db.example/sailing", "percent-encode"),
        ("EMAIL_URL", "pigeon://", "start with"),
        ("EMAIL_URL", "smtp://u:S3cr/t@mail.example", "percent-encode"),
        ("EMAIL_URL", "smtp+tls://u:S3cr#t@mail.example", "percent-encode"),
        ("EMAIL_URL", "smtp+tls://", "percent-encode"),
        ("EMAIL_URL", "consolemail://", "sends nothing"),
        ("EMAIL_URL", "filemail:///tmp/mails", "absolute folder"),
        ("EMAIL_URL", "postmark://S3cr", "start with"),
        ("EMAIL_PROVIDER", "pigeon", "one of postmark"),
        ("DEFAULT_FROM_EMAIL", "Sailing hello@sailing.example", "must be like"),
        ("DEFAULT_FROM_EMAIL", "hello@sailing.example, Sailing <ahoy@sailing.example>", "must be like"),
        ("DEFAULT_FROM_EMAIL", "Sailing\r\nBcc: all@post.cz <hello@sailing.example>", "must be like"),
        ("DEFAULT_FROM_EMAIL", "Plachtěn\udced <hello@sailing.example>", "must be like"),  # no UTF-8
        ("DEFAULT_FROM_EMAIL", "Sailing <\u212aapt@sailing.example>", "must be like"),  # the Kelvin sign
        ("CONTACT_EMAIL", "Sailing <ahoy@sailing.example>", "hello@example.org"),
        ("CAMPAIGN_TEST_ADDRESSES", "a@example.org,example.org", "hello@example.org"),
        ("MAIL_ONLY_TO", ",", "lists nobody"),  # everybody would get email
        ("MAIL_ONLY_TO", "example.org,*.example.com", "addresses or domains"),
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


@pytest.mark.parametrize("secret", ["user:short", f"user:{OTHER_KEY}/"])
def test_bad_webhook_secret_is_refused_and_not_repeated(load_settings: LoadSettings, secret: str) -> None:
    with pytest.raises(environment.BadSetting, match="EMAIL_WEBHOOK_SECRET") as refusal:
        load_settings(EMAIL_WEBHOOK_SECRET=secret)
    assert secret not in str(refusal.value)


def test_site_url_is_required_for_many_hosts(load_settings: LoadSettings) -> None:
    with pytest.raises(environment.BadSetting, match="SITE_URL is missing"):
        load_settings(ALLOWED_HOSTS=".herokuapp.com")


def test_process_ends_with_one_line() -> None:
    process = subprocess.run(
        [sys.executable, "-c", "import sailing.settings"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **GOOD, "SUBSCRIBE_RATES": "5/m"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 1
    (line,) = process.stderr.splitlines()
    assert line.startswith("Sailing cannot start: SUBSCRIBE_RATES ")


def test_random_secrets_are_accepted() -> None:
    for _number in range(50):
        for random in (secrets.token_urlsafe(48), secrets.token_hex(16), secrets.token_hex(32)):
            assert environment.find_weakness(random) is None


class TestNames:
    @pytest.mark.parametrize(
        ("name", "likely"),
        [
            ("ALOWED_HOSTS", "ALLOWED_HOSTS"),
            ("DATABASE_URI", "DATABASE_URL"),
            ("SIGN_IN_RATE", "SIGNIN_RATE"),
        ],
    )
    def test_misspelt_setting_is_refused(self, name: str, likely: str) -> None:
        expected = f"{name} is not a setting of this project (did you mean {likely}?)."
        with pytest.raises(environment.BadSetting, match=re.escape(expected)):
            environment.check_names(["PATH", name])

    def test_variables_of_other_tools_are_accepted(self) -> None:
        environment.check_names(
            ["SECRET_KEY_BASE", "EMAIL_HOST", "PORT0", "debug", "MAIL_URL", "PGDATABASE_URL"]
        )

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ("export DATABASE_URI=sqlite://:memory:", r"DATABASE_URI \(in \.env\).*mean DATABASE_URL"),
            *(
                (line, r"line 2 of \.env must be NAME=value")
                for line in ("DEBUG = true", "  DEBUG=true", "s3cr3t", "\ufeffDEBUG=1")
            ),
        ],
    )
    def test_bad_line_of_the_env_file_is_refused_without_its_text(
        self, tmp_path: Path, line: str, reason: str
    ) -> None:
        file = tmp_path / ".env"
        file.write_text(f"# s3cr3t below\n{line}s3cr3t\n", encoding="utf-8")
        with pytest.raises(environment.BadSetting, match=reason) as refusal:
            environment.read_file(file)
        assert "s3cr3t" not in str(refusal.value)

    def test_file_of_another_encoding_stops_the_start_in_one_line(self, tmp_path: Path) -> None:
        file = tmp_path / ".env"
        file.write_text("DEBUG=true\n", encoding="utf-16")
        with pytest.raises(environment.BadSetting, match=r"\.env is not UTF-8 text"):
            environment.read_file(file)
