"""Workers that end, or lose the database or the mail server: nothing is lost, nothing is done twice."""

import os
import random
import signal
import time
from collections import Counter
from contextlib import ExitStack

from tests.faults.mailing import CONNECTIONS, Mailing
from tests.processes import manage, running, wait_until

READERS = {"sailor": range(120), "company": range(100, 220)}
CAMPAIGNS = {
    "To sailors": ["sailor"],
    "To companies": ["company"],
    "To everybody": ["sailor", "company"],
    "To everybody again": ["sailor", "company"],
}
STOPS, KILLS, RESTARTS, PAUSES, VISITORS = 5, 4, 4, 10, 50
MAILS_PER_VISITOR = 3

VISITS = f"""
import random, time
from django.db import Error, connection
from django.utils import timezone
from newsletter.campaigns import series, services
from newsletter.campaigns.models import Campaign, CampaignState
from newsletter.campaigns.tests.factories import CampaignFactory
from newsletter.models import Subscription
from sailing.mail import outbox

def insist(act, **values):
    while True:
        try:
            return act(**values)
        except services.CampaignRefused:  # done by the first try, or the campaign is sent
            return
        except Error:
            connection.close()
            time.sleep(0.2)

def switch():
    sending = Campaign.objects.filter(state=CampaignState.SENDING, delay_days=None)
    for campaign in random.sample(list(sending), 1):
        services.pause(campaign=campaign)
        return campaign

step = insist(CampaignFactory, name="Welcome", user_type="sailor", delay_days=0)
insist(step.texts.update, subject=step.name)
insist(series.turn_on, campaign=step, expected_version=services.get_version(Campaign.objects.get(pk=step.pk)))
paused, pauses = None, 0
for number in range({VISITORS}):
    email = f"visitor{{number}}@example.com"
    for _mail in range({MAILS_PER_VISITOR}):
        insist(outbox.store, to=email, subject="Ahoy", text="Ahoy", html="Ahoy")
    confirmed = dict(is_confirmed=True, confirmed_at=timezone.now())
    insist(Subscription.objects.get_or_create, email=email, user_type="sailor", defaults=confirmed)
    time.sleep(random.uniform(0.2, 0.7))
    if paused:
        insist(services.resume, campaign=paused)
        paused = None
    elif pauses < {PAUSES} and (paused := insist(switch)):
        pauses += 1
print("pauses:", pauses)
"""


def test_nobody_is_mailed_twice_or_left_out(mailing: Mailing) -> None:
    """Two workers are replaced or killed, the database crashes, and admins pause and resume campaigns."""
    seed = int(os.environ.get("SEED") or random.randrange(1_000_000))
    chances = random.Random(seed)
    mails, database = mailing.mail_server, mailing.database
    mailing.begin(READERS, CAMPAIGNS)
    mails.delay_seconds = 0.2
    mails.on_accepted = lambda: time.sleep(random.uniform(0, 0.2))
    events = ["stop"] * STOPS + ["kill"] * KILLS + ["restart"] * RESTARTS
    chances.shuffle(events)
    print(f"\nSEED={seed}", *events)
    with ExitStack() as started:
        visits = running(mailing.log, "shell", "--verbosity=0", "-c", VISITS, **mailing.settings)
        visiting = started.enter_context(visits)
        workers = [started.enter_context(mailing.worker()) for _number in range(2)]
        stopped = []
        for event in events:
            time.sleep(chances.uniform(0, 3))
            if event == "restart":
                database.server.restart()
                continue
            workers.append(started.enter_context(mailing.worker()))
            worker = workers.pop(0)
            worker.send_signal(signal.SIGKILL if event == "kill" else signal.SIGTERM)
            if event == "stop":
                stopped.append(worker)
        print(f"{len(mails.received)} mails were sent until the last event")
        assert not mailing.is_finished, "nothing was left to be interrupted"
        assert visiting.wait(120) == 0
        for worker in workers:
            worker.send_signal(signal.SIGTERM)
        assert {worker.wait(30) for worker in stopped + workers} == {0}
    assert f"pauses: {PAUSES}" in mailing.log.read_text()
    mailing.expected |= {(f"visitor{number}@example.com", "Welcome") for number in range(VISITORS)}
    mails.delay_seconds = 0
    mailing.finish()

    mailing.assert_exactly_once(unknown=KILLS * CONNECTIONS)
    accepted = Counter(message["Message-ID"] for _addresses, message in mails.received)
    stored = [
        key for (key,) in database.query("SELECT message_id FROM mail_outboxemail WHERE state = 'sent'")
    ]
    assert len(stored) >= VISITORS
    assert all(accepted[key] for key in stored)
    repeated = sum(accepted[key] - 1 for key in stored)
    assert repeated <= KILLS * CONNECTIONS
    unknown = mailing.count("unknown")
    print(f"{len(mails.received)} mails; {unknown} deliveries unknown; {repeated} mails repeated")


SECONDS = "SELECT extract(epoch FROM max(ended_at) - min(ended_at)) FROM campaigns_delivery"

SIGN_UPS = """
import time
from sailing.mail import outbox
from sailing.mail.models import MailPriority
for number in range(10_000):
    time.sleep(0.5)
    mail = {"subject": "Welcome", "text": "Ahoy", "html": "Ahoy", "priority": MailPriority.URGENT}
    outbox.store(to=f"visitor{number}@example.org", **mail)
"""
WAITED = """SELECT count(*), extract(epoch FROM max(coalesce(sent_at, now()) - due_at))
  FROM mail_outboxemail WHERE due_at < now() - interval '1 second'"""


def test_server_goes_away(mailing: Mailing) -> None:
    """Mails that are under way may have an unknown fate; the others are sent when it is back."""
    mailing.begin({"sailor": range(200)}, {"Regatta": ["sailor"]})
    with mailing.worker():
        mailing.wait_for_mails(25)
        mailing.mail_server.close()
        wait_until(lambda: not mailing.count("sending"), "every connection has noticed")
        mailing.mail_server.open()
        mailing.wait_for_mails(len(mailing.mail_server.received))
    mailing.finish()
    mailing.assert_exactly_once(unknown=2 * CONNECTIONS)


def test_server_that_throttles_is_used_to_its_limit_and_account_mails_go_first(mailing: Mailing) -> None:
    """14 mails a second: the default of a new account of Amazon SES."""
    rate = mailing.mail_server.mails_per_second = 14
    mailing.begin({"sailor": range(280)}, {"Regatta": ["sailor"]})
    sign_ups = running(mailing.log, "shell", "--verbosity=0", "-c", SIGN_UPS, **mailing.settings)
    with mailing.worker(), sign_ups:
        wait_until(lambda: mailing.count("sent") == 280, "the campaign is sent", 60)
    mailing.assert_exactly_once()
    ((seconds,),) = mailing.database.query(SECONDS)
    ((count, waited),) = mailing.database.query(WAITED)
    print(f"{seconds:.1f} s beside {count} account mails, each within {waited:.1f} s")
    assert seconds < 1.2 * (280 + count) / rate
    assert count
    assert waited < 5


ROWS, BAD_ROWS = 8000, 800
PREPARE = f"""
from newsletter.imports.tests.helpers import start
rows = [f"person{{row}}@example.com,{{'sailor' if row % 10 else 'pirate'}}" for row in range({ROWS})]
start("\\n".join(["email,user_type", *rows]))
"""
BLOCKED = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'site' AND wait_event_type = 'Lock'"
JOB = """SELECT state, finished_rows, total_rows FROM jobs_job
  WHERE created_by_id IS NOT NULL ORDER BY id DESC LIMIT 1"""
BAD_ROW_CHUNKS = """SELECT content FROM jobs_jobfilechunk
  JOIN jobs_jobfile AS file ON file.id = file_id JOIN jobs_job AS job ON job.id = file.job_id
  WHERE file.name = 'rows-to-correct.csv' AND job.kind = 'newsletter.import' ORDER BY number"""


def test_import_continues_after_its_last_step(mailing: Mailing) -> None:
    database = mailing.database
    manage("shell", "--verbosity=0", "-c", PREPARE, **mailing.settings)

    def expire_claims() -> None:
        database.run("UPDATE jobs_job SET next_attempt_at = now() WHERE state IN ('running', 'waiting')")

    def read_counts() -> dict[str, int]:
        """Return the counts of the import, after a check that they are what is stored."""
        ((counts,),) = database.query("SELECT counts FROM imports_importbatch")
        added = database.query("SELECT count(*) FROM newsletter_subscription")
        assert added == [(counts.get("added-waiting", 0),)]
        assert database.query(JOB)[0][1] == sum(counts.values())
        return dict(counts)

    for _kill in range(2):
        with database.connected() as cursor, mailing.worker():
            cursor.execute("LOCK TABLE newsletter_subscription IN EXCLUSIVE MODE")
            wait_until(lambda: database.query(BLOCKED)[0][0], "a step waits for the lock")
        wait_until(lambda: not database.query(BLOCKED)[0][0], "the database has noticed")
        read_counts()
        expire_claims()
    with mailing.worker():
        wait_until(lambda: database.query(JOB)[0][1], "some rows are finished")
        database.server.restart()
        expire_claims()
        wait_until(lambda: database.query(JOB) == [("done", ROWS, ROWS)], "the same worker continues", 120)
    assert read_counts() == {"added-waiting": ROWS - BAD_ROWS, "audience": BAD_ROWS}
    content = b"".join(bytes(chunk) for (chunk,) in database.query(BAD_ROW_CHUNKS)).decode("utf-8-sig")
    lines = content.splitlines()
    assert len(lines) == len(set(lines)) == BAD_ROWS + 1
