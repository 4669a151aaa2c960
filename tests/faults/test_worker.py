"""A background worker that is killed, or loses the database or the mail server, at every step of its work.

Jobs (imports, undoing one, exports, actions on a whole list) and mails: nothing is lost, nothing is done
twice, and the progress is always what is stored. Only a mail that the mail server has accepted, but the
worker has not recorded, is sent again, with the same Message-ID.
"""

import io
import subprocess
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path

import pytest

from sailing.spreadsheets.reading import detect_format, read_rows
from sailing.spreadsheets.tests.workbooks import read_workbook
from tests.faults.database import PostgresDatabase, PostgresServer
from tests.faults.site import running
from tests.mail_server import MailServer
from tests.processes import manage, wait_until

ROWS = 8000
BAD_ROWS = 800
GOOD_ROWS = ROWS - BAD_ROWS
SEARCH, FOUND_ROWS = "person1", 1000
"""The list of the bulk action."""

PREPARE = f"""
from accounts.models import User
from newsletter.imports import services, uploads
from sailing.jobs import files
from tests.jobs import run_pending_jobs
admin = User.objects.create_superuser("admin@sailing.example", "only for these tests")
rows = [f"person{{row}}@example.com,{{'sailor' if row % 10 else 'pirate'}}" for row in range({ROWS})]
content = "\\n".join(["email,user_type", *rows]).encode()
file = files.create_upload(name="list.csv", size=len(content), created_by_id=admin.pk)
for number in range(0, len(content), files.CHUNK_BYTES):
    files.store_slice(file, number // files.CHUNK_BYTES, content[number : number + files.CHUNK_BYTES])
uploads.request_reading(file)
run_pending_jobs()
services.start(file=file, mapping={{"email": "column:0", "user_type": "column:1"}})
"""

ENQUEUE = {
    "undo": """
from accounts.models import User
from newsletter.imports import services, uploads
from newsletter.imports.models import ImportBatch
assert services.undo(batch=ImportBatch.objects.get(), created_by_id=User.objects.get().pk)
""",
    "bulk": f"""
from django.utils import timezone
from accounts.models import User
from sailing.jobs import queue
arguments = {{"model": "newsletter.Subscription", "action": "unsubscribe", "query": "q={SEARCH}"}}
queue.enqueue_once(
    "admin.bulk_action",
    created_by_id=User.objects.get().pk,
    total_rows={FOUND_ROWS},
    until=timezone.now().isoformat(),
    **arguments,
)
""",
    **{
        file_format: f"""
from accounts.models import User
from sailing.jobs import queue
arguments = {{"model": "newsletter.subscription", "query": "", "format": "{file_format}", "file_name": "all"}}
queue.enqueue("export", created_by_id=User.objects.get().pk, **arguments)
"""
        for file_format in ("csv", "xlsx")
    },
}

RESET_REQUESTS, EXPORTED_ROWS, IMPORTED_ROWS = 600, 20_000, 6000
RUSH = f"""
from accounts.services import passwords
from accounts.models import User
from newsletter.imports import services, uploads
from newsletter.models import Subscription
from sailing.jobs import files, queue
from tests.jobs import run_pending_jobs
admin = User.objects.create_superuser("admin@sailing.example", "only for these tests")
Subscription.objects.bulk_create(
    Subscription(email=f"reader{{number}}@example.com", user_type="sailor")
    for number in range({EXPORTED_ROWS})
)
members = User.objects.bulk_create(
    User(email=f"member{{number}}@example.com", first_name="Jana", password="!")
    for number in range({RESET_REQUESTS})
)
rows = [f"person{{row}}@example.com,sailor" for row in range({IMPORTED_ROWS})]
content = "\\n".join(["email,user_type", *rows]).encode()
file = files.create_upload(name="list.csv", size=len(content), created_by_id=admin.pk)
files.store_slice(file, 0, content)
uploads.request_reading(file)
run_pending_jobs()
for member in members:
    queue.enqueue(passwords.RESET_JOB, member=member.pk)
services.start(file=file, mapping={{"email": "column:0", "user_type": "column:1"}})
arguments = {{"model": "newsletter.subscription", "query": "", "format": "csv", "file_name": "rows"}}
queue.enqueue("export", created_by_id=admin.pk, **arguments)
"""
RUSH_SECONDS = """SELECT kind, extract(epoch FROM max(finished_at) - min(started_at))
  FROM jobs_job WHERE kind IN ('accounts.reset_mail', 'export', 'newsletter.import') GROUP BY kind"""
UNFINISHED_RUSH = """SELECT count(*) FROM jobs_job WHERE finished_at IS NULL
  AND kind IN ('accounts.reset_mail', 'export', 'newsletter.import')"""

WRITTEN = {
    "import": "newsletter_subscription",
    "undo": "newsletter_subscription",
    "bulk": "newsletter_subscription",
    "csv": "jobs_jobfilechunk",
    "xlsx": "jobs_jobfilechunk",
}
"""The table that each step writes to."""

ENQUEUE_MAILS = """
from django.db import transaction
from sailing.mail import outbox
with transaction.atomic():
    for number in range({count}):
        outbox.enqueue(
            "accounts/password_changed", to=f"visitor{{number}}@example.org", language="en", context={{}}
        )
"""

BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'site' AND wait_event_type = 'Lock'"
JOB = """SELECT state, finished_rows, total_rows FROM jobs_job
  WHERE created_by_id IS NOT NULL ORDER BY id DESC LIMIT 1"""
COUNTS = "SELECT added_count, duplicate_count, invalid_count, removed_count FROM imports_importbatch"
MAILS = """SELECT state, attempts, last_error, state = 'waiting' AND next_attempt_at > now()
  FROM mail_outboxemail"""
WAITING, CLAIMED, SENT = ("waiting", 0, "", False), ("waiting", 0, "", True), ("sent", 1, "", False)

StartWorker = Callable[[], AbstractContextManager["subprocess.Popen[bytes]"]]


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "worker.log"


@pytest.fixture
def start_worker(database: PostgresDatabase, mail_server: MailServer, log: Path) -> StartWorker:
    """Return a context manager: a worker process, with one connection to the mail server.

    It is killed at the end of the block.
    """
    return partial(
        running,
        log,
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


def has_finished(database: PostgresDatabase, rows: int) -> bool:
    state, finished = get_state(database)
    return state == "done" or finished > rows


def run_to_the_end(database: PostgresDatabase, start_worker: StartWorker) -> None:
    expire_claims(database)
    with start_worker():
        wait_until(lambda: is_done(database), "the job is done", 120)


def assert_progress_is_true(database: PostgresDatabase, kind: str) -> None:
    """Check that what is stored is what the progress says."""
    _state, finished = get_state(database)
    ((added, known, bad, removed),) = database.query(COUNTS)
    ((stored,),) = database.query("SELECT count(*) FROM newsletter_subscription")
    assert stored == added - removed
    if kind == "import":
        assert finished == added + known + bad
    elif kind == "undo":
        assert finished == removed
    elif kind == "bulk":
        assert finished == len(list_unsubscribed(database)) == len(list_changed(database))


def assert_complete(database: PostgresDatabase, kind: str) -> None:
    assert_progress_is_true(database, kind)
    ((added, known, bad, _removed),) = database.query(COUNTS)
    assert (added, known, bad) == (GOOD_ROWS, 0, BAD_ROWS)
    ((_state, finished, total),) = database.query(JOB)
    assert finished == total
    files = dict(database.query("SELECT name, id FROM jobs_jobfile"))
    if kind == "import":
        lines = read_file(database, files["rows-to-correct.csv"]).decode("utf-8-sig").splitlines()
        assert len(lines) == len(set(lines)) == BAD_ROWS + 1
    elif kind == "undo":
        assert database.query("SELECT count(*) FROM newsletter_subscription") == [(0,)]
    elif kind == "bulk":
        unsubscribed = list_unsubscribed(database)
        assert len(unsubscribed) == len(set(unsubscribed)) == FOUND_ROWS
        assert sorted(list_changed(database)) == sorted(unsubscribed)
        active = database.query("SELECT count(*) FROM newsletter_subscription WHERE is_active")
        assert active == [(GOOD_ROWS - FOUND_ROWS,)]
    else:
        content = read_file(database, files["all"])
        if kind == "csv":
            file = io.BytesIO(content)
            rows = list(read_rows(file, detect_format(file)))
        else:
            rows = read_workbook(content)
        emails = [row[0] for row in rows][1:]
        assert len(emails) == len(set(emails)) == GOOD_ROWS


def list_unsubscribed(database: PostgresDatabase) -> list[str]:
    """Return the subscription of each recorded unsubscription."""
    rows = database.query("SELECT subscription_id FROM newsletter_consentevent WHERE kind = 'ended-by-admin'")
    return [str(key) for (key,) in rows]


def list_changed(database: PostgresDatabase) -> list[str]:
    """Return the rows that a bulk action has recorded for undoing it."""
    files = database.query("SELECT id FROM jobs_jobfile WHERE name = 'changed.txt'")
    return [line for (key,) in files for line in read_file(database, key).decode().split()]


def read_file(database: PostgresDatabase, key: int) -> bytes:
    query = f"SELECT content FROM jobs_jobfilechunk WHERE file_id = {key} ORDER BY number"
    return b"".join(bytes(content) for (content,) in database.query(query))


@pytest.fixture(params=WRITTEN)
def kind(request: pytest.FixtureRequest, database: PostgresDatabase, start_worker: StartWorker) -> str:
    """Enqueue a job, after the import that it needs."""
    kind = str(request.param)
    manage("shell", "--verbosity=0", "-c", PREPARE, DATABASE_URL=database.url)
    if kind != "import":
        run_to_the_end(database, start_worker)
        manage("shell", "--verbosity=0", "-c", ENQUEUE[kind], DATABASE_URL=database.url)
    return kind


def test_job_whose_worker_is_killed_between_steps(
    kind: str, database: PostgresDatabase, start_worker: StartWorker
) -> None:
    kills = 0
    total = FOUND_ROWS if kind == "bulk" else ROWS
    for rows in range(0, total, total // 4):
        expire_claims(database)
        with start_worker():
            wait_until(lambda rows=rows: has_finished(database, rows), "some rows are finished")  # type: ignore[misc]
        kills += not is_done(database)
        assert_progress_is_true(database, kind)
    assert kills
    run_to_the_end(database, start_worker)
    assert_complete(database, kind)


def test_job_whose_worker_is_killed_within_a_step(
    kind: str, database: PostgresDatabase, start_worker: StartWorker
) -> None:
    for _kill in range(3):
        expire_claims(database)
        before = get_state(database)
        with database.connected() as cursor, start_worker():
            cursor.execute(f"LOCK TABLE {WRITTEN[kind]} IN EXCLUSIVE MODE")
            wait_until(lambda: database.query(BLOCKED)[0][0], "a step waits for the lock")
        wait_until(lambda: not database.query(BLOCKED)[0][0], "the database has noticed")
        assert before[0] == "waiting" or get_state(database)[1] in (0, before[1])
        assert_progress_is_true(database, kind)
    run_to_the_end(database, start_worker)
    assert_complete(database, kind)


def test_job_while_the_database_stops(
    kind: str, postgres: PostgresServer, database: PostgresDatabase, start_worker: StartWorker
) -> None:
    """The same worker continues the job when the database is back."""
    with start_worker():
        wait_until(lambda: has_finished(database, 0), "some rows are finished")
        postgres.stop()
        postgres.start()
        expire_claims(database)
        wait_until(lambda: is_done(database), "the job is done", 120)
    assert_complete(database, kind)


def test_job_of_workers_that_lose_their_claims(
    kind: str, database: PostgresDatabase, start_worker: StartWorker, log: Path
) -> None:
    """A worker that was too slow changes nothing more, because another one may have continued the job."""
    lost = log.read_text().count("job_stopped") if log.exists() else 0
    with start_worker(), start_worker():
        wait_until(lambda: get_state(database)[0] != "waiting", "the job is claimed")
        for _claim in range(5):
            before = log.read_text().count("job_stopped")
            expire_claims(database)
            wait_until(
                lambda before=before: is_done(database) or log.read_text().count("job_stopped") > before,  # type: ignore[misc]
                "the worker has noticed",
            )
        wait_until(lambda: is_done(database), "the job is done", 120)
    assert log.read_text().count("job_stopped") > lost
    assert_complete(database, kind)


def test_job_with_two_workers_at_once(
    kind: str, database: PostgresDatabase, start_worker: StartWorker
) -> None:
    with start_worker(), start_worker():
        wait_until(lambda: is_done(database), "the job is done", 120)
    assert_complete(database, kind)


def test_reset_requests_an_export_and_an_import_do_not_hold_up_each_other(
    database: PostgresDatabase, start_worker: StartWorker
) -> None:
    """On 2 idle cores the requests take 6.4 s, the export 2 s and the import 4.5 s."""
    manage("shell", "--verbosity=0", "-c", RUSH, DATABASE_URL=database.url)
    with start_worker():
        wait_until(lambda: database.query(UNFINISHED_RUSH) == [(0,)], "every job has ended", 120)
    states = database.query("SELECT DISTINCT state FROM jobs_job WHERE created_by_id IS NOT NULL")
    assert states == [("done",)]
    assert database.query("SELECT count(*) FROM mail_outboxemail") == [(RESET_REQUESTS,)]
    seconds = {kind: float(value) for kind, value in database.query(RUSH_SECONDS)}
    assert max(seconds.values()) < 20, seconds


def enqueue_mails(database: PostgresDatabase, count: int = 1) -> None:
    manage("shell", "--verbosity=0", "-c", ENQUEUE_MAILS.format(count=count), DATABASE_URL=database.url)


def assert_sent(database: PostgresDatabase, mail_server: MailServer, *, times: int = 1) -> None:
    """Assert that the only mail was accepted a number of times, with one Message-ID, and is recorded once."""
    assert database.query(MAILS) == [SENT]
    (message_ids,) = mail_server.mails.values()
    assert len(message_ids) == times
    assert len(set(message_ids)) == 1


def wait_until_sent(database: PostgresDatabase) -> None:
    wait_until(lambda: database.count_unsent() == 0, "every mail is sent")


def test_mail_whose_worker_is_killed_before_the_claim(
    database: PostgresDatabase, mail_server: MailServer, start_worker: StartWorker
) -> None:
    enqueue_mails(database)
    with database.connected() as cursor, start_worker():
        cursor.execute("LOCK TABLE mail_outboxemail IN EXCLUSIVE MODE")
        wait_until(lambda: database.query(BLOCKED)[0][0], "the claim waits for the lock")
    assert database.query(MAILS) == [WAITING]
    with start_worker():
        wait_until_sent(database)
    assert_sent(database, mail_server)


def test_mail_whose_worker_is_killed_before_the_text(
    database: PostgresDatabase, mail_server: MailServer, start_worker: StartWorker
) -> None:
    """No other worker takes it until its claim ends."""
    enqueue_mails(database)
    mail_server.delay_seconds = 3  # of the reply to MAIL
    with start_worker():
        wait_until(lambda: database.query(MAILS) == [CLAIMED], "the mail is claimed")
    mail_server.delay_seconds = 0
    with start_worker():
        enqueue_mails(database)
        wait_until(lambda: database.count_unsent() == 1, "the worker sends other mails")
        assert sorted(database.query(MAILS)) == [SENT, CLAIMED]
        database.run("DELETE FROM mail_outboxemail WHERE state = 'sent'")
        mail_server.forget_mails()
        database.release_claims()
        wait_until_sent(database)
    assert_sent(database, mail_server)


def test_mail_whose_worker_is_killed_before_the_reply(
    database: PostgresDatabase, mail_server: MailServer, start_worker: StartWorker
) -> None:
    """The mail server has the mail, and the worker does not know: it is sent again."""
    enqueue_mails(database)
    is_killed = threading.Event()
    mail_server.on_accepted = lambda: is_killed.wait(30)
    with start_worker():
        wait_until(lambda: mail_server.mails, "the mail server has the mail")
    is_killed.set()
    assert database.query(MAILS) == [CLAIMED]
    database.release_claims()
    with start_worker():
        wait_until_sent(database)
    assert_sent(database, mail_server, times=2)


def test_mail_whose_worker_is_killed_before_the_record(
    database: PostgresDatabase, mail_server: MailServer, start_worker: StartWorker
) -> None:
    """The worker knows that the mail is accepted, and the database does not: it is sent again."""
    enqueue_mails(database)
    with ExitStack() as stack:

        def lock() -> None:
            cursor = stack.enter_context(database.connected())
            cursor.execute("LOCK TABLE mail_outboxemail IN EXCLUSIVE MODE")

        mail_server.on_accepted = lock
        with start_worker():
            wait_until(lambda: mail_server.mails, "the mail server has the mail")
            wait_until(lambda: database.query(BLOCKED)[0][0], "the record waits for the lock")
        database.terminate_connections()  # otherwise the database would still carry out the statement
    mail_server.on_accepted = lambda: None
    assert database.query(MAILS) == [CLAIMED]
    database.release_claims()
    with start_worker():
        wait_until_sent(database)
    assert_sent(database, mail_server, times=2)


def test_mail_whose_worker_is_killed_after_the_record(
    database: PostgresDatabase, mail_server: MailServer, start_worker: StartWorker
) -> None:
    enqueue_mails(database)
    with start_worker():
        wait_until_sent(database)
    database.release_claims()
    with start_worker():
        enqueue_mails(database)
        wait_until_sent(database)
    (message_ids,) = mail_server.mails.values()
    assert len(message_ids) == len(set(message_ids)) == 2


def test_mail_while_the_database_stops(
    postgres: PostgresServer,
    database: PostgresDatabase,
    mail_server: MailServer,
    start_worker: StartWorker,
    log: Path,
) -> None:
    """The worker remembers the accepted mail until the database is back."""
    enqueue_mails(database)
    is_accepted, is_away = threading.Event(), threading.Event()

    def accept() -> None:
        is_accepted.set()
        is_away.wait(30)

    mail_server.on_accepted = accept
    with start_worker():
        assert is_accepted.wait(30)
        postgres.stop()
        failures = log.read_text().count("outbox_waits")
        is_away.set()
        wait_until(lambda: log.read_text().count("outbox_waits") >= failures + 2, "it cannot be recorded")
        postgres.start()
        wait_until_sent(database)
    assert_sent(database, mail_server)


def test_mails_while_the_mail_server_stops(
    database: PostgresDatabase, mail_server: MailServer, start_worker: StartWorker
) -> None:
    enqueue_mails(database, 40)

    def stop_accepting() -> None:
        if len(mail_server.received) == 5:
            mail_server.replies = {"DATA": "421 4.3.2 going down"}

    mail_server.on_accepted = stop_accepting
    with start_worker():
        wait_until(lambda: mail_server.attempts > 5, "the mail server has refused a mail")
        mail_server.close()
        wait_until(lambda: database.count_unsent() == 35, "the accepted mails are recorded")
        mail_server.replies = {}
        mail_server.open()

        def is_sent() -> bool:
            database.requeue()
            return database.count_unsent() == 0

        wait_until(is_sent, "every mail is sent", 60)
    assert [len(ids) for ids in mail_server.mails.values()] == [1] * 40


def test_mails_with_two_workers_at_once(
    database: PostgresDatabase, mail_server: MailServer, start_worker: StartWorker
) -> None:
    """Each worker has one connection, so two mails under way at once have two workers."""
    enqueue_mails(database, 40)
    under_way = threading.Barrier(2)

    def wait_for_the_other() -> None:
        if len(mail_server.received) <= 2:
            under_way.wait(30)

    mail_server.on_accepted = wait_for_the_other
    with start_worker(), start_worker():
        wait_until_sent(database)
    assert not under_way.broken
    assert [len(ids) for ids in mail_server.mails.values()] == [1] * 40
