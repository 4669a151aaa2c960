"""Fixtures: a running site with its own database and mail server."""

import itertools
import logging
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.database import PostgresDatabase, PostgresServer
from tests.faults.mailing import Mailing
from tests.faults.site import RunningSite
from tests.faults.visitors import Visitors
from tests.mail_server import MailServer

RATE = "1000000/m"
_names = (f"fault{number}" for number in itertools.count(1))

MakeSite = Callable[..., RunningSite]


@pytest.fixture(scope="session")
def postgres() -> PostgresServer:
    url = os.environ["DATABASE_URL"]
    if "host=" not in url:
        pytest.fail("run these tests with `make faults` or scripts/with-postgres")
    server = PostgresServer(url)
    server.prepare()
    return server


@pytest.fixture
def database(postgres: PostgresServer) -> PostgresDatabase:
    return postgres.new_database(next(_names))


@pytest.fixture
def mail_server() -> Iterator[MailServer]:
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    server = MailServer()
    server.open()
    yield server
    server.close()


@pytest.fixture
def make_site(tmp_path: Path, mail_server: MailServer) -> Iterator[MakeSite]:
    """Return a function that starts a site on a database, with gunicorn options and settings."""
    sites: list[RunningSite] = []

    def make(database: PostgresDatabase, *options: str, **settings: str) -> RunningSite:
        own = {
            "DATABASE_URL": database.url,
            "EMAIL_URL": f"smtp://127.0.0.1:{mail_server.port}",
            "SITE_URL": "http://127.0.0.1",
            "SIGNUP_RATE": RATE,
            "SUBSCRIBE_RATE": RATE,
            "MAIL_RATES": RATE,
            "WEB_CONCURRENCY": "2",
        }
        site = RunningSite(folder=tmp_path, settings=own | settings, options=list(options))
        sites.append(site)
        site.start()
        return site

    yield make
    for site in sites:
        site.kill()


@pytest.fixture
def site(make_site: MakeSite, database: PostgresDatabase) -> RunningSite:
    return make_site(database)


@pytest.fixture
def visitors(site: RunningSite, database: PostgresDatabase, mail_server: MailServer) -> Visitors:
    return Visitors(site, database, mail_server)


@pytest.fixture
def mailing(database: PostgresDatabase, mail_server: MailServer, tmp_path: Path) -> Mailing:
    return Mailing(database, mail_server, tmp_path / "worker.log")
