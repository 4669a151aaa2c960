"""Mails of the newsletter."""

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from newsletter.models import Subscription
from newsletter.tests.conftest import Subscribe
from newsletter.tests.factories import SubscriptionFactory
from newsletter.tests.mailbox import confirm_address, preferences_address, unsubscribe_address
from sailing.mail.models import OutboxEmail
from tests.mailbox import Reader, latest, open_link, send_pending, text

pytestmark = pytest.mark.django_db

MAILS = pytest.mark.parametrize("confirmed", [False, True], ids=["welcome", "already aboard"])


def ask(subscribe: Subscribe, *, confirmed: bool, email: str = "sailor@example.com") -> OutboxEmail:
    if confirmed:
        SubscriptionFactory(email=email, confirmed=True)
    subscribe(email=email)
    return latest()


@MAILS
def test_mail_leads_to_the_preferences(subscribe: Subscribe, confirmed: bool) -> None:
    found = ask(subscribe, confirmed=confirmed)
    assert f"http://testserver{preferences_address(found)}" in Reader(found.html).links
    assert 'value="sailor"' in text(open_link(preferences_address(found)))


def test_welcome_mail_has_a_confirm_and_an_unsubscribe_link(subscribe: Subscribe) -> None:
    found = ask(subscribe, confirmed=False)
    assert confirm_address(found) != unsubscribe_address(found)


def test_already_subscribed_mail_has_no_confirm_link(subscribe: Subscribe) -> None:
    assert "/confirm/" not in ask(subscribe, confirmed=True).text


@MAILS
@pytest.mark.parametrize("user_type", ["sailor", "company"])
def test_mail_names_its_newsletter(subscribe: Subscribe, confirmed: bool, user_type: str) -> None:
    if confirmed:
        SubscriptionFactory(email="sailor@example.com", user_type=user_type, confirmed=True)
    subscribe(userType=user_type)
    name = {"sailor": "newsletter for sailors", "company": "newsletter for companies"}[user_type]
    assert name in latest().text
    assert name in Reader(latest().html).shown


@MAILS
@pytest.mark.parametrize(
    "address", ["{{site_url}}@example.com", "{%x%}@example.com", "o'brien&co@example.com", "%d%s@example.com"]
)
def test_template_syntax_in_an_address_is_not_rendered(
    subscribe: Subscribe, confirmed: bool, address: str
) -> None:
    found = ask(subscribe, confirmed=confirmed, email=address)
    typed = Subscription.objects.get().email
    assert found.recipient == typed
    assert f" {typed}." in found.text
    assert f"{typed}." in Reader(found.html).shown


@pytest.mark.django_db(transaction=True)
@MAILS
def test_delivered_mail_is_complete(subscribe: Subscribe, confirmed: bool) -> None:
    found = ask(subscribe, confirmed=confirmed)
    assert send_pending() == 1
    (sent,) = mail.outbox

    assert sent.recipients() == ["sailor@example.com"]
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert sent.extra_headers["List-Unsubscribe"].startswith("<http://testserver/newsletter/unsubscribe/")
    assert sent.extra_headers["Message-ID"] == found.message_id
    assert isinstance(sent, EmailMultiAlternatives)
    assert sent.body == found.text
    assert sent.alternatives == [(found.html, "text/html")]
