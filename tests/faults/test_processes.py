"""Processes that are stopped or killed."""

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


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def test_sigterm_during_slow_requests(
    make_site: MakeSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    # The kernel distributes connections, so one worker may get all of them.
    site = make_site(database, f"--threads={SLOW_REQUESTS}")
    visitors = Visitors(site)
    assert site.process
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
    assert site.process.wait(GRACE_SECONDS) == 0
    assert [response.code if response else "none" for response in responses] == [""] * SLOW_REQUESTS
    site.start()  # it sends the mails that are left
    visitors.assert_exactly_once(database, mail_server)


def test_sigterm_under_load(
    visitors: Visitors, site: RunningSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    assert site.process
    with visitors.send_continuously():
        wait_until(lambda: len(visitors.acknowledged) > 20, "some visitors are served")
        site.signal_all(signal.SIGTERM)
        assert site.process.wait(GRACE_SECONDS) == 0
        site.start()
        visitors.wait_for_recovery()
    # Only connections that have not been accepted are refused or reset.
    assert set(visitors.refused) <= NOT_ACCEPTED | {"RATE_LIMITED"}, visitors.refused
    visitors.assert_exactly_once(database, mail_server)


def test_killed_workers(
    visitors: Visitors, site: RunningSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    with visitors.send_continuously():
        for worker in site.workers():
            kill(worker)
            visitors.wait_for_recovery()
        wait_until(site.is_ready, "the site is ready")
    # The sender may have been killed between the mail server's reply and its own commit.
    visitors.assert_exactly_once(database, mail_server, repeated=2)


def test_killed_gunicorn(
    visitors: Visitors, site: RunningSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    with visitors.send_continuously():
        wait_until(lambda: len(visitors.acknowledged) > 20, "some visitors are served")
        workers = site.workers()
        assert site.process
        site.process.kill()
        site.process.wait()
        wait_until(lambda: not any(is_running(worker) for worker in workers), "its workers exit")
        site.start()
        visitors.wait_for_recovery()
    visitors.assert_exactly_once(database, mail_server, repeated=1)


def test_sender_as_a_separate_process(
    make_site: MakeSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """With a worker dyno, web processes send no mails."""
    site = make_site(database, EMBEDDED_WORKER="false")
    visitors = Visitors(site)
    visitors.send_requests(3)
    time.sleep(3)
    assert not mail_server.mails
    with site.sender() as sender:
        wait_until(lambda: database.count_unsent() == 0, "every mail is sent")
        visitors.send_requests(3)
        wait_until(lambda: database.count_unsent() == 0, "every mail is sent")
        assert not site.find_problems()
        sender.send_signal(signal.SIGTERM)
        assert sender.wait(GRACE_SECONDS) == 0
    visitors.assert_exactly_once(database, mail_server)
