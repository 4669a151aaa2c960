"""A database that is away, cut off, slow or full: who was told yes is stored, everybody else is told to come
again, and all is well without a restart once it is back."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg2
import pytest

from tests.faults.conftest import MakeSite
from tests.faults.database import ROLE, PostgresDatabase, PostgresServer
from tests.faults.far_machine import far_machine
from tests.faults.mail_server import MailServer
from tests.faults.programs import wait_until
from tests.faults.site import Answer, Site
from tests.faults.visitors import SUBSCRIBE, Visitors

ANSWERED_WITHIN = 4  # seconds, without a database
NOTICED_WITHIN = 2  # seconds, that the other end of a connection has gone without a word
READY_WITHIN = 2.8
STATEMENT_TIMEOUT = 8


@contextmanager
def stopped(server: PostgresServer) -> Iterator[None]:
    server.stop()
    try:
        yield
    finally:
        server.start()


def assert_told_to_come_again(answer: Answer | None) -> None:
    assert answer
    assert (answer.status, answer.code) == (503, "UNAVAILABLE"), answer.text
    assert answer.headers["Retry-After"]


def test_stopped_and_started(
    visitors: Visitors,
    site: Site,
    postgres: PostgresServer,
    database: PostgresDatabase,
    mail_server: MailServer,
) -> None:
    with visitors.keep_coming():
        wait_until(lambda: len(visitors.acknowledged) > 10, "some visitors are served")
        with stopped(postgres):
            time.sleep(1)
            before = time.monotonic()
            assert_told_to_come_again(visitors.come())
            assert time.monotonic() - before < ANSWERED_WITHIN
            assert site.is_alive()
            assert site.fetch("/readyz", timeout=READY_WITHIN).status == 503
            assert site.fetch("/").status == 200
            assert site.fetch("/no-such-port").status == 404
        visitors.are_served_again()
        wait_until(site.is_ready, "the site is ready", 5)
    assert set(visitors.refused) <= {"UNAVAILABLE", "RATE_LIMITED"}, visitors.refused
    visitors.assert_each_was_served_once(database, mail_server)


def test_its_machine_gone_without_a_word(
    make_site: MakeSite, postgres: PostgresServer, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """No packet comes back: nothing but the site's own patience ends a statement, or a try to connect."""
    with far_machine(postgres.folder / ".s.PGSQL.5432") as machine:
        if not machine:
            pytest.skip("a network cannot be made here (only root may, on Linux)")
        site = make_site(database, DATABASE_URL=f"postgres://{ROLE}@{machine.address}/{database.name}")
        visitors = Visitors(site)
        visitors.all_come(8)
        # A mail that is being handed over just then is tried again minutes later: that is another test's.
        visitors.assert_each_was_served_once(database, mail_server)
        with machine.gone():
            answers: list[tuple[Answer | None, float]] = []

            def come() -> None:
                before = time.monotonic()
                answers.append((visitors.come(SUBSCRIBE), time.monotonic() - before))

            rows = [threading.Thread(target=come) for _number in range(8)]
            for row in rows:
                row.start()
            for row in rows:
                row.join()
            for answer, seconds in answers:
                assert_told_to_come_again(answer)
                assert seconds < NOTICED_WITHIN + ANSWERED_WITHIN
            assert site.is_alive()
            assert site.fetch("/").status == 200
        visitors.are_served_again()
        visitors.assert_each_was_served_once(database, mail_server)


def test_its_connections_cut_again_and_again(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    with visitors.keep_coming():
        for _time in range(6):
            wait_until(database.cut_connections, "there is a connection to cut")
            visitors.are_served_again()
    assert set(visitors.refused) <= {"UNAVAILABLE", "RATE_LIMITED"}, visitors.refused
    visitors.assert_each_was_served_once(database, mail_server)


def test_its_idle_connections_cut_nobody_notices(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    for _time in range(3):
        visitors.all_come(4)
        wait_until(lambda: database.unsent() == 0, "every mail is sent")
        assert database.cut_connections()
    visitors.all_come(4)
    visitors.assert_each_was_served_once(database, mail_server)


def test_its_connections_cut_while_mails_are_handed_over(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """The sender's lock ends with its connection; what it just hands over is still its own."""

    def cut() -> None:
        database.cut_connections()
        time.sleep(3)  # others look for mails meanwhile

    mail_server.taken = cut
    visitors.all_come(1)
    wait_until(lambda: database.unsent() == 0, "the mail is recorded as sent")
    mail_server.taken = lambda: None
    visitors.all_come(3)
    visitors.assert_each_was_served_once(database, mail_server)


def test_stopped_while_a_mail_is_handed_over(
    visitors: Visitors, postgres: PostgresServer, database: PostgresDatabase, mail_server: MailServer
) -> None:
    taken = threading.Event()
    finish = threading.Event()

    def take() -> None:
        taken.set()
        finish.wait(30)

    mail_server.taken = take
    visitors.all_come(1)
    assert taken.wait(30)
    with stopped(postgres):
        finish.set()
        time.sleep(1)
    wait_until(lambda: database.unsent() == 0, "the mail is recorded as sent")
    visitors.assert_each_was_served_once(database, mail_server)


@pytest.mark.long
def test_slow(visitors: Visitors, site: Site, database: PostgresDatabase, mail_server: MailServer) -> None:
    """A lock that somebody forgot: what waits for it longer than a statement may is told to come again."""
    visitors.all_come(2)
    answers: list[Answer | None] = []
    with database.connected() as cursor:
        cursor.execute("LOCK TABLE newsletter_subscription, accounts_user")
        waiting = [threading.Thread(target=lambda: answers.append(visitors.come())) for _number in range(6)]
        before = time.monotonic()
        for thread in waiting:
            thread.start()
        for thread in waiting:
            thread.join()
        assert time.monotonic() - before < STATEMENT_TIMEOUT + ANSWERED_WITHIN
        for answer in answers:
            assert_told_to_come_again(answer)
    visitors.are_served_again()
    visitors.assert_each_was_served_once(database, mail_server)


def test_without_a_connection_left(
    visitors: Visitors, postgres: PostgresServer, database: PostgresDatabase, mail_server: MailServer
) -> None:
    visitors.all_come(2)
    with ExitStack() as taken:
        postgres.run(f"ALTER ROLE {ROLE} CONNECTION LIMIT 12")
        taken.callback(postgres.run, f"ALTER ROLE {ROLE} CONNECTION LIMIT -1")
        database.cut_connections()
        while True:
            try:
                taken.callback(psycopg2.connect(postgres.url(database.name)).close)
            except psycopg2.OperationalError:
                break
        with visitors.keep_coming():
            time.sleep(2)
    visitors.are_served_again()
    assert visitors.refused["UNAVAILABLE"]
    visitors.assert_each_was_served_once(database, mail_server)
