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


def test_eight_settings_are_enough(load_settings: LoadSettings) -> None:
    assert load_settings()["SITE_URL"] == "https://sailing.example"


def test_mails_are_printed_by_default_in_development_only(load_settings: LoadSettings) -> None:
    transport = load_settings(EMAIL_URL="", DEBUG="true")["EMAIL_BACKEND"]
    assert transport == "django.core.mail.backends.console.EmailBackend"
    with pytest.raises(environment.BadSetting, match="EMAIL_URL is missing"):
        load_settings(EMAIL_URL="")


LOCAL_SITES = [{"ALLOWED_HOSTS": "localhost,127.0.0.1"}, {"DEBUG": "true"}]


@pytest.mark.parametrize("name", ["DEFAULT_FROM_EMAIL", "OPERATOR_NAME", "OPERATOR_ADDRESS", "CONTACT_EMAIL"])
def test_sender_and_operator_are_required_in_production_only(load_settings: LoadSettings, name: str) -> None:
    with pytest.raises(environment.BadSetting, match=f"^Sailing cannot start: {name} is missing.$"):
        load_settings(**{name: " "})
    for development in LOCAL_SITES:
        assert load_settings(**{name: ""}, **development)[name]


@pytest.mark.parametrize("development", LOCAL_SITES)
def test_emails_may_be_printed_in_development(
    load_settings: LoadSettings, development: dict[str, str]
) -> None:
    assert load_settings(EMAIL_URL="consolemail://", **development)["EMAIL_BACKEND"]


def test_database_timeouts_can_be_changed_in_the_url(load_settings: LoadSettings) -> None:
    url = "postgres://sailing:secret@database.example/sailing"
    options = load_settings(DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"]
    assert (options["connect_timeout"], options["tcp_user_timeout"]) == (3, 1500)
    assert (options["keepalives_idle"], options["keepalives_interval"]) == (5, 2)
    changed = load_settings(DATABASE_URL=f"{url}?tcp_user_timeout=5000")["DATABASES"]["default"]["OPTIONS"]
    assert (changed["connect_timeout"], changed["tcp_user_timeout"]) == (3, "5000")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("sqlite://:memory:", {"NAME": ":memory:"}),
        ("sqlite:///db.sqlite3", {"NAME": str(ROOT / "db.sqlite3")}),
        ("sqlite:////data/s%20a+b.sqlite3", {"NAME": "/data/s a+b.sqlite3"}),
        (
            "postgres://sailing:p%40s%2Fs@db.example:5433/sailing",
            {
                "USER": "sailing",
                "PASSWORD": "p@s/s",
                "HOST": "db.example",
                "PORT": "5433",
                "NAME": "sailing",
            },
        ),
        ("postgresql://sailing:p?s#s+:s@db.example/sailing", {"PASSWORD": "p?s#s+:s", "HOST": "db.example"}),
        ("postgres://one,two:5433/sailing", {"HOST": "one,two", "PORT": ",5433"}),
        ("postgres://[::1]:5432/sailing", {"HOST": "::1", "PORT": "5432"}),
        ("postgres://%2Fvar%2Frun%2FPostgres/sailing", {"HOST": "/var/run/Postgres", "NAME": "sailing"}),
        ("postgres:///sailing?host=/var/run/postgresql", {"HOST": "/var/run/postgresql", "NAME": "sailing"}),
        ("postgres:///sailing?user=jana&password=p%26s", {"USER": "jana", "PASSWORD": "p&s"}),
    ],
)
def test_database_url_is_read(load_settings: LoadSettings, url: str, expected: dict[str, str]) -> None:
    assert load_settings(DATABASE_URL=url)["DATABASES"]["default"].items() >= expected.items()


@pytest.mark.parametrize(
    "options",
    [
        {"sslmode": "verify-full", "sslrootcert": "/etc/ssl/root.pem", "channel_binding": "require"},
        {"connect_timeout": "5", "application_name": "sailing", "target_session_attrs": "read-write"},
        {"options": "-c search_path=sailing,public", "keepalives_idle": "9"},
    ],
)
def test_options_of_postgresql_reach_its_client(load_settings: LoadSettings, options: dict[str, str]) -> None:
    url = f"postgres://db.example/sailing?{urlencode(options, quote_via=quote)}"
    assert load_settings(DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"].items() >= options.items()


@pytest.mark.parametrize("hosts", ["sailing.example", "other.example,SAILING.example", ".example", "*"])
def test_site_url_within_the_allowed_hosts_is_accepted(load_settings: LoadSettings, hosts: str) -> None:
    assert load_settings(ALLOWED_HOSTS=hosts, SITE_URL="https://sailing.example:8443")


@pytest.mark.parametrize(
    ("url", "port"),
    [
        ("smtp+ssl://mail.example", 465),
        ("smtp+tls://mail.example", 587),
        ("smtps://mail.example", 587),
        ("smtp+ssl://mail.example:2465", 2465),
        ("smtp+tls://mail.example:2587", 2587),
    ],
)
def test_encrypted_mail_server_has_the_usual_port(load_settings: LoadSettings, url: str, port: int) -> None:
    assert load_settings(EMAIL_URL=url)["EMAIL_PORT"] == port


@pytest.mark.parametrize(
    ("changes", "required"),
    [
        ({}, True),
        ({"SITE_URL": "http://sailing.example"}, False),
        ({"ADMIN_SECOND_FACTOR": "false"}, False),
        ({"SITE_URL": "http://sailing.example", "ADMIN_SECOND_FACTOR": "true"}, True),
    ],
)
def test_https_requires_the_second_factor_by_default(
    load_settings: LoadSettings, changes: dict[str, str], required: bool
) -> None:
    assert load_settings(**changes)["ADMIN_SECOND_FACTOR"] is required


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("postmark://a1b2-c3", {"POSTMARK_SERVER_TOKEN": "a1b2-c3"}),
        (
            "mailgun://key-1@mg.sailing.example",
            {
                "MAILGUN_API_KEY": "key-1",
                "MAILGUN_SENDER_DOMAIN": "mg.sailing.example",
                "MAILGUN_WEBHOOK_SIGNING_KEY": "key-1",
            },
        ),
        (
            "mailgun://key-1@mg.sailing.example?signing_key=key-2&region=eu",
            {"MAILGUN_API_URL": "https://api.eu.mailgun.net/v3", "MAILGUN_WEBHOOK_SIGNING_KEY": "key-2"},
        ),
        ("sendgrid://SG.a_b-c.d", {"SENDGRID_API_KEY": "SG.a_b-c.d"}),
        ("sendgrid://SG.a?region=eu", {"SENDGRID_API_URL": "https://api.eu.sendgrid.com/v3/"}),
    ],
)
def test_email_url_names_a_provider(load_settings: LoadSettings, url: str, expected: dict[str, str]) -> None:
    provider = url.partition(":")[0]
    found = load_settings(EMAIL_URL=url)
    assert found["EMAIL_PROVIDER"] == provider
    assert found["EMAIL_BACKEND"] == f"anymail.backends.{provider}.EmailBackend"
    assert found["ANYMAIL"].items() >= expected.items()


def test_no_provider_tracks_readers(load_settings: LoadSettings) -> None:
    defaults = load_settings(EMAIL_URL="postmark://token")["ANYMAIL"]["SEND_DEFAULTS"]
    assert defaults == {"track_opens": False, "track_clicks": False}


def test_amazon_ses_is_used_by_smtp_over_tls(load_settings: LoadSettings) -> None:
    found = load_settings(EMAIL_URL="ses://AKIA1:a/b+c%2Fd=@eu-central-1")
    assert found["EMAIL_PROVIDER"] == "ses"
    assert found["EMAIL_BACKEND"] == "sailing.mail.smtp.EmailBackend"
    assert found["EMAIL_HOST"] == "email-smtp.eu-central-1.amazonaws.com"
    assert (found["EMAIL_PORT"], found["EMAIL_USE_TLS"]) == (587, True)
    assert (found["EMAIL_HOST_USER"], found["EMAIL_HOST_PASSWORD"]) == ("AKIA1", "a/b+c/d=")


def test_campaigns_may_take_another_message_stream_of_postmark(load_settings: LoadSettings) -> None:
    found = load_settings(EMAIL_URL="postmark://token?stream=broadcast")
    assert found["EMAIL_CAMPAIGN_STREAM"] == "broadcast"


def test_webhook_secret_is_shared_with_anymail(load_settings: LoadSettings) -> None:
    secret = f"postmark:{OTHER_KEY}"
    found = load_settings(EMAIL_URL="postmark://token", EMAIL_WEBHOOK_SECRET=secret)
    assert found["EMAIL_WEBHOOK_SECRET"] == found["ANYMAIL"]["WEBHOOK_SECRET"] == secret


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("SECRET_KEY", "", "is missing"),
        ("SECRET_KEY", "S3cr", "is shorter"),
        ("SECRET_KEY", "S3cr" * 10, "repeats itself"),
        ("SECRET_KEY", "0012300123111233322211000112233321", "repeats itself"),
        ("SECRET_KEY", "correct horse battery staple" * 2, "repeats itself"),
        ("SECRET_KEY", "django-insecure-S3cr8d1f5bd4a9c74a6d3f1c0a8e2b97", "placeholder"),
        ("SECRET_KEY", "Change-Me!-S3cr8d1f5bd4a9c74a6d3f1c0a8e2b97cd54", "placeholder"),
        ("SECRET_KEY_FALLBACKS", "S3cr", "has an entry"),
        ("JWT_SECRET_KEY", "short", "is shorter"),
        ("JWT_SECRET_KEY", KEY, "default"),
        ("JWT_SECRET_KEY_FALLBACKS", f"{OTHER_KEY},S3cr{'changeme' * 5}", "has an entry"),
        ("METRICS_TOKEN", "S3cr", "is shorter"),
        ("ALLOWED_HOSTS", "", "is missing"),
        ("ALLOWED_HOSTS", ",", "is missing"),
        ("ALLOWED_HOSTS", "https://sailing.example", "host name"),
        ("ALLOWED_HOSTS", "sailing..example", "host name"),
        ("SITE_URL", "sailing.example", "https://example.org"),
        ("SITE_URL", "https://sai ling.example", "https://example.org"),
        ("SITE_URL", "https://sailing.example:99999", "https://example.org"),
        ("SITE_URL", "https://www.sailing.example", "ALLOWED_HOSTS"),
        ("SITE_URL", "https://sailing.example.org:8443", "ALLOWED_HOSTS"),
        ("CORS_ALLOWED_ORIGINS", "https://a.example/path", "https://example.org"),
        ("DEBUG", "maybe", "true or false"),
        ("PORT", "http", "whole number"),
        ("PORT", "70000", "whole number"),
        ("PORT", "٨٠٠٠", "whole number"),
        ("TRUSTED_PROXY_COUNT", "-1", "from 1 to 10"),
        ("TRUSTED_PROXY_COUNT", "0", "from 1 to 10"),  # with https
        ("WEB_CONCURRENCY", "0", "whole number"),
        ("SUBSCRIBE_RATE", "20/m,60/d", "a single rate"),
        ("MAIL_RATES", "20/h,often", "rates like"),
        ("GA_MEASUREMENT_ID", "UA-1", "G-ABC123"),
        ("SENTRY_DSN", "sentry", "Sentry"),
        ("LAUNCH_YEAR", "soon", "whole number"),
        ("DATABASE_URL", "", "is missing"),
        ("DATABASE_URL", "mysql://host/name", "start with"),
        ("DATABASE_URL", "sqlite://db.sqlite3", "sqlite:///file"),  # would be a host
        ("DATABASE_URL", "sqlite://", "sqlite:///file"),  # would be in memory
        ("DATABASE_URL", "sqlite:db.sqlite3", "sqlite:///file"),
        ("DATABASE_URL", "sqlite:////data/", "sqlite:///file"),
        ("DATABASE_URL", "sqlite:///db.sqlite3?mode=ro", "sqlite:///file"),
        ("DATABASE_URL", "postgres://db.example/sailing?pgbouncer=true", "pgbouncer"),
        ("DATABASE_URL", "postgres://db.example/sailing?sslmode=require&schema=public", "schema"),
        ("DATABASE_URL", "postgres://db.example/sailing?sslmode=required", "sslmode"),
        ("DATABASE_URL", "postgres://db.example/sailing?connect_timeout=3s", "connect_timeout"),
        ("DATABASE_URL", "postgres://db.example/sailing?target_session_attrs=master", "target_session_attrs"),
        ("DATABASE_URL", "postgres://db.example", "/name"),
        ("DATABASE_URL", "postgres://db.example:port/sailing", "/name"),
        ("DATABASE_URL", "postgres:db.example/sailing", "/name"),
        ("DATABASE_URL", "postgres:////var/run/postgresql/sailing", "%2Fvar%2Frun%2Fpostgresql/name"),
        ("DATABASE_URL", "postgres://sailing:S3cr@t@db.example/sailing", "percent-encode"),
        ("DATABASE_URL", "postgres://sailing:S3cr/t@db.example/sailing", "percent-encode"),
        ("DATABASE_URL", "postgres://sailing:S3cr%t@db.example/sailing", "percent-encode"),
        ("DATABASE_URL", "postgres://sailing:3/S3cr?t=S3cr@db.example/sailing", "percent-encode"),
        ("DATABASE_URL", "postgres://sailing:3/S3cr#t@db.example/sailing", "percent-encode"),
        ("EMAIL_URL", "pigeon://", "start with"),
        ("EMAIL_URL", "smtp://u:S3cr/t@mail.example", "percent-encode"),
        ("EMAIL_URL", "smtp+tls://u:S3cr#t@mail.example", "percent-encode"),
        ("EMAIL_URL", "smtp+ssl://u:3?S3cr@mail.example", "percent-encode"),
        ("EMAIL_URL", "smtp+tls://u:S3cr[t@mail.example", "percent-encode"),
        ("EMAIL_URL", "smtp+tls://mail.example?timeout=9", "percent-encode"),
        ("EMAIL_URL", "smtp+tls://", "percent-encode"),
        ("EMAIL_URL", "consolemail://", "sends nothing"),
        ("EMAIL_URL", "memorymail://", "sends nothing"),
        ("EMAIL_URL", "filemail:///tmp/mails", "absolute folder"),
        ("EMAIL_URL", "postmark://", "example of postmark"),
        ("EMAIL_URL", "postmark://S3cr@postmarkapp.com", "example of postmark"),
        ("EMAIL_URL", "postmark://S3cr?stream=", "example of postmark"),
        ("EMAIL_URL", "mailgun://S3cr", "example of mailgun"),
        ("EMAIL_URL", "mailgun://S3cr@mg.example.org?region=asia", "example of mailgun"),
        ("EMAIL_URL", "mailgun://S3cr@mg.example.org?stream=broadcast", "example of mailgun"),
        ("EMAIL_URL", "sendgrid://user:S3cr", "example of sendgrid"),
        ("EMAIL_URL", "ses://S3cr@eu-west-1", "example of ses"),
        ("EMAIL_URL", "ses:S3cr@eu-west-1", "example of ses"),
        ("EMAIL_URL", "ses://KEY:S3cr@sailing.example", "example of ses"),
        ("EMAIL_WEBHOOK_SECRET", f"user:{OTHER_KEY}", "names no email provider"),
        ("DEFAULT_FROM_EMAIL", "garbage", "must be like"),
        ("DEFAULT_FROM_EMAIL", "Sailing <>", "must be like"),
        ("DEFAULT_FROM_EMAIL", "Sailing hello@sailing.example", "must be like"),
        ("DEFAULT_FROM_EMAIL", "hello@sailing.example, Sailing <ahoy@sailing.example>", "must be like"),
        ("DEFAULT_FROM_EMAIL", "Sailing <hello@sailing.example>, <ahoy@sailing.example>", "must be like"),
        ("DEFAULT_FROM_EMAIL", 'The "Sailing" crew <hello@sailing.example>', "must be like"),
        ("DEFAULT_FROM_EMAIL", "Sailing\r\nBcc: all@post.cz <hello@sailing.example>", "must be like"),
        ("DEFAULT_FROM_EMAIL", "Plachtěn\udced <hello@sailing.example>", "must be like"),  # no UTF-8
        ("DEFAULT_FROM_EMAIL", "Sailing <hello@sailing..example>", "must be like"),
        ("DEFAULT_FROM_EMAIL", "Sailing <\u212aapt@sailing.example>", "must be like"),  # the Kelvin sign
        ("DEFAULT_FROM_EMAIL", "Sailing <hello@[127.0.0.1]>", "must be like"),
        ("CONTACT_EMAIL", "Sailing <ahoy@sailing.example>", "hello@example.org"),
        ("CONTACT_EMAIL", "\u212aapt@sailing.example", "hello@example.org"),
        ("MAIL_ONLY_TO", ",", "lists nobody"),  # everybody would get email
        ("MAIL_ONLY_TO", "jana@", "addresses or domains"),
        ("MAIL_ONLY_TO", "jana@example.org petr@example.org", "addresses or domains"),
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


@pytest.mark.parametrize(
    "secret", [OTHER_KEY, "user:short", "user:" + "changeme" * 5, f"user:{OTHER_KEY}/", f"us er:{OTHER_KEY}"]
)
def test_bad_webhook_secret_is_refused_and_not_repeated(load_settings: LoadSettings, secret: str) -> None:
    with pytest.raises(environment.BadSetting, match="EMAIL_WEBHOOK_SECRET") as refusal:
        load_settings(EMAIL_URL="postmark://token", EMAIL_WEBHOOK_SECRET=secret)
    assert secret not in str(refusal.value)


@pytest.mark.parametrize("hosts", ["*", ".herokuapp.com"])
def test_site_url_is_required_for_many_hosts(load_settings: LoadSettings, hosts: str) -> None:
    with pytest.raises(environment.BadSetting, match="SITE_URL is missing"):
        load_settings(ALLOWED_HOSTS=hosts)
    assert load_settings(ALLOWED_HOSTS=hosts, SITE_URL="https://sailing.herokuapp.com")


@pytest.mark.parametrize(
    ("value", "sender"),
    [
        ("hello@sailing.example", "hello@sailing.example"),
        ("Sailing <hello@sailing.example>", "Sailing <hello@sailing.example>"),
        ("Plachty, s.r.o. <ahoj@plachtění.example>", '"Plachty, s.r.o." <ahoj@xn--plachtn-eza62b.example>'),
        ('"Hello @ Sailing" <hello@sailing.example>', '"Hello @ Sailing" <hello@sailing.example>'),
    ],
)
def test_sender_may_have_any_name(load_settings: LoadSettings, value: str, sender: str) -> None:
    assert load_settings(DEFAULT_FROM_EMAIL=value)["DEFAULT_FROM_EMAIL"] == sender


@pytest.mark.parametrize("changes", [{"SECRET_KEY": "short"}, {"SUBSCRIBE_RATES": "5/m"}])
def test_process_ends_with_one_line(changes: dict[str, str]) -> None:
    process = subprocess.run(
        [sys.executable, "-c", "import sailing.settings"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], **GOOD, **changes},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 1
    (line,) = process.stderr.splitlines()
    assert line.startswith(f"Sailing cannot start: {next(iter(changes))} ")


def test_random_secrets_are_accepted() -> None:
    for _number in range(200):
        for random in (secrets.token_urlsafe(48), secrets.token_hex(16), secrets.token_hex(32)):
            assert environment.find_weakness(random) is None
    assert environment.find_weakness("31415926535897932384626433832795") is None


class TestUnknownNames:
    @pytest.mark.parametrize(
        ("name", "likely"),
        [
            ("SECRET_KEYS", "SECRET_KEY"),
            ("ALOWED_HOSTS", "ALLOWED_HOSTS"),
            ("DATABASE_URI", "DATABASE_URL"),
            ("SENTRY_DNS", "SENTRY_DSN"),
            ("SIGN_IN_RATE", "SIGNIN_RATE"),
            ("TRUSTED_PROXIES_COUNT", "TRUSTED_PROXY_COUNT"),
        ],
    )
    def test_misspelt_setting_is_refused(self, name: str, likely: str) -> None:
        expected = f"{name} is not a setting of this project (did you mean {likely}?)."
        with pytest.raises(environment.BadSetting, match=re.escape(expected)):
            environment.check_names(["PATH", name])

    @pytest.mark.parametrize(
        "name",
        [
            *("SECRET_KEY_BASE", "EMAIL_HOST", "SIGNUP_PORT", "PORT0", "LINES", "debug"),
            *("MAIL_URL", "A_SECRET_KEY", "PGDATABASE_URL"),
        ],
    )
    def test_variable_of_another_tool_is_accepted(self, name: str) -> None:
        environment.check_names([name])

    def test_misspelt_setting_in_the_env_file_is_refused(self, tmp_path: Path) -> None:
        file = tmp_path / ".env"
        file.write_text("# a comment\nexport DATABASE_URI=sqlite://:memory:\n", encoding="utf-8")
        with pytest.raises(environment.BadSetting, match=r"DATABASE_URI \(in \.env\).*mean DATABASE_URL"):
            environment.read_file(file)

    @pytest.mark.parametrize(
        "line",
        ["DEBUG = true", "DEBUG =true", "  DEBUG=true", "export  DEBUG=true", "s3cr3t", "\ufeffDEBUG=1"],
    )
    def test_line_that_would_be_dropped_stops_the_start_without_its_text(
        self, tmp_path: Path, line: str
    ) -> None:
        file = tmp_path / ".env"
        file.write_text(f"# s3cr3t below\n{line}s3cr3t\n", encoding="utf-8")
        with pytest.raises(environment.BadSetting, match=r"line 2 of \.env must be NAME=value") as refusal:
            environment.read_file(file)
        assert "s3cr3t" not in str(refusal.value)

    def test_file_of_another_encoding_stops_the_start_in_one_line(self, tmp_path: Path) -> None:
        file = tmp_path / ".env"
        file.write_text("DEBUG=true\n", encoding="utf-16")
        with pytest.raises(environment.BadSetting, match=r"\.env is not UTF-8 text"):
            environment.read_file(file)
