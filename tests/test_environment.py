"""Environment variables: missing, unknown and invalid ones end the start with one line that names them."""

import os
import runpy
import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


def test_four_settings_are_enough(load_settings: LoadSettings) -> None:
    assert load_settings()["SITE_URL"] == "https://sailing.example"


def test_mails_are_printed_by_default_in_development_only(load_settings: LoadSettings) -> None:
    transport = load_settings(EMAIL_URL="", DEBUG="true")["EMAIL_BACKEND"]
    assert transport == "django.core.mail.backends.console.EmailBackend"
    with pytest.raises(environment.BadSetting, match="EMAIL_URL is missing"):
        load_settings(EMAIL_URL="")


def test_database_timeouts_can_be_changed_in_the_url(load_settings: LoadSettings) -> None:
    url = "postgres://sailing:secret@database.example/sailing"
    options = load_settings(DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"]
    assert (options["connect_timeout"], options["tcp_user_timeout"]) == (3, 1500)
    assert (options["keepalives_idle"], options["keepalives_interval"]) == (5, 2)
    changed = load_settings(DATABASE_URL=f"{url}?tcp_user_timeout=5000")["DATABASES"]["default"]["OPTIONS"]
    assert (changed["connect_timeout"], changed["tcp_user_timeout"]) == (3, 5000)


def test_site_url_is_required_for_a_wildcard_host(load_settings: LoadSettings) -> None:
    with pytest.raises(environment.BadSetting, match="SITE_URL is missing"):
        load_settings(ALLOWED_HOSTS="*")
    assert load_settings(ALLOWED_HOSTS="*", SITE_URL="https://sailing.example")


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


@pytest.mark.parametrize("sender", ["hello@sailing.example", "Sailing <hello@sailing.example>"])
def test_sender_may_have_a_name(load_settings: LoadSettings, sender: str) -> None:
    assert load_settings(DEFAULT_FROM_EMAIL=sender)["DEFAULT_FROM_EMAIL"] == sender


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
        ("EMAIL_URL", "pigeon://"),
        ("EMAIL_URL", "filemail:///tmp/mails"),  # a relative path
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
            ("debug", "DEBUG"),
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
            ("JWT_SECRET", None),
            ("CORS_ORIGINS", None),
            ("SIGNUP_LIMIT", None),
            ("OUTBOX_ENABLED", None),
            ("SECRET_KEY_BASE", None),
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

    @pytest.mark.parametrize("platform", sorted(PLATFORMS))
    def test_variables_of_a_platform_are_accepted(self, platform: str) -> None:
        names = PLATFORMS[platform].split()
        assert len(names) > 20
        for name in names:
            environment.check_names([name])
