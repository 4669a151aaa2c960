"""Whether the time of an answer tells who is a member or a subscriber: prints milliseconds.

    scripts/with-postgres .venv/bin/python -m benchmarks.enumeration [rounds]

Each round asks once for each state that an address may be in, in an order of its own, through the whole
site and from a client of its own. Runs in a throwaway database of the server that DATABASE_URL names. Exit
status 1 when two medians of one question are further apart than the bar.
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

BAR = 20  # milliseconds
ROUNDS = 60
PASSWORD = "Fair winds, 2025!"

SIGN_IN = """mutation Go($email: String!) {
  signIn(input: {email: $email, password: "Foul winds, 2025!"}) { token }
}"""
SUBSCRIBE = """mutation Go($email: String!) {
  subscribeNewsletter(input: {email: $email, userType: "sailor"}) { success }
}"""


def prepare(rounds: int) -> dict[str, dict[str, list[str]]]:
    """The addresses to ask for, by question and state: one for each round."""
    asked = {
        SIGN_IN: ["unknown", "wrong password", "deactivated"],
        SUBSCRIBE: ["new", "pending", "confirmed", "unsubscribed", "bounced"],
    }
    found = {
        question: {
            state: [f"{state.replace(' ', '-')}{number}@example.com" for number in range(rounds)]
            for state in names
        }
        for question, names in asked.items()
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


def measure(client: Client, question: str, email: str, address: str) -> float:
    body = json.dumps({"query": question, "variables": {"email": email}})
    start = time.perf_counter()
    response = client.post("/graphql", body, content_type="application/json", REMOTE_ADDR=address)
    milliseconds = (time.perf_counter() - start) * 1000
    assert response.status_code == 200, response.content
    return milliseconds


def main(rounds: int) -> int:
    setup_test_environment()
    logging.disable(logging.INFO)  # a line a request
    chance = random.Random(1)
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    worst = 0.0
    try:
        client = Client()
        print(f"{connection.vendor}, {rounds} rounds, milliseconds")
        for question, states in prepare(rounds).items():
            times: dict[str, list[float]] = defaultdict(list)
            measure(client, question, "warm@example.com", "10.255.0.1")
            for number in range(rounds):
                order = chance.sample(list(states), len(states))
                for place, state in enumerate(order):
                    address = f"10.{place}.{number // 250}.{number % 250}"
                    times[state].append(measure(client, question, states[state][number], address))
            medians = {state: statistics.median(found) for state, found in times.items()}
            for state, median in medians.items():
                print(f"{state:24}{median:8.1f}")
            apart = max(medians.values()) - min(medians.values())
            print(f"{'apart':24}{apart:8.1f}\n")
            worst = max(worst, apart)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
    return int(worst > BAR)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS))
