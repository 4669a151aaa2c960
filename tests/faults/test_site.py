"""Outages of PostgreSQL, and processes that end, while visitors are served: the site recovers by itself."""

import os
import signal
import threading
import time

from tests.faults.conftest import MakeSite
from tests.faults.database import ROLE, PostgresDatabase
from tests.faults.site import Response
from tests.faults.visitors import SIGN_UP, SIGN_UP_EVERY, SUBSCRIBE, Visitors
from tests.mail_server import MailServer
from tests.processes import is_running, wait_until

READY_SECONDS = 2.8
SIGN_IN = 'mutation { signIn(input: {email: "a@example.org", password: "a long password"}) { token } }'
MAX_CONNECTIONS = 18
"""Of a web dyno with two processes that send mails (docs/deploy.md, "Connections")."""
THREADS = 8
"""Of both."""
LOCKED = f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{ROLE}' AND wait_event_type = 'Lock'"


def test_rush_and_a_restart_of_the_server(visitors: Visitors) -> None:
    site, database = visitors.site, visitors.database
    visitors.send_requests(4)
    wait_until(lambda: database.count_unsent() == 0, "every mail is sent")
    assert database.terminate_connections(), "idle ones, which goes unnoticed"
    visitors.send_requests(4)
    database.run(f"ALTER ROLE {ROLE} CONNECTION LIMIT {MAX_CONNECTIONS}")
    with visitors.send_continuously(24):
        wait_until(lambda: len(visitors.acknowledged) > 20, "some visitors are served")
        with database.connected() as cursor:
            cursor.execute("LOCK TABLE newsletter_subscription")
            wait_until(lambda: database.query(LOCKED)[0][0] >= THREADS, "all threads are busy")
            assert site.is_ready()
        visitors.wait_for_recovery()
        with database.server.stopped():
            time.sleep(1)
            visitors.assert_unavailable()
            assert site.is_alive()
            assert site.fetch("/readyz", timeout=READY_SECONDS).status == 503
            assert site.fetch("/").status == 200
            assert site.fetch("/no-such-port").status == 404
        visitors.wait_for_recovery()
        wait_until(site.is_ready, "the site is ready", 5)
    database.run(f"ALTER ROLE {ROLE} CONNECTION LIMIT -1")
    assert "too many connections" not in site.log.read_text()
    assert set(visitors.refused) <= {"UNAVAILABLE", "RATE_LIMITED"}, visitors.refused
    visitors.assert_exactly_once()


def test_read_only_database(visitors: Visitors) -> None:
    """Take away the right to write, as a host with a full plan, then make every transaction read-only."""
    site, database = visitors.site, visitors.database
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
        for query in (SUBSCRIBE, SIGN_UP, SIGN_IN):
            visitors.assert_unavailable(query)
        assert site.fetch("/").status == 200
        with database.connected() as cursor:
            cursor.execute("SET transaction_read_only = off")
            cursor.execute(give_back)
        database.terminate_connections()
        visitors.wait_for_recovery()
        wait_until(site.is_ready, "the site is ready", 5)
    visitors.assert_exactly_once()


SLOW_REQUESTS = 8
GRACE_SECONDS = 25
"""A platform kills after 30."""
NOT_ACCEPTED = {"ConnectionRefusedError", "ConnectionResetError"}
BLOCKED = """SELECT count(*) FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND query LIKE '%visitor%@example.org%'"""


def test_sigterm_during_slow_requests_and_under_load(
    make_site: MakeSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """Every request that was accepted is answered."""
    # The kernel distributes connections, so one worker may get all of them.
    site = make_site(database, f"--threads={SLOW_REQUESTS}")
    visitors = Visitors(site, database, mail_server)
    responses: list[Response | None] = []
    with database.connected() as cursor:
        cursor.execute("LOCK TABLE newsletter_subscription, accounts_user")
        waiting = [
            threading.Thread(target=lambda: responses.append(visitors.send_request()))
            for _number in range(SLOW_REQUESTS)
        ]
        for thread in waiting:
            thread.start()
        wait_until(lambda: database.query(BLOCKED)[0][0] == SLOW_REQUESTS, "the statements are blocked")
        site.signal_all(signal.SIGTERM)
        time.sleep(2)
    for thread in waiting:
        thread.join()
    assert site.wait(GRACE_SECONDS) == 0
    assert [response.code if response else "none" for response in responses] == [""] * SLOW_REQUESTS

    site.start()
    with visitors.send_continuously():
        wait_until(lambda: len(visitors.acknowledged) > 20, "some visitors are served")
        site.signal_all(signal.SIGTERM)
        assert site.wait(GRACE_SECONDS) == 0
        site.start()
        visitors.wait_for_recovery()
    assert set(visitors.refused) <= NOT_ACCEPTED | {"RATE_LIMITED"}, visitors.refused
    visitors.assert_exactly_once()


def test_killed_workers_and_gunicorn(visitors: Visitors) -> None:
    site = visitors.site
    with visitors.send_continuously():
        for worker in site.workers():
            os.kill(worker, signal.SIGKILL)
            visitors.wait_for_recovery()
        wait_until(site.is_ready, "the site is ready")
        workers = site.workers()
        os.kill(site.pid, signal.SIGKILL)
        site.wait()
        wait_until(lambda: not any(is_running(worker) for worker in workers), "its workers exit")
        site.start()
        visitors.wait_for_recovery()
    # Senders may have been killed between the mail server's reply and their own commit.
    visitors.assert_exactly_once(repeated=3)
