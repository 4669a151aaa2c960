"""The senders of the outbox and of campaigns, compared with a bare smtplib loop over as many connections.

The loop composes and sends each mail as the documentation of `smtplib` and `email` shows it, to the same
mail server. Then: two sender processes against one, and account mails while others are sent.
"""

import os
import smtplib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from email.message import EmailMessage
from email.utils import formatdate
from functools import partial
from multiprocessing import get_context
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

from django.db import transaction
from django.db.models import Max, Min, QuerySet
from django.utils import timezone

from benchmarks import rows
from benchmarks.report import Report
from benchmarks.servers import read_memory, workers
from newsletter.campaigns import rendering, services
from newsletter.campaigns.models import Campaign, CampaignState, Delivery
from newsletter.campaigns.tests.factories import CampaignFactory, send_now
from sailing.mail.models import MailPriority, MailState, OutboxEmail
from tests.mailbox import create_mail
from tests.processes import wait_until

NEAR_REPLY_SECONDS, SLOW_REPLY_SECONDS = 0.005, 0.1

TEXT = "Ahoy, sailor. Please confirm your subscription.\n" * 20
HTML = "<p>Ahoy, sailor. Please confirm your subscription.</p>\n" * 80
PARAGRAPH = (
    "Three days of racing around the islands, with a [berth](https://sailing.example) for everyone. " * 3
)
NEWSLETTER = "\n\n".join(["# Ahoy", *[PARAGRAPH] * 12])


class Sink(StreamRequestHandler):
    """A connection to a mail server that accepts everything and stores nothing."""

    delay = 0.0

    def handle(self) -> None:
        self.reply(b"220 sink")
        with suppress(ConnectionError):  # a sender is killed
            while line := self.rfile.readline():
                if line.upper() == b"DATA\r\n":
                    self.reply(b"354 go on")
                    while self.rfile.readline() not in (b".\r\n", b""):
                        pass
                self.reply(b"221 bye" if line.upper() == b"QUIT\r\n" else b"250 OK")

    def reply(self, line: bytes) -> None:
        time.sleep(self.delay)
        self.wfile.write(line + b"\r\n")


@contextmanager
def mail_server(delay: float = 0.0) -> Iterator[int]:
    """Run a mail server, whose replies take a delay in seconds, in a process of its own; return its port."""
    Sink.delay, ThreadingTCPServer.request_queue_size = delay, 64
    with ThreadingTCPServer(("127.0.0.1", 0), Sink) as server:
        process = get_context("fork").Process(target=server.serve_forever)
        process.start()
        try:
            yield server.server_address[1]
        finally:
            process.terminate()


def compose(number: int, *, subject: str, text: str, html: str) -> EmailMessage:
    """Compose a mail as the documentation of `email` shows it."""
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = "hello@sailing.example"
    message["To"] = f"person.{number}@example.org"
    message["Message-ID"] = f"<{number}@sailing.example>"
    message["Date"] = formatdate()
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    return message


@dataclass
class Mails:
    """Mails of one kind, and both ways to send them over a number of connections.

    `compose`: writes one as the peer does. `release`: lets senders send a number of those that are `stored`,
    whose time of sending is in the field `sent_at`.
    """

    what: str
    connections: int
    compose: Callable[[int], EmailMessage]
    release: Callable[[int], None]
    stored: QuerySet[Any]
    sent_at: str

    def count_waiting(self) -> int:
        return self.stored.filter(state__in=["waiting", "sending"]).count()

    def run_senders(self, port: int, count: int, processes: int = 1) -> float:
        """Send mails with `manage.py worker`; return mails per second.

        The clock runs from the first mail to the last, without the start of the processes.
        """
        started = timezone.now()
        with self.start_workers(port, processes):
            self.release(count)
            while self.count_waiting():
                time.sleep(0.5)  # counting takes time from the senders
        sent = self.stored.filter(state="sent", **{f"{self.sent_at}__gt": started})
        assert sent.count() == count
        times = sent.aggregate(first=Min(self.sent_at), last=Max(self.sent_at))
        return float(count / (times["last"] - times["first"]).total_seconds())

    def start_workers(self, port: int, processes: int = 1) -> Any:
        server = {"EMAIL_URL": f"smtp://127.0.0.1:{port}", "EMAIL_CONNECTIONS": str(self.connections)}
        return workers(processes, **server)

    def run_bare_loop(self, port: int, count: int) -> float:
        """Send mails with smtplib; return mails per second."""

        def send(first: int) -> None:
            with smtplib.SMTP("127.0.0.1", port) as server:
                for number in range(first, count, self.connections):
                    server.send_message(self.compose(number))

        started = time.perf_counter()
        with ThreadPoolExecutor(self.connections) as pool:
            list(pool.map(send, range(self.connections)))
        return count / (time.perf_counter() - started)

    def compare_with_loop(self, report: Report, port: int, count: int, what: str = "") -> None:
        sides = partial(self.run_senders, port, count), partial(self.run_bare_loop, port, count)
        report.compare(f"{self.what}{what}", *sides, "mails/s", report.choose(5, 1), at_least=0.7)

    def compare_processes(self, report: Report, port: int, count: int) -> None:
        two, one = (partial(self.run_senders, port, count, processes) for processes in (2, 1))
        report.compare(f"{self.what}, two senders", two, one, "mails/s", report.choose(5, 1), at_least=1.5)

    def check_account_mails(self, report: Report, port: int, count: int, rounds: int) -> None:
        """Check the seconds of account mails while others are sent, and the memory of the sender."""
        with self.start_workers(port) as (sender,):
            self.release(count)
            wait_until(lambda: self.count_waiting() < count * 0.999, "mails are being sent", 60)
            before = peak = read_memory(sender.pid)
            slowest = 0.0
            for _round in range(rounds):
                time.sleep(1)
                started = time.perf_counter()
                mail = create_mail(text=TEXT, html=HTML, priority=MailPriority.URGENT)
                sent = OutboxEmail.objects.filter(pk=mail.pk, state=MailState.SENT)
                wait_until(sent.exists, "the account mail is sent", 60)
                slowest = max(slowest, time.perf_counter() - started)
                peak = max(peak, read_memory(sender.pid))
            assert self.count_waiting(), "the mails have ended too early"
        report.check(f"{self.what}: the slowest account mail", slowest, "s", at_most=2)
        report.check(f"{self.what}: a sender", peak - before, "MB more", at_most=20)


def fill_outbox(count: int, priority: MailPriority, state: MailState = MailState.WAITING) -> None:
    """Store mails instead of those of the last round. Sent ones have no text, as in the outbox, and stay."""
    rows.execute("DELETE FROM mail_outboxemail WHERE state = 'waiting' OR sent_at > due_at")
    rows.execute("VACUUM ANALYZE mail_outboxemail")
    text, html = (TEXT, HTML) if state == MailState.WAITING else ("", "")
    with transaction.atomic():
        rows.execute(rows.FILL_MAILS, count=count, priority=priority, state=state, text=text, html=html)
        rows.execute("ANALYZE mail_outboxemail")


def measure_outbox(report: Report) -> None:
    mails = Mails(
        what="outbox",
        connections=4,
        compose=partial(compose, subject="Welcome", text=TEXT, html=HTML),
        release=partial(fill_outbox, priority=MailPriority.URGENT),
        stored=OutboxEmail.objects.all(),
        sent_at="sent_at",
    )
    newsletters = replace(mails, release=partial(fill_outbox, priority=MailPriority.BULK))
    count = report.choose(3_000, 300)
    fill_outbox(report.choose(1_000_000, 1_000), MailPriority.NORMAL, MailState.SENT)
    with mail_server() as port:
        mails.compare_with_loop(report, port, count)
    with mail_server(NEAR_REPLY_SECONDS) as port:
        mails.compare_with_loop(report, port, count, ", replies after 5 ms")
        mails.compare_processes(report, port, count)
    with mail_server(SLOW_REPLY_SECONDS) as port:
        newsletters.check_account_mails(report, port, 10_000, report.choose(5, 1))


def release_deliveries(count: int, campaign: Campaign) -> None:
    """Let the first deliveries of a campaign wait, and no others, and send it."""
    stored = Campaign.objects.filter(pk=campaign.pk)
    stored.update(state=CampaignState.PAUSED)
    rows.execute(
        "UPDATE campaigns_delivery SET state = 'sent', ended_at = '2000-01-01' WHERE state <> 'sent';"
        "UPDATE campaigns_delivery SET state = 'waiting', ended_at = NULL, next_attempt_at = now()"
        f" WHERE id IN (SELECT id FROM campaigns_delivery ORDER BY id LIMIT {count})"
    )
    rows.execute("VACUUM ANALYZE campaigns_delivery")
    stored.update(state=CampaignState.SENDING)


def compose_newsletter(number: int, rendered: rendering.RenderedMail) -> EmailMessage:
    """Compose a mail of the campaign with the links of its reader."""
    link = f"https://sailing.example/newsletter/links/{number:040}/?lang=en"
    links = dict.fromkeys(rendering.PERSONAL_LINKS, link)
    text, html = rendering.fill(rendered.text, links), rendering.fill_html(rendered.html, links)
    message = compose(number, subject=rendered.subject, text=text, html=html)
    message["List-Unsubscribe"] = f"<{link}>"
    message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return message


def prepare(report: Report, subscribers: int) -> Campaign:
    """Return a campaign for all; check the time and the memory of adding its recipients."""
    rows.fill_subscriptions(subscribers)
    campaign: Campaign = CampaignFactory()
    campaign.texts.update(body=NEWSLETTER)
    started, memory = time.perf_counter(), [read_memory(os.getpid())]
    send_now(campaign)
    services.pause(campaign=campaign)
    while services.add_recipients(campaign.pk):
        memory.append(read_memory(os.getpid()))
    report.check(f"{subscribers:,} recipients", time.perf_counter() - started, "s", at_most=60)
    report.check(f"{subscribers:,} recipients", max(memory) - memory[0], "MB more", at_most=20)
    return campaign


def measure_campaign(report: Report) -> None:
    campaign = prepare(report, report.choose(1_000_000, 20_000))
    rendered = rendering.render(campaign, campaign.texts.get(language="en"), links={})
    mails = Mails(
        what="campaign",
        connections=16,  # each of the sender's waits for a commit before its next mail
        compose=partial(compose_newsletter, rendered=rendered),
        release=partial(release_deliveries, campaign=campaign),
        stored=Delivery.objects.all(),
        sent_at="ended_at",
    )
    # With few, a sender waits for the mail server, and does not use a whole core of this machine.
    few = replace(mails, connections=4)
    count, queued, rounds = report.choose((6_000, 100_000, 60), (3_000, 10_000, 1))
    try:
        with mail_server() as port:
            mails.compare_with_loop(report, port, count)
        with mail_server(NEAR_REPLY_SECONDS) as port:
            few.compare_processes(report, port, count // 5)
        with mail_server() as port:
            mails.check_account_mails(report, port, queued, rounds)
    finally:
        rows.execute("TRUNCATE campaigns_campaign, newsletter_subscription, jobs_job CASCADE")
