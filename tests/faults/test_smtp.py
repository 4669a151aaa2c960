"""Mail servers that go away, or take few mails a second."""

from tests.faults.mailing import CONNECTIONS, Mailing
from tests.faults.site import running
from tests.processes import wait_until

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
