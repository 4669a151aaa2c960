"""A full disk: requests are refused or files named unreadable, the site says why, and no data is lost."""

import io
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from sailing.spreadsheets import UnreadableFile
from sailing.spreadsheets.reading import convert_workbook
from sailing.spreadsheets.tests.workbooks import workbook
from tests.faults.conftest import MakeSite
from tests.faults.database import (
    PREPARED,
    ROLE,
    Database,
    PostgresDatabase,
    PostgresServer,
    SqliteDatabase,
    migrate,
)
from tests.faults.visitors import Visitors
from tests.mail_server import MailServer
from tests.processes import wait_until


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    """Mount a disk on a new folder during the block."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(folder)]
    if subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode:
        pytest.skip("mounting a disk needs root")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def disk_and_database(
    request: pytest.FixtureRequest, tmp_path: Path, postgres: PostgresServer
) -> Iterator[tuple[Path, Database]]:
    """Yield a small disk and the database on it."""
    if request.param == "SQLite":
        folder = tmp_path / "disk"
        with small_disk(folder, 8):
            database = SqliteDatabase(folder / "site.sqlite3")
            migrate(database.url)
            yield folder, database
        return
    folder = postgres.folder / "disk"
    with small_disk(folder, 40):
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        postgres.run(f"CREATE TABLESPACE small LOCATION '{folder}'")
        postgres.run(f"CREATE DATABASE small TEMPLATE {PREPARED} OWNER {ROLE} TABLESPACE small")
        yield folder, PostgresDatabase(postgres, "small")
        postgres.run("DROP DATABASE small WITH (FORCE)")
        postgres.run("DROP TABLESPACE small")


def test_workbook_that_fills_the_temporary_folder_is_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = io.BytesIO(workbook([[f"person{row}@example.com"] for row in range(100_000)]))
    with small_disk(tmp_path / "disk", 1):
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "disk"))
        reason = pytest.raises(UnreadableFile, match="cannot store temporary files")
        with capture_logs() as logs, reason, convert_workbook(content) as conversion:
            while conversion.is_running():
                pass
            conversion.open_rows()
    assert [line["event"] for line in logs] == ["temporary_file_failed"]


def test_full_disk(
    make_site: MakeSite, mail_server: MailServer, disk_and_database: tuple[Path, Database]
) -> None:
    folder, database = disk_and_database
    site = make_site(database)
    visitors = Visitors(site)
    visitors.send_requests(3)

    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            pass
    wait_until(
        lambda: visitors.send_request() and visitors.refused["UNAVAILABLE"] > 5, "visitors are refused"
    )
    assert set(visitors.refused) == {"UNAVAILABLE"}, visitors.refused
    assert site.is_alive()
    assert site.fetch("/").status == 200
    for _worker in range(8):  # whichever process answers
        readiness = site.fetch("/readyz")
        assert (readiness.status, readiness.json) == (503, {"status": "database disk full"})
    assert site.log.read_text().count('"database_failed"') <= site.worker_count
    problems = site.find_problems()
    if isinstance(database, SqliteDatabase):
        assert f"{folder} has 0 bytes left" in problems["disk"]
    else:
        assert problems["database"] == "database disk full"

    ballast.unlink()
    visitors.wait_for_recovery()
    visitors.assert_exactly_once(database, mail_server)
