"""Each missing, unknown or bad setting is refused at the start with one line that names it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
GOOD = {
    "SECRET_KEY": "k" * 40,
    "ALLOWED_HOSTS": "sailing.example",
    "DATABASE_URL": "sqlite://:memory:",
}
# Blank counts as missing and keeps a developer's own .env out of the test.
BLANK = dict.fromkeys(["SITE_URL", "EMAIL_URL", "CACHE_URL", "JWT_SECRET_KEY", "DEBUG", "SENTRY_DSN"], "")


def start(
    code: str = "import sailing.settings as s; print(s.SITE_URL)", **changes: str
) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], **BLANK, **GOOD, **changes}
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_the_three_required_settings_are_enough() -> None:
    assert start().stdout == "https://sailing.example\n"


def test_a_cache_whose_certificate_is_its_own_has_to_be_named_as_one() -> None:
    code = "import sailing.settings as s; print(s.CACHES['default']['OPTIONS'].get('ssl_cert_reqs'))"
    address = "rediss://:secret@cache.example:6380"
    assert start(code, CACHE_URL=address).stdout == "None\n"
    assert start(code, CACHE_URL=address, CACHE_TLS_VERIFY="false").stdout == "none\n"


def test_a_database_that_is_gone_without_a_word_is_not_waited_for_unless_its_address_says_so() -> None:
    code = (
        "import sailing.settings as s; o = s.DATABASES['default']['OPTIONS']; "
        "print(o['connect_timeout'], o['tcp_user_timeout'], o['keepalives_idle'], o['keepalives_interval'])"
    )
    address = "postgres://sailing:secret@database.example/sailing"
    assert start(code, DATABASE_URL=address).stdout == "3 1000 5 2\n"
    assert start(code, DATABASE_URL=f"{address}?tcp_user_timeout=5000").stdout == "3 5000 5 2\n"


def test_the_address_of_a_site_for_every_host_has_to_be_said() -> None:
    assert start(ALLOWED_HOSTS="*").stderr.startswith("Sailing cannot start: SITE_URL is missing")
    assert start(ALLOWED_HOSTS="*", SITE_URL="https://sailing.example").returncode == 0


@pytest.mark.parametrize("sender", ["hello@sailing.example", "Sailing <hello@sailing.example>"])
def test_a_sender_may_have_a_name(sender: str) -> None:
    assert start(DEFAULT_FROM_EMAIL=sender).returncode == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SECRET_KEY", ""),
        ("SECRET_KEY", "short"),
        ("JWT_SECRET_KEY", "short"),
        ("SECRET_KEY_FALLBACKS", "short"),
        ("JWT_SECRET_KEY_FALLBACKS", f"{'k' * 40},short"),
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
        ("EMAIL_URL", "pigeon://"),
        ("EMAIL_URL", "filemail:///tmp/mails"),  # below the folder that the process was started in
        ("CACHE_URL", "locmemcache://"),
        ("CACHE_URL", "redis://"),
        ("CACHE_URL", "redis://host:port/0"),
        ("CACHE_URL", "dbcache://"),
        ("CACHE_TLS_VERIFY", "maybe"),
        ("OUTBOX_THREAD", "sometimes"),
        ("CORS_ALLOWED_ORIGINS", "https://a.example/path"),
        ("TRUSTED_PROXY_COUNT", "-1"),
        ("TRUSTED_PROXY_COUNT", "0"),  # and https
        ("SUBSCRIBE_RATE", "often"),
        ("GA_MEASUREMENT_ID", "UA-1"),
        ("SENTRY_DSN", "sentry"),
        ("WEB_CONCURRENCY", "0"),
        ("LAUNCH_YEAR", "soon"),
    ],
)
def test_a_bad_value_ends_the_start_with_one_line(name: str, value: str) -> None:
    ended = start(**{name: value})
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Sailing cannot start: {name} ")
    assert ended.stderr.count("\n") == 1
