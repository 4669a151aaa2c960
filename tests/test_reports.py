"""What Sentry is told when something fails: what the code did, and nothing about the person it failed for."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from tests.processes import ROOT

# The SDK changes Django for the whole of a process, so each of these is one of its own. Only what would
# leave over the network is stood in for.
SITE = """
import json, os, sys
import tests.environment
os.environ["DJANGO_SETTINGS_MODULE"] = "sailing.settings"
import sentry_sdk
from sentry_sdk.transport import Transport

sent = []

class Recorder(Transport):
    def capture_envelope(self, envelope):
        for item in envelope.items:
            sent.append([item.type, item.payload.json])

init = sentry_sdk.init
sentry_sdk.init = lambda **options: init(**{**options, "transport": Recorder()})
os.environ["SENTRY_DSN"] = "https://key@sentry.example/1"
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("createcachetable", verbosity=0)
import structlog
from django.test import Client
client = Client(raise_request_exception=False)
exec(sys.stdin.read())
print(json.dumps(sent))
"""

PERSON = {
    "email": "jana.novakova@example.org",
    "first_name": "Jana-Marie",
    "phone": "+420 601 234 567",
    "cookie": "c00k1e-of-hers",
    "token": "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MiJ9.c2lnbmF0dXJl",
    "link": "L1nkT0ken-in-her-mail",
    "query": "q-she-searched-for",
    "address": "203.0.113.77",
    "agent": "HerBrowser/1.0",
}


def reported(code: str) -> tuple[list[list[Any]], str]:
    """What a site with Sentry sends while it runs the code: each item, and all of it as text."""
    asked = subprocess.run(
        [sys.executable, "-c", SITE],
        input=f"person = {PERSON!r}\n{code}",
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": "sqlite://:memory:"},
        capture_output=True,
        text=True,
        check=True,
    )
    items = json.loads(asked.stdout.splitlines()[-1])
    return items, json.dumps(items, ensure_ascii=False)


def assert_nobody_is_in(text: str) -> None:
    assert [name for name, value in PERSON.items() if value in text] == []


REQUEST = """
headers = {"Authorization": f"Bearer {person['token']}", "User-Agent": person["agent"]}
client.cookies["sessionid"] = person["cookie"]
def ask(path):
    return client.post(
        f"{path}?q={person['query']}", json.dumps({"query": person["email"] + person["phone"]}),
        content_type="application/json", headers=headers, REMOTE_ADDR=person["address"],
    )
def broken(*args, **kwargs):
    her_name = person["first_name"]
    raise ValueError("Failing row: " + " ".join(person.values()))
"""


def test_a_view_that_fails_is_told_with_its_place_and_its_request_alone() -> None:
    items, text = reported(
        REQUEST
        + """
import newsletter.views
newsletter.views.SubscriptionLink.find = broken
answer = ask("/newsletter/confirm/" + person["link"] + "/")
sent.append(["answer", [answer.status_code, answer.headers["X-Request-ID"]]])
"""
    )
    (kind, event), (_answer, (status, request_id)) = items
    assert (kind, status) == ("event", 500)
    (failure,) = event["exception"]["values"]
    assert (failure["type"], failure["value"]) == ("ValueError", "")
    assert event["tags"] == {"request_id": request_id}
    assert event["transaction"].startswith("newsletter.views.")
    places = [(frame["module"], frame["function"]) for frame in failure["stacktrace"]["frames"]]
    assert any(module == "sailing.email.token_views" for module, _function in places)
    assert_nobody_is_in(text)


def test_a_resolver_that_fails_is_told_too() -> None:
    items, text = reported(
        REQUEST
        + """
import newsletter.schema
newsletter.schema.services.subscribe = broken
query = 'mutation { subscribeNewsletter(input: {email: "%s", userType: "sailor"}) { success } }'
client.post("/graphql", {"query": query % person["email"]}, content_type="application/json", headers=headers)
"""
    )
    ((kind, event),) = items
    assert kind == "event"
    assert event["logger"] == "sailing.graphql.view"
    assert event["logentry"] == {"message": "resolver_failed"}
    assert event["exception"]["values"][-1]["type"] == "ValueError"
    assert_nobody_is_in(text)


def test_what_is_logged_as_an_error_is_told_by_its_name() -> None:
    items, text = reported(
        """
structlog.get_logger("sailing.any").error("bundle_missing", problem=person["email"])
import logging
logging.getLogger("some.library").error("Cannot send to %s", person["email"], extra={"who": person["phone"]})
logging.getLogger("django.security.DisallowedHost").error("Invalid HTTP_HOST header: %s", person["query"])
logging.getLogger().warning("A warning about %s", person["email"])
"""
    )
    assert [event["logentry"] for _kind, event in items] == [
        {"message": "bundle_missing"},
        {"message": "some.library"},
    ]
    assert_nobody_is_in(text)


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("TypeError('f() got an unexpected keyword argument')", "f() got an unexpected keyword argument"),
        (
            "AttributeError(\"'X' object has no attribute 'jana@example.org'\")",
            "'X' object has no attribute '[address]'",
        ),
        ("OperationalError('timeout\\nDETAIL: Failing row contains (Jana-Marie)')", "timeout"),
        ("IntegrityError('Key (phone)=(601 234 567) already exists.')", ""),
        ("KeyError('Jana-Marie')", ""),
    ],
)
def test_the_text_of_an_error_is_told_if_it_speaks_of_code(error: str, told: str) -> None:
    items, _text = reported(
        f"""
from django.db import IntegrityError, OperationalError
try:
    raise {error}
except Exception as error:
    sentry_sdk.capture_exception(error)
"""
    )
    ((_kind, event),) = items
    assert event["exception"]["values"][-1]["value"] == told


def test_a_visit_without_an_error_sends_nothing() -> None:
    items, _text = reported('client.get("/healthz"); client.get("/admin/login/"); client.get("/nowhere/x")')
    assert items == []
