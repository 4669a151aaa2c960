"""The retention of admin sessions (see `sailing.jobs.retention`)."""

from datetime import timedelta

from django.conf import settings

from sailing.admin import sessions
from sailing.jobs import retention

retention.register(sessions.purge_expired)
retention.declare_periods(
    {
        "adminSession": timedelta(seconds=settings.SESSION_COOKIE_AGE),
        "languageCookie": timedelta(seconds=settings.LANGUAGE_COOKIE_AGE),
    }
)
