"""More than the site can do at once: those who wait are few, the rest is told so at once."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from sailing.worker import LONGEST_WAIT, MOST_WAITING
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
SILENT_SECONDS = 5  # for so long gunicorn itself gives a thread to a client that says nothing


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


@contextmanager
def clients(site: Site, number: int, sent: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections of clients who do no more than this until the end of the block."""
    with ExitStack() as open_until_then:
        found = []
        for _client in range(number):
            client = socket.create_connection(("127.0.0.1", site.port), timeout=10)
            found.append(open_until_then.enter_context(client))
            client.sendall(sent)
        yield found


def test_past_those_who_may_wait_everybody_is_refused_at_once(
    visitors: Visitors, site: Site, database: PostgresDatabase, mail_server: MailServer
) -> None:
    most = THREADS + MOST_WAITING
    with database.connected() as cursor:
        cursor.execute(LOCK)
        crowd = Crowd(visitors, most + 5)
        wait_until(lambda: len(crowd.answers) == 5, "those too many are answered", LONGEST_WAIT - 1)
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
        assert time.monotonic() - before < LONGEST_WAIT
        wait_until(lambda: len(crowd.answers) == 2, "those who wait are answered", LONGEST_WAIT + 2)
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
        for _time in range(3):
            assert site.fetch("/readyz", timeout=READY_WITHIN).status == 503
            assert site.is_alive()
    crowd.codes()
    wait_until(site.is_ready, "it is ready again", 5)


def test_clients_who_say_nothing_hold_no_thread(site: Site) -> None:
    with clients(site, 2 * THREADS):
        assert site.fetch("/newsletter", timeout=SILENT_SECONDS - 1).status == 200


def test_clients_who_do_not_hang_up_hold_up_nobody(site: Site) -> None:
    """Each has got its answer, and leaves its connection open."""
    with clients(site, 8, b"garbage\r\n\r\n") as impolite:
        for client in impolite:
            assert client.recv(100).startswith(b"HTTP/1.1 400")
        assert site.fetch("/newsletter", timeout=SILENT_SECONDS).status == 200
        assert site.is_alive()


def test_who_begins_a_probe_and_does_not_end_it_stops_no_other(site: Site) -> None:
    with clients(site, THREADS, b"GET /healthz HTTP/1.1\r\n"):
        assert site.is_alive()
