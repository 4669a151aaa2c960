"""Environment variables: missing, unknown and invalid ones end the start with one line that names them."""

import os
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
from tests.platforms import PLATFORMS

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


@pytest.mark.parametrize("url", ["consolemail://", "memorymail://"])
def test_email_is_really_sent_in_production(load_settings: LoadSettings, url: str) -> None:
    for site in ({}, {"SITE_URL": "http://sailing.example"}):
        with pytest.raises(environment.BadSetting, match=rf"EMAIL_URL must .* {url} sends nothing"):
            load_settings(EMAIL_URL=url, **site)
    for development in LOCAL_SITES:
        assert load_settings(EMAIL_URL=url, **development)["EMAIL_BACKEND"]


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


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("sqlite://db.sqlite3", "sqlite:///file"),  # would be a host
        ("sqlite://", "sqlite:///file"),  # would be in memory
        ("sqlite:///", "sqlite:///file"),
        ("sqlite:db.sqlite3", "sqlite:///file"),
        ("sqlite:/data/db.sqlite3", "sqlite:///file"),
        ("sqlite:////data/", "sqlite:///file"),
        ("sqlite:///db.sqlite3?mode=ro", "sqlite:///file"),
        ("postgres://db.example/sailing?pgbouncer=true", "pgbouncer"),
        ("postgres://db.example/sailing?pgbouncer", "pgbouncer"),
        ("postgres://db.example/sailing?sslmode=require&schema=public", "schema"),
        ("postgres://db.example/sailing?CONN_MAX_AGE=0", "CONN_MAX_AGE"),
        ("postgres://db.example/sailing?sslmode=required", "sslmode"),
        ("postgres://db.example/sailing?sslmode=", "sslmode"),
        ("postgres://db.example/sailing?connect_timeout=3s", "connect_timeout"),
        ("postgres://db.example/sailing?target_session_attrs=master", "target_session_attrs"),
        ("postgres://db.example", "name"),
        ("postgres://db.example/sailing/", "/name"),
        ("postgres://db.example:port/sailing", "/name"),
        ("postgres:db.example/sailing", "/name"),
        ("postgres:////var/run/postgresql/sailing", "postgres://%2Fvar%2Frun%2Fpostgresql/name"),
        *(
            (f"postgres://sailing:{password}@db.example/sailing", "percent-encode")
            for password in ("S3cr@t", "S3cr/t", "3/S3cr", "S3cr%t", "3/S3cr?t=S3cr", "3/S3cr#t")
        ),
    ],
)
def test_bad_database_url_is_refused_with_a_hint(load_settings: LoadSettings, url: str, hint: str) -> None:
    with pytest.raises(environment.BadSetting, match=rf"start: DATABASE_URL .*{hint}") as error:
        load_settings(DATABASE_URL=url)
    assert "S3cr" not in str(error.value)


@pytest.mark.parametrize("scheme", ["smtp", "smtp+tls", "smtp+ssl"])
@pytest.mark.parametrize(
    "rest",
    [
        *("u:S3cr/t@mail.example", "u:3/S3cr@mail.example", "u:S3cr#t@mail.example", "u:3?S3cr@mail.example"),
        *("u:S3cr[t@mail.example", "mail.example?timeout=9", "mail.example/S3cr", "", "u:S3cr@"),
    ],
)
def test_bad_mail_server_is_refused_with_a_hint(load_settings: LoadSettings, scheme: str, rest: str) -> None:
    with pytest.raises(environment.BadSetting, match=r"EMAIL_URL .*percent-encode") as error:
        load_settings(EMAIL_URL=f"{scheme}://{rest}")
    assert "S3cr" not in str(error.value)


def test_site_url_is_required_for_a_wildcard_host(load_settings: LoadSettings) -> None:
    with pytest.raises(environment.BadSetting, match="SITE_URL is missing"):
        load_settings(ALLOWED_HOSTS="*")
    assert load_settings(ALLOWED_HOSTS="*", SITE_URL="https://sailing.example")


def test_site_url_is_required_for_a_domain_with_its_subdomains(load_settings: LoadSettings) -> None:
    with pytest.raises(environment.BadSetting, match="SITE_URL is missing"):
        load_settings(ALLOWED_HOSTS=".herokuapp.com")
    assert load_settings(ALLOWED_HOSTS=".herokuapp.com", SITE_URL="https://sailing.herokuapp.com")


@pytest.mark.parametrize(
    ("hosts", "site_url"),
    [
        ("sailing.example", "https://www.sailing.example"),
        ("sailing.example", "https://sailing.example.org:8443"),
        (".sailing.example", "https://notsailing.example"),
    ],
)
def test_site_url_outside_the_allowed_hosts_is_refused(
    load_settings: LoadSettings, hosts: str, site_url: str
) -> None:
    with pytest.raises(environment.BadSetting, match=r"SITE_URL .* ALLOWED_HOSTS"):
        load_settings(ALLOWED_HOSTS=hosts, SITE_URL=site_url)


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
            "mailgun://key-1@mg.sailing.example?region=eu&signing_key=key-2",
            {
                "MAILGUN_API_KEY": "key-1",
                "MAILGUN_API_URL": "https://api.eu.mailgun.net/v3",
                "MAILGUN_WEBHOOK_SIGNING_KEY": "key-2",
            },
        ),
        (
            "mailgun://key-1@mg.sailing.example?signing_key=key-2&region=eu",
            {"MAILGUN_API_URL": "https://api.eu.mailgun.net/v3", "MAILGUN_WEBHOOK_SIGNING_KEY": "key-2"},
        ),
        ("mailgun://key-1@mg.sailing.example?signing_key=key-2", {"MAILGUN_WEBHOOK_SIGNING_KEY": "key-2"}),
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
    "secret", [OTHER_KEY, "user:short", "user:" + "changeme" * 5, f"user:{OTHER_KEY}/", f"us er:{OTHER_KEY}"]
)
def test_bad_webhook_secret_stops_the_start(load_settings: LoadSettings, secret: str) -> None:
    with pytest.raises(environment.BadSetting, match="EMAIL_WEBHOOK_SECRET") as failure:
        load_settings(EMAIL_URL="postmark://token", EMAIL_WEBHOOK_SECRET=secret)
    assert secret not in str(failure.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", ""),
        ("SECRET_KEY", "short"),
        ("JWT_SECRET_KEY", "short"),
        ("SECRET_KEY_FALLBACKS", "short"),
        ("JWT_SECRET_KEY_FALLBACKS", f"{OTHER_KEY},short"),
        ("JWT_SECRET_KEY_FALLBACKS", f"{OTHER_KEY},{'changeme' * 5}"),
        ("JWT_SECRET_KEY", KEY),  # the default
        ("ALLOWED_HOSTS", ""),
        ("ALLOWED_HOSTS", "https://sailing.example"),
        ("ALLOWED_HOSTS", ","),
        ("ALLOWED_HOSTS", "sailing..example"),
        ("DATABASE_URL", ""),
        ("DATABASE_URL", "mysql://host/name"),
        ("DEBUG", "maybe"),
        ("PORT", "http"),
        ("PORT", "70000"),
        ("PORT", "٨٠٠٠"),
        ("SITE_URL", "sailing.example"),
        ("SITE_URL", "https://sai ling.example"),
        ("SITE_URL", "https://sailing..example"),
        ("SITE_URL", "https://sailing.example:99999"),
        ("DEFAULT_FROM_EMAIL", "garbage"),
        ("DEFAULT_FROM_EMAIL", "a@b@c <"),
        ("DEFAULT_FROM_EMAIL", "Sailing <>"),
        ("DEFAULT_FROM_EMAIL", "Sailing hello@sailing.example"),
        ("DEFAULT_FROM_EMAIL", "hello@sailing.example, ahoy@sailing.example"),
        ("DEFAULT_FROM_EMAIL", "hello@sailing.example, Sailing <ahoy@sailing.example>"),
        ("DEFAULT_FROM_EMAIL", "Sailing <hello@sailing.example>, <ahoy@sailing.example>"),
        ("DEFAULT_FROM_EMAIL", 'The "Sailing <hello@sailing.example>'),
        ("DEFAULT_FROM_EMAIL", 'The "Sailing" crew <hello@sailing.example>'),
        ("DEFAULT_FROM_EMAIL", "Sailing\r\nBcc: all@post.cz <hello@sailing.example>"),
        ("DEFAULT_FROM_EMAIL", '"Sailing\\\nBcc: all@post.cz" <hello@sailing.example>'),
        ("DEFAULT_FROM_EMAIL", "Sail\x85ing <hello@sailing.example>"),
        ("DEFAULT_FROM_EMAIL", "Plachtěn\udced <hello@sailing.example>"),  # bytes that are not UTF-8
        ("DEFAULT_FROM_EMAIL", "Sailing <hello@sailing..example>"),
        ("DEFAULT_FROM_EMAIL", "Sailing <\u212aapt@sailing.example>"),  # the Kelvin sign
        ("DEFAULT_FROM_EMAIL", "Sailing <hello@[127.0.0.1]>"),
        ("CONTACT_EMAIL", "Sailing <ahoy@sailing.example>"),
        ("CONTACT_EMAIL", "\u212aapt@sailing.example"),
        ("MAIL_ONLY_TO", ","),  # everybody would get email
        ("MAIL_ONLY_TO", "jana@"),
        ("MAIL_ONLY_TO", "@example.org"),
        ("MAIL_ONLY_TO", "jana@example.org petr@example.org"),
        ("MAIL_ONLY_TO", "jana@example.org; example.org"),
        ("MAIL_ONLY_TO", "example.org,*.example.com"),
        ("EMAIL_URL", "pigeon://"),
        ("EMAIL_URL", "consolemail://localhost:99999"),
        ("EMAIL_URL", "filemail:///tmp/mails"),  # a relative path
        ("EMAIL_URL", "postmark://"),
        ("EMAIL_URL", "postmark://token@postmarkapp.com"),
        ("EMAIL_URL", "postmark://token?stream="),
        ("EMAIL_URL", "mailgun://key"),
        ("EMAIL_URL", "mailgun://key@mg.example.org?region=asia"),
        ("EMAIL_URL", "mailgun://key@mg.example.org?"),
        ("EMAIL_URL", "mailgun://key@mg.example.org?region=eu&region=eu"),
        ("EMAIL_URL", "mailgun://key@mg.example.org?signing_key=&region=eu"),
        ("EMAIL_URL", "sendgrid://user:key"),
        ("EMAIL_URL", "ses://KEY@eu-west-1"),
        ("EMAIL_URL", "ses://KEY:password@sailing.example"),
        ("EMAIL_WEBHOOK_SECRET", "provider:" + OTHER_KEY),  # EMAIL_URL names no provider
        ("EMBEDDED_WORKER", "sometimes"),
        ("CORS_ALLOWED_ORIGINS", "https://a.example/path"),
        ("TRUSTED_PROXY_COUNT", "-1"),
        ("TRUSTED_PROXY_COUNT", "0"),  # with https
        ("ADMIN_SECOND_FACTOR", "perhaps"),
        ("SUBSCRIBE_RATE", "often"),
        ("GA_MEASUREMENT_ID", "UA-1"),
        ("SENTRY_DSN", "sentry"),
        ("METRICS_TOKEN", "short"),
        ("WEB_CONCURRENCY", "0"),
        ("WEB_CONCURRENCY", "two"),
        ("LAUNCH_YEAR", "soon"),
    ],
)
def test_invalid_value_is_refused_by_name(load_settings: LoadSettings, name: str, value: str) -> None:
    with pytest.raises(environment.BadSetting, match=f"^Sailing cannot start: {name} [^\n]+$"):
        load_settings(**{name: value})


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


@pytest.mark.parametrize("name", ["SECRET_KEY", "JWT_SECRET_KEY", "SECRET_KEY_FALLBACKS"])
@pytest.mark.parametrize(
    "weak",
    [
        "k" * 40,
        "01" * 20,
        "0012300123111233322211000112233321",
        "abcdefgh12" * 4,
        "correct horse battery staple" * 2,
        "django-insecure-8d1f5bd4a9c74a6d3f1c0a8e2b97cd54",
        "change-me-8d1f5bd4a9c74a6d3f1c0a8e2b97cd54",
        "ChangeMe!ChangeMe?ChangeMe.ChangeMe",
        "your_secret_key_goes_here_0123456789",
        "this-is-the-default-key-of-the-project",
        "Password0123456789Password9876543210",
    ],
)
def test_weak_secret_is_refused_and_not_repeated(load_settings: LoadSettings, name: str, weak: str) -> None:
    with pytest.raises(environment.BadSetting, match=f"^Sailing cannot start: {name} ") as error:
        load_settings(**{name: weak})
    assert weak not in str(error.value)


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
            ("SECRETKEY", "SECRET_KEY"),
            ("Secret_Key", "SECRET_KEY"),
            ("ALLOWED_HOST", "ALLOWED_HOSTS"),
            ("ALOWED_HOSTS", "ALLOWED_HOSTS"),
            ("DATABASE_URI", "DATABASE_URL"),
            ("SENTRY_DNS", "SENTRY_DSN"),
            ("SITE_URI", "SITE_URL"),
            ("EMAIL_URI", "EMAIL_URL"),
            ("DEFAULT_FROM_MAIL", "DEFAULT_FROM_EMAIL"),
            ("CORS_ALLOWED_ORIGIN", "CORS_ALLOWED_ORIGINS"),
            ("SIGN_IN_RATE", "SIGNIN_RATE"),
            ("SIGNIN_RATES", "SIGNIN_RATE"),
            ("TRUSTED_PROXIES_COUNT", "TRUSTED_PROXY_COUNT"),
            ("WEB_CONCURENCY", "WEB_CONCURRENCY"),
        ],
    )
    def test_misspelt_setting_is_refused(self, name: str, likely: str | None) -> None:
        with pytest.raises(environment.BadSetting) as error:
            environment.check_names(["PATH", name])
        expected = f"{name} is not a setting of this project"
        hint = f" (did you mean {likely}?)" if likely else ""
        assert str(error.value) == f"Sailing cannot start: {expected}{hint}."

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

    @pytest.mark.parametrize("platform", sorted(PLATFORMS))
    def test_variables_of_a_platform_are_accepted(self, platform: str) -> None:
        names = PLATFORMS[platform].split()
        assert len(names) > 20
        for name in names:
            environment.check_names([name])

    @pytest.mark.parametrize(
        "name",
        ["SECRET_KEY_BASE", "GA_TRACKING_ID", "JWT_PUBLIC_KEY", "OPERATOR_NAMESPACE", "debug", "EMAIL_HOST"],
    )
    def test_variables_of_other_tools_are_accepted(self, name: str) -> None:
        environment.check_names([name])
