"""A mail server that is down, slow or refuses mails: requests succeed, and each visitor gets one mail."""

import time

import pytest

from tests.faults.conftest import MakeSite
from tests.faults.database import PostgresDatabase
from tests.faults.visitors import Visitors
from tests.mail_server import MailServer
from tests.processes import wait_until

VISITORS = 6


def test_server_down(visitors: Visitors, database: PostgresDatabase, mail_server: MailServer) -> None:
    mail_server.close()
    visitors.send_requests(VISITORS)
    wait_until(database.count_unsent_with_error, "the outage is noticed")
    ((attempts,),) = database.query("SELECT sum(attempts) FROM mail_outboxemail")
    assert attempts == 0
    mail_server.open()
    visitors.assert_exactly_once(database, mail_server)


def test_refused_password_is_named_and_costs_no_attempt(
    make_site: MakeSite, database: PostgresDatabase, mail_server: MailServer
) -> None:
    url = f"smtp://sailing:old@127.0.0.1:{mail_server.port}"
    site = make_site(database, EMAIL_URL=url)
    visitors = Visitors(site)
    visitors.send_requests(1)
    wait_until(lambda: '"mail_server_unavailable"' in site.log.read_text(), "the log says it")
    assert '"error": "535' in site.log.read_text()
    assert "535" in site.find_problems()["mail server"]
    site.kill()
    site.settings["EMAIL_URL"] = url.replace("sailing:old@", "")
    site.start()
    assert not site.find_problems()
    visitors.assert_exactly_once(database, mail_server)


@pytest.mark.parametrize("refusal", ["451 4.3.0 try later", "421 4.3.2 going down"])
def test_postponed_mail_is_retried(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer, refusal: str
) -> None:
    mail_server.replies = {"DATA": refusal}
    visitors.send_requests(VISITORS)
    wait_until(lambda: mail_server.attempts >= 2, "some mails were attempted")
    assert not mail_server.mails
    mail_server.replies = {}
    visitors.assert_exactly_once(database, mail_server)


def test_refused_mail_fails_at_once_and_can_be_sent_again(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    mail_server.replies = {"DATA": "550 5.1.1 not here"}
    visitors.send_requests(VISITORS)
    wait_until(lambda: database.count_failed() == VISITORS, "every mail has failed")
    assert mail_server.attempts == VISITORS
    ((reachable,),) = database.query("SELECT count(*) FROM newsletter_subscription WHERE bounced_at IS NULL")
    assert reachable == 0
    mail_server.replies = {}
    visitors.assert_exactly_once(database, mail_server)


def test_slow_confirmation_causes_no_second_mail(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """The reply to DATA may take longer than EMAIL_TIMEOUT."""
    mail_server.on_accepted = lambda: time.sleep(7)
    visitors.send_requests(1)
    wait_until(lambda: mail_server.mails, "the mail is there")
    mail_server.on_accepted = lambda: None
    visitors.send_requests(VISITORS - 1)
    visitors.assert_exactly_once(database, mail_server)


def test_slow_server_is_retried(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    mail_server.delay_seconds = 7
    visitors.send_requests(2)
    wait_until(lambda: database.count_unsent_with_error() == 2, "every mail was attempted")
    mail_server.delay_seconds = 0
    visitors.assert_exactly_once(database, mail_server)


def test_server_that_hangs_up_after_a_mail(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    mail_server.hangs_up_on = "QUIT"
    visitors.send_requests(VISITORS)
    visitors.assert_exactly_once(database, mail_server)
