"""More than the site can do at once: those who wait are few, the rest is told so at once."""

import threading
import time

import pytest

from sailing.server.worker import MAX_QUEUED_REQUESTS, QUEUE_SECONDS
from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.mail_server import MailServer
from tests.faults.programs import wait_until
from tests.faults.site import Answer, Site
from tests.faults.visitors import SUBSCRIBE, Visitors

THREADS = 4
LOCK = "LOCK TABLE newsletter_subscription, accounts_user"
READY_WITHIN = 2.8  # seconds: two on a machine that is not busy; who waits for a thread is told after three
WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"


@pytest.fixture
def site(make_site: MakeSite, database: PostgresDatabase) -> Site:
    """Of one process, so that it is known which one a request comes to."""
    return make_site(database, WEB_CONCURRENCY="1")


class Crowd:
    """Visitors who come all at once, and are answered some time."""

    def __init__(self, visitors: Visitors, number: int) -> None:
        self.answers: list[Answer | None] = []
        self.threads = [
            threading.Thread(target=lambda: self.answers.append(visitors.come(SUBSCRIBE)))
            for _visitor in range(number)
        ]
        for thread in self.threads:
            thread.start()

    def codes(self) -> list[str]:
        for thread in self.threads:
            thread.join()
        return sorted(answer.code if answer else "none" for answer in self.answers)


def test_past_those_who_may_wait_everybody_is_refused_at_once(
    visitors: Visitors, site: Site, database: PostgresDatabase, mail_server: MailServer
) -> None:
    most = THREADS + MAX_QUEUED_REQUESTS
    with database.connected() as cursor:
        cursor.execute(LOCK)
        crowd = Crowd(visitors, most + 5)
        wait_until(lambda: len(crowd.answers) == 5, "those too many are answered", QUEUE_SECONDS - 1)
        for answer in crowd.answers:
            assert answer
            assert (answer.status, answer.code) == (503, "UNAVAILABLE")
            assert answer.headers["Retry-After"] == "5"
            assert answer.headers["Content-Security-Policy"]
        page = site.fetch("/newsletter?lang=cs")
        assert page.status == 503
        assert 'lang="cs"' in page.text
        assert site.is_alive()
    assert crowd.codes() == [""] * most + ["UNAVAILABLE"] * 5
    wait_until(lambda: '"overloaded"' in site.log.read_text(), "the log tells of it", 5)
    visitors.assert_each_was_served_once(database, mail_server)


def test_nobody_waits_long_for_those_who_are_held_up(
    visitors: Visitors, site: Site, database: PostgresDatabase, mail_server: MailServer
) -> None:
    with database.connected() as cursor:
        cursor.execute(LOCK)
        crowd = Crowd(visitors, THREADS + 2)
        before = time.monotonic()
        assert site.is_alive(), "a probe waits behind others"
        assert site.fetch("/readyz", timeout=READY_WITHIN).status == 200
        assert time.monotonic() - before < QUEUE_SECONDS
        wait_until(lambda: len(crowd.answers) == 2, "those who wait are answered", QUEUE_SECONDS + 2)
    assert crowd.codes() == [""] * THREADS + ["UNAVAILABLE"] * 2
    visitors.are_served_again()
    visitors.assert_each_was_served_once(database, mail_server)


def test_whether_it_is_ready_is_told_in_time_though_all_threads_are_held(
    site: Site, database: PostgresDatabase, visitors: Visitors
) -> None:
    """And though the database does not answer that question either."""
    with database.connected() as cursor:
        cursor.execute(f"{LOCK}, django_migrations")
        crowd = Crowd(visitors, THREADS + 2)
        wait_until(lambda: database.rows(WAITING)[0][0] >= THREADS, "all threads are held")
        wait_until(lambda: not site.is_ready(), "the last result is no longer kept", 5)
        for _time in range(3):
            assert site.fetch("/readyz", timeout=READY_WITHIN).status == 503
            assert site.is_alive()
    crowd.codes()
    wait_until(site.is_ready, "it is ready again", 5)
