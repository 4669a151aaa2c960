"""Accidents while a campaign is being sent: nobody is left out, and nobody gets it twice.

A mail server counts the mails of each address. A mail whose fate is unknown is not repeated but listed, and
after a kill there is at most one per connection.
"""

import signal
import subprocess
import threading
import time
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.faults.database import PostgresDatabase
from tests.faults.site import running
from tests.mail_server import MailServer
from tests.processes import manage, wait_until

RECIPIENTS = 400
CONNECTIONS = 6

PREPARE = f"""
from django.utils import timezone
from accounts.models import User
from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.campaigns.tests.factories import send_now
from newsletter.models import Subscription
admin = User.objects.create_superuser("admin@sailing.example", "only for these tests")
Subscription.objects.bulk_create(
    Subscription(email=f"person{{n}}@example.com", user_type="sailor", is_confirmed=True)
    for n in range({RECIPIENTS})
)
campaign = Campaign.objects.create(name="Regatta")
for language in ("en", "cs"):
    CampaignText.objects.create(campaign=campaign, language=language, subject="Ahoy", body="# Ahoy")
send_now(campaign)
"""


class Sending:
    """A campaign whose recipients wait, in its own database."""

    def __init__(
        self, database: PostgresDatabase, mail_server: MailServer, log: Path, *, url: str = ""
    ) -> None:
        """Store the campaign. `url`: how the worker reaches the database."""
        self.database = database
        self.url = url or database.url
        self.mail_server = mail_server
        self.log = log
        manage("shell", "--verbosity=0", "-c", PREPARE, DATABASE_URL=self.url)

    def worker(self) -> AbstractContextManager["subprocess.Popen[bytes]"]:
        """Run a worker process, and kill it at the end of the block."""
        return running(
            self.log,
            "worker",
            DATABASE_URL=self.url,
            EMAIL_URL=f"smtp://127.0.0.1:{self.mail_server.port}",
            EMAIL_CONNECTIONS=str(CONNECTIONS),
            SITE_URL="http://127.0.0.1",
        )

    def count(self, state: str) -> int:
        query = f"SELECT count(*) FROM campaigns_delivery WHERE state = '{state}'"
        ((number,),) = self.database.query(query)
        return int(number)

    @property
    def state(self) -> str:
        ((state,),) = self.database.query("SELECT state FROM campaigns_campaign")
        return str(state)

    @property
    def received(self) -> int:
        return len(self.mail_server.received)

    def wait_for_mails(self, count: float) -> None:
        wait_until(lambda: self.received > count, "some mails are sent")

    def expire_claims(self) -> None:
        """Let the next worker look at once at what a killed one has left."""
        for table, states in (("jobs_job", "running"), ("campaigns_delivery", "sending")):
            self.database.run(
                f"UPDATE {table} SET next_attempt_at = now() WHERE state IN ('{states}', 'waiting')"
            )

    def finish(self) -> None:
        """Run workers until the campaign is sent."""
        self.expire_claims()
        with self.worker():
            wait_until(lambda: self.state == "sent", "the campaign is sent", 120)

    def assert_exactly_once(self, *, unknown: int = 0) -> None:
        """Check that each address got one mail, except for at most some of unknown fate, which are listed."""
        received = self.mail_server.mails
        twice = [address for address, ids in received.items() if len(ids) > 1]
        assert not twice
        query = """SELECT email, state FROM campaigns_delivery JOIN newsletter_subscription AS person
            ON person.id = subscription_id"""
        states = dict(self.database.query(query))
        assert len(states) == RECIPIENTS
        listed = {email for email, state in states.items() if state == "unknown"}
        assert len(listed) <= unknown
        assert {email for email, state in states.items() if state == "sent"} == set(states) - listed
        assert set(states) - listed <= set(received)


@pytest.fixture
def sending(database: PostgresDatabase, mail_server: MailServer, tmp_path: Path) -> Sending:
    return Sending(database, mail_server, tmp_path / "worker.log")


def test_sender_killed_again_and_again(sending: Sending) -> None:
    kills = 2
    for kill in range(1, kills + 1):
        with sending.worker():
            sending.wait_for_mails(kill * RECIPIENTS / 4)
        assert sending.count("sending") <= CONNECTIONS
        sending.expire_claims()
    assert sending.state == "sending"
    sending.finish()
    sending.assert_exactly_once(unknown=kills * CONNECTIONS)


def test_sender_killed_while_the_mail_server_takes_its_time(sending: Sending) -> None:
    """The mails are accepted after the kill: nobody may get a second one."""
    is_killed = threading.Event()
    held: list[int] = []

    def hold() -> None:
        held.append(1)
        is_killed.wait(30)

    with sending.worker():
        sending.wait_for_mails(10)
        sending.mail_server.on_accepted = hold
        wait_until(lambda: len(held) >= CONNECTIONS - 1, "every connection waits for a reply")
    sending.mail_server.on_accepted = lambda: None
    is_killed.set()
    sending.finish()
    sending.assert_exactly_once(unknown=CONNECTIONS)
    assert sending.count("unknown") >= CONNECTIONS - 1


def test_database_restarts(sending: Sending) -> None:
    with sending.worker():
        sending.wait_for_mails(RECIPIENTS / 8)
        sending.database.server.stop()
        time.sleep(2)
        sending.database.server.start()
        wait_until(lambda: sending.state == "sent", "the campaign is sent", 120)
    sending.assert_exactly_once()


def test_mail_server_goes_away(sending: Sending) -> None:
    """Mails that were under way then may have an unknown fate; the others are sent when it is back."""
    with sending.worker():
        sending.wait_for_mails(RECIPIENTS / 8)
        sending.mail_server.close()
        wait_until(lambda: not sending.count("sending"), "every connection has noticed")
        sending.mail_server.open()
        received = sending.received
        wait_until(lambda: sending.received > received, "it goes on", 120)
    sending.finish()
    sending.assert_exactly_once(unknown=2 * CONNECTIONS)


def test_deploy_in_the_middle(sending: Sending) -> None:
    """SIGTERM: the old process ends and records its mails under way while the new one sends others."""
    with sending.worker() as old:
        sending.wait_for_mails(RECIPIENTS / 8)
        with sending.worker():
            old.send_signal(signal.SIGTERM)
            assert old.wait(30) == 0
            wait_until(lambda: sending.state == "sent", "the campaign is sent", 120)
    sending.assert_exactly_once()
