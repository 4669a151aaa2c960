"""Set the environment of the tests, which overrides `.env`; only `DATABASE_URL` may come from outside."""

import os

os.environ.setdefault("DATABASE_URL", "sqlite://:memory:")
os.environ.update(
    SECRET_KEY="only-for-tests-" + "0123456789abcdef" * 3,
    JWT_SECRET_KEY="tokens-only-for-tests-" + "0123456789abcdef" * 3,
    SECRET_KEY_FALLBACKS="",
    JWT_SECRET_KEY_FALLBACKS="",
    DEBUG="false",
    BIND="127.0.0.1",
    PORT="8000",
    ALLOWED_HOSTS="testserver,localhost,127.0.0.1",
    SITE_URL="http://testserver",
    EMAIL_URL="smtp://127.0.0.1:1",  # nothing listens there; in tests Django keeps emails in memory
    EMAIL_CONNECTIONS="4",
    EMAIL_PROVIDER="",
    EMAIL_WEBHOOK_SECRET="",
    EMAIL_WEBHOOK_SIGNING_KEY="",
    DEFAULT_FROM_EMAIL="Sailing <hello@sailing.example>",
    OPERATOR_NAME="Sailing & Co.",
    OPERATOR_ADDRESS="Nábřežní 7, 120 00 Praha 2",
    CONTACT_EMAIL="ahoy@sailing.example",
    EMBEDDED_WORKER="true",
    CORS_ALLOWED_ORIGINS="https://partner.example",
    TRUSTED_PROXY_COUNT="0",
    ADMIN_SECOND_FACTOR="false",
    SIGNIN_RATE="10/m",
    SIGNUP_RATE="60/m",
    SUBSCRIBE_RATE="20/m",
    MAIL_RATES="20/h,60/d",
    GA_MEASUREMENT_ID="",
    SENTRY_DSN="",
    METRICS_TOKEN="",
    LOG_LEVEL="info",
    WEB_CONCURRENCY="2",
    LAUNCH_YEAR="2025",
    TIME_ZONE="UTC",
)
