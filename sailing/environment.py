"""Read the settings from the environment and from `.env`, with django-environ.

A missing or malformed value, which may be a secret, ends the process with one line that names its variable.
"""

import re
from collections.abc import Callable
from email.headerregistry import Address
from email.utils import parseaddr
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

import idna
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email
from environ import Env

VARIABLES = {  # all, which the README describes
    *("BIND", "PORT", "DEBUG", "ALLOWED_HOSTS", "SITE_URL", "DATABASE_URL"),
    *("CORS_ALLOWED_ORIGINS", "TRUSTED_PROXY_COUNT", "ADMIN_SECOND_FACTOR"),
    *("SECRET_KEY", "SECRET_KEY_FALLBACKS", "JWT_SECRET_KEY", "JWT_SECRET_KEY_FALLBACKS"),
    *("EMAIL_URL", "EMAIL_CONNECTIONS", "EMAIL_PROVIDER", "MAIL_ONLY_TO"),
    *("EMAIL_WEBHOOK_SECRET", "EMAIL_WEBHOOK_SIGNING_KEY"),
    *("CAMPAIGN_MAILS_PER_SECOND", "CAMPAIGN_TEST_ADDRESSES"),
    *("DEFAULT_FROM_EMAIL", "OPERATOR_NAME", "OPERATOR_ADDRESS", "CONTACT_EMAIL", "LAUNCH_YEAR"),
    *("SIGNIN_RATE", "SIGNUP_RATE", "SUBSCRIBE_RATE", "MAIL_RATES", "EMBEDDED_WORKER", "WEB_CONCURRENCY"),
    *("GA_MEASUREMENT_ID", "SENTRY_DSN", "METRICS_TOKEN", "LOG_LEVEL", "TIME_ZONE"),
}

MIN_SECRET_BYTES = 32  # RFC 7518 section 3.2: a key for HS256 has at least the size of the hash
ENCODE = "percent-encode special characters of the password: @ as %40, / as %2F"
PLACEHOLDER = re.compile("changeme|default|example|insecure|password|placeholder|replaceme|secret")
CONTROL = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\ud800-\\udfff]")
HOST = r"(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+|\[[0-9A-Fa-f:]+\]"
# Email providers whose reports are read: by django-anymail, with its names, and those of Amazon (`ses`).
PROVIDERS = "brevo|mailgun|mailjet|mailtrap|mandrill|postmark|resend|sendgrid|ses|sparkpost"

Parser = Callable[[str], Any]  # raises ImproperlyConfigured with what the value must be

env = Env()


class BadSetting(SystemExit):
    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"Sailing cannot start: {name} {problem}.")


def read_file(path: Path) -> None:
    """Load a .env file, if any; the environment wins. Refuses unknown names, and what a shell misreads."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        name, equals, value = line.partition("=")
        if not equals or not name.isidentifier():
            raise BadSetting(f"line {number} of {path.name}", "must be NAME=value, without spaces")
        if name not in VARIABLES:
            raise BadSetting(f"{name} (in {path.name})", "is not a setting of this project")
        if "\\" in value or (value[:1] in "\"'" and value.count(value[:1]) % 2):
            raise BadSetting(f"{name} (in {path.name})", "must have no backslash and no open quote")
    Env.read_env(path)


def read(name: str, default: Any = None, parse: Parser = str) -> Any:
    """Return the value of a variable, or the default if it is blank. Without a default it is required."""
    # Not `env.str`, which takes a value with a dollar sign for the name of another variable.
    value = env.ENVIRON.get(name, "").strip()
    if not value and default is None:
        raise BadSetting(name, "is missing")
    try:
        return parse(value) if value else default
    except ImproperlyConfigured as error:
        raise BadSetting(name, str(error)) from None
    except ValueError:  # its message may have a part of a password
        raise BadSetting(name, f"is malformed ({ENCODE})") from None


def boolean(value: str) -> bool:
    matching("(?i:true|1|yes|on|false|0|no|off)", "true or false")(value)
    return value.lower() in env.BOOLEAN_TRUE_STRINGS


def integer(lowest: int, highest: int) -> Parser:
    def parse(value: str) -> int:
        if not re.fullmatch("[0-9]{1,9}", value) or not lowest <= int(value) <= highest:
            raise ImproperlyConfigured(f"must be a whole number from {lowest} to {highest}")
        return int(value)

    return parse


def matching(pattern: str, meaning: str) -> Parser:
    def parse(value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise ImproperlyConfigured(f"must be {meaning}")
        return value

    return parse


def items(parse: Parser) -> Parser:
    def parse_all(value: str) -> list[Any]:
        if not value.strip(", "):
            raise ImproperlyConfigured("is an empty list")
        return [parse(item.strip()) for item in value.split(",") if item.strip()]

    return parse_all


bind_address = matching(HOST, "an address like 127.0.0.1 or [::1]")
host = matching(rf"\*|\.?(?:{HOST})", "host names like example.org, or .example.org with its subdomains")
log_level = matching("(?i:info|warning|error)", "info, warning or error")
measurement_id = matching(r"G-[A-Z0-9]{4,20}", "an id like G-ABC123")
provider = matching(PROVIDERS, f"one of {PROVIDERS.replace('|', ', ')}")
rate = matching("[1-9][0-9]{0,6}/[smhd]", "a rate like 20/m")
sentry_dsn = matching(r"https?://\w+@[^/\s]+/(\S+/)?[0-9]+", "a Sentry address")
webhook_secret = matching(r"[\w-]+:[\w-]{32,}", "user:password, the password of 32+ letters and digits")


def secret(value: str) -> str:
    """Return a secret that is long, not of a few characters only, and no placeholder."""
    is_placeholder = PLACEHOLDER.search(re.sub("[^a-z]", "", value.lower()))
    if len(value.encode()) < MIN_SECRET_BYTES or len(set(value)) < 8 or is_placeholder:
        raise ImproperlyConfigured(
            f"must be random, of at least {MIN_SECRET_BYTES} bytes (openssl rand -base64 48 makes one)"
        )
    return value


def origin(value: str) -> str:
    matching(rf"https?://(?:{HOST})(?::[0-9]{{1,5}})?/?", "an address like https://example.org")(value)
    return value.rstrip("/")


def time_zone(value: str) -> str:
    if value not in available_timezones():
        raise ImproperlyConfigured("must be a time zone like Europe/Prague")
    return value


def address(value: str) -> str:
    try:
        validate_email(value)
    except ValidationError:
        raise ImproperlyConfigured("must be an address like hello@example.org") from None
    return value


def recipient(value: str) -> str:
    address(value if "@" in value else f"anybody@{value}")
    local, at, domain = value.lower().rpartition("@")
    return f"{local}{at}{idna.encode(domain).decode()}"


def sender(value: str) -> str:
    """Return an address, or a name before an address in angle brackets, as RFC 5322 writes them."""
    name, email = parseaddr(value)
    is_whole = value.strip("<>") == email or (name and value.endswith(f"<{email}>"))
    if not is_whole or CONTROL.search(value):
        raise ImproperlyConfigured("must be like Sailing <hello@example.org>, a name with commas in quotes")
    local, _at, domain = address(email).rpartition("@")
    return str(Address(name, addr_spec=f"{local}@{idna.encode(domain.lower()).decode()}"))


def database(value: str) -> dict[str, Any]:
    example = "sqlite:///file, sqlite:////absolute/folder/file or postgres://user:password@host:5432/name"
    matching(r"sqlite:(//:memory:|///[^?#]+)|postgres(ql)?://.*/[^/]+", f"{example} ({ENCODE})")(value)
    return dict(env.db_url_config(value))


def email_server(value: str) -> dict[str, Any]:
    """Return the settings EMAIL_*, with the port of RFC 8314 where the address has none."""
    example = (
        "smtp+tls://user:password@host:587, smtp+ssl://user:password@host, consolemail://"
        " or filemail:////absolute/folder"
    )
    pattern = "smtp([+](tls|ssl))?://[^/?#]+/?|(console|memory)mail://|filemail:////.+"
    matching(pattern, f"{example} ({ENCODE})")(value)
    config = dict(env.email_url_config(value))
    default_port = 465 if config.get("EMAIL_USE_SSL") else 587 if config.get("EMAIL_USE_TLS") else 25
    config["EMAIL_PORT"] = config["EMAIL_PORT"] or default_port
    return {name: value for name, value in config.items() if value is not None}
