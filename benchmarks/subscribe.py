"""`subscribeNewsletter` with a new address, compared with a plain Django view that stores the same rows.

    scripts/with-postgres .venv/bin/python -m benchmarks.subscribe

The server runs without its sender, so that no mails are sent during the measurement.
"""

# ruff: noqa: I001 - Django is set up before models are imported

import json

import benchmarks.django_setup  # noqa: F401

from newsletter.models import ConsentEvent, Subscription, SubscriptionLink
from sailing.models import OutboxEmail
from benchmarks import comparison
from benchmarks.servers import Request, compare, prepare_database, server

BAR = comparison.at_least(0.75)
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


def count_rows() -> list[int]:
    """Return the number of rows of each model that a request stores."""
    models = (Subscription, SubscriptionLink, ConsentEvent, OutboxEmail)
    return [model.objects.count() for model in models]


def main() -> None:
    effort = comparison.Effort.from_arguments(__doc__)
    prepare_database()
    with server(OUTBOX_THREAD="false") as site:
        site.send(OURS)
        first = count_rows()
        site.send(PEER)
        assert count_rows() == [2 * number for number in first]
        comparison.print_heading()
        kept = compare("`subscribeNewsletter`", (site, OURS), (site, PEER), effort=effort, bar=BAR)
    comparison.exit_with_result(effort, kept)


if __name__ == "__main__":
    main()
