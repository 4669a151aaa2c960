"""`subscribeNewsletter` with a new address, and a plain Django view that stores the same rows.

    scripts/with-postgres .venv/bin/python -m benchmarks.subscribe

Another process is the one that sends (here it holds the sender's lock and sends nothing): mails that go
out meanwhile would slow down whichever side is being measured.
"""

# ruff: noqa: I001 - Django is set up before models are imported

import json

import benchmarks.django_here  # noqa: F401

from post_office.models import Email

from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from sailing.background import Lock, try_lock
from benchmarks import pairs
from benchmarks.servers import Request, compare, prepare_database, server

BAR = pairs.at_least(0.75)
DOCUMENT = """mutation Subscribe($input: SubscribeNewsletterInput!) {
  subscribeNewsletter(input: $input) {
    success
    message
  }
}"""


def values(side: str) -> dict[str, str]:
    return {"email": f"{side}.{{number}}@example.org", "userType": "sailor"}


OURS = Request("/graphql", json.dumps({"query": DOCUMENT, "variables": {"input": values("ours")}}))
PEER = Request("/peer/subscribe", json.dumps(values("peer")))


def rows() -> list[int]:
    """How many there are of all that a request stores."""
    models = (Subscription, SubscriptionLink, ConsentEvent, Email)
    return [model.objects.count() for model in models]


def main() -> None:
    effort = pairs.Effort.chosen(__doc__)
    prepare_database()
    with try_lock(Lock.OUTBOX) as is_held, server() as site:
        assert is_held
        site.ask(OURS)
        first = rows()
        site.ask(PEER)
        assert rows() == [2 * number for number in first]
        pairs.heading()
        kept = compare("`subscribeNewsletter`", (site, OURS), (site, PEER), effort=effort, bar=BAR)
    pairs.finish(effort, kept)


if __name__ == "__main__":
    main()
