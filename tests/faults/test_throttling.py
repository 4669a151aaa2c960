"""Mail servers that take only so many mails, and recipients that take none: nobody waits for others.

A campaign is sent while visitors sign up. The mail server counts the mails of each address.
"""

from pathlib import Path

from tests.faults.database import PostgresDatabase, PostgresServer
from tests.faults.site import running
from tests.mail_server import MailServer
from tests.processes import manage, wait_until

READERS = 280
RATE = 14
"""Mails per second. The default of a new account of Amazon SES."""

PREPARE = """
import time
from django.utils import timezone
from accounts.models import User
from newsletter.campaigns.models import Campaign, CampaignText
from newsletter.campaigns.tests.factories import send_now
from newsletter.models import Subscription
admin = User.objects.create_superuser("admin@sailing.example", "only for these tests")
Subscription.objects.bulk_create(
    Subscription(email=email, user_type="sailor", is_confirmed=True) for email in {emails}
)
campaign = Campaign.objects.create(name="Regatta")
for language in ("en", "cs"):
    CampaignText.objects.create(campaign=campaign, language=language, subject="Ahoy", body="# Ahoy")
send_now(campaign)
"""

SIGN_UPS = """
import time
from django.db import transaction
from sailing.mail import outbox
from sailing.mail.models import MailPriority
for number in range(10_000):
    time.sleep(0.5)
    with transaction.atomic():
        outbox.enqueue(
            "accounts/password_changed", to=f"visitor{number}@example.org", language="en", context={},
            priority=MailPriority.URGENT,
        )
"""


def measure_campaign(
    database: PostgresDatabase, mail_server: MailServer, log: Path, emails: list[str], *, received: int
) -> tuple[float, int]:
    """Return the seconds until all readers have a campaign, and the number of sign-up mails meanwhile.

    Beside it, two people a second sign up.
    """
    manage("shell", "--verbosity=0", "-c", PREPARE.format(emails=emails), DATABASE_URL=database.url)

    def count() -> int:
        return sum(email in mail_server.mails for email in emails)

    settings = {
        "DATABASE_URL": database.url,
        "EMAIL_URL": f"smtp://127.0.0.1:{mail_server.port}",
        "SITE_URL": "http://127.0.0.1",
    }
    with (
        running(log, "shell", "--verbosity=0", "-c", SIGN_UPS, **settings),
        running(log, "worker", **settings),
    ):
        wait_until(lambda: count() >= received, "the campaign is sent", 600)
    ((seconds,),) = database.query(
        "SELECT extract(epoch FROM max(ended_at) - min(ended_at)) FROM campaigns_delivery"
        " WHERE state = 'sent'"
    )
    assert all(len(ids) == 1 for ids in mail_server.mails.values())
    ((waited, count_of_sign_ups),) = database.query(
        "SELECT coalesce(extract(epoch FROM max(coalesce(sent_at, now()) - due_at)), 0), count(*)"
        " FROM mail_outboxemail WHERE due_at < now() - interval '1 second' AND NOT is_reminder"
    )
    print(f"{received} readers in {seconds:.1f} s; {count_of_sign_ups} sign-up mails within {waited:.1f} s")
    assert waited < 5
    return float(seconds), int(count_of_sign_ups)


def name_readers(count: int) -> list[str]:
    return [f"reader{number}@domain{number % 5}.example" for number in range(count)]


def test_rate_of_the_server_is_found_and_nobody_waits_for_the_campaign(
    database: PostgresDatabase, mail_server: MailServer, tmp_path: Path
) -> None:
    mail_server.mails_per_second = RATE
    seconds, sign_ups = measure_campaign(
        database, mail_server, tmp_path / "log", name_readers(READERS), received=READERS
    )
    assert seconds < 1.2 * (READERS + sign_ups) / RATE


def test_recipients_that_are_refused_do_not_hold_up_the_others(
    postgres: PostgresServer, database: PostgresDatabase, mail_server: MailServer, tmp_path: Path
) -> None:
    mail_server.delay_seconds = 0.1  # as a provider does
    readers = name_readers(500)
    alone, _sign_ups = measure_campaign(database, mail_server, tmp_path / "log", readers, received=500)
    mail_server.forget_mails()
    mail_server.refused_recipients = {
        "busy": "450 4.2.1 Mailbox temporarily unavailable",
        "odd": "451 Temporary local problem",
    }
    refused = [f"{kind}{number}@one.example" for number in range(50) for kind in ("busy", "odd")]
    poisoned = [f"\u017f{number}@one.example" for number in range(100)]
    mixed = [email for group in zip(refused, poisoned, strict=True) for email in group]
    other = postgres.new_database("refused")
    emails = [*mixed, *readers]
    seconds, _sign_ups = measure_campaign(other, mail_server, tmp_path / "log", emails, received=500)
    assert seconds < 1.5 * alone  # the server itself takes a fifth longer for 100 more recipients


def test_two_senders_share_the_limit_of_the_owner(
    database: PostgresDatabase, mail_server: MailServer, tmp_path: Path
) -> None:
    emails = name_readers(60)
    manage("shell", "--verbosity=0", "-c", PREPARE.format(emails=emails), DATABASE_URL=database.url)
    settings = {
        "DATABASE_URL": database.url,
        "EMAIL_URL": f"smtp://127.0.0.1:{mail_server.port}",
        "SITE_URL": "http://127.0.0.1",
        "CAMPAIGN_MAILS_PER_SECOND": "3",
    }
    with running(tmp_path / "log", "worker", **settings), running(tmp_path / "log", "worker", **settings):
        wait_until(lambda: len(mail_server.received) == 60, "the campaign is sent", 60)
    ((seconds,),) = database.query(
        "SELECT extract(epoch FROM max(ended_at) - min(ended_at)) FROM campaigns_delivery"
    )
    print(f"60 readers at 3 a second in {seconds:.1f} s")
    assert 0.9 < float(seconds) * 3 / 59 < 1.1
