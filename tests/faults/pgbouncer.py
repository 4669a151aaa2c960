"""A running PgBouncer with the settings of docs/deploy.md."""

import os
import re
import shutil
import subprocess
from configparser import ConfigParser
from pathlib import Path

import psycopg2

from tests.faults.database import ROLE, PostgresServer
from tests.processes import ROOT, free_port, kill_group, wait_until

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")


class PgBouncer:
    """A pooler before the test server. `mode`: "session" or "transaction"."""

    def __init__(self, server: PostgresServer, folder: Path, mode: str) -> None:
        self.port = free_port()
        self._folder = folder
        documented = re.findall(r"```ini\n(.*?)```", (ROOT / "docs/deploy.md").read_text(), re.DOTALL)
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
                "pool_mode": mode,
            }
        )
        (folder / "users.txt").write_text(f'"{ROLE}" ""\n')
        with (folder / "pgbouncer.ini").open("w") as file:
            config.write(file)

    def url(self, database: str) -> str:
        return f"postgres://{ROLE}@127.0.0.1:{self.port}/{database}"

    def start(self) -> None:
        command = [str(PROGRAM), str(self._folder / "pgbouncer.ini")]
        if os.getuid() == 0:  # PgBouncer refuses root
            command[1:1] = ["-u", "postgres"]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        wait_until(self._accepts, "PgBouncer answers")

    def stop(self) -> None:
        kill_group(self._process)

    def _accepts(self) -> bool:
        try:
            psycopg2.connect(self.url("postgres")).close()
        except psycopg2.OperationalError:
            return False
        return True
