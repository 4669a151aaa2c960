"""PostgreSQL outages: acknowledged requests are stored, others get 503, and the site recovers by itself."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import psycopg2
import pytest

from tests.faults.conftest import MakeSite
from tests.faults.database import ROLE, PostgresDatabase, PostgresServer
from tests.faults.remote_host import remote_host
from tests.faults.site import Response, RunningSite
from tests.faults.visitors import SIGN_UP, SIGN_UP_EVERY, SUBSCRIBE, Visitors
from tests.mail_server import MailServer
from tests.processes import wait_until

ANSWER_SECONDS = 4
"""Without a database."""
READY_SECONDS = 2.8
SIGN_IN = 'mutation { signIn(input: {email: "a@example.org", password: "a long password"}) { token } }'
STATEMENT_SECONDS = 8


@contextmanager
def stopped(server: PostgresServer) -> Iterator[None]:
    server.stop()
    try:
        yield
    finally:
        server.start()


def assert_unavailable(response: Response | None) -> None:
    assert response
    assert (response.status, response.code) == (503, "UNAVAILABLE"), response.text
    assert response.headers["Retry-After"]


def test_server_restart(
    visitors: Visitors,
    site: RunningSite,
    postgres: PostgresServer,
    database: PostgresDatabase,
    mail_server: MailServer,
) -> None:
    with visitors.send_continuously():
        wait_until(lambda: len(visitors.acknowledged) > 10, "some visitors are served")
        with stopped(postgres):
            time.sleep(1)
            before = time.monotonic()
            assert_unavailable(visitors.send_request())
            assert time.monotonic() - before < ANSWER_SECONDS
            assert site.is_alive()
            assert site.fetch("/readyz", timeout=READY_SECONDS).status == 503
            assert site.fetch("/").status == 200
            assert site.fetch("/no-such-port").status == 404
        visitors.wait_for_recovery()
        wait_until(site.is_ready, "the site is ready", 5)
    assert set(visitors.refused) <= {"UNAVAILABLE", "RATE_LIMITED"}, visitors.refused
    visitors.assert_exactly_once(database, mail_server)


def test_unreachable_host(
    make_site: MakeSite, postgres: PostgresServer, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """No packet comes back, so only the site's own time-outs end a statement or a connection attempt."""
    with remote_host(postgres.folder / ".s.PGSQL.5432") as machine:
        if not machine:
            pytest.skip("network namespaces need root on Linux")
        site = make_site(database, DATABASE_URL=f"postgres://{ROLE}@{machine.address}/{database.name}")
        visitors = Visitors(site)
        visitors.send_requests(8)
        # No mail is in transit when the host becomes unreachable: another test covers that.
        visitors.assert_exactly_once(database, mail_server)
        with machine.unreachable():
            responses: list[tuple[Response | None, float]] = []

            def send_request() -> None:
                before = time.monotonic()
                responses.append((visitors.send_request(SUBSCRIBE), time.monotonic() - before))

            rows = [threading.Thread(target=send_request) for _number in range(8)]
            for row in rows:
                row.start()
            for row in rows:
                row.join()
            for response, seconds in responses:
                assert_unavailable(response)
                assert seconds < ANSWER_SECONDS
            assert site.is_alive()
            assert site.fetch("/").status == 200
        visitors.wait_for_recovery()
        visitors.assert_exactly_once(database, mail_server)


def test_read_only_database(
    visitors: Visitors, site: RunningSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """Take away the right to write, as a host with a full plan, then make every transaction read-only."""
    visitors.send_requests(SIGN_UP_EVERY)
    wait_until(lambda: database.count_unsent() == 0, "every mail is sent")
    rights, option = "INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public", "default_transaction_read_only"
    for take_away, give_back in (
        (f"REVOKE {rights} FROM {ROLE}", f"GRANT {rights} TO {ROLE}"),
        (
            f"ALTER DATABASE {database.name} SET {option} = on",
            f"ALTER DATABASE {database.name} RESET {option}",
        ),
    ):
        database.run(take_away)
        database.terminate_connections()
        for query in (SUBSCRIBE, SIGN_UP):
            assert_unavailable(visitors.send_request(query))
        assert_unavailable(site.post_graphql(SIGN_IN))
        assert site.fetch("/").status == 200
        with database.connected() as cursor:
            cursor.execute("SET transaction_read_only = off")
            cursor.execute(give_back)
        database.terminate_connections()
        visitors.wait_for_recovery()
        wait_until(site.is_ready, "the site is ready", 5)
    visitors.assert_exactly_once(database, mail_server)


def test_terminated_connections_cost_at_most_the_requests_on_them(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """Terminate idle connections, which goes unnoticed, then busy ones, whose requests get 503."""
    for _time in range(2):
        visitors.send_requests(4)
        wait_until(lambda: database.count_unsent() == 0, "every mail is sent")
        assert database.terminate_connections()
    visitors.send_requests(4)
    with visitors.send_continuously():
        for _time in range(4):
            wait_until(database.terminate_connections, "there is a connection to terminate")
            visitors.wait_for_recovery()
    assert set(visitors.refused) <= {"UNAVAILABLE", "RATE_LIMITED"}, visitors.refused
    visitors.assert_exactly_once(database, mail_server)


def test_connections_terminated_during_a_delivery(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """Other senders leave the claimed mail in transit alone."""

    def cut() -> None:
        database.terminate_connections()
        time.sleep(3)

    mail_server.on_accepted = cut
    visitors.send_requests(1)
    wait_until(lambda: database.count_unsent() == 0, "the mail is recorded as sent")
    mail_server.on_accepted = lambda: None
    visitors.send_requests(3)
    visitors.assert_exactly_once(database, mail_server)


def test_locked_tables(
    visitors: Visitors, site: RunningSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """A statement that waits too long for a lock is answered with 503."""
    visitors.send_requests(2)
    responses: list[Response | None] = []
    with database.connected() as cursor:
        cursor.execute("LOCK TABLE newsletter_subscription, accounts_user")
        waiting = [
            threading.Thread(target=lambda: responses.append(visitors.send_request())) for _number in range(6)
        ]
        before = time.monotonic()
        for thread in waiting:
            thread.start()
        for thread in waiting:
            thread.join()
        assert time.monotonic() - before < STATEMENT_SECONDS + ANSWER_SECONDS
        for response in responses:
            assert_unavailable(response)
    visitors.wait_for_recovery()
    visitors.assert_exactly_once(database, mail_server)


def test_no_connection_left(
    visitors: Visitors, postgres: PostgresServer, database: PostgresDatabase, mail_server: MailServer
) -> None:
    visitors.send_requests(2)
    with ExitStack() as taken:
        postgres.run(f"ALTER ROLE {ROLE} CONNECTION LIMIT 12")
        taken.callback(postgres.run, f"ALTER ROLE {ROLE} CONNECTION LIMIT -1")
        database.terminate_connections()
        while True:
            try:
                taken.callback(psycopg2.connect(postgres.url(database.name)).close)
            except psycopg2.OperationalError:
                break
        with visitors.send_continuously():
            time.sleep(2)
    visitors.wait_for_recovery()
    assert visitors.refused["UNAVAILABLE"]
    visitors.assert_exactly_once(database, mail_server)
