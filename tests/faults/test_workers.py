"""Four campaigns, a welcome mail and the outbox at once: nobody is left out, and nobody is mailed twice."""

import os
import random
import signal
import time
from collections import Counter
from contextlib import ExitStack

from tests.faults.mailing import CONNECTIONS, Mailing
from tests.faults.site import running

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
