"""What the owner of a mailbox sees, opens and presses."""

import re
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from post_office.models import STATUS, Email


def mails() -> list[Email]:
    """All mails in the outbox, the oldest first."""
    return list(Email.objects.order_by("pk"))


def latest() -> Email:
    return mails()[-1]


def deliver() -> int:
    """Have the mail server take what is due; return how many mails that were. Their text stays readable."""
    waiting = Email.objects.filter(status=STATUS.queued).exclude(scheduled_time__gt=timezone.now())
    return int(waiting.update(status=STATUS.sent))


def confirm_address(mail: Email) -> str:
    """The path, with its query, of the confirm link in a mail's text."""
    return _address(mail, "confirm")


def unsubscribe_address(mail: Email) -> str:
    return _address(mail, "unsubscribe")


def open_link(address: str, *, client: Client | None = None) -> HttpResponse:
    response = (client or Client()).get(address)
    assert isinstance(response, HttpResponse)
    return response


def press_button(address: str, *, client: Client | None = None, **data: Any) -> HttpResponse:
    """Post to a link's page: by default as who never saw the site, to a server strict about forgery."""
    response = (client or Client(enforce_csrf_checks=True)).post(address, data)
    assert isinstance(response, HttpResponse)
    return response


def text(response: HttpResponse) -> str:
    return response.content.decode()


def _address(mail: Email, name: str) -> str:
    found = re.search(rf"{settings.SITE_URL}(/newsletter/{name}/[\w-]+/\S*)", mail.message)
    assert found, mail.message
    return found[1]
