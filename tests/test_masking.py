"""No line of the log names a person, whoever writes it and whatever it quotes."""

import json
import logging
from io import StringIO
from typing import Any

import pytest
from django.db import IntegrityError
from django.test import Client

from sailing.masking import masked

TAKEN = """duplicate key value violates unique constraint "user_email_unique"
DETAIL:  Key (email)=(jana.nováková+sea@post.example.org) already exists."""
REFUSED = """new row for relation "accounts_user" violates check constraint "user_email_lower_case"
DETAIL:  Failing row contains (7, Jana@example.org, Jana, Nováková (née Malá)

Skipper, t, 2025-06-01 12:00:00+00)."""
"""What PostgreSQL says, whose rows may hold line breaks."""


class DatabaseSaysNo(Exception):
    """The driver's own error, which Django's follows."""


def refuse(words: str) -> None:
    try:
        raise DatabaseSaysNo(words)
    except DatabaseSaysNo as error:
        raise IntegrityError(words) from error


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Key (email)=(jana@example.org) already exists.", "Key (email)=([address]) already exists."),
        ("from Jana <jana@example.org>, to petr@example.org.", "from Jana <[address]>, to [address]"),
        ('{"email": "jana@example.org"}', '{"email": "[address]"}'),
        ("the links /account/verify/ZmFpciB3aW5kcw/ of jana@example.org", "the links /account/verify/…"),
        (REFUSED, f"{REFUSED.partition('(')[0]}(…)"),
        ("@property, @ noon, 3 @ 4", "@property, @ noon, 3 @ 4"),
    ],
)
def test_what_is_left_of_a_text(text: str, told: str) -> None:
    assert masked(text) == told


@pytest.mark.parametrize("words", [TAKEN, REFUSED])
def test_a_traceback_is_told_without_the_values_that_the_database_refused(words: str, log: StringIO) -> None:
    try:
        refuse(words)
    except IntegrityError:
        logging.getLogger("elsewhere").exception("Failed: %s", words)
    line = json.loads(log.getvalue())
    for text in (line["event"], line["exception"]):
        assert "violates" in text
        for secret in ("Jana", "jana", "Nováková", "Malá", "Skipper", "example.org"):
            assert secret not in text
    # Both exceptions of the chain, and where they came from.
    assert "DatabaseSaysNo: " in line["exception"]
    assert "django.db.utils.IntegrityError: " in line["exception"]
    assert line["exception"].count("Traceback") == 2


@pytest.mark.django_db
def test_a_request_that_fails_is_told_without_them_too(
    log: StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**values: Any) -> None:
        refuse(TAKEN)

    monkeypatch.setattr("newsletter.links.find", fail)
    client = Client(raise_request_exception=False)
    assert client.get("/newsletter/confirm/broken/").status_code == 500
    assert "IntegrityError" in log.getvalue()
    assert "example.org" not in log.getvalue()


@pytest.mark.django_db
def test_an_address_in_a_path_is_not_told(log: StringIO) -> None:
    Client().get("/members/jana@example.org/boats")
    assert "request_finished" in log.getvalue()
    assert "jana" not in log.getvalue()
