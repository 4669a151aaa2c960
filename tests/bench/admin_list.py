"""How long Django admin's pages of subscribers take with 200,000 of them: prints milliseconds.

    scripts/with-postgres .venv/bin/python -m tests.bench.admin_list [rows]

Runs in a throwaway database of the server that DATABASE_URL names. A page is asked for over Django's
test client, so that a figure is all that the server does: middleware, session, queries, template. Exit
status 1 when the median of a page of the list is above the bar.
"""

# ruff: noqa: E402 - Django is set up before its models are imported

import logging
import os
import random
import statistics
import sys
import time
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
from newsletter.models import Source, Subscription, UserType

BAR = 300  # milliseconds
RUNS = 7
LIST = "/admin/newsletter/subscription/"
PAGES = {
    "list": "",
    "last page": "?p={last}",
    "state": "?state=confirmed",
    "user type": "?user_type__exact=company",
    "not confirmed": "?is_confirmed__exact=0",
    "inactive (rare)": "?is_active__exact=0",
    "source and language": "?source=landing-sailors&language=cs",
    "last 7 days": "?created_at__gte={week}",
    "year": "?created_at__year={year}",
    "month": "?created_at__year={year}&created_at__month={month}",
    "search: one address": "?q=person.77777@",
    "search: nothing found": "?q=nobody-has-this",
    "search: most of the list": "?q=example",
    "search and filter": "?q=.9&user_type__exact=company&is_confirmed__exact=1",
    "sorted by address": "?o=1",
    "sorted by source": "?o=6",
}


def fill(rows: int) -> None:
    """Subscribers of three years, more of them lately, stored in the order in which they came."""
    chance = random.Random(1)
    now = timezone.now()
    ages = sorted((timedelta(days=1095 * chance.random() ** 2) for _row in range(rows)), reverse=True)
    for start in range(0, rows, 5000):
        batch = []
        for number, age in enumerate(ages[start : start + 5000], start):
            confirmed = chance.random() < 0.7
            active = chance.random() < 0.98
            batch.append(
                Subscription(
                    email=f"person.{number}@{chance.choice(['example.org', 'mail.example.com', 'posta.cz'])}",
                    user_type=chance.choice(UserType.values),
                    source=chance.choice([*Source.values, ""]),
                    language=chance.choice(["en", "cs"]),
                    is_active=active,
                    is_confirmed=confirmed,
                    created_at=now - age,
                    confirmed_at=now - age if confirmed else None,
                    unsubscribed_at=None if active else now,
                )
            )
        Subscription.objects.bulk_create(batch)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def measure(client: Client, address: str) -> tuple[list[float], int]:
    """The milliseconds of each run after a first one, and the number of queries."""
    queries = 0

    def count(execute: Any, *args: Any) -> Any:
        nonlocal queries
        queries += 1
        return execute(*args)

    with connection.execute_wrapper(count):
        assert client.get(address).status_code == 200, address
    times = []
    for _run in range(RUNS):
        start = time.perf_counter()
        client.get(address)
        times.append((time.perf_counter() - start) * 1000)
    return times, queries


def main(rows: int) -> int:
    setup_test_environment()
    logging.disable(logging.INFO)  # a line a request
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        fill(rows)
        admin = User.objects.create_superuser("admin@example.org", "only for this run")
        client = Client()
        client.force_login(admin)
        now = timezone.now()
        values = {
            "last": (rows - 1) // 100 + 1,
            "year": now.year,
            "month": now.month,
            "week": (now - timedelta(days=7)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
        worst = 0.0
        print(f"{connection.vendor}, {rows} subscribers, {RUNS} runs, milliseconds")
        print(f"{'':26}{'median':>8}{'most':>8}{'queries':>9}")
        for name, query in PAGES.items():
            times, queries = measure(client, LIST + query.format(**values))
            worst = max(worst, statistics.median(times))
            print(f"{name:26}{statistics.median(times):8.0f}{max(times):8.0f}{queries:9}")
        start = time.perf_counter()
        size = len(client.post(f"{LIST}export/", {"format": "0", "resource": "0"}).content)
        print(f"{'export of all as CSV':26}{(time.perf_counter() - start) * 1000:8.0f}   {size / 1e6:.1f} MB")
        return int(worst > BAR)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000))
