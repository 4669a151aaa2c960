"""The site behind PgBouncer, with the settings of docs/operations.md."""

import os
import re
import shutil
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg2
import pytest

from tests.faults.conftest import MakeSite
from tests.faults.database import ROLE, PostgresDatabase, PostgresServer
from tests.faults.visitors import Visitors
from tests.mail_server import MailServer
from tests.processes import ROOT, free_port, kill_group, start, wait_until

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
STATEMENT_SECONDS = 8


class PgBouncer:
    """A pooler before the test server, which gives away connections after each transaction."""

    def __init__(self, server: PostgresServer, folder: Path) -> None:
        self.port, self.file = free_port(), folder / "pgbouncer.ini"
        documented = re.findall(r"```ini\n(.*?)```", (ROOT / "docs/operations.md").read_text(), re.DOTALL)
        config = ConfigParser()
        config.read_string(next(text for text in documented if "[pgbouncer]" in text))
        config["databases"] = {"*": f"host={server.folder}"}
        config["pgbouncer"].update(
            {
                "listen_addr": "127.0.0.1",
                "listen_port": str(self.port),
                "unix_socket_dir": "",
                "auth_type": "trust",
                "auth_file": str(folder / "users.txt"),
                "pool_mode": "transaction",
            }
        )
        (folder / "users.txt").write_text(f'"{ROLE}" ""\n')
        with self.file.open("w") as file:
            config.write(file)

    def url(self, database: str) -> str:
        return f"postgres://{ROLE}@127.0.0.1:{self.port}/{database}"

    @contextmanager
    def running(self) -> Iterator[None]:
        user = ["-u", "postgres"] if os.getuid() == 0 else []  # PgBouncer refuses root
        process = start(self.file.with_suffix(".log"), str(PROGRAM), *user, str(self.file))
        try:
            wait_until(self._accepts, "PgBouncer answers")
            yield
        finally:
            kill_group(process)

    def _accepts(self) -> bool:
        try:
            psycopg2.connect(self.url("postgres")).close()
        except psycopg2.OperationalError:
            return False
        return True


@pytest.fixture
def pooler(postgres: PostgresServer) -> Iterator[PgBouncer]:
    if not PROGRAM:
        pytest.skip("there is no PgBouncer, and it could not be installed")
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # PgBouncer runs as another user
        yield PgBouncer(postgres, folder)


def test_site_behind_a_pooler(
    pooler: PgBouncer, database: PostgresDatabase, make_site: MakeSite, mail_server: MailServer
) -> None:
    """The statement timeout holds, a missing one is named, and outages are those of a database."""
    with pooler.running():
        site = make_site(database, DATABASE_URL=pooler.url(database.name))
        assert "statement_timeout_missing" in site.find_problems()
        database.run(f"ALTER ROLE {ROLE} IN DATABASE {database.name} SET statement_timeout = '8s'")
    visitors = Visitors(site, database, mail_server)
    visitors.assert_unavailable()
    assert site.fetch("/readyz").status == 503
    assert site.fetch("/").status == 200
    with pooler.running():
        visitors.wait_for_recovery()
        wait_until(site.is_ready, "the site is ready", 5)
        assert not site.find_problems()
        with visitors.send_continuously():
            wait_until(lambda: len(visitors.acknowledged) > 30, "visitors are served")
        with ExitStack() as locks:
            cursor = locks.enter_context(database.connected())
            cursor.execute("LOCK TABLE newsletter_subscription, accounts_user")
            seconds = visitors.assert_unavailable(within=STATEMENT_SECONDS + 4)
            assert seconds > STATEMENT_SECONDS - 1
        visitors.wait_for_recovery()
        wait_until(lambda: database.count_unsent() == 0, "every mail is sent")
        with database.server.stopped():
            for _time in range(3):
                visitors.assert_unavailable()
            assert site.fetch("/readyz").status == 503
        visitors.wait_for_recovery()
        wait_until(site.is_ready, "the site is ready", 5)
        visitors.assert_exactly_once()
