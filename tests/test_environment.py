"""Each missing, unknown or bad setting is refused at the start with one line that names it."""

import os
import secrets
import subprocess
import sys
from pathlib import Path

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
}
# Blank counts as missing and keeps a developer's own .env out of the test.
BLANK = dict.fromkeys(
    ["SITE_URL", "EMAIL_URL", "JWT_SECRET_KEY", "DEBUG", "SENTRY_DSN", "ADMIN_SECOND_FACTOR"], ""
)


def start(
    code: str = "import sailing.settings as s; print(s.SITE_URL)", *arguments: str, **changes: str
) -> subprocess.CompletedProcess[str]:
    variables = {"PATH": os.environ["PATH"], **BLANK, **GOOD, **changes}
    return subprocess.run(
        [sys.executable, *(arguments or ("-c", code))],
        cwd=ROOT,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_three_required_settings_are_enough() -> None:
    assert start().stdout == "https://sailing.example\n"


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


@pytest.mark.parametrize(
    ("changes", "required"),
    [
        ({}, "True"),
        ({"SITE_URL": "http://sailing.example"}, "False"),
        ({"ADMIN_SECOND_FACTOR": "false"}, "False"),
        ({"SITE_URL": "http://sailing.example", "ADMIN_SECOND_FACTOR": "true"}, "True"),
    ],
)
def test_admins_need_a_second_factor_where_the_site_is_found_under_https(
    changes: dict[str, str], required: str
) -> None:
    code = "import sailing.settings as s; print(s.ADMIN_SECOND_FACTOR)"
    assert start(code, **changes).stdout == f"{required}\n"


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
        ("JWT_SECRET_KEY_FALLBACKS", f"{OTHER_KEY},short"),
        ("JWT_SECRET_KEY_FALLBACKS", f"{OTHER_KEY},{'changeme' * 5}"),
        ("JWT_SECRET_KEY", KEY),  # the default, said once more
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
        ("OUTBOX_THREAD", "sometimes"),
        ("CORS_ALLOWED_ORIGINS", "https://a.example/path"),
        ("TRUSTED_PROXY_COUNT", "-1"),
        ("TRUSTED_PROXY_COUNT", "0"),  # and https
        ("ADMIN_SECOND_FACTOR", "perhaps"),
        ("SUBSCRIBE_RATE", "often"),
        ("GA_MEASUREMENT_ID", "UA-1"),
        ("SENTRY_DSN", "sentry"),
        ("WEB_CONCURRENCY", "0"),
        ("WEB_CONCURRENCY", "two"),
        ("LAUNCH_YEAR", "soon"),
    ],
)
def test_a_bad_value_ends_the_start_with_one_line(name: str, value: str) -> None:
    ended = start(**{name: value})
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Sailing cannot start: {name} ")
    assert ended.stderr.count("\n") == 1


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
def test_weak_secret_is_refused_and_not_repeated(name: str, weak: str) -> None:
    ended = start(**{name: weak})
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Sailing cannot start: {name} ")
    assert ended.stderr.count("\n") == 1
    assert weak not in ended.stderr


def test_random_secrets_of_every_usual_kind_are_taken() -> None:
    for _number in range(200):
        for random in (secrets.token_urlsafe(48), secrets.token_hex(16), secrets.token_hex(32)):
            assert environment._weakness(random) is None
    digits = "31415926535897932384626433832795"
    assert environment._weakness(digits) is None


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
        with pytest.raises(environment.BadSetting) as refused:
            environment.check_names(["PATH", name])
        expected = f"{name} is not a setting of this project"
        hint = f" (did you mean {likely}?)" if likely else ""
        assert str(refused.value) == f"Sailing cannot start: {expected}{hint}."

    def test_start_ends_with_one_line(self) -> None:
        ended = start(SUBSCRIBE_RATES="5/m")
        assert ended.returncode == 1
        assert ended.stderr == (
            "Sailing cannot start: SUBSCRIBE_RATES is not a setting of this project"
            " (did you mean SUBSCRIBE_RATE?).\n"
        )

    def test_misspelt_setting_in_the_file_is_refused_with_the_likely_name(self, tmp_path: Path) -> None:
        file = tmp_path / ".env"
        file.write_text("# a comment\nexport DATABASE_URI=sqlite://:memory:\n", encoding="utf-8")
        with pytest.raises(environment.BadSetting, match=r"DATABASE_URI \(in \.env\).*mean DATABASE_URL"):
            environment.read_file(file)

    @pytest.mark.parametrize("platform", sorted(PLATFORMS))
    def test_variables_of_a_platform_are_no_settings(self, platform: str) -> None:
        names = PLATFORMS[platform].split()
        assert len(names) > 20
        for name in names:
            environment.check_names([name])
