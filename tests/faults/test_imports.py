"""Imports and exports whose worker is killed, at and within every step."""

import gzip
import io
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sailing.spreadsheets.reading import detect_format, read_rows
from tests.faults.database import PostgresDatabase
from tests.processes import PYTHON_PROGRAMS, ROOT, kill_group, manage, wait_until

ROWS = 8000
BAD_ROWS = 800

PREPARE = f"""
from accounts.models import User
from newsletter import imports
from sailing.jobs import files
admin = User.objects.create_superuser("admin@sailing.example", "only for these tests")
rows = [f"person{{row}}@example.com,{{'sailor' if row % 10 else 'pirate'}}" for row in range({ROWS})]
content = "\\n".join(["email,user_type", *rows]).encode()
file = imports.create_draft(name="list.csv", size=len(content), created_by_id=admin.pk)
for number in range(0, len(content), files.CHUNK_BYTES):
    files.store_slice(file, number // files.CHUNK_BYTES, content[number : number + files.CHUNK_BYTES])
imports.start(file=file, mapping={{"email": "column:0", "user_type": "column:1"}})
"""

ENQUEUE = {
    "undo": """
from accounts.models import User
from newsletter import imports
from newsletter.models import ImportBatch
assert imports.undo(batch=ImportBatch.objects.get(), created_by_id=User.objects.get().pk)
""",
    **{
        file_format: f"""
from accounts.models import User
from sailing.jobs import queue
arguments = {{"model": "newsletter.subscription", "query": "", "format": "{file_format}"}}
queue.enqueue("export", created_by_id=User.objects.get().pk, **arguments)
"""
        for file_format in ("csv", "xlsx")
    },
}

WRITTEN = {
    "import": "newsletter_subscription",
    "undo": "newsletter_subscription",
    "csv": "sailing_jobfilechunk",
    "xlsx": "sailing_jobfilechunk",
}
"""The table that each step writes to."""

BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'site' AND wait_event_type = 'Lock'"
JOB = """SELECT state, finished_rows, total_rows FROM sailing_job
  WHERE created_by_id IS NOT NULL ORDER BY id DESC LIMIT 1"""
COUNTS = "SELECT added, known, bad, removed FROM newsletter_importbatch"


@contextmanager
def worker(database: PostgresDatabase, log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a worker process, and kill it at the end of the block."""
    environment = os.environ | {"DATABASE_URL": database.url, "EMAIL_URL": "memorymail://"}
    with log.open("ab") as output:
        process = subprocess.Popen(
            [PYTHON_PROGRAMS / "python", "manage.py", "worker"],
            cwd=ROOT,
            env=environment,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        kill_group(process)


def expire_claims(database: PostgresDatabase) -> None:
    """Let the next worker continue at once what a killed one has claimed."""
    database.run("UPDATE sailing_job SET next_attempt_at = now() WHERE state IN ('running', 'waiting')")


def get_state(database: PostgresDatabase) -> tuple[str, int]:
    ((state, finished, _total),) = database.query(JOB)
    return str(state), int(finished)


def run_to_the_end(database: PostgresDatabase, log: Path) -> None:
    expire_claims(database)
    with worker(database, log):
        wait_until(lambda: get_state(database)[0] == "done", "the job is done", 120)


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


def assert_complete(database: PostgresDatabase, kind: str) -> None:
    assert_progress_is_true(database, kind)
    ((added, known, bad, _removed),) = database.query(COUNTS)
    assert (added, known, bad) == (ROWS - BAD_ROWS, 0, BAD_ROWS)
    ((_state, finished, total),) = database.query(JOB)
    assert finished == total
    files = dict(database.query("SELECT name, id FROM sailing_jobfile"))
    if kind == "import":
        lines = read_file(database, files["rows-to-correct.csv"]).decode("utf-8-sig").splitlines()
        assert len(lines) == len(set(lines)) == BAD_ROWS + 1
    elif kind == "undo":
        assert database.query("SELECT count(*) FROM newsletter_subscription") == [(0,)]
    else:
        (name,) = (name for name in files if name.startswith("Subscription"))
        content = read_file(database, files[name])
        file = io.BytesIO(gzip.decompress(content) if kind == "csv" else content)
        emails = [row[0] for row in read_rows(file, detect_format(file))][1:]
        assert len(emails) == len(set(emails)) == ROWS - BAD_ROWS


def read_file(database: PostgresDatabase, key: int) -> bytes:
    query = f"SELECT content FROM sailing_jobfilechunk WHERE file_id = {key} ORDER BY number"
    return b"".join(bytes(content) for (content,) in database.query(query))


@pytest.fixture(params=WRITTEN)
def kind(request: pytest.FixtureRequest, database: PostgresDatabase, tmp_path: Path) -> str:
    """Enqueue a job, after the import that it needs."""
    kind = str(request.param)
    manage("shell", "--verbosity=0", "-c", PREPARE, DATABASE_URL=database.url)
    if kind != "import":
        run_to_the_end(database, tmp_path / "worker.log")
        manage("shell", "--verbosity=0", "-c", ENQUEUE[kind], DATABASE_URL=database.url)
    return kind


def test_worker_killed_between_steps(kind: str, database: PostgresDatabase, tmp_path: Path) -> None:
    kills = 0
    for rows in range(0, ROWS, 2000):
        expire_claims(database)
        with worker(database, tmp_path / "worker.log"):
            wait_until(
                lambda rows=rows: get_state(database)[0] == "done" or get_state(database)[1] > rows,  # type: ignore[misc]
                "some rows are finished",
            )
        kills += get_state(database)[0] != "done"
        assert_progress_is_true(database, kind)
    assert kills
    run_to_the_end(database, tmp_path / "worker.log")
    assert_complete(database, kind)


def test_worker_killed_within_a_step(kind: str, database: PostgresDatabase, tmp_path: Path) -> None:
    for _kill in range(3):
        expire_claims(database)
        before = get_state(database)
        with database.connected() as cursor, worker(database, tmp_path / "worker.log"):
            cursor.execute(f"LOCK TABLE {WRITTEN[kind]} IN EXCLUSIVE MODE")
            wait_until(lambda: database.query(BLOCKED)[0][0], "a step waits for the lock")
        wait_until(lambda: not database.query(BLOCKED)[0][0], "the database has noticed")
        assert before[0] == "waiting" or get_state(database)[1] in (0, before[1])
        assert_progress_is_true(database, kind)
    run_to_the_end(database, tmp_path / "worker.log")
    assert_complete(database, kind)
