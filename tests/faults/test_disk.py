"""The disk of SQLite is full: requests are refused, and no stored data is lost."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.conftest import MakeSite
from tests.faults.database import SqliteDatabase, migrate
from tests.faults.visitors import Visitors
from tests.mail_server import MailServer
from tests.processes import wait_until


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """Mount a disk of a few megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(folder)]
    if subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode:
        pytest.skip("mounting a disk needs root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_full_disk(make_site: MakeSite, mail_server: MailServer, small_disk: Path) -> None:
    database = SqliteDatabase(small_disk / "site.sqlite3")
    migrate(database.url)
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

    ballast.unlink()
    visitors.wait_for_recovery()
    visitors.assert_exactly_once(database, mail_server)
