"""A full disk of the database: requests are refused, the log says why, and no data is lost."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.conftest import MakeSite
from tests.faults.database import PREPARED, ROLE, PostgresDatabase, PostgresServer
from tests.faults.visitors import Visitors
from tests.mail_server import MailServer
from tests.processes import wait_until


@pytest.fixture
def small_disk(postgres: PostgresServer) -> Iterator[Path]:
    """Mount a disk of 40 MB with the database `small` on it."""
    folder = postgres.folder / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=40m", "none", str(folder)]
    if subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode:
        pytest.skip("mounting a disk needs root")
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    postgres.run(f"CREATE TABLESPACE small LOCATION '{folder}'")
    postgres.run(f"CREATE DATABASE small TEMPLATE {PREPARED} OWNER {ROLE} TABLESPACE small")
    yield folder
    postgres.run("DROP DATABASE small WITH (FORCE)")
    postgres.run("DROP TABLESPACE small")
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_full_disk(
    make_site: MakeSite, mail_server: MailServer, postgres: PostgresServer, small_disk: Path
) -> None:
    database = PostgresDatabase(postgres, "small")
    site = make_site(database)
    visitors = Visitors(site)
    visitors.send_requests(3)

    ballast = small_disk / "ballast"
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
    log = site.log.read_text()
    assert 1 <= log.count('"database_failed"') <= site.worker_count
    assert "No space left on device" in log

    ballast.unlink()
    visitors.wait_for_recovery()
    visitors.assert_exactly_once(database, mail_server)
