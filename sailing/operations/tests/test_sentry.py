"""Error reports to Sentry contain the place in the code, and nothing about the person."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.processes import ROOT, environment

# The SDK patches Django for a whole process, so the site runs in its own. Only the network is replaced.
# The database has no tables: nothing here reads one, and migrating takes as long as the rest.
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
import structlog
from django.test import Client
for line in sys.stdin:
    sent.clear()
    client = Client(raise_request_exception=False)
    exec(json.loads(line))
    print("SENT", json.dumps(sent), flush=True)
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


CaptureReports = Callable[[str], tuple[list[list[Any]], str]]


@pytest.fixture(scope="module")
def capture_reports() -> Iterator[CaptureReports]:
    """Return a function that runs code in a site with Sentry.

    It returns what the site sends meanwhile: each item, and everything as text.
    """
    with subprocess.Popen(
        [sys.executable, "-c", SITE],
        cwd=ROOT,
        env=environment(DATABASE_URL="sqlite://:memory:"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as site:
        assert site.stdin
        assert site.stdout
        stdin, stdout = site.stdin, site.stdout

        def run(code: str) -> tuple[list[list[Any]], str]:
            print(json.dumps(f"person = {PERSON!r}\n{code}"), file=stdin, flush=True)
            sent = next(line for line in stdout if line.startswith("SENT "))
            items = json.loads(sent.removeprefix("SENT "))
            return items, json.dumps(items, ensure_ascii=False)

        yield run
        site.kill()  # its end would wait for the sender of reports


def assert_no_personal_data(text: str) -> None:
    assert [name for name, value in PERSON.items() if value in text] == []


REQUEST = """
headers = {"Authorization": f"Bearer {person['token']}", "User-Agent": person["agent"]}
client.cookies["sessionid"] = person["cookie"]
def post(path):
    return client.post(
        f"{path}?q={person['query']}", json.dumps({"query": person["email"] + person["phone"]}),
        content_type="application/json", headers=headers, REMOTE_ADDR=person["address"],
    )
def broken(*args, **kwargs):
    her_name = person["first_name"]
    raise ValueError("Failing row: " + " ".join(person.values()))
"""


def test_failed_view_is_reported_with_its_place_and_request_id(capture_reports: CaptureReports) -> None:
    items, text = capture_reports(
        REQUEST
        + """
import newsletter.views
newsletter.views.SubscriptionLink.find = broken
response = post("/newsletter/confirm/" + person["link"] + "/")
sent.append(["response", [response.status_code, response.headers["X-Request-ID"]]])
"""
    )
    (kind, event), (_response, (status, request_id)) = items
    assert (kind, status) == ("event", 500)
    (exception,) = event["exception"]["values"]
    assert (exception["type"], exception["value"]) == ("ValueError", "")
    assert event["tags"] == {"request_id": request_id}
    assert event["transaction"].startswith("newsletter.views.")
    places = [(frame["module"], frame["function"]) for frame in exception["stacktrace"]["frames"]]
    assert any(module == "sailing.mail.links" for module, _function in places)
    assert_no_personal_data(text)


def test_logged_error_is_reported_by_its_event_name(capture_reports: CaptureReports) -> None:
    items, text = capture_reports(
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
    assert_no_personal_data(text)


def test_requests_without_errors_send_nothing(capture_reports: CaptureReports) -> None:
    items, _text = capture_reports('client.get("/healthz"); client.get("/admin/login/"); client.get("/x")')
    assert items == []
