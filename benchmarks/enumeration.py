"""Check that response times do not disclose members and subscribers.

Each round sends one request for each state of an address, in random order. Two medians of one operation must
not differ by more than the bar.
"""

import random
import time
from collections import defaultdict
from datetime import timedelta
from statistics import median
from typing import Any

from django.utils import timezone

from accounts.models import User
from benchmarks.members import PASSWORD
from benchmarks.requests import RESET, SIGN_IN, SUBSCRIBE
from benchmarks.servers import graphql, server
from newsletter.models import Subscription

MAX_DIFFERENCE_MILLISECONDS = 20

LONG_AGO = timezone.now() - timedelta(days=30)
MEMBERS: dict[str, dict[str, Any] | None] = {
    "unknown": None,
    "wrong password": {},
    "deactivated": {"is_active": False},
}
RESETS: dict[str, dict[str, Any] | None] = {
    "unknown": None,
    "verified": {"is_email_verified": True},
    "unverified": {},
    "inactive": {"is_active": False},
}
"""The fields of the member; None without a member."""
SUBSCRIPTIONS: dict[str, dict[str, Any] | None] = {
    "new": None,
    "pending": {},
    "confirmed": {"is_confirmed": True, "confirmed_at": LONG_AGO},
    "unsubscribed": {"is_active": False, "unsubscribed_at": LONG_AGO},
    "bounced": {"bounced_at": LONG_AGO},
}


def get_address(state: str, number: int) -> str:
    return f"{state.replace(' ', '-')}{number}@example.com"


def store(rounds: int) -> None:
    """Store the member or subscription of each state, one for each round."""
    for number in range(rounds):
        for state, fields in (MEMBERS | RESETS).items():
            if fields is not None:
                User.objects.create_user(get_address(state, number), PASSWORD, **fields)
        for state, fields in SUBSCRIPTIONS.items():
            if fields is not None:
                email = get_address(state, number)
                Subscription.objects.create(email=email, user_type="sailor", language="en", **fields)


def measure(smoke: bool) -> list[bool]:
    rounds = 2 if smoke else 60
    store(rounds)
    kept = []
    with server() as site:
        for document, states, values in (
            (SIGN_IN, list(MEMBERS), {"password": "Foul winds, 2025!"}),
            (RESET, list(RESETS), {}),
            (SUBSCRIBE, list(SUBSCRIPTIONS), {}),
        ):
            for number in range(8):  # both workers render the first time
                site.send(graphql(document, email=f"first{number}@example.com", **values))
            times: dict[str, list[float]] = defaultdict(list)
            for number in range(rounds):
                for state in random.sample(states, len(states)):
                    start = time.perf_counter()
                    site.send(graphql(document, email=get_address(state, number), **values))
                    times[state].append((time.perf_counter() - start) * 1000)
            medians = {state: median(times[state]) for state in states}
            for state in states:
                print(f"{state:24}{medians[state]:8.1f} ms")
            difference = max(medians.values()) - min(medians.values())
            print(f"{'difference':24}{difference:8.1f} ms\n")
            kept.append(difference <= MAX_DIFFERENCE_MILLISECONDS)
    return kept
