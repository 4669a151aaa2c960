"""Campaigns in a database of their own, the workers that send them, and who got which mail."""

import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.database import PostgresDatabase
from tests.mail_server import MailServer
from tests.processes import manage, running, wait_until

CONNECTIONS = 4
"""Of a worker to the mail server."""

PREPARE = """
from newsletter.campaigns.tests.factories import CampaignFactory, send_now
from newsletter.models import Subscription
Subscription.objects.bulk_create(
    Subscription(email=f"reader{{number}}@example.com", user_type=user_type, is_confirmed=True)
    for user_type, numbers in {readers}.items() for number in numbers
)
for name, user_types in {campaigns}.items():
    campaign = CampaignFactory(name=name, user_type=user_types[0] if len(user_types) == 1 else "")
    campaign.texts.update(subject=name)
    send_now(campaign)
"""

DELIVERIES = """SELECT email, name, delivery.state FROM campaigns_delivery AS delivery
  JOIN newsletter_subscription AS reader ON reader.id = subscription_id
  JOIN campaigns_campaign AS campaign ON campaign.id = campaign_id"""

UNFINISHED = """SELECT (SELECT count(*) FROM campaigns_campaign WHERE state <> 'sent' AND delay_days IS NULL)
  + (SELECT count(*) FROM campaigns_delivery WHERE state IN ('waiting', 'sending'))
  + (SELECT count(*) FROM mail_outboxemail WHERE state = 'waiting')"""


class Mailing:
    """Campaigns that have just been started; their subjects are their names."""

    def __init__(self, database: PostgresDatabase, mail_server: MailServer, log: Path) -> None:
        self.database = database
        self.mail_server = mail_server
        self.log = log
        self.settings = {
            "DATABASE_URL": database.url,
            "EMAIL_URL": f"smtp://127.0.0.1:{mail_server.port}",
            "EMAIL_CONNECTIONS": str(CONNECTIONS),
            "SITE_URL": "http://127.0.0.1",
        }
        self.expected: set[tuple[str, str]] = set()

    def begin(self, readers: dict[str, range], campaigns: dict[str, list[str]]) -> None:
        """Store the readers of each audience, by number, and start campaigns to one or both audiences."""
        script = PREPARE.format(readers=readers, campaigns=campaigns)
        manage("shell", "--verbosity=0", "-c", script, **self.settings)
        self.expected |= {
            (f"reader{number}@example.com", name)
            for name, user_types in campaigns.items()
            for user_type in user_types
            for number in readers[user_type]
        }

    @contextmanager
    def worker(self, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run a worker process, and kill it at the end of the block."""
        started = self._count_started()
        with running(self.log, "worker", **self.settings, **settings) as process:
            wait_until(lambda: self._count_started() > started, "the worker has started", 60)
            yield process

    def _count_started(self) -> int:
        return self.log.read_text().count('"worker_started"') if self.log.exists() else 0

    def wait_for_mails(self, count: float) -> None:
        wait_until(lambda: len(self.mail_server.received) > count, "some mails are sent", 60)

    def count(self, state: str) -> int:
        """Return how many deliveries are in a state."""
        query = f"SELECT count(*) FROM campaigns_delivery WHERE state = '{state}'"
        ((number,),) = self.database.query(query)
        return int(number)

    @property
    def is_finished(self) -> bool:
        return self.database.query(UNFINISHED) == [(0,)]

    def finish(self) -> None:
        """Let two workers look at once at what others have left, and send the rest."""
        self.database.release_claims()
        unended = "state IN ('waiting', 'sending')"
        self.database.run(f"UPDATE campaigns_delivery SET next_attempt_at = now() WHERE {unended}")
        with self.worker(), self.worker() as worker:
            wait_until(lambda: self.is_finished, "everything is sent", 120)
            worker.send_signal(signal.SIGTERM)  # as a deploy does
            assert worker.wait(30) == 0

    def assert_exactly_once(self, *, unknown: int = 0) -> None:
        """Assert that everybody got each mail once, but for some deliveries that are listed as unknown."""
        accepted = Counter(
            (address, str(message["Subject"]))
            for addresses, message in self.mail_server.received
            for address in addresses
        )
        rows = self.database.query(DELIVERIES)
        states = {(email, name): state for email, name, state in rows}
        assert len(states) == len(rows), "somebody has two deliveries of a campaign"
        assert self.expected <= set(states)
        assert set(states.values()) <= {"sent", "unknown"}
        lost = [each for each, state in states.items() if state == "unknown"]
        assert len(lost) <= unknown, lost
        wrong = {
            (each, state, accepted[each])
            for each, state in states.items()
            if accepted[each] > 1 or (state == "sent" and not accepted[each])
        }
        assert not wrong, "twice or never"
        counts = Counter(name for _email, name in states)
        stored = self.database.query("SELECT name, recipient_count FROM campaigns_campaign")
        assert dict(stored) == counts
