"""The language of a response: the one the visitor chose, in the query or earlier in the cookie."""

from django.conf import settings
from django.http import HttpRequest

LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


def get_language(request: HttpRequest, *fallbacks: str) -> str:
    """Return the language of `?lang=`, else of the cookie, else the first fallback, else English."""
    chosen = request.GET.get("lang", "")
    return first_supported(chosen, request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""), *fallbacks)


def first_supported(*codes: str) -> str:
    """Return the first code that is a language of the site, else English."""
    return next((code for code in codes if code in LANGUAGES), settings.LANGUAGE_CODE)
