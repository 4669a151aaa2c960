"""PostgreSQL outages: acknowledged requests are stored, others get 503, and the site recovers by itself."""

import time

from tests.faults.database import ROLE, PostgresDatabase
from tests.faults.site import RunningSite
from tests.faults.visitors import SIGN_UP, SIGN_UP_EVERY, SUBSCRIBE, Visitors
from tests.mail_server import MailServer
from tests.processes import wait_until

READY_SECONDS = 2.8
SIGN_IN = 'mutation { signIn(input: {email: "a@example.org", password: "a long password"}) { token } }'
MAX_CONNECTIONS = 18
"""Of a web dyno with two processes that send mails (docs/deploy.md, "Connections")."""
THREADS = 8
"""Of both."""
LOCKED = f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{ROLE}' AND wait_event_type = 'Lock'"


def test_rush_and_a_restart_of_the_server(
    visitors: Visitors, site: RunningSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
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
        for query in (SUBSCRIBE, SIGN_UP, SIGN_IN):
            visitors.assert_unavailable(query)
        assert site.fetch("/").status == 200
        with database.connected() as cursor:
            cursor.execute("SET transaction_read_only = off")
            cursor.execute(give_back)
        database.terminate_connections()
        visitors.wait_for_recovery()
        wait_until(site.is_ready, "the site is ready", 5)
    visitors.assert_exactly_once(database, mail_server)
