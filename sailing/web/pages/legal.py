"""The legal documents, each in a template for each language. React shows them in a dialog too."""

from datetime import date, timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sailing.jobs import retention

# When the meaning of each document last changed, in any language.
CHANGED = {"privacy": date(2026, 11, 28), "terms": date(2026, 11, 23)}
PROVIDERS = {"sendgrid": "Twilio SendGrid", "ses": "Amazon SES", "sparkpost": "SparkPost"}  # unlike the keys
ANALYTICS_COOKIES = timedelta(days=395)  # COOKIE_LIFETIME_SECONDS of frontend/src/consent/tag.ts
UNITS = {  # for one, two to four, and more
    "en": {"days": ("day", "days", "days"), "hours": ("hour", "hours", "hours")},
    "cs": {"days": ("den", "dny", "dní"), "hours": ("hodinu", "hodiny", "hodin")},
}


@require_safe
def show_document(request: HttpRequest, document: str) -> HttpResponse:
    language = request.LANGUAGE_CODE
    periods = {**retention.periods, "analyticsCookies": ANALYTICS_COOKIES}
    context = {
        "changed": CHANGED[document],
        "operator": describe_operator(),
        "provider": PROVIDERS.get(settings.EMAIL_PROVIDER, settings.EMAIL_PROVIDER.capitalize()),
        "is_measured": bool(settings.GA_MEASUREMENT_ID),
        "reports_errors": bool(settings.SENTRY_DSN),
        "periods": {name: describe(period, language) for name, period in periods.items()},
    }
    return render(request, f"legal/{document}.{language}.html", context)


def describe_operator() -> dict[str, str]:
    return {
        "name": settings.OPERATOR_NAME,
        "address": settings.OPERATOR_ADDRESS,
        "email": settings.CONTACT_EMAIL,
    }


def describe(period: timedelta, language: str) -> str:
    """Return a period in whole days, or else in hours."""
    days = not period % timedelta(days=1)
    count = period // timedelta(days=1) if days else period // timedelta(hours=1)
    one, few, many = UNITS[language]["days" if days else "hours"]
    unit = one if count == 1 else few if count < 5 else many
    return f"{count}\N{NO-BREAK SPACE}{unit}"
