"""However many come at once, a web dyno holds no more connections than docs/deploy.md says."""

import threading

from tests.faults.database import ROLE, PostgresDatabase
from tests.faults.mail_server import MailServer
from tests.faults.programs import wait_until
from tests.faults.site import Site
from tests.faults.visitors import Visitors

MAX_CONNECTIONS = 16
"""Of a web dyno that sends its mails, with two processes (docs/deploy.md, "Connections")."""
THREADS = 4  # of each process, that serve
VISITORS = 24


def test_a_crowd_is_served_within_the_budget(
    site: Site, visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """All threads have a statement under way, mails go out, and whether the site is ready is asked for."""
    most = 0
    done = threading.Event()

    def look() -> None:
        while not done.wait(0.02):
            site.is_ready()

    def connections() -> int:
        nonlocal most
        counted = (
            f"SELECT count(*) FROM pg_stat_activity WHERE usename = '{ROLE}' AND datname = '{database.name}'"
        )
        ((number,),) = database.rows(counted)
        most = max(most, number)
        return int(number)

    probe = threading.Thread(target=look)
    probe.start()
    try:
        with visitors.keep_coming(VISITORS):
            wait_until(lambda: len(visitors.acknowledged) > VISITORS, "visitors are served")
            with database.connected() as cursor:
                cursor.execute("LOCK TABLE newsletter_subscription")
                wait_until(lambda: connections() >= site.worker_count * THREADS, "all threads are at work")
            served = len(visitors.acknowledged)
            wait_until(
                lambda: connections() and len(visitors.acknowledged) > served + 2 * VISITORS,
                "visitors are served again",
            )
    finally:
        done.set()
        probe.join()
    assert most <= MAX_CONNECTIONS
    visitors.assert_each_was_served_once(database, mail_server)
