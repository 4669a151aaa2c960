"""Sends requests made from the schema by chance, through the whole site, and looks for accidents.

    .venv/bin/python -m tests.security.fuzz [number] [seed]

An accident is an answer of 500 or more, one that is no JSON or has an error without a code, or a line of
the log at the level of an error. Runs on a database of its own beside the one that DATABASE_URL names.
Exit status 1 when there was one; its request is printed.
"""

# ruff: noqa: E402 - Django is set up before its models are imported

import json
import logging
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import tests.environment  # noqa: F401 - the settings of the tests

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sailing.settings")
RATE = "1000000/s"

import django
from django.apps import apps

if not apps.ready:
    os.environ.update(SIGNUP_RATE=RATE, SUBSCRIBE_RATE=RATE, SIGNIN_RATE=RATE)
    django.setup()

from django.db import connection
from django.test import Client
from django.test.utils import setup_test_environment

from accounts import tokens
from accounts.models import User
from sailing.graphql.view import schema
from tests.security.requests_from_schema import request_body

TYPES = ["application/json"] * 20 + ["text/plain", "application/x-www-form-urlencoded", ""]


class Errors(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.getMessage()} {record.exc_info}")


@dataclass
class Outcome:
    """What came of a run: how often each answer was given, and the accidents."""

    answers: Counter[str] = field(default_factory=Counter)
    accidents: list[str] = field(default_factory=list)


def run(number: int, seed: int) -> Outcome:
    """Send so many requests. The same seed sends the same."""
    chance = random.Random(seed)
    outcome = Outcome()
    errors = Errors()
    client = Client(raise_request_exception=False)
    logging.getLogger().addHandler(errors)
    try:
        authorizations = list(headers())
        for _request in range(number):
            body = request_body(schema(), chance)
            send(client, body, chance.choice(authorizations), chance.choice(TYPES), outcome)
            if errors.lines:
                outcome.accidents.append(f"{errors.lines[0]}: {body!r}")
                errors.lines.clear()
    finally:
        logging.getLogger().removeHandler(errors)
    return outcome


def headers() -> Iterator[dict[str, str]]:
    """As nobody, as a member, and with a token that does not count."""
    member = User.objects.create_user("fuzz@example.com", "Fair winds, 2025!")
    token = tokens.issue(member)
    for value in ("", f"Bearer {token}", f"Bearer {token}x", "Bearer", "Basic x", "Bearer \u00ff"):
        yield {"Authorization": value} if value else {}


def send(client: Client, body: bytes, header: dict[str, str], content_type: str, outcome: Outcome) -> None:
    response: Any = client.post("/graphql", body, content_type=content_type, headers=header)
    outcome.answers[str(response.status_code)] += 1
    if response.status_code >= 500:
        outcome.accidents.append(f"{response.status_code}: {body!r}")
        return
    try:
        answer = json.loads(response.content)
        outcome.answers.update(error["extensions"]["code"] for error in answer.get("errors", ()))
        if "errors" not in answer:
            outcome.answers["data"] += 1
    except (ValueError, KeyError, AttributeError):
        outcome.accidents.append(f"no GraphQL answer: {body!r}")


def main(number: int, seed: int) -> int:
    setup_test_environment()
    logging.getLogger().handlers.clear()
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        outcome = run(number, seed)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
    print(f"{connection.vendor}, {number} requests, seed {seed}")
    for answer, times in outcome.answers.most_common():
        print(f"{answer:28}{times:8}")
    print(f"{'accidents':28}{len(outcome.accidents):8}")
    for accident in outcome.accidents[:20]:
        print(accident)
    return int(bool(outcome.accidents))


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*(arguments + [20_000, 1][len(arguments) :])))
