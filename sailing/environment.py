"""Read and validate the environment variables of the settings.

Each reader takes the name of a variable and its default (without one, the variable is required), and returns
a value of one type. A missing or invalid value ends the process with one line that names the variable.
"""

import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from email.headerregistry import Address
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, unquote, urlsplit

import environ
import idna
from django.core.exceptions import ValidationError
from django.core.validators import validate_email

VARIABLES = {
    *("BIND", "PORT", "DEBUG", "ALLOWED_HOSTS", "SITE_URL", "DATABASE_URL"),
    *("CORS_ALLOWED_ORIGINS", "TRUSTED_PROXY_COUNT", "ADMIN_SECOND_FACTOR"),
    *("SECRET_KEY", "SECRET_KEY_FALLBACKS", "JWT_SECRET_KEY", "JWT_SECRET_KEY_FALLBACKS"),
    *("EMAIL_URL", "EMAIL_CONNECTIONS", "EMAIL_PROVIDER", "MAIL_ONLY_TO"),
    *("EMAIL_WEBHOOK_SECRET", "EMAIL_WEBHOOK_SIGNING_KEY"),
    *("CAMPAIGN_MAILS_PER_SECOND", "CAMPAIGN_TEST_ADDRESSES", "INVITATIONS"),
    *("DEFAULT_FROM_EMAIL", "OPERATOR_NAME", "OPERATOR_ADDRESS", "CONTACT_EMAIL", "LAUNCH_YEAR"),
    *("SIGNIN_RATE", "SIGNUP_RATE", "SUBSCRIBE_RATE", "MAIL_RATES", "EMBEDDED_WORKER", "WEB_CONCURRENCY"),
    *("GA_MEASUREMENT_ID", "SENTRY_DSN", "METRICS_TOKEN", "LOG_LEVEL"),
}
"""All variables, which the README describes."""

MIN_SECRET_BYTES = 32
"""RFC 7518 section 3.2: a key for HS256 has at least the size of the hash."""

MIN_SECRET_CHARACTERS = 8
"""Distinct characters in a secret. 32 random hexadecimal digits have fewer once in 28 million."""

PLACEHOLDER = re.compile("changeme|default|example|insecure|password|placeholder|replaceme|secret")

HOST_NAME = r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*"
"""RFC 1123 section 2.1. An IPv4 address matches too."""
HOST = rf"{HOST_NAME}|\[[0-9A-Fa-f:]+\]"
RATE = "[1-9][0-9]{0,6}/[smhd]"

ENCODING_HINT = "(percent-encode special characters in user and password: @ as %40, / as %2F)"
POSTGRES_OPTIONS = {
    "sslmode": "disable|allow|prefer|require|verify-ca|verify-full",
    "target_session_attrs": "any|read-write|read-only|primary|standby|prefer-standby",
    **dict.fromkeys(("connect_timeout", "tcp_user_timeout", "keepalives_idle"), "[0-9]+"),
}
"""Values of options that libpq checks only when it connects."""

EMAIL_SCHEMES = ("smtp", "smtps", "smtp+tls", "smtp+ssl", "consolemail", "filemail", "memorymail")
PROVIDERS = (
    *("postmark", "mailgun", "ses", "sendgrid"),
    *("brevo", "mailjet", "mailtrap", "mandrill", "resend", "sparkpost"),
)
"""Email providers whose reports are read: by django-anymail, with its names, and those of Amazon (`ses`)."""

CONTROL = r"\x00-\x1f\x7f-\x9f"
SENDER = re.compile(
    rf'(?P<bare>[^<>\s]+)|("(?P<quoted>([^"\\{CONTROL}]|\\[^{CONTROL}])*)"|(?P<plain>[^"<>@{CONTROL}]*?))'
    r"\s*<(?P<address>[^<>]+)>"
)
"""An address, or a name and an address. A name in quotes has backslashes before quotes and backslashes."""


class BadSetting(SystemExit):
    """End the process with status 1 and one line on standard error."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"Sailing cannot start: {name} {problem}.")


def read_file(path: Path) -> None:
    """Load the variables of a .env file, if there is one. The environment takes precedence.

    Raises BadSetting for an unknown variable, and for a line that django-environ would drop. The line may
    hold a secret, so the message has its number only.
    """
    if not path.exists():
        return
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise BadSetting(path.name, "is not UTF-8 text; save it again") from None
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        setting = re.match("(export )?([A-Za-z_0-9]+)=", line)
        if setting is None:
            raise BadSetting(f"line {number} of {path.name}", "must be NAME=value, without spaces")
        if setting[2] not in VARIABLES:
            raise _explain_unknown(setting[2], f" (in {path.name})")
    environ.Env.read_env(path)


def check_names(names: Iterable[str]) -> None:
    """Raise BadSetting for a variable that differs from one of ours by a letter or two.

    All others belong to the system or to other tools, and so do names that begin differently (MAIL_URL).
    """
    for name in sorted(set(names) - VARIABLES):
        if any(similar[0] == name[0] for similar in _find_similar(name)):
            raise _explain_unknown(name)


def _explain_unknown(name: str, source: str = "") -> BadSetting:
    hint = "".join(f" (did you mean {similar}?)" for similar in _find_similar(name))
    return BadSetting(f"{name}{source}", f"is not a setting of this project{hint}")


def _find_similar(name: str) -> list[str]:
    return get_close_matches(name, VARIABLES, n=1, cutoff=0.9)


def read_text(name: str, default: str | None = None) -> str:
    """Read a string. A blank value counts as missing."""
    value = os.environ.get(name, "").strip()
    if value:
        return value
    if default is None:
        raise BadSetting(name, "is missing")
    return default


def read_secret(name: str, default: str | None = None) -> str:
    """Read a random secret of at least 32 bytes, which must differ from the default.

    Raises BadSetting, without the secret in its message.
    """
    value = read_text(name, default)
    if problem := find_weakness(value):
        raise BadSetting(name, problem)
    if value == default and os.environ.get(name, "").strip():
        raise BadSetting(name, "has the same value as its default; leave it out or set another")
    return value


def read_secrets(name: str, default: list[str]) -> list[str]:
    """Read replaced secrets that are still valid, separated by commas."""
    values = read_list(name, "") or default
    for value in values:
        if problem := find_weakness(value):
            raise BadSetting(name, f"has an entry that {problem}")
    return values


def find_weakness(secret: str) -> str | None:
    """Return why a secret can be guessed, if it can."""
    make_one = "(openssl rand -base64 48 makes one)"
    if len(secret.encode()) < MIN_SECRET_BYTES:
        return f"is shorter than {MIN_SECRET_BYTES} bytes {make_one}"
    if len(set(secret)) < MIN_SECRET_CHARACTERS or secret in (secret + secret)[1:-1]:
        return f"repeats itself {make_one}"
    if PLACEHOLDER.search(re.sub("[^a-z]", "", secret.lower())):
        return f"looks like a placeholder {make_one}"
    return None


def read_boolean(name: str, default: bool) -> bool:
    value = read_text(name, str(default)).lower()
    if value in ("true", "1", "yes", "on"):
        return True
    if value in ("false", "0", "no", "off"):
        return False
    raise BadSetting(name, f"must be true or false: {value!r}")


def read_integer(name: str, default: int, *, lowest: int, highest: int) -> int:
    value = read_text(name, str(default))
    if not re.fullmatch(r"-?[0-9]{1,9}", value) or not lowest <= int(value) <= highest:
        raise BadSetting(name, f"must be a whole number from {lowest} to {highest}: {value!r}")
    return int(value)


def read_list(name: str, default: str | None = None) -> list[str]:
    """Read a list, separated by commas."""
    return [item for item in (part.strip() for part in read_text(name, default).split(",")) if item]


def read_hosts(name: str, default: str | None = None) -> list[str]:
    """Read host names, separated by commas. `.example.org` includes subdomains."""
    values = read_list(name, default)
    if not values:
        raise BadSetting(name, "is missing")
    for value in values:
        if not re.fullmatch(rf"\*|\.?{HOST}", value):
            raise BadSetting(name, f"contains an invalid host name: {value!r}")
    return values


def validate_origin(name: str, value: str) -> str:
    """Return a validated origin, such as `https://example.org` or `http://127.0.0.1:8000`."""
    parts = _split(value)
    if not re.fullmatch(rf"https?://({HOST})(:[0-9]+)?/?", value) or not parts:
        raise BadSetting(name, f"must be an address like https://example.org: {value!r}")
    return f"{parts.scheme}://{parts.netloc}"


def _split(value: str) -> SplitResult | None:
    """Return the parts of a URL, or None if its port is invalid."""
    try:
        parts = urlsplit(value)
        return parts if parts.port != 0 else None
    except ValueError:
        return None


def read_rate(name: str, default: str) -> str:
    """Read a rate such as `20/m`, per second (s), minute (m), hour (h) or day (d)."""
    return read_matching(name, default, RATE, "a single rate like 20/m")


def read_rates(name: str, default: str) -> list[str]:
    """Read rates that hold together, separated by commas."""
    read_matching(name, default, rf"{RATE}(\s*,\s*{RATE})*", "rates like 20/h,60/d")
    return read_list(name, default)


def read_sender(name: str, default: str | None = None) -> str:
    """Read the sender of mails: an email address, or a name before an address in angle brackets.

    Return it in the form of RFC 5322, which every part of the project can write and read: a name with special
    characters in quotes, the domain in ASCII. A name without quotes is taken literally, so it may have commas
    or colons, but no `@`: that could be a second sender. Raises BadSetting.
    """
    value = read_text(name, default)
    parts = SENDER.fullmatch(value)
    try:
        if parts is None:
            raise ValueError
        display_name = parts["plain"] or re.sub(r"\\(.)", r"\1", parts["quoted"] or "")
        display_name.encode()  # fails for bytes that are not UTF-8
        return str(Address(display_name, addr_spec=_to_ascii(parts["address"] or parts["bare"])))
    except (ValueError, ValidationError):
        raise BadSetting(name, f'must be like "Sailing, Ltd." <hello@example.org>: {value!r}') from None


def validate_address(name: str, value: str) -> str:
    """Return an email address if it is one."""
    try:
        _to_ascii(value)
    except (ValueError, ValidationError):
        raise BadSetting(name, f"must be an address like hello@example.org: {value!r}") from None
    return value


def _to_ascii(address: str) -> str:
    """Return an address with its domain in ASCII (RFC 5891). Raises ValueError or ValidationError."""
    validate_email(address)
    local, _at, domain = address.rpartition("@")
    local.encode("ascii")  # the validator takes the Kelvin sign for a K
    return f"{local}@{idna.encode(domain.lower()).decode()}"


def read_recipients(name: str) -> frozenset[str]:
    """Read email addresses and domains, separated by commas, in lower case. Empty by default."""
    values = frozenset(value.lower() for value in read_list(name, ""))
    for value in values:
        try:
            validate_email(value if "@" in value else f"anybody@{value}")
        except ValidationError:
            raise BadSetting(name, f"must be addresses or domains like example.org: {value!r}") from None
    if not values and read_text(name, ""):  # everybody would get mail
        raise BadSetting(name, "lists nobody")
    return values


def read_matching(name: str, default: str, expected: str, meaning: str) -> str:
    """Read a string that is blank or matches a regular expression."""
    value = read_text(name, default)
    if value and not re.fullmatch(expected, value):
        raise BadSetting(name, f"must be {meaning}: {value!r}")
    return value


def _read_url(name: str, default: str | None, schemes: tuple[str, ...]) -> str:
    value = read_text(name, default)
    scheme = value.partition(":")[0]
    if scheme not in schemes:
        raise BadSetting(name, f"must start with one of {', '.join(schemes)}")
    return value


def read_database(name: str) -> dict[str, Any]:
    """Read the DATABASES entry from `sqlite:///file` or `postgres://user:password@host:port/name`.

    PostgreSQL's own client reads its URL: hosts, sockets and options are those of libpq. Raises BadSetting,
    without what may be a part of the password in its message.
    """
    value = _read_url(name, None, ("sqlite", "postgres", "postgresql"))
    if value.startswith("sqlite"):
        file = re.fullmatch(r"sqlite://(:memory:|/(?P<path>[^?#]*[^?#/]))", value)
        if not file:
            raise BadSetting(name, "must look like sqlite:///file or sqlite:////absolute/folder/file")
        return {"ENGINE": "django.db.backends.sqlite3", "NAME": unquote(file["path"] or ":memory:")}

    import psycopg2.extensions  # imported here because SQLite needs no client

    example = f"postgres://user:password@host:5432/name {ENCODING_HINT}"
    socket = "postgres://%2Fvar%2Frun%2Fpostgresql/name"
    malformed = BadSetting(name, f"must look like {example}, or with a socket {socket}")
    try:
        options = psycopg2.extensions.parse_dsn(value)
    except psycopg2.ProgrammingError as error:
        unknown = re.search(r'URI query parameter: "(\w+)"', str(error))
        if not unknown or "@" in value.rpartition("?")[2]:  # then the question mark is in the password
            raise malformed from None
        raise BadSetting(name, f"has an option that PostgreSQL does not know: {unknown[1]}") from None
    for option, expected in POSTGRES_OPTIONS.items():
        if option in options and not re.fullmatch(expected, options[option]):
            raise BadSetting(name, f"has an unknown value of the option {option}")
    keys = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    config = {key: options.pop(option, "") for key, option in keys.items()}
    if not re.fullmatch("[^@/#]+ [^@]* [0-9,]*", f"{config['NAME']} {config['HOST']} {config['PORT']}"):
        raise malformed
    return {"ENGINE": "django.db.backends.postgresql", **config, "OPTIONS": options}


def read_email(name: str, default: str | None, *, must_send: bool) -> dict[str, Any]:
    """Read the EMAIL_* settings of Django from `smtp+tls://user:password@host:587` or `consolemail://`.

    `must_send` refuses `consolemail://` and `memorymail://`, which lose emails.
    """
    value = _read_url(name, default, EMAIL_SCHEMES)
    scheme = value.partition(":")[0]
    if must_send and scheme in ("consolemail", "memorymail"):
        raise BadSetting(name, f"must name a mail server: {scheme}:// sends nothing")
    parts = _split(value)
    has_more = parts and (not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment)
    if not parts or (scheme.startswith("smtp") and has_more):
        raise BadSetting(name, f"must look like smtp+tls://user:password@host:587 {ENCODING_HINT}")
    config = dict(environ.Env.email_url_config(value))
    if scheme == "filemail" and not config["EMAIL_FILE_PATH"].startswith("/"):
        raise BadSetting(name, "must name an absolute folder: filemail:////absolute/folder")
    if not config["EMAIL_PORT"] and config.get("EMAIL_USE_SSL", config.get("EMAIL_USE_TLS")):
        config["EMAIL_PORT"] = 465 if "EMAIL_USE_SSL" in config else 587  # RFC 8314; Django's default is 25
    return {key: value for key, value in config.items() if value is not None}


def read_webhook_secret(name: str) -> str:
    """Read `user:password` of HTTP basic authentication; blank by default.

    Both may stand in a URL as they are. Raises BadSetting, without the secret in its message.
    """
    value = read_text(name, "")
    if not value:
        return ""
    parts = re.fullmatch(r"[A-Za-z0-9_-]+:(?P<password>[A-Za-z0-9_-]+)", value)
    if not parts:
        raise BadSetting(name, "must be user:password, of letters and digits only")
    if find_weakness(parts["password"]):
        raise BadSetting(name, "needs a better password (openssl rand -hex 32 makes one)")
    return value
