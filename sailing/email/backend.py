"""Django's way to a mail server, with more patience where impatience sends a mail twice."""

import smtplib
from typing import Any

from django.core.mail.backends import smtp

DATA_SECONDS = 60.0
"""Once a mail is handed over, its server may store it whether or not we still wait for its answer, and a
next try is a second mail (RFC 1047). RFC 5321 section 4.5.3.2.6 asks for ten minutes; a claim on a mail
(`sailing.email.sender`) lasts five."""


class PatientSMTP(smtplib.SMTP):
    """A connection to a mail server, plain or made secure by STARTTLS."""

    def data(self, msg: Any) -> tuple[int, bytes]:
        if self.sock:
            self.sock.settimeout(DATA_SECONDS)
        try:
            return super().data(msg)
        finally:
            if self.sock:
                self.sock.settimeout(self.timeout)

    def quit(self) -> tuple[int, bytes]:
        try:
            return super().quit()
        except OSError:  # however the goodbye goes, the mail is where it is
            self.close()
            return 421, b""


class PatientSMTPOverTLS(PatientSMTP, smtplib.SMTP_SSL):
    """A connection that speaks TLS from the start."""


class EmailBackend(smtp.EmailBackend):
    """EMAIL_TIMEOUT holds for each step but the handing over."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return PatientSMTPOverTLS if self.use_ssl else PatientSMTP
