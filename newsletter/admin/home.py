"""The readers on the home page of Django admin."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from newsletter.models import AUDIENCES, ConsentEvent, ConsentKind, State, Subscription

PERIOD = timedelta(days=7)
"""What changed within it is shown."""

Numbers = dict[tuple[str, str], int]


def describe_readers(request: HttpRequest) -> dict[str, Any]:
    """Return the subscribers by audience and language: confirmed, joined and left lately, and waiting.

    Who left: those who unsubscribed or were unsubscribed by an admin, and addresses that stopped working.
    A reader who joined and left lately counts as both. Those who came back without confirming did not join.
    """
    since = timezone.now() - PERIOD
    subscriptions = Subscription.objects
    ended = ConsentEvent.objects.filter(kind=ConsentKind.ENDED_BY_ADMIN, at__gte=since).values("subscription")
    has_left = Q(unsubscribed_at__gte=since) | Q(bounced_at__gte=since) | Q(is_active=False, pk__in=ended)
    confirmed = _count(subscriptions.in_state(State.CONFIRMED))
    # An import may name an earlier day on which its people agreed.
    has_joined = Q(confirmed_at__gte=since) | Q(created_at__gte=since)
    joined = _count(subscriptions.filter(has_joined, is_confirmed=True))
    left = _count(subscriptions.filter(has_left, is_confirmed=True, asked_again_at=None))
    waiting = _count(subscriptions.in_state(State.PENDING))
    rows = [
        {
            "audience": audience,
            "language": name,
            "url": _list_url(user_type__exact=user_type, language__exact=language),
            "confirmed": confirmed.get((user_type, language), 0),
            "joined": joined.get((user_type, language), 0),
            "left": left.get((user_type, language), 0),
            "waiting": waiting.get((user_type, language), 0),
        }
        for user_type, audience in AUDIENCES
        for language, name in settings.LANGUAGES
    ]
    names = ("confirmed", "joined", "left", "waiting")
    return {
        "readers": rows,
        "totals": {name: sum(row[name] for row in rows) for name in names},
        "list_url": _list_url(),
    }


def find_bounces() -> list[tuple[str, str]]:
    """Return a notice of the addresses that stopped working lately."""
    since = timezone.now() - PERIOD
    count = Subscription.objects.filter(bounced_at__gte=since).count()
    if not count:
        return []
    text = ngettext(
        "%(count)d address stopped working in the last 7 days.",
        "%(count)d addresses stopped working in the last 7 days.",
        count,
    )
    return [(text % {"count": count}, _list_url(state=State.BOUNCED.value))]


def _count(subscriptions: QuerySet[Any]) -> Numbers:
    rows = subscriptions.order_by().values_list("user_type", "language").annotate(Count("pk"))
    return {(user_type, language): count for user_type, language, count in rows}


def _list_url(**filters: str) -> str:
    url = reverse("admin:newsletter_subscription_changelist")
    return f"{url}?{urlencode(filters)}" if filters else url
