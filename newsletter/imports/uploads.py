"""The files of imports: a draft for each upload, and the job that finds out how it is read."""

from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from newsletter.imports.rows import split_header
from sailing.jobs import files, queue
from sailing.jobs.models import Job, JobFile, JobState
from sailing.jobs.permissions import require_admin
from sailing.jobs.queue import RunningJob
from sailing.spreadsheets import UnreadableFile
from sailing.spreadsheets.reading import FileFormat, convert_workbook, detect_format, is_workbook, read_rows

READ = "newsletter.read_import"
IMPORT = "newsletter.import"


def create_draft(*, name: str, size: int, created_by_id: int) -> JobFile:
    """Prepare an import whose file, of `size` bytes, is uploaded next; return the empty file."""
    job = queue.create_draft(IMPORT, created_by_id=created_by_id)
    return JobFile.objects.create(job=job, name=name[-255:], size=size)


def discard_draft(file: JobFile) -> None:
    """Delete a draft whose file cannot be read, with the file."""
    Job.objects.filter(kind=READ, arguments__file=file.pk).delete()
    Job.objects.filter(pk=file.job_id, state=JobState.DRAFT).delete()


def request_reading(file: JobFile) -> Job:
    """Have a completely uploaded file read, in a job; return the job, also of an earlier request.

    Its result has the `problem` of a file that cannot be read.
    """
    key = f"{READ} {file.pk}"
    earlier = Job.objects.filter(unique_key=key)
    job = earlier.last() or queue.enqueue(
        READ,
        created_by_id=file.job.created_by_id,
        unique_key=key,
        file=file.pk,
        language=translation.get_language(),
    )
    return job or earlier.get()


def authorize(_job: Job | RunningJob, user_id: int | None) -> None:
    """Raise JobFailed if an admin may not import."""
    require_admin(user_id, "newsletter.add_subscription")


@queue.register(READ, label=gettext_lazy("Read a file"), authorize=authorize)
def run_reading(job: RunningJob) -> Iterator[None]:
    """Find out how an uploaded file is read. Interrupted before that is stored, it begins again."""
    authorize(job, job.created_by_id)
    file = JobFile.objects.select_related("job").filter(pk=job.arguments["file"]).first()
    with translation.override(job.arguments["language"]):
        try:
            if file and not is_read(file):
                for _wait in read_file(file):
                    with job.step(is_progress=False):
                        pass
                    yield
        except UnreadableFile as error:
            job.result = {"problem": str(error)}
    with job.step():
        pass
    yield


def read_file(file: JobFile) -> Iterator[None]:
    """Store with its import how an uploaded file is read, and a workbook as CSV. Raises UnreadableFile.

    Yields now and then while a workbook is being converted.
    """
    with files.open_uploaded(file) as content:
        if not is_workbook(content):
            _store_format(file, detect_format(content))
            return
        with convert_workbook(content) as conversion:
            while conversion.is_running():
                yield
            rows, file_format = conversion.open_rows()
            with rows, transaction.atomic():
                converted = JobFile.objects.create(job=file.job, name=file.name)
                while part := rows.read(files.CHUNK_BYTES):
                    files.append(converted, part)
                _store_format(converted, file_format)


def _store_format(source: JobFile, file_format: FileFormat) -> None:
    job = source.job
    job.arguments |= {"source": source.pk, "format": asdict(file_format)}
    Job.objects.filter(pk=job.pk, state=JobState.DRAFT).update(arguments=job.arguments)


def is_read(file: JobFile) -> bool:
    """Return whether an uploaded file has been read, so that its import can be started."""
    return "format" in file.job.arguments


def get_row_count(file: JobFile) -> int:
    """Return about how many rows a file has that has been read."""
    return int(file.job.arguments["format"]["row_count"])


def read_start(file: JobFile, rows: int) -> list[list[str]]:
    """Return the header and the first rows of a file that has been read. Raises UnreadableFile."""
    arguments = file.job.arguments
    with files.open_uploaded(JobFile.objects.get(pk=arguments["source"])) as content:
        header, below = split_header(read_rows(content, FileFormat(**arguments["format"])))
        start = [header, *islice(below, rows)]
    if any("@" in cell for cell in start[0]):
        raise UnreadableFile(
            _("One of the first rows must contain the column names, such as Email, above the addresses.")
        )
    if len(start) < 2:
        raise UnreadableFile(_("The file has column names, but no rows below them."))
    return start
