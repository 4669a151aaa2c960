"""Load shedding: a short queue, and 503 at once past it."""

import threading
import time

import pytest

from sailing.server.worker import MAX_QUEUED_REQUESTS, QUEUE_SECONDS
from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.site import Response, RunningSite
from tests.faults.visitors import SUBSCRIBE, Visitors
from tests.mail_server import MailServer
from tests.processes import wait_until

THREADS = 4
LOCK = "LOCK TABLE newsletter_subscription, accounts_user"
READY_SECONDS = 2.8
"""Two on an idle machine; a request in the queue gets 503 after three."""
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"


@pytest.fixture
def site(make_site: MakeSite, database: PostgresDatabase) -> RunningSite:
    """Return a site with one process, which gets every request."""
    return make_site(database, WEB_CONCURRENCY="1")


class Crowd:
    """Concurrent requests."""

    def __init__(self, visitors: Visitors, number: int) -> None:
        self.responses: list[Response | None] = []
        self.threads = [
            threading.Thread(target=lambda: self.responses.append(visitors.send_request(SUBSCRIBE)))
            for _visitor in range(number)
        ]
        for thread in self.threads:
            thread.start()

    def codes(self) -> list[str]:
        for thread in self.threads:
            thread.join()
        return sorted(response.code if response else "none" for response in self.responses)


def test_requests_past_the_queue_are_refused_at_once(
    visitors: Visitors, site: RunningSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    limit = THREADS + MAX_QUEUED_REQUESTS
    with database.connected() as cursor:
        cursor.execute(LOCK)
        crowd = Crowd(visitors, limit + 5)
        wait_until(lambda: len(crowd.responses) == 5, "the excess requests are answered", QUEUE_SECONDS - 1)
        for response in crowd.responses:
            assert response
            assert (response.status, response.code) == (503, "UNAVAILABLE")
            assert response.headers["Retry-After"] == "5"
            assert response.headers["Content-Security-Policy"]
        page = site.fetch("/newsletter?lang=cs")
        assert page.status == 503
        assert 'lang="cs"' in page.text
        assert site.is_alive()
    assert crowd.codes() == [""] * limit + ["UNAVAILABLE"] * 5
    wait_until(lambda: '"overloaded"' in site.log.read_text(), "the overload is logged", 5)
    visitors.assert_exactly_once(database, mail_server)


def test_queued_requests_are_refused_after_a_while(
    visitors: Visitors, site: RunningSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    with database.connected() as cursor:
        cursor.execute(LOCK)
        crowd = Crowd(visitors, THREADS + 2)
        before = time.monotonic()
        assert site.is_alive(), "the probe waits in the queue"
        assert site.fetch("/readyz", timeout=READY_SECONDS).status == 200
        assert time.monotonic() - before < QUEUE_SECONDS
        wait_until(lambda: len(crowd.responses) == 2, "the queued requests are answered", QUEUE_SECONDS + 2)
    assert crowd.codes() == [""] * THREADS + ["UNAVAILABLE"] * 2
    visitors.wait_for_recovery()
    visitors.assert_exactly_once(database, mail_server)


def test_readiness_is_answered_while_all_threads_are_blocked(
    site: RunningSite, database: PostgresDatabase, visitors: Visitors
) -> None:
    """The query of the readiness probe is blocked too."""
    with database.connected() as cursor:
        cursor.execute(f"{LOCK}, django_migrations")
        crowd = Crowd(visitors, THREADS + 2)
        wait_until(lambda: database.query(WAITING)[0][0] >= THREADS, "all threads are blocked")
        wait_until(lambda: not site.is_ready(), "the cached result has expired", 5)
        for _time in range(3):
            assert site.fetch("/readyz", timeout=READY_SECONDS).status == 503
            assert site.is_alive()
    crowd.codes()
    wait_until(site.is_ready, "the site is ready again", 5)
