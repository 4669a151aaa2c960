"""A mail server that is away, slow or unwilling: visitors notice nothing, and each gets one mail."""

import time

import pytest

from tests.faults.database import PostgresDatabase
from tests.faults.mail_server import MailServer
from tests.faults.programs import wait_until
from tests.faults.visitors import Visitors

VISITORS = 6


def test_away_it_is_waited_for(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    mail_server.close()
    visitors.all_come(VISITORS)
    wait_until(lambda: database.waiting_to_be_tried_again() == VISITORS, "every mail was tried")
    mail_server.open()
    visitors.assert_each_was_served_once(database, mail_server)


@pytest.mark.parametrize("refusal", ["451 4.3.0 try later", "550 5.1.1 not here", "421 4.3.2 going down"])
def test_what_it_does_not_take_is_offered_again(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer, refusal: str
) -> None:
    mail_server.refusal = refusal
    visitors.all_come(VISITORS)
    wait_until(lambda: mail_server.tries >= VISITORS, "every mail was tried")
    assert not mail_server.mails
    mail_server.refusal = ""
    visitors.assert_each_was_served_once(database, mail_server)


def test_slow_to_say_that_it_has_a_mail_it_gets_it_once(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    """Slower than it may be with anything else (EMAIL_TIMEOUT, 5 s)."""
    mail_server.taken = lambda: time.sleep(7)
    visitors.all_come(1)
    wait_until(lambda: mail_server.mails, "the mail is there")
    mail_server.taken = lambda: None
    visitors.all_come(VISITORS - 1)
    visitors.assert_each_was_served_once(database, mail_server)


@pytest.mark.long
def test_slow_to_begin_it_is_tried_again(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    mail_server.greeting_seconds = 7
    visitors.all_come(2)
    wait_until(lambda: database.waiting_to_be_tried_again() == 2, "every mail was tried")
    mail_server.greeting_seconds = 0
    visitors.assert_each_was_served_once(database, mail_server)


def test_hanging_up_without_a_goodbye_it_has_the_mail(
    visitors: Visitors, database: PostgresDatabase, mail_server: MailServer
) -> None:
    mail_server.rude = True
    visitors.all_come(VISITORS)
    visitors.assert_each_was_served_once(database, mail_server)
