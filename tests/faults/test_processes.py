"""Processes that are ended, gently or not."""

import os
import signal
import threading
import time

from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.mail_server import MailServer
from tests.faults.programs import wait_until
from tests.faults.site import Answer, Site
from tests.faults.visitors import Visitors

SLOW_REQUESTS = 8
GRACE = 25  # seconds; a platform kills after 30
NOT_BEGUN = {"ConnectionRefusedError", "ConnectionResetError"}
HELD = """SELECT count(*) FROM pg_stat_activity
  WHERE wait_event_type = 'Lock' AND query LIKE '%visitor%@example.org%'"""


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def test_told_to_end_it_answers_what_it_has_begun(
    make_site: MakeSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    # The system hands out connections: so that none waits, one worker has to have room for all.
    site = make_site(database, f"--threads={SLOW_REQUESTS}")
    visitors = Visitors(site)
    assert site.process
    answers: list[Answer | None] = []
    with database.connected() as cursor:
        cursor.execute("LOCK TABLE newsletter_subscription, accounts_user")
        waiting = [
            threading.Thread(target=lambda: answers.append(visitors.come()))
            for _number in range(SLOW_REQUESTS)
        ]
        for thread in waiting:
            thread.start()
        wait_until(lambda: database.rows(HELD)[0][0] == SLOW_REQUESTS, "they are under way")
        site.signal_all(signal.SIGTERM)
        time.sleep(2)
    for thread in waiting:
        thread.join()
    assert site.process.wait(GRACE) == 0
    assert [answer.code if answer else "none" for answer in answers] == [""] * SLOW_REQUESTS
    site.start()  # sends what is left
    visitors.assert_each_was_served_once(database, mail_server)


def test_told_to_end_under_load_it_loses_nobody(
    visitors: Visitors, site: Site, database: PostgresDatabase, mail_server: MailServer
) -> None:
    assert site.process
    with visitors.keep_coming():
        wait_until(lambda: len(visitors.acknowledged) > 20, "some visitors are served")
        site.signal_all(signal.SIGTERM)
        assert site.process.wait(GRACE) == 0
        site.start()
        visitors.are_served_again()
    # A connection that nobody has accepted is refused or reset; what was begun is not cut off.
    assert set(visitors.refused) <= NOT_BEGUN | {"RATE_LIMITED"}, visitors.refused
    visitors.assert_each_was_served_once(database, mail_server)


def test_told_to_end_while_a_mail_is_handed_over_it_sends_it_once(
    visitors: Visitors, site: Site, database: PostgresDatabase, mail_server: MailServer
) -> None:
    assert site.process
    taken = threading.Event()

    def take() -> None:
        taken.set()
        time.sleep(3)

    mail_server.taken = take
    visitors.all_come(1)
    assert taken.wait(30)
    site.signal_all(signal.SIGTERM)
    assert site.process.wait(GRACE) == 0
    assert database.unsent() == 0
    visitors.assert_each_was_served_once(database, mail_server)


def test_workers_killed_one_after_another(
    visitors: Visitors, site: Site, database: PostgresDatabase, mail_server: MailServer
) -> None:
    with visitors.keep_coming():
        for worker in site.workers():
            kill(worker)
            visitors.are_served_again()
        wait_until(site.is_ready, "the site is ready")
    # The sender may have been in one of them, between the mail server's yes and its own commit.
    visitors.assert_each_was_served_once(database, mail_server, repeated=2)


def test_the_sender_killed_before_it_can_tell_that_a_mail_was_taken(
    visitors: Visitors, site: Site, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """Whether it was taken cannot be known: the mail comes again, and its Message-ID says so."""
    killed = threading.Event()

    def kill_senders() -> None:
        if not killed.is_set():
            killed.set()
            for worker in site.workers():
                kill(worker)

    mail_server.taken = kill_senders
    visitors.all_come(1)
    assert killed.wait(30)
    wait_until(site.is_alive, "new workers serve")
    visitors.all_come(3)
    visitors.assert_each_was_served_once(database, mail_server, repeated=1)
    assert sorted(len(ids) for ids in mail_server.mails.values()) == [1, 1, 1, 2]


def test_gunicorn_killed(
    visitors: Visitors, site: Site, database: PostgresDatabase, mail_server: MailServer
) -> None:
    with visitors.keep_coming():
        wait_until(lambda: len(visitors.acknowledged) > 20, "some visitors are served")
        workers = site.workers()
        assert site.process
        site.process.kill()
        site.process.wait()
        wait_until(lambda: not any(is_running(worker) for worker in workers), "its workers end by themselves")
        site.start()
        visitors.are_served_again()
    visitors.assert_each_was_served_once(database, mail_server, repeated=1)


def test_the_sender_as_a_process_of_its_own(
    make_site: MakeSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """With a worker dyno the web processes send nothing, and whoever sends ends gently too."""
    site = make_site(database, OUTBOX_THREAD="false")
    visitors = Visitors(site)
    visitors.all_come(3)
    time.sleep(3)
    assert not mail_server.mails
    with site.sender() as sender:
        wait_until(lambda: database.unsent() == 0, "every mail is sent")
        visitors.all_come(3)
        wait_until(lambda: database.unsent() == 0, "every mail is sent")
        sender.send_signal(signal.SIGTERM)
        assert sender.wait(GRACE) == 0
    visitors.assert_each_was_served_once(database, mail_server)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
