"""Accidents while a welcome series is on: each reader gets each step once, in order.

Its mails are sent and interrupted as those of a campaign are (test_campaign.py).
"""

import subprocess
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.faults.database import PostgresDatabase
from tests.faults.site import running
from tests.mail_server import MailServer
from tests.processes import manage, wait_until

READERS = 100

PREPARE = f"""
from datetime import timedelta
from django.utils import timezone
from newsletter.campaigns import series, services
from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.models import Subscription
now = timezone.now()
for days in (0, 1):
    step = Campaign.objects.create(name=f"Day {{days}}", user_type="sailor", delay_days=days)
    for language in ("en", "cs"):
        CampaignText.objects.create(campaign=step, language=language, subject=f"Day {{days}}", body="# Ahoy")
    series.turn_on(campaign=step, expected_version=services.get_version(step))
since = now - timedelta(days=9)
Campaign.objects.update(series_since=since, readers_since=since, added_until=since)
Subscription.objects.bulk_create(
    Subscription(
        email=f"person{{n}}@example.com",
        user_type="sailor",
        is_confirmed=True,
        confirmed_at=now - timedelta(seconds=n),
    )
    for n in range({READERS})
)
"""

PASS_A_DAY = """
UPDATE newsletter_subscription SET confirmed_at = confirmed_at - interval '1 day';
UPDATE campaigns_delivery SET ended_at = ended_at - interval '1 day';
"""

TAKE_TWO_HOURS = """
UPDATE campaigns_campaign SET started_at = started_at - interval '2 hours';
UPDATE jobs_workerheartbeat SET at = at - interval '2 hours';
"""

CONFIRM = """
INSERT INTO newsletter_subscription
    (id, email, user_type, source, language, is_active, is_confirmed, is_imported, created_at, confirmed_at)
VALUES (gen_random_uuid(), 'new@example.com', 'sailor', '', 'en', true, true, false, now(), now())
"""


class RunningSeries:
    """Two steps that are on, the second a day after the first, in their own database."""

    def __init__(self, database: PostgresDatabase, mail_server: MailServer, log: Path) -> None:
        self.database = database
        self.mail_server = mail_server
        self.log = log
        manage("shell", "--verbosity=0", "-c", PREPARE, DATABASE_URL=database.url)

    def worker(self) -> AbstractContextManager["subprocess.Popen[bytes]"]:
        """Run a worker process, and kill it at the end of the block."""
        return running(
            self.log,
            "worker",
            DATABASE_URL=self.database.url,
            EMAIL_URL=f"smtp://127.0.0.1:{self.mail_server.port}",
            SITE_URL="http://127.0.0.1",
        )

    def count_sent(self) -> int:
        query = "SELECT count(*) FROM campaigns_delivery WHERE state = 'sent'"
        ((number,),) = self.database.query(query)
        return int(number)

    @property
    def received(self) -> int:
        return len(self.mail_server.received)

    def pass_a_day(self) -> None:
        for statement in filter(str.strip, PASS_A_DAY.split(";")):
            self.database.run(statement)

    def wait_for_step(self, number: int) -> None:
        wait_until(lambda: self.count_sent() == number * READERS, f"step {number} is sent", 120)


@pytest.fixture
def series(database: PostgresDatabase, mail_server: MailServer, tmp_path: Path) -> RunningSeries:
    return RunningSeries(database, mail_server, tmp_path / "worker.log")


def test_locked_reader_is_not_left_out(series: RunningSeries) -> None:
    with series.database.connected() as cursor:
        cursor.execute("BEGIN")
        cursor.execute("UPDATE newsletter_subscription SET first_name = 'Eva' WHERE email LIKE 'person7%'")
        with series.worker():
            wait_until(
                lambda: series.database.query("SELECT count(*) FROM campaigns_delivery")[0][0] == READERS,
                "all readers are added",
            )
        cursor.execute("ROLLBACK")


def test_disk_that_goes_back_to_a_snapshot_repeats_nothing(series: RunningSeries) -> None:
    """The database cannot be told from the one that sent the second step, and is two hours older."""
    with series.worker():
        series.wait_for_step(1)
    series.pass_a_day()
    series.database.server.copy_disk()
    with series.worker():
        series.wait_for_step(2)
    subjects: dict[str, list[str]] = {}
    for recipients, message in series.mail_server.received:
        subjects.setdefault(recipients[0], []).append(str(message["Subject"]))
    assert list(subjects.values()) == [["Day 0", "Day 1"]] * READERS
    series.database.server.restore_disk()
    assert series.count_sent() == READERS
    series.database.run(TAKE_TWO_HOURS)
    states = "SELECT name, state, stop_reason FROM campaigns_campaign ORDER BY name"
    expected = [("Day 0", "sending", ""), ("Day 1", "paused", "abandoned")]
    with series.worker():
        wait_until(lambda: series.database.query(states) == expected, "the second step is off", 60)
        series.database.run(CONFIRM)
        wait_until(lambda: series.received > 2 * READERS, "the new reader has a mail", 60)
        time.sleep(12)  # the sender looks for readers once more
    assert series.received == 2 * READERS + 1
    assert series.database.query(states) == expected
