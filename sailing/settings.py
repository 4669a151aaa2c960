"""All settings. The README lists the environment variables; `sailing.environment` reads them."""

from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from csp.constants import NONE, SELF
from django.http.request import split_domain_port, validate_host
from whitenoise.compress import Compressor

from sailing import environment as env
from sailing.operations.logging import configuration as logging_configuration
from sailing.operations.logging import start_sentry

BASE_DIR = Path(__file__).resolve().parent.parent

env.read_file(BASE_DIR / ".env")

# --- Addresses and secrets ---------------------------------------------------------------------------
DEBUG = env.read("DEBUG", False, env.boolean)
BIND = env.read("BIND", "127.0.0.1", env.bind_address)
PORT = env.read("PORT", 8000, env.integer(1, 65535))
SECRET_KEY = env.read("SECRET_KEY", parse=env.secret)
SECRET_KEY_FALLBACKS = env.read("SECRET_KEY_FALLBACKS", [], env.items(env.secret))
ALLOWED_HOSTS = env.read("ALLOWED_HOSTS", ["localhost", "127.0.0.1"] if DEBUG else None, env.items(env.host))


def _default_site_url() -> str | None:
    host = ALLOWED_HOSTS[0]
    if DEBUG or host in ("localhost", "127.0.0.1", "[::1]"):
        return f"http://127.0.0.1:{PORT}"
    return None if host.startswith((".", "*")) else f"https://{host}"


SITE_URL = env.read("SITE_URL", _default_site_url(), env.origin)  # https switches on what needs TLS

LAUNCH_YEAR = env.read("LAUNCH_YEAR", 2025, env.integer(2020, 2100))
GA_MEASUREMENT_ID = env.read("GA_MEASUREMENT_ID", "", env.measurement_id)

_TLS = SITE_URL.startswith("https://")
LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
_IN_PRODUCTION = not DEBUG and urlsplit(SITE_URL).hostname not in LOCAL_HOSTS

if _IN_PRODUCTION and not validate_host(split_domain_port(urlsplit(SITE_URL).netloc)[0], ALLOWED_HOSTS):
    raise env.BadSetting("SITE_URL", "has a host that ALLOWED_HOSTS does not list")

# The processes speak plain HTTP, so an https site is behind a proxy.
TRUSTED_PROXY_COUNT = env.read("TRUSTED_PROXY_COUNT", int(_TLS), env.integer(int(_TLS), 10))

# --- The application -------------------------------------------------------------------------
INSTALLED_APPS = [
    "whitenoise.runserver_nostatic",
    "accounts",
    "newsletter",
    "newsletter.imports",
    "newsletter.campaigns",
    "newsletter.invitations",
    "sailing",
    "sailing.mail",
    "sailing.jobs",
    "sailing.ratelimit",
    "sailing.apps.SailingAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.sitemaps",
    "django.contrib.humanize",
    "corsheaders",
    "csp",
    "graphene_django",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "django_otp.plugins.otp_static",
]

# The first five handle every response, also of those below that end a request early.
MIDDLEWARE = [
    "sailing.web.middleware.RequestLogMiddleware",
    "sailing.web.middleware.SecurityHeadersMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "sailing.web.middleware.ClientAddressMiddleware",
    "sailing.web.health.HealthMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "sailing.web.middleware.LanguageMiddleware",
    "sailing.web.middleware.ErrorPageMiddleware",
    "django.middleware.http.ConditionalGetMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]

ROOT_URLCONF = "sailing.urls"
WSGI_APPLICATION = "sailing.wsgi.application"
FORCE_SCRIPT_NAME = ""  # the site is always at the root
APPEND_SLASH = False  # the catch-all view handles every path

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# --- Database --------------------------------------------------------------------------------
DATABASES = {"default": env.read("DATABASE_URL", parse=env.database)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

_database: dict[str, Any] = DATABASES["default"]
_options: dict[str, Any] = _database.setdefault("OPTIONS", {})
if "sqlite" in _database["ENGINE"]:
    # Writers wait at BEGIN instead of failing at their first write.
    _options |= {"timeout": 3, "transaction_mode": "IMMEDIATE", "init_command": "PRAGMA journal_mode=WAL"}
    if not Path(_database["NAME"]).is_absolute() and _database["NAME"] != ":memory:":
        _database["NAME"] = str(BASE_DIR / _database["NAME"])
else:
    _database["OPTIONS"] = {
        "connect_timeout": 3,  # seconds
        # In ms. A vanished server is noticed after 1.9 s, and the next attempt gives up after 1.5 s, so a
        # request is answered within 4 s: the operating system alone would take minutes or hours.
        "tcp_user_timeout": 1500,
        "keepalives_idle": 5,
        "keepalives_interval": 2,
        "keepalives_count": 2,
        **_options,
    }
    _database["CONN_MAX_AGE"] = 600
    _database["CONN_HEALTH_CHECKS"] = True
    _database["DISABLE_SERVER_SIDE_CURSORS"] = True  # a pooler in transaction mode loses them

# --- Members and tokens ----------------------------------------------------------------------
AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",  # Django admin
    "accounts.tokens.BearerTokenBackend",  # GraphQL
]
# Only Django admin uses sessions. A refused `?next=` redirects to its index.
LOGIN_REDIRECT_URL = "admin:index"
LOGOUT_REDIRECT_URL = "admin:login"
SESSION_ENGINE = "sailing.admin.sessions"
SESSION_COOKIE_AGE = 12 * 3600  # seconds from the sign-in (sailing/admin/site.py)

ADMIN_SECOND_FACTOR = env.read("ADMIN_SECOND_FACTOR", _TLS, env.boolean)
OTP_TOTP_ISSUER = "Sailing"
# A stored drift would grow with each sign-in of a phone whose clock is wrong, and then refuse right codes.
OTP_TOTP_SYNC = False
PASSWORD_HASHERS = ["accounts.hashers.Argon2idHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "accounts.validation.PasswordRules"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

JWT_SECRET_KEY = env.read("JWT_SECRET_KEY", SECRET_KEY, env.secret)
_fallbacks = SECRET_KEY_FALLBACKS if JWT_SECRET_KEY == SECRET_KEY else []
JWT_SECRET_KEY_FALLBACKS: list[str] = env.read("JWT_SECRET_KEY_FALLBACKS", _fallbacks, env.items(env.secret))

GRAPHQL_JWT = {
    "JWT_SECRET_KEY": JWT_SECRET_KEY,
    "JWT_ALGORITHM": "HS256",
    "JWT_AUDIENCE": "sailing-web",
    "JWT_ISSUER": "sailing",
    "JWT_EXPIRATION_DELTA": timedelta(days=14),
}

# --- GraphQL ---------------------------------------------------------------------------------
GRAPHENE = {"SCHEMA": "sailing.schema.schema", "SCHEMA_OUTPUT": "frontend/schema.graphql"}

SIGNIN_RATE = env.read("SIGNIN_RATE", "10/m", env.rate)
SIGNUP_RATE = env.read("SIGNUP_RATE", "60/m", env.rate)
SUBSCRIBE_RATE = env.read("SUBSCRIBE_RATE", "20/m", env.rate)
MEMBER_RATE = "30/m"  # of each use case of signed-in members
MEMBER_READ_RATE = "300/m"  # of what each visit of the profile reads
SIGNIN_FAILURE_RATE = "5/5m"  # of one client at one account, so that others cannot lock its owner out (OWASP)
INVITATION_RATE = "10/d"  # of confirmations from one address that count; wider networks have multiples of it
MAIL_RATES = env.read("MAIL_RATES", ["20/h", "60/d"], env.items(env.rate))

CORS_ALLOWED_ORIGINS = env.read("CORS_ALLOWED_ORIGINS", [], env.items(env.origin))
CORS_URLS_REGEX = r"^/graphql/?$"
CORS_ALLOW_METHODS = ["POST"]
CORS_ALLOW_HEADERS = ["accept", "authorization", "content-type"]

# --- Mail ------------------------------------------------------------------------------------
_email = env.read("EMAIL_URL", env.email_server("consolemail://") if DEBUG else None, env.email_server)
if _IN_PRODUCTION and _email["EMAIL_BACKEND"].split(".")[-2] in ("console", "locmem"):
    raise env.BadSetting("EMAIL_URL", "must name a mail server: this one sends nothing")
EMAIL_BACKEND = _email.pop("EMAIL_BACKEND").replace(
    "django.core.mail.backends.smtp", "sailing.mail.transport"
)
globals().update(_email)
EMAIL_TIMEOUT = 5  # seconds
EMAIL_PROVIDER = env.read("EMAIL_PROVIDER", "", env.provider)
EMAIL_WEBHOOK_SECRET = env.read("EMAIL_WEBHOOK_SECRET", "", env.webhook_secret)
ANYMAIL = {"WEBHOOK_SECRET": EMAIL_WEBHOOK_SECRET}
if _key := env.read("EMAIL_WEBHOOK_SIGNING_KEY", ""):
    # Anymail's names of the key with which Mailgun, Mandrill and Mailtrap sign their reports.
    for _name in ("WEBHOOK_SIGNING_KEY", "WEBHOOK_KEY", "SIGNING_SECRET"):
        ANYMAIL[f"{EMAIL_PROVIDER.upper()}_{_name}"] = _key
DEFAULT_FROM_EMAIL = env.read(
    "DEFAULT_FROM_EMAIL", None if _IN_PRODUCTION else "Sailing <hello@sailing.example>", env.sender
)

MAIL_ONLY_TO = env.read("MAIL_ONLY_TO", [], env.items(env.recipient))

# Who runs the site: on its pages and in the footer of newsletters.
OPERATOR_NAME = env.read("OPERATOR_NAME", None if _IN_PRODUCTION else "Sailing (development)")
OPERATOR_ADDRESS = env.read(
    "OPERATOR_ADDRESS", None if _IN_PRODUCTION else "1 Harbor Street, 110 00 Prague, Czechia"
)
CONTACT_EMAIL = env.read("CONTACT_EMAIL", None if _IN_PRODUCTION else "hello@sailing.example", env.address)

# Mails are sent and jobs run in threads of each web process, or, if this is off, by `manage.py worker`.
EMBEDDED_WORKER = env.read("EMBEDDED_WORKER", True, env.boolean)
EMAIL_CONNECTIONS: int = env.read("EMAIL_CONNECTIONS", 4, env.integer(1, 50))
# What each sender takes mails from after the outbox (`sailing.mail.sender.Queue`).
MAIL_QUEUES = ["newsletter.campaigns.sender.CampaignQueue"]
CAMPAIGN_MAILS_PER_SECOND = env.read("CAMPAIGN_MAILS_PER_SECOND", 0, env.integer(0, 100_000))
CAMPAIGN_TEST_RATE = "20/h"  # of one admin; each test may go to all admins, in all languages
CAMPAIGN_TEST_ADDRESSES = env.read("CAMPAIGN_TEST_ADDRESSES", [], env.items(env.address))

# --- Languages -------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("cs", "Čeština")]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"  # for Django's `set_language`
TIME_ZONE = env.read("TIME_ZONE", "UTC", env.time_zone)
FORMAT_MODULE_PATH = "sailing.formats"

# --- Static files ----------------------------------------------------------------------------
STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
BUNDLE_DIR = BASE_DIR / "frontend" / "build"
STATICFILES_DIRS = [BASE_DIR / "static", ("app", BUNDLE_DIR / "app")]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},  # uploads are rows
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "sailing.web.pages.frontend.BundleStaticFilesStorage"
    },
}
WHITENOISE_IMMUTABLE_FILE_TEST = r"^.+\.[0-9a-f]{8,16}\..+$"
WHITENOISE_MAX_AGE = 3600
WHITENOISE_ALLOW_ALL_ORIGINS = False  # no other site needs our files
# WhiteNoise's list lacks AVIF. Compressing AVIF saves nothing and took half the time of collectstatic.
WHITENOISE_SKIP_COMPRESS_EXTENSIONS = (*Compressor.SKIP_COMPRESS_EXTENSIONS, "avif")
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}  # unknown to WhiteNoise

# --- Security --------------------------------------------------------------------------------
SECURE_SSL_REDIRECT = _TLS
SECURE_SSL_HOST = urlsplit(SITE_URL).netloc  # no host that a client names
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz)$"]
SECURE_HSTS_SECONDS = 2 * 365 * 24 * 3600 if _TLS else 0
# The owner of the domain decides about HSTS of its other hosts, and about preloading.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
if not _TLS:
    # One warning about SITE_URL (sailing/operations/checks.py) stands for the warnings that follow from it.
    SILENCED_SYSTEM_CHECKS += [f"security.{check}" for check in ("W004", "W008", "W012", "W016")]
SECURE_REFERRER_POLICY = "strict-origin-when-cross-origin"
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXY_COUNT else None

SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = _TLS
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "sailing.admin.site.handle_csrf_failure"
CSRF_TRUSTED_ORIGINS = [SITE_URL]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF],
        "font-src": [SELF],
        "media-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
_TAG = ["https://www.googletagmanager.com"] if GA_MEASUREMENT_ID else []
_COLLECT = ["https://*.google-analytics.com", "https://*.analytics.google.com", *_TAG] if _TAG else []
SENTRY_DSN = env.read("SENTRY_DSN", "", env.sentry_dsn)
_sentry = urlsplit(SENTRY_DSN)
_REPORTS = [f"{_sentry.scheme}://{_sentry.netloc.partition('@')[2]}"] if SENTRY_DSN else []
# Google Analytics and Sentry, which only React pages load.
PAGE_SOURCES = {"script-src": _TAG, "img-src": _COLLECT, "connect-src": [*_COLLECT, *_REPORTS]}

# --- Logging and monitoring ------------------------------------------------------------------
LOGGING = logging_configuration(env.read("LOG_LEVEL", "info", env.log_level).upper())

if SENTRY_DSN:
    start_sentry(SENTRY_DSN)

METRICS_TOKEN = env.read("METRICS_TOKEN", "", env.secret)

WEB_CONCURRENCY = env.read("WEB_CONCURRENCY", 2, env.integer(1, 64))
