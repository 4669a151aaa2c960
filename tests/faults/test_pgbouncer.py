"""The site behind PgBouncer, in both modes: mails, campaigns, the statement timeout, outages."""

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.faults.conftest import MakeSite
from tests.faults.database import ROLE, PostgresDatabase, PostgresServer
from tests.faults.pgbouncer import PROGRAM, PgBouncer
from tests.faults.site import RunningSite
from tests.faults.test_campaign import Sending
from tests.faults.test_postgres import ANSWER_SECONDS, STATEMENT_SECONDS, assert_unavailable, stopped
from tests.faults.visitors import Visitors
from tests.mail_server import MailServer
from tests.processes import manage, wait_until

CHECK = """
from sailing import database, watches
database.limit_sessions()
print(watches.check_statement_timeout())
"""

in_transaction_mode = pytest.mark.parametrize("pooler", ["transaction"], indirect=True)


@pytest.fixture(params=["session", "transaction"])
def pooler(request: pytest.FixtureRequest, postgres: PostgresServer) -> Iterator[PgBouncer]:
    if not PROGRAM:
        pytest.skip("there is no PgBouncer, and it could not be installed")
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # PgBouncer runs as another user
        pooler = PgBouncer(postgres, folder, request.param)
        pooler.start()
        yield pooler
        pooler.stop()


@pytest.fixture
def site(make_site: MakeSite, pooler: PgBouncer, database: PostgresDatabase) -> RunningSite:
    database.run(f"ALTER ROLE {ROLE} IN DATABASE {database.name} SET statement_timeout = '8s'")
    return make_site(database, DATABASE_URL=pooler.url(database.name))


def test_visitors_and_campaigns_are_served_and_slow_statements_cut(
    visitors: Visitors,
    site: RunningSite,
    pooler: PgBouncer,
    database: PostgresDatabase,
    mail_server: MailServer,
    tmp_path: Path,
) -> None:
    """The statement timeout also holds after many sessions of the server were in use."""
    assert site.fetch("/readyz").json == {"status": "ok"}
    with visitors.send_continuously():
        wait_until(lambda: len(visitors.acknowledged) > 30, "visitors are served")
    assert not visitors.refused
    with database.connected() as cursor:
        cursor.execute("LOCK TABLE newsletter_subscription, accounts_user")
        before = time.monotonic()
        assert_unavailable(visitors.send_request())
        assert STATEMENT_SECONDS - 1 < time.monotonic() - before < STATEMENT_SECONDS + ANSWER_SECONDS
    visitors.wait_for_recovery()
    visitors.assert_exactly_once(database, mail_server)
    site.kill()
    database.run("TRUNCATE newsletter_subscription, accounts_user CASCADE")
    mail_server.forget_mails()
    sending = Sending(database, mail_server, tmp_path / "worker.log", url=pooler.url(database.name))
    sending.finish()
    sending.assert_exactly_once()


@in_transaction_mode
def test_missing_statement_timeout_is_named(pooler: PgBouncer, database: PostgresDatabase) -> None:
    for is_missing in ("1", "0"):
        assert manage("shell", "-c", CHECK, DATABASE_URL=pooler.url(database.name)).split()[-1] == is_missing
        database.run(f"ALTER ROLE {ROLE} IN DATABASE {database.name} SET statement_timeout = '8s'")
        pooler.stop()
        pooler.start()


@in_transaction_mode
def test_outage_of_the_pooler_and_of_the_database_behind_it(
    visitors: Visitors,
    site: RunningSite,
    pooler: PgBouncer,
    postgres: PostgresServer,
    database: PostgresDatabase,
    mail_server: MailServer,
) -> None:
    visitors.send_requests(4)
    # No mail is in transit during an outage: another test covers that.
    wait_until(lambda: database.count_unsent() == 0, "every mail is sent")
    pooler.stop()
    assert_unavailable(visitors.send_request())
    assert site.fetch("/readyz").status == 503
    assert site.fetch("/").status == 200
    pooler.start()
    visitors.wait_for_recovery()
    wait_until(site.is_ready, "the site is ready", 5)
    wait_until(lambda: database.count_unsent() == 0, "every mail is sent")
    with stopped(postgres):
        for _time in range(3):
            before = time.monotonic()
            assert_unavailable(visitors.send_request())
            assert time.monotonic() - before < ANSWER_SECONDS
        assert site.fetch("/readyz").status == 503
    visitors.wait_for_recovery()
    wait_until(site.is_ready, "the site is ready", 5)
    visitors.assert_exactly_once(database, mail_server)
