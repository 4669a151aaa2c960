"""The language of a response: the one the visitor chose, in the query or earlier in the cookie."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse

LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


def get_language(request: HttpRequest, *fallbacks: str) -> str:
    """Return the language of `?lang=`, else of the cookie, else the first fallback, else English."""
    codes = (request.GET.get("lang"), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME), *fallbacks)
    return next((code for code in codes if code in LANGUAGES), settings.LANGUAGE_CODE)


def store_choice(response: HttpResponse, language: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        samesite="Lax",
    )
