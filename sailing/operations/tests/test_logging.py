"""Logs and error reports: what they say of a request, and that no person, token or secret is in them."""

import json
import logging
import re
import subprocess
import sys
import time
from functools import partial
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
import structlog
from django.db import IntegrityError
from django.test import Client
from django.urls import get_resolver
from pytest_django import Settings

from sailing.redaction import LINK_PATHS, MAX_TEXT_LENGTH, redact
from sailing.web.early_responses import EarlyResponses
from sailing.web.middleware import LINK_HEADERS
from tests.api import post_graphql
from tests.database import failing_database
from tests.processes import ROOT, environment
from tests.test_every_url import walk

pytestmark = pytest.mark.django_db

ID = "8f14e45f-ceea-467f-a18b-1c3a5f1d2e3f"
TOKEN = "Zq7-secret_token"
PATH = f"/newsletter/confirm/{TOKEN}/"
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
    assert line["exception"].count("Traceback") == 2


HOSTILE = "email=jana%40example.org&password=Foul%20winds&next=%2Faccount%2Freset%2FZmFpciB3aW5kcw"
BEARER = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"
BODIES = (
    '{"query": "jana@example.org Foul winds',
    '{"query": "{ me { id } jana_at_example(password: \\"Foul winds\\") }"}',
    '{"query": "query q($a: Int!) { me { id } }", "variables": {"a": "jana@example.org"}}',
)


def test_no_secret_of_a_request_is_logged(log: StringIO) -> None:
    for path in (f"/members/jana%2540example.org/{BEARER}", f"/admin/login/?next=/admin/%3F{HOSTILE}"):
        Client(headers={"Referer": f"https://testserver/?{HOSTILE}"}).get(path)
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    headers = {"Referer": f"https://jana%40example.org@evil.example/{BEARER}?{HOSTILE}"}
    client.post("/admin/login/", {"username": "x"}, secure=True, headers=headers)
    headers = {"Authorization": f"Bearer {BEARER}", "Cookie": "sessionid=ZmFpciB3aW5kcw"}
    for body in BODIES:
        Client(headers=headers).post("/graphql", body, content_type="application/json")
    Client(headers={"Host": "jana@example.org"}).get("/")
    lines = log.getvalue()
    assert lines.count("request_finished") == 7
    assert "Referer checking failed" in lines
    assert not re.search("jana|example.org|Foul|winds|ZmFpciB3aW5kcw|eyJhbGciOiJIUzI1NiJ9|Traceback", lines)


@pytest.mark.parametrize("shift", [1, 13])
def test_values_inside_lists_and_objects_are_redacted_and_then_cut(log: StringIO, shift: int) -> None:
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


@pytest.mark.parametrize("path", ["/", "/healthz", "/static/gone.js", "/sitemap.xml"])
def test_response_and_log_line_share_an_id(path: str, log: StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.contrib.sitemaps.Sitemap.get_urls", lambda *_args, **_values: 1 / 0)
    response = Client(raise_request_exception=False).get(path)
    line = json.loads(log.getvalue())
    assert line["request_id"] == response.headers["X-Request-ID"]
    event = "request_failed" if path == "/sitemap.xml" else "request_finished"
    expected = {"event": event, "request": f"GET {path}", "code": response.status_code}
    assert expected.items() <= line.items()
    assert isinstance(line["duration_ms"], int)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("query Member { me { id } }", {"operation": "Member", "errors": ["UNAUTHENTICATED"]}),
        ("{ __typename }", {}),
        ("query Kind { nothing }", {"errors": ["GRAPHQL_VALIDATION_FAILED"]}),
        (f"query {'a' * 100} {{ __typename }}", {"operation": "a" * 64}),
    ],
)
def test_line_of_api_names_operation_and_codes(log: StringIO, query: str, expected: dict[str, Any]) -> None:
    post_graphql(query)
    Client().get("/healthz")
    line, later = map(json.loads, log.getvalue().splitlines())
    assert line["request"] == "POST /graphql"
    assert {name: line[name] for name in ("operation", "errors") if name in line} == expected
    assert not {"operation", "errors"} & later.keys()


def test_level_is_that_of_the_setting_and_warning_of_a_library_is_json() -> None:
    code = "import django; django.setup(); import logging, warnings;"
    code += "logging.getLogger('sailing').info('all is well'); warnings.warn('old')"
    process = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=environment(LOG_LEVEL="Warning"),
        capture_output=True,
        text=True,
        check=True,
    )
    line = json.loads(process.stderr)
    assert "old" in line["event"]
    assert (line["logger"], line["level"]) == ("py.warnings", "warning")


@pytest.mark.parametrize(
    ("proxies", "header", "is_kept"),
    [(1, ID, True), (0, ID, False), (1, "jana@example.org", False), (1, "x" * 65, False)],
)
def test_well_formed_id_is_taken_from_a_trusted_proxy_alone(
    settings: Settings, log: StringIO, proxies: int, header: str, is_kept: bool
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    assert (Client(headers={"X-Request-ID": header}).get("/").headers["X-Request-ID"] == header) is is_kept
    assert UUID(json.loads(log.getvalue())["request_id"])
    assert (EarlyResponses().build(503, "GET", "/", {"X-REQUEST-ID": header})[1] == header) is is_kept


def test_every_route_with_a_token_is_listed() -> None:
    found = [route for route in walk(get_resolver().url_patterns) if "token>" in route]
    assert found
    assert [path for path in found if not path.startswith(LINK_PATHS)] == []


@pytest.mark.parametrize("path", LINK_PATHS)
def test_token_is_redacted_in_any_shape_of_the_path(path: str) -> None:
    for shape in (path, path.replace("/", "//"), path.title(), f"/en{path}", f"{path}%20%0A"):
        assert TOKEN not in redact(f"GET {shape}{TOKEN}/?lang=cs"), shape


def test_response_below_a_token_is_private_and_its_log_line_has_none(
    log: StringIO, settings: Settings
) -> None:
    def ask(method: str = "GET", **headers: str) -> Any:
        client = Client(enforce_csrf_checks=True, raise_request_exception=False, headers=headers)
        return client.generic(method, PATH)

    answers = [ask(method) for method in ("GET", "POST", "PUT", "OPTIONS")]
    answers.append(ask(Host="evil.example"))
    with failing_database(partial(ValueError, PATH)):
        answers.append(ask())
    settings.SECURE_SSL_REDIRECT = True
    answers.append(ask(**{"X-Forwarded-Proto": "http"}))
    assert [answer.status_code for answer in answers] == [404, 404, 405, 200, 400, 500, 301]
    assert all(answer.headers.items() >= LINK_HEADERS.items() for answer in answers)
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert sum("/newsletter/confirm/…" in line.get("request", "") for line in lines) == len(answers)
    assert TOKEN not in log.getvalue()


def test_links_on_rendered_pages_send_no_referrer() -> None:
    """They lead to pages whose scripts may report the referrer."""
    others = ("admin", "legal", "mails", "registration", "index.html")
    templates = ROOT / "templates"
    pages = [path for path in templates.rglob("*.html") if path.relative_to(templates).parts[0] not in others]
    links = [link for page in pages for link in re.findall(r"<a\b[^>]*>", page.read_text(encoding="utf-8"))]
    assert len(links) > 10
    assert [link for link in links if 'referrerpolicy="no-referrer"' not in link] == []


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

# The SDK patches Django for a whole process, so the site runs in its own. Only the network is replaced.
# The database has no tables: nothing here reads one, and migrating takes as long as the rest.
SITE = """
import json, logging, os, sys
import tests.environment
os.environ["DJANGO_SETTINGS_MODULE"] = "sailing.settings"
import sentry_sdk
from sentry_sdk.transport import Transport

person, sent = json.loads(sys.argv[1]), []

class Recorder(Transport):
    def capture_envelope(self, envelope):
        sent.extend([item.type, item.payload.json] for item in envelope.items)

init = sentry_sdk.init
sentry_sdk.init = lambda **options: init(**{**options, "transport": Recorder()})
os.environ["SENTRY_DSN"] = "https://key@sentry.example/1"
import django; django.setup()
import structlog
from django.test import Client
from newsletter.models import SubscriptionLink

client = Client(raise_request_exception=False)
for path in ("/healthz", "/admin/login/", "/x"):
    client.get(path)
structlog.get_logger("sailing.any").error("bundle_missing", problem=person["email"])
logging.getLogger("some.library").error("Cannot send to %s", person["email"], extra={"who": person["phone"]})
logging.getLogger("django.security.DisallowedHost").error("Invalid HTTP_HOST header: %s", person["query"])
logging.getLogger().warning("A warning about %s", person["email"])

def broken(*args, **kwargs):
    her_name = person["first_name"]
    raise ValueError("Failing row: " + " ".join(person.values()))

SubscriptionLink.find = broken
client.cookies["sessionid"] = person["cookie"]
response = client.post(
    f"/newsletter/confirm/{person['link']}/?q={person['query']}",
    json.dumps({"query": person["email"] + person["phone"]}), content_type="application/json",
    headers={"Authorization": f"Bearer {person['token']}", "User-Agent": person["agent"]},
    REMOTE_ADDR=person["address"],
)
sent.append(["response", [response.status_code, response.headers["X-Request-ID"]]])
print(json.dumps(sent, ensure_ascii=False), flush=True)
os._exit(0)  # the end of the process would wait for the sender of reports
"""


def test_errors_are_reported_by_their_names_and_places_alone() -> None:
    site = subprocess.run(
        [sys.executable, "-c", SITE, json.dumps(PERSON)],
        cwd=ROOT,
        env=environment(DATABASE_URL="sqlite://:memory:"),
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    assert [name for name, value in PERSON.items() if value in site.stdout] == []
    *logged, (kind, event), (_response, (status, request_id)) = json.loads(site.stdout)
    assert [(name, each["logentry"]) for name, each in logged] == [
        ("event", {"message": "bundle_missing"}),
        ("event", {"message": "some.library"}),
    ]
    assert (kind, status) == ("event", 500)
    (exception,) = event["exception"]["values"]
    assert (exception["type"], exception["value"]) == ("ValueError", "")
    assert event["tags"] == {"request_id": request_id}
    assert event["transaction"].startswith("newsletter.views.")
    places = [(frame["module"], frame["function"]) for frame in exception["stacktrace"]["frames"]]
    assert any(module == "sailing.mail.links" for module, _function in places)
