"""Redis, where the rates are counted, is gone: nobody is refused for it. Once back, it counts again."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.mail_server import MailServer
from tests.faults.programs import end_group, free_port, wait_until
from tests.faults.visitors import SUBSCRIBE, Visitors

REDIS = shutil.which("redis-server")


@contextmanager
def redis(port: int, folder: Path) -> Iterator[None]:
    assert REDIS
    process = subprocess.Popen(
        [REDIS, "--port", str(port), "--save", "", "--bind", "127.0.0.1", "--dir", folder],
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield
    finally:
        end_group(process)


@pytest.mark.skipif(not REDIS, reason="there is no redis-server on this machine")
def test_gone_and_back(
    make_site: MakeSite, database: PostgresDatabase, mail_server: MailServer, tmp_path: Path
) -> None:
    port = free_port()
    site = make_site(
        database, CACHE_URL=f"redis://127.0.0.1:{port}/0", SUBSCRIBE_RATE="5/d", SIGNUP_RATE="2/d"
    )
    visitors = Visitors(site)

    def is_counted() -> bool:
        answer = visitors.come()
        return answer is not None and answer.code == "RATE_LIMITED"

    with redis(port, tmp_path):
        wait_until(is_counted, "the rate is over")
        assert site.ask(SUBSCRIBE, email="jana@example.org").status == 429
    with visitors.keep_coming():
        visitors.are_served_again()
    assert set(visitors.refused) == {"RATE_LIMITED"}
    before = len(visitors.acknowledged)
    visitors.all_come(8)
    assert len(visitors.acknowledged) == before + 8, "somebody was refused while nothing could be counted"
    assert "not_counted" in site.log.read_text()
    with redis(port, tmp_path):
        wait_until(is_counted, "the rate is over again")
    visitors.assert_each_was_served_once(database, mail_server)
