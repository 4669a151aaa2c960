"""Check that response times do not disclose members and subscribers.

    scripts/with-postgres .venv/bin/python -m benchmarks.enumeration [rounds]

Each round sends one request for each state of an address, in random order and from a new client. Runs in a
test database on the server of DATABASE_URL. Prints milliseconds; the exit status is 1 if two medians of one
operation differ by more than the bar.
"""

# ruff: noqa: E402 - Django is set up before its models are imported

import json
import logging
import os
import random
import statistics
import sys
import time
from collections import defaultdict
from datetime import timedelta
from typing import Any

import tests.environment  # noqa: F401 - the settings of the tests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")

import django

django.setup()

from django.db import connection
from django.test import Client
from django.test.utils import setup_test_environment
from django.utils import timezone

from accounts.models import User
from newsletter.models import Subscription

BAR = 20
"""Milliseconds."""
ROUNDS = 60
PASSWORD = "Fair winds, 2025!"

SIGN_IN = """mutation Go($email: String!) {
  signIn(input: {email: $email, password: "Foul winds, 2025!"}) { token }
}"""
SUBSCRIBE = """mutation Go($email: String!) {
  subscribeNewsletter(input: {email: $email, userType: "sailor"}) { success }
}"""


def prepare(rounds: int) -> dict[str, dict[str, list[str]]]:
    """Return addresses by operation and state, one for each round."""
    operations = {
        SIGN_IN: ["unknown", "wrong password", "deactivated"],
        SUBSCRIBE: ["new", "pending", "confirmed", "unsubscribed", "bounced"],
    }
    found = {
        operation: {
            state: [f"{state.replace(' ', '-')}{number}@example.com" for number in range(rounds)]
            for state in names
        }
        for operation, names in operations.items()
    }
    for state, active in (("wrong password", True), ("deactivated", False)):
        for email in found[SIGN_IN][state]:
            User.objects.create_user(email, PASSWORD, is_active=active)
    long_ago = timezone.now() - timedelta(days=30)
    states: dict[str, dict[str, Any]] = {
        "pending": {},
        "confirmed": {"is_confirmed": True, "confirmed_at": long_ago},
        "unsubscribed": {"is_active": False, "unsubscribed_at": long_ago},
        "bounced": {"bounced_at": long_ago},
    }
    for state, fields in states.items():
        for email in found[SUBSCRIBE][state]:
            Subscription.objects.create(email=email, user_type="sailor", language="en", **fields)
    return found


def measure(client: Client, operation: str, email: str, address: str) -> float:
    body = json.dumps({"query": operation, "variables": {"email": email}})
    start = time.perf_counter()
    response = client.post("/graphql", body, content_type="application/json", REMOTE_ADDR=address)
    milliseconds = (time.perf_counter() - start) * 1000
    assert response.status_code == 200, response.content
    return milliseconds


def main(rounds: int) -> int:
    setup_test_environment()
    logging.disable(logging.INFO)  # the request lines
    rng = random.Random(1)
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    worst = 0.0
    try:
        client = Client()
        print(f"{connection.vendor}, {rounds} rounds, milliseconds")
        for operation, states in prepare(rounds).items():
            times: dict[str, list[float]] = defaultdict(list)
            measure(client, operation, "warm@example.com", "10.255.0.1")
            for number in range(rounds):
                order = rng.sample(list(states), len(states))
                for place, state in enumerate(order):
                    address = f"10.{place}.{number // 250}.{number % 250}"
                    times[state].append(measure(client, operation, states[state][number], address))
            medians = {state: statistics.median(found) for state, found in times.items()}
            for state, median in medians.items():
                print(f"{state:24}{median:8.1f}")
            difference = max(medians.values()) - min(medians.values())
            print(f"{'difference':24}{difference:8.1f}\n")
            worst = max(worst, difference)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
    return int(worst > BAR)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
