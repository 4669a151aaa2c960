"""The time and the memory of imports and exports of a million rows.

A worker process runs the jobs, as in production. Prints for each job its time, the rows that came of it, and
by how much the private memory of the worker grew at most, which may be 100 MB.
"""

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator

from accounts.models import User
from benchmarks.servers import get_environment, read_memory
from newsletter.imports import services
from newsletter.imports.models import ImportBatch
from newsletter.imports.rows import Plan
from newsletter.imports.vocabulary import Role
from newsletter.models import Subscription
from sailing.jobs import files, queue
from sailing.jobs.models import UNFINISHED, Job, JobFile
from tests.processes import ROOT

ROWS, SMOKE_ROWS = 1_000_000, 20_000
MAX_GROWTH = 100
"""MB."""

HEADER = "Email,User type,Status,Note\n"
PLAN = Plan("utf-8", ",", [Role.EMAIL, Role.USER_TYPE, Role.SUBSCRIBED, Role.IGNORED])


def good_rows(rows: int, name: str, state: str = "") -> Iterator[str]:
    for row in range(rows):
        yield f"{name}.number{row}@example{row % 977}.org,sailor,{state},Row {row}\n"


def bad_rows(rows: int) -> Iterator[str]:
    for row in range(rows):
        yield f"invalid{row},pirate,,A note\n"


class Worker:
    """A worker process, and the peak of the growth of its private memory, in MB."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "worker"],
            cwd=ROOT,
            env=get_environment(),
            stderr=subprocess.DEVNULL,
        )
        time.sleep(5)
        self._idle = read_memory(self.process.pid)
        self._peak = 0.0
        self.growth = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while self.process.poll() is None:
            self._peak = max(self._peak, read_memory(self.process.pid) - self._idle)
            time.sleep(0.05)

    def measure(self, what: str, *jobs: Job) -> None:
        """Wait for jobs that were enqueued just now, and print what they took."""
        started, self._peak = time.monotonic(), 0.0
        wait(*jobs)
        seconds = time.monotonic() - started
        self.growth = max(self.growth, self._peak)
        rows = sum(job.finished_rows for job in jobs)
        print(f"{what:<28}{seconds:>7.1f} s{self._peak:>7.1f} MB more{rows:>10} rows", flush=True)


def wait(*jobs: Job) -> None:
    for job in jobs:
        while job.state in UNFINISHED:
            time.sleep(0.2)
            job.refresh_from_db()
        assert job.state == "done", job.error


def upload(user: User, name: str, rows: Iterator[str]) -> JobFile:
    """Store a file as the browser does."""
    with tempfile.TemporaryFile() as file:
        file.write(HEADER.encode())
        file.writelines(row.encode() for row in rows)
        size = file.tell()
        file.seek(0)
        return files.store_upload(file, name=name, size=size, created_by_id=user.pk)


def check(user: User, name: str, rows: Iterator[str]) -> Job:
    return services.check(file=upload(user, name, rows), plan=PLAN, origin="A benchmark")


def start(checked: Job) -> tuple[ImportBatch, Job]:
    batch, _is_new = services.start(checked=checked)
    assert batch.job
    return batch, batch.job


def run(worker: Worker, user: User, rows: int) -> None:
    batches = {}
    for name, content, outcome in (
        ("good", good_rows(rows, "csv"), "added-waiting"),
        ("good again", good_rows(rows, "csv"), "known"),
        ("bad", bad_rows(rows), "address"),
        ("opt-outs", good_rows(rows, "gone", "unsubscribed"), "added-opted-out"),
    ):
        checked = check(user, f"{name}.csv", content)
        worker.measure(f"check {name}", checked)
        batch, job = start(checked)
        worker.measure(f"import {name}", job)
        batch.refresh_from_db()
        assert batch.counts == checked.result["counts"] == {outcome: rows}, batch.counts
        batches[name] = batch
    export, _is_new = queue.enqueue(
        "export",
        created_by_id=user.pk,
        model="newsletter.subscription",
        query=f"import={batches['good'].pk}",
        file_name="subscribers.csv",
        language="en",
    )
    worker.measure("export", export)
    checks = [check(user, f"four at once {number}.csv", good_rows(rows // 4, "four")) for number in range(4)]
    worker.measure("check four at once", *checks)
    four = [start(checked) for checked in checks]
    worker.measure("import four at once", *(job for _batch, job in four))
    added = [ImportBatch.objects.get(pk=batch.pk).added_count for batch, _job in four]
    assert sum(added) == rows // 4, added
    for name in ("good", "opt-outs"):
        assert services.undo(batch=batches[name], created_by_id=user.pk)
        worker.measure(f"undo {name}", Job.objects.filter(kind=services.UNDO).latest("pk"))
    stored = Subscription.objects.filter(import_batch=batches["good"])
    assert not stored.exists(), stored.count()


def measure(smoke: bool) -> list[bool]:
    user = User.objects.create_superuser("admin@sailing.example", "Fair winds, 2025!")
    worker = Worker()
    try:
        run(worker, user, SMOKE_ROWS if smoke else ROWS)
    finally:
        worker.process.terminate()
        worker.process.wait(30)
        user.delete()
    return [worker.growth <= MAX_GROWTH]
