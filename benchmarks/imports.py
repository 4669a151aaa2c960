"""The private memory of a worker process, which may grow by 100 MB in jobs of a million rows."""

import tempfile
import time
from typing import Any

from accounts.models import User
from benchmarks.report import Report
from benchmarks.servers import read_memory, workers
from newsletter.imports import services
from newsletter.imports.rows import Plan
from newsletter.imports.vocabulary import Role
from newsletter.models import Subscription
from sailing.jobs import files, queue
from sailing.jobs.models import UNFINISHED, Job

PLAN = Plan("utf-8", ",", [Role.EMAIL, Role.USER_TYPE, Role.SUBSCRIBED, Role.IGNORED])
GOOD = "csv.number{row}@example{host}.org,sailor,,Row {row}\n"
FILES = {
    "good": (GOOD, "added-waiting"),
    "good again": (GOOD, "known"),
    "bad": ("invalid{row},pirate,,A note\n", "address"),
    "opt-outs": ("gone.number{row}@example{host}.org,sailor,unsubscribed,Row {row}\n", "added-opted-out"),
}
"""A row of each file, and what is stored for it."""


def check(user: User, line: str, rows: int) -> Job:
    """Upload a file as the browser does, and enqueue its check."""
    with tempfile.TemporaryFile() as file:
        file.write(b"Email,User type,Status,Note\n")
        file.writelines(line.format(row=row, host=row % 977).encode() for row in range(rows))
        size = file.tell()
        file.seek(0)
        uploaded = files.store_upload(file, name="list.csv", size=size, created_by_id=user.pk)
    return services.check(file=uploaded, plan=PLAN, origin="A benchmark")


def measure(report: Report) -> None:
    rows = report.choose(1_000_000, 20_000)
    user = User.objects.create_superuser("admin@sailing.example", "Fair winds, 2025!")
    with workers(1) as (worker,):
        idle = read_memory(worker.pid)

        def wait(what: str, job: Job) -> None:
            """Wait for a job that was enqueued just now, and check the memory."""
            growth = 0.0
            while job.state in UNFINISHED:
                time.sleep(0.05)
                growth = max(growth, read_memory(worker.pid) - idle)
                job.refresh_from_db()
            assert job.state == "done", job.error
            report.check(what, growth, "MB more", at_most=100)

        batches = []
        for name, (line, outcome) in FILES.items():
            checked = check(user, line, rows)
            wait(f"check {name}", checked)
            batch, _is_new = services.start(checked=checked)
            assert batch.job
            wait(f"import {name}", batch.job)
            batch.refresh_from_db()
            assert batch.counts == checked.result["counts"] == {outcome: rows}, batch.counts
            batches.append(batch)
        arguments: dict[str, Any] = {"model": "newsletter.subscription", "query": f"import={batches[0].pk}"}
        arguments |= {"file_name": "list.csv", "language": "en"}
        export, _is_new = queue.enqueue("export", created_by_id=user.pk, **arguments)
        wait("export", export)
        for batch in (batches[0], batches[-1]):
            assert services.undo(batch=batch, created_by_id=user.pk)
            wait("undo", Job.objects.filter(kind=services.UNDO).latest("pk"))
    assert not Subscription.objects.filter(import_batch=batches[0]).exists()
