"""No log line contains personal data or secrets, whichever logger writes it."""

import json
import logging
import re
import time
from io import StringIO

import pytest
import structlog
from django.db import IntegrityError
from django.test import Client

from sailing.redaction import MAX_TEXT_LENGTH, redact

REFUSED = """new row for relation "accounts_user" violates check constraint "user_email_lower_case"
DETAIL:  Failing row contains (7, Jana@example.org, Jana, Nováková (née Malá)

Skipper, t, 2025-06-01 12:00:00+00)."""
"""A message of PostgreSQL. Rows may hold line breaks."""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Key (email)=(jana@example.org) already exists.", "Key (email)=([address]) already exists."),
        ("the links /account/verify/ZmFpciB3aW5kcw/ of jana@example.org", "the links /account/verify/…"),
        (REFUSED, f"{REFUSED.partition('(')[0]}(…)"),
        ("@property, @ noon, 3 @ 4", "@property, @ noon, 3 @ 4"),
        ("no page /members/jana%40example.org", "no page [address]"),
        ("next=%252Faccount%252Freset%252FZmFpciB3aW5kcw", "next=%252Faccount%252Freset%252F…"),
        (r'{"email": "jana\u0040example.org"}', '{"email": "[address]"}'),
        (
            "at https://a.example/signin?email=x&password=Foul%20winds now",
            "at https://a.example/signin?… now",
        ),
        (r'{"path": "\/account\/reset\/ZmFpciB3aW5kcw"}', r'{"path": "\/account\/reset\/…'),
        ("postgres://sailing:Foul-winds@db.example/sailing", "[address]"),
    ],
)
def test_secrets_in_a_text_are_redacted(text: str, expected: str) -> None:
    assert redact(text) == expected


def test_traceback_is_logged_without_the_refused_values(log: StringIO) -> None:
    try:
        try:
            raise ValueError(REFUSED)
        except ValueError as error:  # as the database driver's own
            raise IntegrityError(REFUSED) from error
    except IntegrityError:
        logging.getLogger("elsewhere").exception("Failed: %s", REFUSED)
    line = json.loads(log.getvalue())
    for text in (line["event"], line["exception"]):
        assert "violates" in text
        assert not re.search("Jana|Nováková|Malá|Skipper|example.org", text)
    # Both exceptions of the chain and their tracebacks stay.
    assert line["exception"].count("Traceback") == 2


HOSTILE = "email=jana%40example.org&password=Foul%20winds&next=%2Faccount%2Freset%2FZmFpciB3aW5kcw"
TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
BODIES = (
    '{"query": "jana@example.org Foul winds',
    '{"query": "{ me { id } jana_at_example(password: \\"Foul winds\\") }"}',
    '{"query": "query q($a: Int!) { me { id } }", "variables": {"a": "jana@example.org"}}',
)


@pytest.mark.django_db
def test_no_secret_of_a_request_is_logged(log: StringIO) -> None:
    for path in (f"/members/jana%2540example.org/{TOKEN}", f"/admin/login/?next=/admin/%3F{HOSTILE}"):
        Client(headers={"Referer": f"https://testserver/?{HOSTILE}"}).get(path)
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    headers = {"Referer": f"https://jana%40example.org@evil.example/{TOKEN}?{HOSTILE}"}
    client.post("/admin/login/", {"username": "x"}, secure=True, headers=headers)
    headers = {"Authorization": f"Bearer {TOKEN}", "Cookie": "sessionid=ZmFpciB3aW5kcw"}
    for body in BODIES:
        Client(headers=headers).post("/graphql", body, content_type="application/json")
    Client(headers={"Host": "jana@example.org"}).get("/")
    lines = log.getvalue()
    assert lines.count("request_finished") == 7
    assert "Referer checking failed" in lines
    assert not re.search("jana|example.org|Foul|winds|ZmFpciB3aW5kcw|eyJhbGciOiJIUzI1NiJ9|Traceback", lines)


@pytest.mark.parametrize("shift", [1, 13])
def test_values_inside_lists_and_objects_are_redacted_and_long_ones_then_cut(
    log: StringIO, shift: int
) -> None:
    long = "x " * 2490 + " " * shift + "jana@example.org " + "x " * 20_000
    structlog.get_logger("elsewhere").warning(
        "refused",
        addresses=["jana@example.org"],
        by={"jana@example.org": ("Foul", "/account/reset/ZmFpciB3aW5kcw")},
        error=ValueError("jana@example.org"),
        count=3,
        long=[long, long.encode()],
    )
    line = json.loads(log.getvalue())
    assert line["addresses"] == ["[address]"]
    assert line["by"] == {"[address]": ["Foul", "/account/reset/…"]}
    assert line["count"] == 3
    assert all(len(text) < 1.1 * MAX_TEXT_LENGTH and "characters cut" in text for text in line["long"])
    assert not re.search("jana|example", log.getvalue())


@pytest.mark.parametrize("text", ["a" * 200_000, "eyJ-" * 50_000, "account//verify" * 15_000, "%25" * 70_000])
def test_long_texts_take_linear_time(text: str) -> None:
    """A search that starts again at each character would take minutes."""
    started = time.process_time()
    redact(text)
    assert time.process_time() - started < 2
