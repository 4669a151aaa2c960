"""A background worker that is killed, or loses the database, in the middle of its work.

Nothing is lost, nothing is done twice, and the progress is always what is stored. Only a mail that the mail
server has accepted, but the worker has not recorded, is sent again, with the same Message-ID. The steps of
the other kinds of jobs are interrupted in the tests beside them.
"""

import subprocess
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

import pytest

from tests.faults.database import PostgresDatabase, PostgresServer
from tests.faults.site import running
from tests.mail_server import MailServer
from tests.processes import manage, wait_until

ROWS = 8000
BAD_ROWS = 800
GOOD_ROWS = ROWS - BAD_ROWS

PREPARE = f"""
from newsletter.imports.tests.helpers import start
rows = [f"person{{row}}@example.com,{{'sailor' if row % 10 else 'pirate'}}" for row in range({ROWS})]
start("\\n".join(["email,user_type", *rows]))
"""

EXPORTED_ROWS = 20_000
RUSH = f"""
from newsletter.imports import services
from newsletter.imports.tests.helpers import check, get_admin, make_rows
from newsletter.models import Subscription
from sailing.jobs import queue
Subscription.objects.bulk_create(
    Subscription(email=f"reader{{number}}@example.com", user_type="sailor")
    for number in range({EXPORTED_ROWS})
)
services.start(checked=check(make_rows({ROWS})))
arguments = {{"model": "newsletter.subscription", "query": "", "language": "en", "file_name": "rows"}}
queue.enqueue("export", created_by_id=get_admin().pk, **arguments)
"""
FINISHED = """SELECT kind FROM jobs_job WHERE kind IN ('export', 'newsletter.import')
  ORDER BY state = 'done' DESC, finished_at"""

ENQUEUE_MAIL = """
from django.db import transaction
from sailing.mail import outbox
with transaction.atomic():
    outbox.enqueue("accounts/password_changed", to="visitor@example.org", language="en", context={})
"""

BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'site' AND wait_event_type = 'Lock'"
JOB = """SELECT state, finished_rows, total_rows FROM jobs_job
  WHERE created_by_id IS NOT NULL ORDER BY id DESC LIMIT 1"""
COUNTS = "SELECT counts FROM imports_importbatch"
BAD_ROW_CHUNKS = """SELECT content FROM jobs_jobfilechunk
  JOIN jobs_jobfile AS file ON file.id = file_id JOIN jobs_job AS job ON job.id = file.job_id
  WHERE file.name = 'rows-to-correct.csv' AND job.kind = 'newsletter.import' ORDER BY number"""
MAILS = """SELECT state, attempts, last_error, state = 'waiting' AND next_attempt_at > now()
  FROM mail_outboxemail WHERE NOT is_reminder"""
CLAIMED, SENT = ("waiting", 0, "", True), ("sent", 1, "", False)

StartWorker = Callable[[], AbstractContextManager["subprocess.Popen[bytes]"]]


@pytest.fixture
def start_worker(database: PostgresDatabase, mail_server: MailServer, tmp_path: Path) -> StartWorker:
    """Return a context manager: a worker process, with one connection to the mail server.

    It is killed at the end of the block.
    """
    return partial(
        running,
        tmp_path / "worker.log",
        "worker",
        DATABASE_URL=database.url,
        EMAIL_URL=f"smtp://127.0.0.1:{mail_server.port}",
        EMAIL_CONNECTIONS="1",
    )


def expire_claims(database: PostgresDatabase) -> None:
    """Let the next worker continue at once what another has claimed."""
    database.run("UPDATE jobs_job SET next_attempt_at = now() WHERE state IN ('running', 'waiting')")


def get_state(database: PostgresDatabase) -> tuple[str, int]:
    ((state, finished, _total),) = database.query(JOB)
    return str(state), int(finished)


def is_done(database: PostgresDatabase) -> bool:
    return get_state(database)[0] == "done"


def assert_progress_is_true(database: PostgresDatabase) -> None:
    """Check that what is stored is what the progress says."""
    ((counts,),) = database.query(COUNTS)
    added = counts.get("added-waiting", 0)
    assert database.query("SELECT count(*) FROM newsletter_subscription") == [(added,)]
    assert get_state(database)[1] == sum(counts.values())


def assert_complete(database: PostgresDatabase) -> None:
    assert_progress_is_true(database)
    assert database.query(COUNTS) == [({"added-waiting": GOOD_ROWS, "audience": BAD_ROWS},)]
    ((_state, finished, total),) = database.query(JOB)
    assert finished == total
    chunks = database.query(BAD_ROW_CHUNKS)
    lines = b"".join(bytes(content) for (content,) in chunks).decode("utf-8-sig").splitlines()
    assert len(lines) == len(set(lines)) == BAD_ROWS + 1


def test_import_whose_worker_is_killed_within_a_step_continues_after_its_last_step(
    database: PostgresDatabase, start_worker: StartWorker
) -> None:
    manage("shell", "--verbosity=0", "-c", PREPARE, DATABASE_URL=database.url)
    for _kill in range(3):
        expire_claims(database)
        before = get_state(database)
        with database.connected() as cursor, start_worker():
            cursor.execute("LOCK TABLE newsletter_subscription IN EXCLUSIVE MODE")
            wait_until(lambda: database.query(BLOCKED)[0][0], "a step waits for the lock")
        wait_until(lambda: not database.query(BLOCKED)[0][0], "the database has noticed")
        assert before[0] == "waiting" or get_state(database)[1] in (0, before[1])
        assert_progress_is_true(database)
    expire_claims(database)
    with start_worker():
        wait_until(lambda: is_done(database), "the job is done", 120)
    assert_complete(database)


def test_import_continues_after_the_database_was_stopped(
    postgres: PostgresServer, database: PostgresDatabase, start_worker: StartWorker
) -> None:
    """The same worker continues the job when the database is back."""
    manage("shell", "--verbosity=0", "-c", PREPARE, DATABASE_URL=database.url)
    with start_worker():
        wait_until(lambda: is_done(database) or get_state(database)[1], "some rows are finished")
        postgres.stop()
        postgres.start()
        expire_claims(database)
        wait_until(lambda: is_done(database), "the job is done", 120)
    assert_complete(database)


def test_long_import_does_not_hold_up_an_export(
    database: PostgresDatabase, start_worker: StartWorker
) -> None:
    manage("shell", "--verbosity=0", "-c", RUSH, DATABASE_URL=database.url)
    with start_worker():
        wait_until(lambda: is_done(database), "the export is done", 120)
        assert database.query(FINISHED) == [("export",), ("newsletter.import",)]


def test_mail_whose_worker_is_killed_before_the_reply(
    database: PostgresDatabase, mail_server: MailServer, start_worker: StartWorker
) -> None:
    """The mail server has the mail, and the worker does not know: it is sent again."""
    manage("shell", "--verbosity=0", "-c", ENQUEUE_MAIL, DATABASE_URL=database.url)
    is_killed = threading.Event()
    mail_server.on_accepted = lambda: is_killed.wait(30)
    with start_worker():
        wait_until(lambda: mail_server.mails, "the mail server has the mail")
    is_killed.set()
    assert database.query(MAILS) == [CLAIMED]
    database.release_claims()
    with start_worker():
        wait_until(lambda: database.count_unsent() == 0, "every mail is sent")
    assert database.query(MAILS) == [SENT]
    (message_ids,) = mail_server.mails.values()
    assert len(message_ids) == 2
    assert len(set(message_ids)) == 1
