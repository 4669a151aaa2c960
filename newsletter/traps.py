"""What catches bots that fill in the form of the newsletter, and how often it did."""

from datetime import timedelta

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from sailing.ratelimit import counters

MIN_FILL_MILLISECONDS = 1000
"""People take longer to fill in the form."""

COUNTED_PERIOD = timedelta(days=1)


class Trap(models.TextChoices):
    """What catches bots."""

    HONEYPOT = "honeypot", _("hidden field")
    FILL_TIME = "fill_time", _("faster than a person")


_COUNTERS = {trap: counters.Counter(f"subscription_dropped:{trap}", COUNTED_PERIOD) for trap in Trap}


def detect_bot(website: str | None, fill_time: int | None) -> Trap | None:
    """Return the trap that a submission fell into; None for a person."""
    if website:
        return Trap.HONEYPOT
    return Trap.FILL_TIME if fill_time is not None and fill_time < MIN_FILL_MILLISECONDS else None


def record_drop(trap: Trap) -> None:
    """Count a submission that a trap has dropped."""
    counters.add([_COUNTERS[trap].hit(timezone.now())])


def count_dropped() -> dict[Trap, int]:
    """Return how many submissions each trap has dropped in the last 24 hours."""
    rows = counters.read(_COUNTERS.values(), timezone.now())
    return {trap: sum(row.hits for row in rows[counter.key]) for trap, counter in _COUNTERS.items()}
