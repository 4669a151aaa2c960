"""Error reports to Sentry contain the place in the code, and nothing about the person."""

import json
import subprocess
import sys

from tests.processes import ROOT, environment

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
