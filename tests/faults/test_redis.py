"""Redis, where tries are counted, is gone: each process counts for itself. Once back, it counts again."""

import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sailing.throttle import FAILURES
from tests.faults.conftest import RATE, MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.mail_server import MailServer
from tests.faults.programs import end_group, free_port, wait_until
from tests.faults.visitors import SUBSCRIBE, Visitors

REDIS = shutil.which("redis-server")
SUBSCRIPTIONS, SIGN_UPS = 5, 2
SIGN_IN = 'mutation { signIn(input: {email: "jana@example.org", password: "Foul winds, 2025!"}) { token } }'


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
        database,
        CACHE_URL=f"redis://127.0.0.1:{port}/0",
        SUBSCRIBE_RATE=f"{SUBSCRIPTIONS}/d",
        SIGNUP_RATE=f"{SIGN_UPS}/d",
        SIGNIN_RATE=RATE,
    )
    visitors = Visitors(site)

    def is_counted() -> bool:
        answer = visitors.come()
        return answer is not None and answer.code == "RATE_LIMITED"

    def guess() -> str:
        return site.ask(SIGN_IN).code

    with redis(port, tmp_path):
        wait_until(is_counted, "the rate is over")
        assert site.ask(SUBSCRIBE, email="jana@example.org").status == 429

    before = len(visitors.acknowledged)
    for _visitor in range(60):
        visitors.come()
    assert set(visitors.refused) == {"RATE_LIMITED"}
    served = len(visitors.acknowledged) - before
    assert SUBSCRIPTIONS + SIGN_UPS <= served <= site.worker_count * (SUBSCRIPTIONS + SIGN_UPS)
    guesses = Counter(guess() for _number in range(30))
    assert set(guesses) == {"INVALID_CREDENTIALS", "RATE_LIMITED"}
    assert FAILURES <= guesses["INVALID_CREDENTIALS"] <= site.worker_count * FAILURES
    assert "not_counted" in site.log.read_text()

    before = len(visitors.acknowledged)
    with redis(port, tmp_path):
        wait_until(
            lambda: visitors.come() and len(visitors.acknowledged) > before, "Redis counts from nothing"
        )
        wait_until(is_counted, "the rate is over again")
    visitors.assert_each_was_served_once(database, mail_server)
