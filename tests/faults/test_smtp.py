"""A mail server that is down, slow or refuses the password: each visitor gets one mail all the same."""

import time

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
    site.kill()
    site.settings["EMAIL_URL"] = url.replace("sailing:old@", "")
    site.start()
    assert not site.find_problems()
    visitors.assert_exactly_once(database, mail_server)


def test_slow_server_gets_each_mail_once(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """Slow to confirm: the reply to DATA may take longer than EMAIL_TIMEOUT. Slow to greet: it is retried."""
    mail_server.on_accepted = lambda: time.sleep(7)
    visitors.send_requests(1)
    wait_until(lambda: mail_server.mails, "the mail is there")
    mail_server.on_accepted = lambda: None
    mail_server.delay_seconds = 7
    visitors.send_requests(2)
    wait_until(lambda: database.count_unsent_with_error() == 2, "every mail was attempted")
    mail_server.delay_seconds = 0
    visitors.assert_exactly_once(database, mail_server)
