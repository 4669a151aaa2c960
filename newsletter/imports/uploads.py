"""The files of imports: their upload, and the job that finds out how they are read."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import islice
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from newsletter.imports.rows import split_header
from sailing.jobs import files, queue
from sailing.jobs.models import Job, JobFile
from sailing.jobs.permissions import require_admin
from sailing.jobs.queue import JobFailed, RunningJob
from sailing.spreadsheets import UnreadableFile
from sailing.spreadsheets.reading import FileFormat, convert_workbook, detect_format, is_workbook, read_rows

READ = "newsletter.read_import"
CHECK = "newsletter.check_import"
IMPORT = "newsletter.import"


def discard(file: JobFile) -> None:
    """Delete an uploaded file that cannot be read."""
    Job.objects.filter(kind__in=(READ, CHECK), arguments__file=file.pk).delete()
    file.delete()


def request_reading(file: JobFile) -> Job | None:
    """Have a completely uploaded file read, in a job; return the job, also of an earlier request.

    Its result has the `problem` of a file that cannot be read, or the CSV file (`source`) and its `format`.
    None if the file is discarded at the same time.
    """
    return (
        find_reading(file)
        or queue.enqueue(
            READ,
            created_by_id=file.created_by_id,
            unique_key=_get_key(file),
            file=file.pk,
            file_name=file.name,
            language=translation.get_language(),
        )
        or find_reading(file)
    )


def find_reading(file: JobFile) -> Job | None:
    """Return the job that reads or has read a file, if it was requested."""
    return Job.objects.filter(kind=READ, unique_key=_get_key(file)).order_by("created_at").last()


def _get_key(file: JobFile) -> str:
    return f"{READ} {file.pk}"


CONFIRM_PERMISSION = "imports.confirm_importbatch"
"""Of an admin who imports people as confirmed, without asking them. No group has it."""


def authorize(job: Job | RunningJob, user_id: int | None) -> None:
    """Raise JobFailed if an admin may not import, or not as confirmed."""
    needed = (CONFIRM_PERMISSION,) if job.arguments.get("is_confirmed") else ()
    require_admin(user_id, "newsletter.add_subscription", *needed)


@queue.register(READ, label=gettext_lazy("Read a file"), authorize=authorize)
def run_reading(job: RunningJob) -> Iterator[None]:
    """Find out how an uploaded file is read, and store a workbook as CSV.

    Interrupted before that is stored, it begins again.
    """
    authorize(job, job.created_by_id)
    if job.result:
        return
    try:
        yield from _read(job)
    except files.DELETED as error:
        raise JobFailed(gettext_noop("The file could not be read.")) from error


def _read(job: RunningJob) -> Iterator[None]:
    file = JobFile.objects.get(pk=job.arguments["file"])
    with translation.override(job.arguments["language"]), files.open_uploaded(file) as content:
        try:
            if is_workbook(content):
                with convert_workbook(content) as conversion:
                    while conversion.is_running():
                        with job.step(is_progress=False):
                            pass
                        yield
                    rows, file_format = conversion.open_rows()
                    with rows, job.step():
                        source = JobFile.objects.create(job_id=job.pk, name=file.name)
                        while part := rows.read(files.CHUNK_BYTES):
                            files.append(source, part)
                        job.result = {
                            "source": source.pk,
                            "format": asdict(file_format),
                            "is_workbook": True,
                        }
            else:
                file_format = detect_format(content)
                with job.step():
                    job.result = {"source": file.pk, "format": asdict(file_format)}
        except UnreadableFile as error:
            with job.step():
                job.result = {"problem": str(error)}
    yield


def read_start(reading: Mapping[str, Any], rows: int) -> list[list[str]]:
    """Return the header and the first rows of a file by the result of its reading.

    Raises UnreadableFile, or `files.DELETED`.
    """
    with files.open_uploaded(JobFile.objects.get(pk=reading["source"])) as content:
        header, below = split_header(read_rows(content, FileFormat(**reading["format"])))
        start = [header, *islice(below, rows)]
    if any("@" in cell for cell in start[0]):
        raise UnreadableFile(
            _("One of the first rows must contain the column names, such as Email, above the addresses.")
        )
    if len(start) < 2:
        raise UnreadableFile(_("The file has column names, but no rows below them."))
    return start
