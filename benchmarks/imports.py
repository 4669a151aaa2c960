"""The time and the memory of imports and exports of a million rows, 100,000 in a workbook.

A worker process runs the jobs, as in production. Prints for each job its time, the rows that came of it, and
by how much the private memory of the worker grew at most, which may be 60 MB.
"""

import io
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from itertools import chain
from typing import IO, Any

from accounts.models import User
from benchmarks.servers import get_environment, read_memory
from newsletter.imports import services, uploads
from newsletter.imports.models import ImportBatch
from newsletter.models import Subscription
from sailing.jobs import files, queue
from sailing.jobs.models import UNFINISHED, Job
from sailing.spreadsheets.workbook_to_csv import MAX_ROWS
from sailing.spreadsheets.writing import write_xlsx
from tests.processes import ROOT

ROWS = 1_000_000
SMOKE_ROWS = 20_000

MAX_GROWTH = 60
"""MB."""

HEADER = ["Email", "User type", "Note"]
MAPPING = {"email": "column:0", "user_type": "column:1"}


def good_rows(rows: int, name: str) -> Iterator[list[str]]:
    for row in range(rows):
        yield [f"{name}.number{row}@example{row % 977}.org", "sailor", f"Row {row}"]


def bad_rows(rows: int) -> Iterator[list[str]]:
    for row in range(rows):
        yield [f"invalid{row}", "pirate", "A note"]


def write_csv(file: IO[bytes], rows: Iterator[list[str]]) -> None:
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    text.write(",".join(HEADER) + "\n")
    text.writelines(",".join(row) + "\n" for row in rows)
    text.detach()


class Worker:
    """A worker process, and the peak of its private memory since `reset`, in MB."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "worker"],
            cwd=ROOT,
            env=get_environment(),
            stderr=subprocess.DEVNULL,
        )
        time.sleep(5)
        self.idle = self.peak = read_memory(self.process.pid)
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while self.process.poll() is None:
            self.peak = max(self.peak, read_memory(self.process.pid))
            time.sleep(0.05)


def wait(job: Job | None) -> Job:
    assert job
    while True:
        job.refresh_from_db()
        if job.state not in UNFINISHED:
            return job
        time.sleep(0.2)


def upload(user: User, name: str, write: Callable[[IO[bytes]], None]) -> ImportBatch:
    """Store a file as the browser does, have its rows counted, and start its import."""
    with tempfile.TemporaryFile() as file:
        write(file)
        size = file.tell()
        file.seek(0)
        stored = files.create_upload(name=name, size=size, created_by_id=user.pk)
        number = 0
        while part := file.read(files.CHUNK_BYTES):
            assert files.store_slice(stored, number, part)
            number += 1
    print(f"{name}: {size / 1e6:.0f} MB")
    wait(uploads.request_reading(stored))
    wait(services.request_totals(file=stored, mapping=MAPPING))
    batch, _is_new = services.start(file=stored, mapping=MAPPING)
    return batch


def report(worker: Worker, what: str, started: float, outcome: str) -> None:
    seconds, growth = time.monotonic() - started, worker.peak - worker.idle
    print(f"  {what:<28}{seconds:>7.1f} s{growth:>7.1f} MB more   {outcome}")


def run(worker: Worker, user: User, rows: int) -> None:
    contents: dict[str, Callable[[IO[bytes]], None]] = {
        "good.csv": lambda file: write_csv(file, good_rows(rows, "csv")),
        "good again.csv": lambda file: write_csv(file, good_rows(rows, "csv")),
        "bad.csv": lambda file: write_csv(file, bad_rows(rows)),
        "good.xlsx": lambda file: file.writelines(
            write_xlsx(chain([HEADER], good_rows(min(rows, MAX_ROWS), "xlsx")))
        ),
    }
    batches = {}
    for name, write in contents.items():
        started = time.monotonic()
        batch = batches[name] = upload(user, name, write)
        assert batch.job
        job = wait(batch.job)
        batch.refresh_from_db()
        counts = (
            f"{batch.added_count} added, {batch.duplicate_count} duplicate, {batch.invalid_count} invalid"
        )
        counts = f"{job.state}: {counts} {job.error}"
        report(worker, "import", started, counts)
    for file_format in ("csv", "xlsx"):
        started = time.monotonic()
        query = f"import={batches['good.csv'].pk}"
        arguments: dict[str, Any] = {
            "model": "newsletter.subscription",
            "query": query,
            "file_name": f"subscribers.{file_format}",
        }
        export = queue.enqueue("export", created_by_id=user.pk, **arguments, format=file_format)
        assert export
        job = wait(export)
        file = job.files.first()
        size = f"{file.size / 1e6:.0f} MB" if file else "no file"
        outcome = f"{job.state}: {job.finished_rows} rows, {size} {job.error}"
        report(worker, f"export as {file_format}", started, outcome)
    started = time.monotonic()
    four = [
        upload(user, f"four at once {number}.csv", lambda file: write_csv(file, good_rows(rows // 4, "four")))
        for number in range(4)
    ]
    for batch in four:
        assert batch.job
        wait(batch.job)
    added = sum(ImportBatch.objects.get(pk=batch.pk).added_count for batch in four)
    report(worker, "four imports of one file", started, f"{added} added")
    for name in ("good.csv", "good.xlsx"):
        started = time.monotonic()
        assert services.undo(batch=batches[name], created_by_id=user.pk)
        wait(services.list_jobs(batches[name], services.UNDO)[0])
        batches[name].refresh_from_db()
        counts = f"{batches[name].removed_count} removed, {batches[name].kept_count} kept"
        report(worker, f"undo {name}", started, counts)
    print(f"{Subscription.objects.count()} subscribers left")


def measure(smoke: bool) -> list[bool]:
    user = User.objects.create_superuser("admin@sailing.example", "Fair winds, 2025!")
    worker = Worker()
    try:
        run(worker, user, SMOKE_ROWS if smoke else ROWS)
    finally:
        worker.process.terminate()
        worker.process.wait(30)
        user.delete()
    return [worker.peak - worker.idle <= MAX_GROWTH]
