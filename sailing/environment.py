"""Reads the settings contract from the environment, strictly.

Every reader takes a variable's name and its default (none: the variable is required) and returns a
value of one type. A missing or bad value ends the process with one line that names the variable: a
site that boots with a setting it did not understand is worse than one that does not boot.
"""

import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import environ
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

MIN_SECRET_BYTES = 32
"""RFC 7518 section 3.2: a key for HS256 has at least the size of the hash."""

MIN_SECRET_CHARACTERS = 8
"""Different characters in a secret. Fewer in 32 random hexadecimal digits occur once in 28 million."""

PLACEHOLDERS = (
    "changeme",
    "default",
    "example",
    "insecure",
    "password",
    "placeholder",
    "replaceme",
    "secret",
)
"""Words of secrets that were copied from documentation or typed to be replaced later; letters alone count."""

DATABASE_SCHEMES = ("sqlite", "postgres", "postgresql")
EMAIL_SCHEMES = ("smtp", "smtps", "smtp+tls", "smtp+ssl", "consolemail", "filemail", "memorymail")

HOST_NAME = r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*"
"""RFC 1123 section 2.1; an IPv4 address looks like one."""
HOST = rf"{HOST_NAME}|\[[0-9A-Fa-f:]+\]"

VARIABLES = frozenset(
    {
        "PORT",
        "SECRET_KEY",
        "SECRET_KEY_FALLBACKS",
        "JWT_SECRET_KEY",
        "JWT_SECRET_KEY_FALLBACKS",
        "DEBUG",
        "ALLOWED_HOSTS",
        "SITE_URL",
        "DATABASE_URL",
        "EMAIL_URL",
        "DEFAULT_FROM_EMAIL",
        "OUTBOX_THREAD",
        "CORS_ALLOWED_ORIGINS",
        "TRUSTED_PROXY_COUNT",
        "ADMIN_SECOND_FACTOR",
        "SIGNIN_RATE",
        "SIGNUP_RATE",
        "SUBSCRIBE_RATE",
        "GA_MEASUREMENT_ID",
        "SENTRY_DSN",
        "WEB_CONCURRENCY",
        "LAUNCH_YEAR",
    }
)
"""The whole contract; the README's table explains each."""

PREFIXES = ("CORS_", "GA_", "JWT_", "OUTBOX_", "SECRET_KEY_", "SIGNIN_", "SIGNUP_", "SUBSCRIBE_", "TRUSTED_")
"""What only settings of this project begin with; no host, shell or build service sets such a variable."""

SERVICE_LINK = re.compile(r"_SERVICE_(HOST|PORT)(_\w+)?$|_PORT(_[0-9]+_(TCP|UDP)(_\w+)?)?$")
"""What Kubernetes and Docker set for each service beside ours, whatever its name begins with."""

SIMILARITY = 0.85
"""The ratio of difflib from which a name counts as misspelt. PORT and DEBUG are too short for it."""


class BadSetting(SystemExit):
    """Ends the process (status 1) with one line on standard error."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"Sailing cannot start: {name} {problem}.")


def read_file(path: Path) -> None:
    """Take over the variables of a .env file, where it exists; the environment itself wins.

    Raises BadSetting for a variable outside the contract, which is most likely a misspelt one.
    """
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            name = line.removeprefix("export ").partition("=")[0].strip()
            if name not in VARIABLES:
                raise BadSetting(f"{name} (in {path.name})", _unknown(_likely_setting(name)))
    environ.Env.read_env(path)


def check_names(names: Iterable[str]) -> None:
    """Refuse a variable that is none of ours and looks like one.

    Most variables of a process are the system's, so only two kinds are taken for settings: a name that
    differs from one of ours by its letter case or a letter or two, and one with a prefix that is ours.
    Raises BadSetting for the first of them.
    """
    for name in sorted(names):
        if name in VARIABLES or SERVICE_LINK.search(name):
            continue
        likely = _likely_setting(name)
        if likely or name.startswith(PREFIXES):
            raise BadSetting(name, _unknown(likely))


def _unknown(likely: str | None) -> str:
    return "is not a setting of this project" + (f" (did you mean {likely}?)" if likely else "")


def _likely_setting(name: str) -> str | None:
    """The setting that a name is probably meant for."""
    if name.upper() in VARIABLES:
        return name.upper()
    long_ones = [known for known in VARIABLES if len(known) > 5 and abs(len(known) - len(name)) <= 2]
    return next(iter(get_close_matches(name.upper(), long_ones, n=1, cutoff=SIMILARITY)), None)


def text(name: str, default: str | None = None) -> str:
    """A string; a blank value counts as missing."""
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise BadSetting(name, "is missing")
    return default


def secret(name: str, default: str | None = None) -> str:
    """A random secret of at least 32 bytes; the default's own value has to be left out.

    Raises BadSetting, whose message never repeats the secret.
    """
    value = text(name, default)
    if problem := _weakness(value):
        raise BadSetting(name, problem)
    if value == default and os.environ.get(name, "").strip():
        raise BadSetting(name, "has the same value as its default; leave it out or set another")
    return value


def secrets(name: str, default: list[str]) -> list[str]:
    """Secrets that were replaced and still count, separated by commas; each as strong as any secret."""
    values = names(name, "") or default
    for value in values:
        if problem := _weakness(value):
            raise BadSetting(name, f"has an entry that {problem}")
    return values


def _weakness(secret: str) -> str | None:
    """Why a secret can be guessed, if it can."""
    make_one = "(openssl rand -base64 48 makes one)"
    if len(secret.encode()) < MIN_SECRET_BYTES:
        return f"is shorter than {MIN_SECRET_BYTES} bytes {make_one}"
    if len(set(secret)) < MIN_SECRET_CHARACTERS or secret in (secret + secret)[1:-1]:
        return f"repeats itself {make_one}"
    letters = re.sub("[^a-z]", "", secret.lower())
    if any(word in letters for word in PLACEHOLDERS):
        return f"looks like a placeholder {make_one}"
    return None


def boolean(name: str, default: bool) -> bool:
    value = text(name, str(default)).lower()
    if value in ("true", "1", "yes", "on"):
        return True
    if value in ("false", "0", "no", "off"):
        return False
    raise BadSetting(name, f"is neither true nor false: {value!r}")


def integer(name: str, default: int, *, lowest: int, highest: int) -> int:
    value = text(name, str(default))
    if not re.fullmatch(r"-?[0-9]{1,9}", value) or not lowest <= int(value) <= highest:
        raise BadSetting(name, f"is no whole number from {lowest} to {highest}: {value!r}")
    return int(value)


def names(name: str, default: str | None = None) -> list[str]:
    """A list, separated by commas."""
    return [item for item in (part.strip() for part in text(name, default).split(",")) if item]


def hosts(name: str, default: str | None = None) -> list[str]:
    """Host names, separated by commas; without scheme, port or path. `.example.org` takes subdomains."""
    values = names(name, default)
    if not values:
        raise BadSetting(name, "is missing")
    for value in values:
        if not re.fullmatch(rf"\*|\.?{HOST}", value):
            raise BadSetting(name, f"has an entry that is no host name: {value!r}")
    return values


def origin(name: str, value: str) -> str:
    """`https://example.org`: scheme, host and perhaps port, nothing behind them."""
    parts = _split(value)
    if not re.fullmatch(rf"https?://({HOST})(:[0-9]+)?/?", value) or not parts:
        raise BadSetting(name, f"is no address like https://example.org: {value!r}")
    return f"{parts.scheme}://{parts.netloc}"


def _split(value: str) -> SplitResult | None:
    """The parts of an address whose port, if it has one, is a port."""
    try:
        parts = urlsplit(value)
        return parts if parts.port != 0 else None
    except ValueError:
        return None


def origins(name: str) -> list[str]:
    """A list of origins, separated by commas; none by default."""
    return [origin(name, value) for value in names(name, "")]


def rate(name: str, default: str) -> str:
    """`20/m`: at most so many a second (s), minute (m), hour (h) or day (d)."""
    value = text(name, default)
    if not re.fullmatch(r"[1-9][0-9]{0,6}/[smhd]", value):
        raise BadSetting(name, f"is no rate like 20/m: {value!r}")
    return value


def sender(name: str, default: str) -> str:
    """Who mails come from: an email address, with or without a name before it."""
    value = text(name, default)
    parts = re.fullmatch(r"(?:[^<>@,]*<(?P<named>[^<>]+)>|(?P<bare>[^<>\s]+))", value)
    try:
        validate_email(parts and (parts["named"] or parts["bare"]))
    except ValidationError:
        raise BadSetting(name, f"is no sender like Sailing <hello@example.org>: {value!r}") from None
    return value


def pattern(name: str, default: str, expected: str, meaning: str) -> str:
    """A string that matches a regular expression as a whole, or is blank as the default is."""
    value = text(name, default)
    if value and not re.fullmatch(expected, value):
        raise BadSetting(name, f"is no {meaning}: {value!r}")
    return value


def _url(name: str, default: str | None, schemes: tuple[str, ...]) -> str:
    value = text(name, default)
    scheme = value.partition(":")[0]
    if scheme not in schemes:
        raise BadSetting(name, f"has to start with one of {', '.join(schemes)}")
    return value


def _parsed(name: str, parse: Any, value: str) -> dict[str, Any]:
    # The value is not repeated: such addresses carry passwords.
    try:
        return dict(parse(value))
    except Exception:  # noqa: BLE001 - whatever it is, the operator gets the one line
        raise BadSetting(name, "cannot be read as an address") from None


def database(name: str) -> dict[str, Any]:
    """Django's DATABASES entry of `sqlite:///file` or `postgres://user:password@host:port/name`."""
    config = _parsed(name, environ.Env.db_url_config, _url(name, None, DATABASE_SCHEMES))
    if not config.get("NAME"):
        raise BadSetting(name, "names no database")
    return config


def email(name: str, default: str) -> dict[str, Any]:
    """Django's EMAIL_* settings of `smtp+tls://user:password@host:587` or `consolemail://`."""
    config = _parsed(name, environ.Env.email_url_config, _url(name, default, EMAIL_SCHEMES))
    if "smtp" in config["EMAIL_BACKEND"] and not config["EMAIL_HOST"]:
        raise BadSetting(name, "names no mail server")
    if "filebased" in config["EMAIL_BACKEND"] and not config["EMAIL_FILE_PATH"].startswith("/"):
        raise BadSetting(name, "names no folder from the root on: filemail:////absolute/folder")
    return {key: value for key, value in config.items() if value is not None}
