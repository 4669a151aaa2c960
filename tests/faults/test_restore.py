"""Nobody gets an email twice after the restore of a backup that was taken during a campaign."""

import os
import re
import subprocess
from pathlib import Path

from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.site import RunningSite
from tests.faults.visitors import SUBSCRIBE
from tests.mail_server import MailServer
from tests.processes import PYTHON_PROGRAMS, ROOT, manage, wait_until

RECIPIENTS = 1_000
WAITING_ADDRESS = "member@example.net"

PREPARE = f"""
from datetime import timedelta
from django.utils import timezone
from newsletter.campaigns.tests.factories import CampaignFactory, schedule, send_now
from newsletter.models import Subscription
from sailing.mail import outbox
Subscription.objects.bulk_create(
    Subscription(email=f"person{{n}}@example.com", user_type="sailor", is_confirmed=True)
    for n in range({RECIPIENTS})
)
later = timezone.now() + timedelta(hours=1)
send_now(CampaignFactory(name="now"))
schedule(CampaignFactory(name="later"), later)
outbox.store(to="{WAITING_ADDRESS}", subject="Welcome", text="Ahoy", html="Ahoy", at=later)
"""

MAKE_DUE = """
UPDATE campaigns_campaign SET scheduled_at = now() WHERE state = 'scheduled';
UPDATE jobs_job SET next_attempt_at = now() WHERE state IN ('waiting', 'running');
UPDATE mail_outboxemail SET next_attempt_at = now() WHERE state = 'waiting' AND NOT is_reminder;
"""


def read_block(command: str) -> str:
    """Return the shell block of docs/operations.md with a command."""
    text = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    (block,) = (found for found in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) if command in found)
    return str(block)


def run_block(block: str, dump: Path, **variables: str) -> None:
    programs = f"{PYTHON_PROGRAMS}:{os.environ['PATH']}"
    subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.replace("latest.dump", str(dump))],
        cwd=ROOT,
        env=os.environ | {"PATH": programs, "SITE_URL": "http://127.0.0.1", **variables},
        check=True,
    )


def get_states(database: PostgresDatabase) -> dict[str, str]:
    return dict(database.query("SELECT name, state FROM campaigns_campaign"))


def subscribe(site: RunningSite, email: str) -> None:
    assert not site.post_graphql(SUBSCRIBE, email=email).code


def count_mails(mail_server: MailServer) -> dict[str, int]:
    return {address: len(ids) for address, ids in mail_server.mails.items()}


def test_restored_site_sends_nothing_until_somebody_agrees(
    database: PostgresDatabase, make_site: MakeSite, mail_server: MailServer, tmp_path: Path
) -> None:
    manage("shell", "--verbosity=0", "-c", PREPARE, DATABASE_URL=database.url)
    site = make_site(database)
    wait_until(lambda: len(mail_server.received) > RECIPIENTS / 8, "some mails are sent")
    manage("backup", str(tmp_path), DATABASE_URL=database.url)  # as deploy/sailing-backup.service does
    (dump,) = tmp_path.glob("*.dump")
    assert get_states(database)["now"] == "sending"
    database.run(MAKE_DUE)
    wait_until(lambda: set(get_states(database).values()) == {"sent"}, "both campaigns are sent", 120)
    wait_until(lambda: WAITING_ADDRESS in mail_server.mails, "the waiting mail is sent")
    site.kill()

    # The documented commands but the last.
    before = count_mails(mail_server)
    block, count = re.subn(r".*after_restore\n", "", read_block("pg_restore --exit-on-error"))
    assert count == 1
    restored = PostgresDatabase(database.server, "sailing_restored")
    restored.url = database.server.url(restored.name, "postgres")
    administrator = database.server.url(database.name, "postgres")
    run_block(block, dump, DATABASE_URL=administrator, NEW_DATABASE_URL=restored.url)
    restored.run(MAKE_DUE)
    site = make_site(restored)
    wait_until(lambda: site.log.read_text().count("database_is_a_copy") == site.worker_count, "it is noticed")
    subscribe(site, "new@example.net")
    ((now,),) = restored.query("SELECT now()")
    wait_until(
        lambda: restored.query(f"SELECT now() > '{now}'::timestamptz + interval '6 seconds'")[0][0],
        "senders have looked again",
    )
    assert get_states(restored) == {"now": "sending", "later": "scheduled"}
    assert count_mails(mail_server) == before
    assert site.is_ready()
    assert "restored or copied" in site.find_problems()["sending_stopped"]
    manage("after_restore", DATABASE_URL=restored.url)
    subscribe(site, "newer@example.net")
    wait_until(lambda: "newer@example.net" in mail_server.mails, "a new mail is sent")
    assert count_mails(mail_server) == {**before, "newer@example.net": 1}
    assert get_states(restored) == {"now": "paused", "later": "draft"}

    # A restore into the same database is noticed too.
    before = count_mails(mail_server)
    again = 'pg_restore --clean --if-exists --no-owner --dbname "$DATABASE_URL" latest.dump'
    run_block(again, dump, DATABASE_URL=database.url)
    database.run(MAKE_DUE)
    site.kill()
    noticed = site.log.read_text().count("database_is_a_copy")
    make_site(database)
    wait_until(lambda: site.log.read_text().count("database_is_a_copy") > noticed, "it is noticed")
    assert get_states(database) == {"now": "sending", "later": "scheduled"}
    assert count_mails(mail_server) == before
