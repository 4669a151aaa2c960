"""A mail server."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.mail_server import MailServer


@pytest.fixture
def server(settings: Settings) -> Iterator[MailServer]:
    """Start a mail server and let the site send to it."""
    found = MailServer()
    found.open()
    settings.EMAIL_BACKEND = "sailing.mail.transport.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", found.port
    yield found
    found.close()
