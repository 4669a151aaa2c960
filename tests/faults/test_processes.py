"""Web processes that are stopped or killed while visitors are served."""

import os
import signal
import threading
import time

from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.site import Response, RunningSite
from tests.faults.visitors import Visitors
from tests.mail_server import MailServer
from tests.processes import is_running, wait_until

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
    visitors = Visitors(site)
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
    visitors.assert_exactly_once(database, mail_server)


def test_killed_workers_and_gunicorn(
    visitors: Visitors, site: RunningSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
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
    visitors.assert_exactly_once(database, mail_server, repeated=3)
