"""GraphQL fuzzer: sends random requests generated from the schema, and reports failures.

    .venv/bin/python -m tests.security.fuzz [number] [seed]

A failure is a status of 500 or more, a response that is not JSON or has an error without a code, or a log
line at error level. Runs in a test database on the server of DATABASE_URL. Prints the requests that failed;
the exit status is then 1.
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
    os.environ.update(SIGNUP_RATE=RATE, SUBSCRIBE_RATE=RATE, MAIL_RATES=RATE, SIGNIN_RATE=RATE)
    django.setup()

from django.db import connection
from django.test import Client
from django.test.utils import setup_test_environment

from accounts import tokens
from accounts.models import User
from sailing.graphql.view import schema
from tests.security.random_requests import request_body

TYPES = ["application/json"] * 20 + ["text/plain", "application/x-www-form-urlencoded", ""]


class ErrorCollector(logging.Handler):
    """Collect the log lines at error level."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.getMessage()} {record.exc_info}")


@dataclass
class Report:
    """The number of responses by status and code, and the failures."""

    answers: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def run(number: int, seed: int) -> Report:
    """Send a number of requests. The same seed sends the same requests."""
    rng = random.Random(seed)
    report = Report()
    errors = ErrorCollector()
    client = Client(raise_request_exception=False)
    logging.getLogger().addHandler(errors)
    try:
        authorizations = list(headers())
        for _request in range(number):
            body = request_body(schema(), rng)
            send(client, body, rng.choice(authorizations), rng.choice(TYPES), report)
            if errors.lines:
                report.failures.append(f"{errors.lines[0]}: {body!r}")
                errors.lines.clear()
    finally:
        logging.getLogger().removeHandler(errors)
    return report


def headers() -> Iterator[dict[str, str]]:
    """Yield headers of a visitor, of a member, and with an invalid token."""
    member = User.objects.create_user("fuzz@example.com", "Fair winds, 2025!")
    token = tokens.issue(member)
    for value in ("", f"Bearer {token}", f"Bearer {token}x", "Bearer", "Basic x", "Bearer \u00ff"):
        yield {"Authorization": value} if value else {}


def send(client: Client, body: bytes, header: dict[str, str], content_type: str, report: Report) -> None:
    response: Any = client.post("/graphql", body, content_type=content_type, headers=header)
    report.answers[str(response.status_code)] += 1
    if response.status_code >= 500:
        report.failures.append(f"{response.status_code}: {body!r}")
        return
    try:
        answer = json.loads(response.content)
        report.answers.update(error["extensions"]["code"] for error in answer.get("errors", ()))
        if "errors" not in answer:
            report.answers["data"] += 1
    except (ValueError, KeyError, AttributeError):
        report.failures.append(f"not a GraphQL response: {body!r}")


def main(number: int, seed: int) -> int:
    setup_test_environment()
    logging.getLogger().handlers.clear()
    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        report = run(number, seed)
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)
    print(f"{connection.vendor}, {number} requests, seed {seed}")
    for answer, times in report.answers.most_common():
        print(f"{answer:28}{times:8}")
    print(f"{'failures':28}{len(report.failures):8}")
    for failure in report.failures[:20]:
        print(failure)
    return int(bool(report.failures))


if __name__ == "__main__":
    arguments = [int(argument) for argument in sys.argv[1:]]
    sys.exit(main(*(arguments + [20_000, 1][len(arguments) :])))
