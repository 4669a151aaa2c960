"""Campaigns: fixing a million recipients, and sending, compared with a bare smtplib loop.

The bare loop composes and sends each mail as the documentation of `smtplib` and `email` shows it, over the
same number of connections, and keeps no record. Both sides send mails of the same campaign to the same mail
server, a process on this machine. Then: two sender processes against
one, the memory of a sender, and account mails and admin pages while a campaign is being sent.
"""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.utils import formatdate
from functools import partial
from statistics import median

from django.conf import settings
from django.db import connection
from django.db.models import Max, Min
from django.test import Client
from django.utils import timezone

from accounts.models import User
from benchmarks.comparison import Bar, compare, print_heading
from benchmarks.outbox import NEAR_REPLY_SECONDS, run_bare_loop, send_account_mail, sink
from benchmarks.servers import read_memory
from newsletter.campaigns import rendering, services
from newsletter.campaigns.models import Campaign, CampaignState, CampaignText, Delivery, DeliveryState
from newsletter.campaigns.rendering import RenderedMail
from newsletter.campaigns.tests.factories import send_now
from tests.processes import PYTHON_PROGRAMS, ROOT, wait_until

CONNECTIONS = 16
"""For both sides. Each of the sender's waits for a commit before its next mail, so few would be slower."""

FEW_CONNECTIONS = 4
"""With which a sender waits for the mail server, and does not use a whole core of this machine."""

SUBSCRIBERS, SMOKE_SUBSCRIBERS = 1_000_000, 20_000
MEMORY_MAILS = 100_000
"""Enough to see the memory of a sender grow; a million mails take most of an hour."""

MAX_PREPARE_SECONDS = 60.0
MAX_GROWTH = 20.0
"""MB."""
LOOP_BAR = Bar(0.7, is_minimum=True)
PROCESSES_BAR = Bar(1.5, is_minimum=True)
MAX_ACCOUNT_MAIL_SECONDS = 2.0

PARAGRAPH = (
    "Three days of racing around the islands, and a [berth for everyone](https://sailing.example/berths)"
    " who enters before the end of May. The harbour opens at noon. Bring warm clothes and good company.\n\n"
)
BODY = (
    "# The regatta begins\n\n"
    + PARAGRAPH * 8
    + "[Enter now](https://sailing.example/enter){.button}\n\n"
    + PARAGRAPH * 4
)
FILL = """
    INSERT INTO newsletter_subscription (id, email, user_type, source, language, is_active, is_confirmed,
        is_imported, created_at, confirmed_at)
    SELECT gen_random_uuid(), 'person.' || n || '@example.org',
        CASE n %% 3 WHEN 0 THEN 'company' ELSE 'sailor' END, '', CASE n %% 2 WHEN 0 THEN 'cs' ELSE 'en' END,
        TRUE, TRUE, FALSE, now(), now()
    FROM generate_series(1, %s) AS n
"""
END = "UPDATE campaigns_delivery SET state = 'sent', ended_at = now() WHERE state <> 'sent'"
RESET = "UPDATE campaigns_delivery SET state = 'waiting', ended_at = NULL, next_attempt_at = now()"


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        for statement in statements:
            cursor.execute(statement)


def fill(count: int) -> None:
    """Store confirmed subscribers."""
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(FILL, [count])
    execute("VACUUM ANALYZE newsletter_subscription")


def clear() -> None:
    execute(
        "TRUNCATE campaigns_campaign, newsletter_subscription, jobs_job CASCADE",
        "DELETE FROM mail_outboxemail",
    )


def reset(count: int) -> None:
    """Let the first deliveries wait, and no others."""
    first = f"SELECT id FROM campaigns_delivery ORDER BY id LIMIT {count}"
    execute(END, f"{RESET} WHERE id IN ({first})", "VACUUM ANALYZE campaigns_delivery")


def create_campaign() -> Campaign:
    campaign = Campaign.objects.create(name="Regatta")
    for language in ("en", "cs"):
        CampaignText.objects.create(
            campaign=campaign, language=language, subject="The regatta begins", body=BODY
        )
    return campaign


def prepare(campaign: Campaign, admin: User) -> tuple[float, float]:
    """Fix the recipients of a campaign; return the seconds, and by how many MB the process grew."""
    memory, started = read_memory("self"), time.perf_counter()
    send_now(campaign)
    services.pause(campaign=campaign)
    peak = memory
    while services.add_recipients(campaign.pk):
        peak = max(peak, read_memory("self"))
    campaign.refresh_from_db()
    assert campaign.prepared_at
    return time.perf_counter() - started, peak - memory


@contextmanager
def senders(count: int, connections: int = CONNECTIONS) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Run `manage.py worker` processes."""
    address = f"smtp://127.0.0.1:{settings.EMAIL_PORT}"
    environment = os.environ | {
        "EMAIL_URL": address,
        "EMAIL_CONNECTIONS": str(connections),
        "EMBEDDED_WORKER": "false",
    }
    command = [str(PYTHON_PROGRAMS / "python"), "manage.py", "worker"]
    running = [
        subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _process in range(count)
    ]
    try:
        time.sleep(4)  # they have started, and wait
        yield running
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait()


def count_waiting(campaign: Campaign) -> int:
    states = (DeliveryState.WAITING, DeliveryState.SENDING)
    return Delivery.objects.filter(campaign=campaign, state__in=states).count()


def run_senders(campaign: Campaign, processes: int, count: int, connections: int = CONNECTIONS) -> float:
    """Send `count` deliveries of a paused campaign; return mails per second.

    The clock runs from the first delivery to the last, without the start of the processes.
    """
    reset(count)
    begin = timezone.now()
    with senders(processes, connections):
        Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.SENDING)
        ended = Delivery.objects.filter(state=DeliveryState.SENT, ended_at__gt=begin)
        while count_waiting(campaign):
            time.sleep(0.5)  # counting takes time from the senders
    Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.PAUSED)
    assert ended.count() == count
    times = ended.aggregate(first=Min("ended_at"), last=Max("ended_at"))
    return count / float((times["last"] - times["first"]).total_seconds())


def compose(rendered: RenderedMail, number: int) -> EmailMessage:
    """Compose a mail of the campaign as the documentation of `email` shows it."""
    links = dict.fromkeys(
        rendering.PERSONAL_LINKS, f"https://sailing.example/newsletter/links/{number:040}/?lang=en"
    )
    message = EmailMessage()
    message["Subject"] = rendered.subject
    message["From"] = "hello@sailing.example"
    message["To"] = f"person.{number}@example.org"
    message["Message-ID"] = f"<{number}@sailing.example>"
    message["Date"] = formatdate()
    message["List-Unsubscribe"] = f"<{links['unsubscribe_url']}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(rendering.fill(rendered.text, links))
    message.add_alternative(rendering.fill_html(rendered.html, links), subtype="html")
    return message


def measure_growth(campaign: Campaign, count: int) -> float:
    """Return by how many MB the memory of a sender grows from its first thousand mails to the last."""
    reset(count)
    with senders(1) as (process,):
        Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.SENDING)
        wait_until(
            lambda: count_waiting(campaign) < count - min(1000, count / 2), "the first mails are sent", 60
        )
        before = peak = read_memory(process.pid)
        while count_waiting(campaign):
            peak = max(peak, read_memory(process.pid))
            time.sleep(1)
        Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.PAUSED)
    return peak - before


def measure_during(
    campaign: Campaign, admin: User, rounds: int
) -> tuple[list[float], list[float], list[float]]:
    """Return the seconds of account mails during a campaign, and of an admin page before and during it."""
    execute(RESET, "VACUUM ANALYZE campaigns_delivery")
    client = Client()
    client.force_login(admin)

    def open_list() -> float:
        started = time.perf_counter()
        assert client.get("/admin/newsletter/subscription/", secure=True).status_code == 200
        return time.perf_counter() - started

    open_list()
    idle = [open_list() for _round in range(rounds)]
    mails, busy = [], []
    with senders(1):
        Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.SENDING)
        sent = Delivery.objects.filter(campaign=campaign, state=DeliveryState.SENT)
        wait_until(sent.exists, "mails are being sent")
        for _round in range(rounds):
            mails.append(send_account_mail())
            busy.append(open_list())
        assert count_waiting(campaign), "the campaign has ended too early"
        Campaign.objects.filter(pk=campaign.pk).update(state=CampaignState.PAUSED)
    return mails, idle, busy


def measure(smoke: bool) -> list[bool]:
    subscribers = SMOKE_SUBSCRIBERS if smoke else SUBSCRIBERS
    rounds, count = (1, 3_000) if smoke else (5, 20_000)
    admin = User.objects.create_superuser("admin@sailing.example", "Fair winds, 2025!")
    fill(subscribers)
    kept = []
    try:
        campaign = create_campaign()
        seconds, growth = prepare(campaign, admin)
        print(f"{subscribers:,} recipients fixed in {seconds:.1f} s, {growth:.1f} MB more")
        kept += [seconds <= MAX_PREPARE_SECONDS, growth <= MAX_GROWTH]
        print_heading()
        with sink():
            text = campaign.texts.get(language="en")
            rendered = rendering.render(campaign, text, links={})
            bare_loop = partial(run_bare_loop, partial(compose, rendered), count, CONNECTIONS)
            sides = (partial(run_senders, campaign, 1, count), bare_loop)
            kept.append(compare("campaign", *sides, unit="mails/s", bar=LOOP_BAR, rounds=rounds))
        with sink(NEAR_REPLY_SECONDS):
            each = count // 5
            two, one = (
                partial(run_senders, campaign, processes, each, FEW_CONNECTIONS) for processes in (2, 1)
            )
            what = "two senders, replies after 5 ms"
            kept.append(compare(what, two, one, unit="mails/s", bar=PROCESSES_BAR, rounds=rounds))
        with sink():
            mails_sent = min(subscribers, MEMORY_MAILS)
            growth = measure_growth(campaign, mails_sent)
            print(f"memory of a sender over {mails_sent:,} mails: {growth:.1f} MB more")
            mails, idle, busy = measure_during(campaign, admin, 3 if smoke else 20)
        print(f"account mail during a campaign: median {median(mails):.2f} s, at most {max(mails):.2f} s")
        print(f"list of subscribers in admin: {median(idle):.3f} s, during a campaign {median(busy):.3f} s")
        return [*kept, growth <= MAX_GROWTH, max(mails) <= MAX_ACCOUNT_MAIL_SECONDS]
    finally:
        clear()
        admin.delete()
