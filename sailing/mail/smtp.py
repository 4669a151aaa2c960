"""SMTP backend with a longer timeout where a short one would send a mail twice."""

import smtplib
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail.backends import smtp

DATA_TIMEOUT_SECONDS = 60.0
"""After DATA the server may deliver the mail whether or not we wait for its reply, so that a retry would be a
second mail (RFC 1047). RFC 5321 section 4.5.3.2.6 asks for ten minutes; a claim
(`sailing.mail.queue`) lasts five."""


class PatientSMTP(smtplib.SMTP):
    """An SMTP connection, plain or with STARTTLS.

    `has_sent_text`: a mail has reached DATA, and its reply is missing, so the server may have accepted it.
    """

    has_sent_text = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Greet the server with the host of the site: that of a container is refused as no name."""
        host = urlsplit(settings.SITE_URL).hostname or "localhost"
        name = f"[{host}]" if host.replace(".", "").isdecimal() else host
        super().__init__(*args, **{**kwargs, "local_hostname": name})

    def data(self, msg: Any) -> tuple[int, bytes]:
        self.has_sent_text = True
        if self.sock:
            self.sock.settimeout(DATA_TIMEOUT_SECONDS)
        try:
            reply = super().data(msg)
            self.has_sent_text = False
            return reply
        finally:
            if self.sock:
                self.sock.settimeout(self.timeout)


class PatientSMTPOverTLS(PatientSMTP, smtplib.SMTP_SSL):
    """An SMTP connection with implicit TLS."""


class EmailBackend(smtp.EmailBackend):
    """Django's backend; EMAIL_TIMEOUT applies to every command but DATA."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return PatientSMTPOverTLS if self.use_ssl else PatientSMTP
