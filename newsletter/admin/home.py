"""The readers on the home page of Django admin. Each number is that of the list that it opens."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.db.models import Count
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from newsletter.models import AUDIENCES, State, Subscription, get_state_condition

BOUNCES_SHOWN_DAYS = 7

COUNTED_STATES = (State.CONFIRMED, State.PENDING)


def describe_readers() -> dict[str, Any]:
    """Return the confirmed and the waiting subscribers, by audience and language and in all."""
    counted = {state.value: Count("pk", filter=get_state_condition(state)) for state in COUNTED_STATES}
    groups = Subscription.objects.order_by().values("user_type", "language").annotate(**counted)
    found = {(group["user_type"], group["language"]): group for group in groups}
    rows = [
        {
            "audience": audience,
            "language": name,
            "numbers": [
                (
                    found.get((user_type, language), {}).get(state, 0),
                    build_list_url(user_type__exact=user_type, language__exact=language, state=state),
                )
                for state in COUNTED_STATES
            ],
        }
        for user_type, audience in AUDIENCES
        for language, name in settings.LANGUAGES
    ]
    return {
        "readers": rows,
        "totals": [
            (sum(group[state] for group in found.values()), build_list_url(state=state))
            for state in COUNTED_STATES
        ],
        "list_url": build_list_url(),
    }


def find_bounces() -> list[tuple[str, str]]:
    """Return a notice of the addresses that stopped working lately."""
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    since = today - timedelta(days=BOUNCES_SHOWN_DAYS)
    count = Subscription.objects.filter(bounced_at__gte=since).count()
    if not count:
        return []
    text = ngettext(
        "%(count)d address stopped working in the last 7 days.",
        "%(count)d addresses stopped working in the last 7 days.",
        count,
    )
    return [(text % {"count": count}, build_list_url(bounced_at__gte=str(since)))]


def build_list_url(**filters: str) -> str:
    url = reverse("admin:newsletter_subscription_changelist")
    return f"{url}?{urlencode(filters)}" if filters else url
