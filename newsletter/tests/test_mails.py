"""Mails of the newsletter."""

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from newsletter.models import Subscription
from newsletter.tests.api import subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import unsubscribe_address
from sailing.mail.models import OutboxEmail
from tests.mailbox import Reader, latest, open_link, send_pending, text

pytestmark = pytest.mark.django_db

MAILS = pytest.mark.parametrize("confirmed", [False, True], ids=["welcome", "already aboard"])


def ask(*, confirmed: bool, email: str = "sailor@example.com") -> OutboxEmail:
    if confirmed:
        SubscriptionFactory(email=email, confirmed=True)
    subscribe(email=email)
    return latest()


@MAILS
def test_mail_leads_to_the_preferences(confirmed: bool) -> None:
    found = ask(confirmed=confirmed)
    address = unsubscribe_address(found)
    links = Reader(found.html).links
    assert {f"http://testserver{address}", f"http://testserver{address}#preferences"} <= {*links}
    assert 'id="preferences"' in text(open_link(address))
    assert ("/newsletter/confirm/" in found.text) is not confirmed


@MAILS
def test_mail_names_its_newsletter(confirmed: bool) -> None:
    for user_type, name in (("sailor", "newsletter for sailors"), ("company", "newsletter for companies")):
        if confirmed:
            SubscriptionFactory(email="sailor@example.com", user_type=user_type, confirmed=True)
        subscribe(userType=user_type)
        assert name in latest().text
        assert name in Reader(latest().html).shown


@MAILS
def test_template_syntax_in_an_address_is_not_rendered(confirmed: bool) -> None:
    found = ask(confirmed=confirmed, email="{{site_url}}{%x%}%d%s&o'brien@example.com")
    typed = Subscription.objects.get().email
    assert found.recipient == typed
    assert f" {typed}." in found.text
    assert f"{typed}." in Reader(found.html).shown


@pytest.mark.django_db(transaction=True)
def test_delivered_mail_is_complete() -> None:
    found = ask(confirmed=False)
    assert send_pending() == 1
    (sent,) = mail.outbox

    assert sent.recipients() == ["sailor@example.com"]
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert sent.extra_headers["List-Unsubscribe"].startswith("<http://testserver/newsletter/manage/")
    assert sent.extra_headers["Message-ID"] == found.message_id
    assert isinstance(sent, EmailMultiAlternatives)
    assert sent.body == found.text
    assert sent.alternatives == [(found.html, "text/html")]
