"""A web dyno holds no more database connections than docs/deploy.md says."""

import threading

from tests.faults.database import ROLE, PostgresDatabase
from tests.faults.site import RunningSite
from tests.faults.visitors import Visitors
from tests.mail_server import MailServer
from tests.processes import wait_until

MAX_CONNECTIONS = 16
"""Of a web dyno with two processes that send mails (docs/deploy.md, "Connections")."""
THREADS = 4
"""Of each process."""
VISITORS = 24


def test_number_of_connections_is_bounded_under_load(
    site: RunningSite, visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """All threads run statements, mails are sent, and readiness is probed."""
    most = 0
    done = threading.Event()

    def probe_readiness() -> None:
        while not done.wait(0.02):
            site.is_ready()

    def connections() -> int:
        nonlocal most
        counted = (
            f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{ROLE}' AND datname = '{database.name}'"
        )
        ((number,),) = database.query(counted)
        most = max(most, number)
        return int(number)

    probe = threading.Thread(target=probe_readiness)
    probe.start()
    try:
        with visitors.send_continuously(VISITORS):
            wait_until(lambda: len(visitors.acknowledged) > VISITORS, "visitors are served")
            with database.connected() as cursor:
                cursor.execute("LOCK TABLE newsletter_subscription")
                wait_until(lambda: connections() >= site.worker_count * THREADS, "all threads are busy")
            served = len(visitors.acknowledged)
            wait_until(
                lambda: connections() and len(visitors.acknowledged) > served + 2 * VISITORS,
                "visitors are served again",
            )
    finally:
        done.set()
        probe.join()
    assert most <= MAX_CONNECTIONS
    visitors.assert_exactly_once(database, mail_server)
