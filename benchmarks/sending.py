"""The sender of the outbox, compared with a bare smtplib loop over the same number of connections.

The bare loop composes and sends each mail as the documentation of `smtplib` and `email` shows it, and keeps
no record. Both sides send the same mails to the same mail server, a process on this machine that replies at
once or after 5 ms. Then: two sender processes against one, and how long an account mail takes while 10,000
newsletter mails wait for a mail server that takes 100 ms for each reply.
"""

import os
import smtplib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from email.utils import formatdate
from functools import partial
from queue import Empty, SimpleQueue

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from benchmarks.comparison import Bar, compare, print_heading
from sailing.mail.models import MailPriority, MailState, OutboxEmail
from sailing.mail.sender import MailThread
from tests.processes import PYTHON_PROGRAMS, ROOT, free_port, wait_until

LOOP_BAR = Bar(0.7, is_minimum=True)
PROCESSES_BAR = Bar(1.5, is_minimum=True)
SENT_MAILS = 1_000_000
QUEUED_NEWSLETTERS = 10_000
NEAR_REPLY_SECONDS, SLOW_REPLY_SECONDS = 0.005, 0.1
MAX_ACCOUNT_MAIL_SECONDS = 2.0

TEXT = "Ahoy, sailor. Please confirm your subscription.\n" * 20
HTML = "<p>Ahoy, sailor. Please confirm your subscription.</p>\n" * 80
FILL = """
    INSERT INTO mail_outboxemail (recipient, subject, text, html, headers, subject_key, message_id,
        priority, state, attempts, next_attempt_at, last_error, due_at, sent_at)
    SELECT 'person.' || n || '@example.org', 'Welcome', %(text)s, %(html)s, '{}', '',
        '<' || n || '@example.org>', %(priority)s, %(state)s, 0, now(), '', now(), now()
    FROM generate_series(1, %(count)s) AS n
"""


def fill(count: int, priority: MailPriority, state: MailState = MailState.WAITING) -> None:
    """Store mails; sent ones have no text, as in the outbox."""
    is_sent = state == MailState.SENT
    values = {"text": "" if is_sent else TEXT, "html": "" if is_sent else HTML}
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute(FILL, {**values, "priority": priority, "state": state, "count": count})
        cursor.execute("ANALYZE mail_outboxemail")


def clear() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET statement_timeout = 0")
        cursor.execute("DELETE FROM mail_outboxemail WHERE state = 'waiting' OR sent_at > due_at")
        cursor.execute("VACUUM ANALYZE mail_outboxemail")


def waiting() -> int:
    return OutboxEmail.objects.filter(state=MailState.WAITING).count()


@contextmanager
def sink(delay: float = 0.0) -> Iterator[None]:
    """Run the mail server in a process of its own, and send the mails there."""
    port = free_port()
    command = [sys.executable, "-m", "benchmarks.mail_sink", str(port), str(delay)]
    process = subprocess.Popen(command, cwd=ROOT)
    settings.EMAIL_BACKEND = "sailing.mail.transport.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    try:
        wait_until(partial(_answers, port), "the mail server answers")
        yield
    finally:
        process.terminate()
        process.wait()


def _answers(port: int) -> bool:
    try:
        smtplib.SMTP("127.0.0.1", port, timeout=5).close()
    except OSError:
        return False
    return True


def run_senders(processes: int, count: int) -> float:
    """Send mails with `manage.py worker`; return mails per second.

    The clock runs from the first mail that is sent to the last, without the start of the processes.
    """
    fill(count, MailPriority.URGENT)
    address = f"smtp://127.0.0.1:{settings.EMAIL_PORT}"
    environment = os.environ | {"EMAIL_URL": address, "EMBEDDED_WORKER": "false"}
    command = [str(PYTHON_PROGRAMS / "python"), "manage.py", "worker"]
    pipes = {"stderr": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    running: list[subprocess.Popen[bytes]] = []
    try:
        with transaction.atomic(), connection.cursor() as cursor:  # all start at the same time
            cursor.execute("LOCK TABLE mail_outboxemail")
            for _process in range(processes):
                running.append(subprocess.Popen(command, cwd=ROOT, env=environment, **pipes))  # type: ignore[call-overload]
            wait_until(lambda: _count_blocked() >= processes, "the senders are ready", 60)
        started = time.perf_counter()
        wait_until(lambda: waiting() == 0, "every mail is sent", 600)
        seconds = time.perf_counter() - started
    finally:
        for process in running:
            process.terminate()
        for process in running:
            process.wait()
    clear()
    return count / seconds


def _count_blocked() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # cached until the transaction ends
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE wait_event_type = 'Lock' AND query LIKE '%next_attempt_at%'"
        )
        return int(cursor.fetchone()[0])


def compose(number: int) -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "Welcome"
    message["From"] = "hello@example.org"
    message["To"] = f"person.{number}@example.org"
    message["Message-ID"] = f"<{number}@example.org>"
    message["Date"] = formatdate()
    message.set_content(TEXT)
    message.add_alternative(HTML, subtype="html")
    return message


def run_bare_loop(
    compose: Callable[[int], EmailMessage], count: int, connections: int = settings.EMAIL_CONNECTIONS
) -> float:
    """Send mails with smtplib over a number of connections; return mails per second."""
    numbers: SimpleQueue[int] = SimpleQueue()
    for number in range(count):
        numbers.put(number)

    def send() -> None:
        with smtplib.SMTP("127.0.0.1", settings.EMAIL_PORT) as server, suppress(Empty):
            while True:
                server.send_message(compose(numbers.get_nowait()))

    threads = [threading.Thread(target=send) for _connection in range(connections)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return count / (time.perf_counter() - started)


def compare_with_loop(what: str, count: int, rounds: int) -> bool:
    sides = (partial(run_senders, 1, count), partial(run_bare_loop, compose, count))
    return compare(what, *sides, unit="mails/s", bar=LOOP_BAR, rounds=rounds)


def send_account_mail() -> float:
    """Store an account mail, as another process would; return the seconds until it is accepted."""
    mail = OutboxEmail.objects.create(
        recipient="jana@example.org",
        subject="Verify",
        text=TEXT,
        html=HTML,
        message_id="<1@x>",
        priority=MailPriority.URGENT,
        next_attempt_at=timezone.now(),
    )
    started = time.perf_counter()
    sent = OutboxEmail.objects.filter(pk=mail.pk, state=MailState.SENT)
    wait_until(sent.exists, "the account mail is sent", 60)
    return time.perf_counter() - started


def measure_account_mails(rounds: int) -> Sequence[float]:
    """Return the seconds of account mails while newsletters are being sent."""
    fill(QUEUED_NEWSLETTERS, MailPriority.BULK)
    thread = MailThread()
    found = []
    try:
        for _round in range(rounds):
            time.sleep(1)
            found.append(send_account_mail())
        assert waiting() > QUEUED_NEWSLETTERS / 2
    finally:
        thread.shutdown()
    clear()
    return found


def measure(smoke: bool) -> list[bool]:
    rounds, count, sent = (1, 200, 1_000) if smoke else (5, 3_000, SENT_MAILS)
    kept = []
    print_heading()
    with sink():
        kept.append(compare_with_loop("sender", count, rounds))
    with sink(NEAR_REPLY_SECONDS):
        kept.append(compare_with_loop("sender, replies after 5 ms", count // 3, rounds))
        sides = (partial(run_senders, 2, count // 3), partial(run_senders, 1, count // 3))
        what = "two senders, replies after 5 ms"
        kept.append(compare(what, *sides, unit="mails/s", bar=PROCESSES_BAR, rounds=rounds))
    fill(sent, MailPriority.NORMAL, MailState.SENT)
    with sink():
        kept.append(compare_with_loop(f"sender, {sent:,} sent mails", count, rounds))
    with sink(SLOW_REPLY_SECONDS):
        times = measure_account_mails(rounds)
    print(f"account mail behind {QUEUED_NEWSLETTERS:,} newsletters, slow mail server: {max(times):.2f} s")
    return [*kept, max(times) <= MAX_ACCOUNT_MAIL_SECONDS]
