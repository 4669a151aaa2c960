"""SMTP backend with a longer timeout where a short one would send a mail twice."""

import smtplib
from collections.abc import Sequence
from typing import Any

from django.core.mail.backends import smtp

DATA_TIMEOUT_SECONDS = 60.0
"""After DATA the server may deliver the mail whether or not we wait for its reply, so that a retry would be a
second mail (RFC 1047). RFC 5321 section 4.5.3.2.6 asks for ten minutes; a claim (`sailing.mail.sender`)
lasts five."""


class PatientSMTP(smtplib.SMTP):
    """An SMTP connection, plain or with STARTTLS.

    `has_sent_text`: the current mail has reached DATA, so the server may have accepted it.
    """

    has_sent_text = False

    def mail(self, sender: str, options: Sequence[str] = ()) -> tuple[int, bytes]:
        self.has_sent_text = False
        return super().mail(sender, options)

    def data(self, msg: Any) -> tuple[int, bytes]:
        self.has_sent_text = True
        if self.sock:
            self.sock.settimeout(DATA_TIMEOUT_SECONDS)
        try:
            return super().data(msg)
        finally:
            if self.sock:
                self.sock.settimeout(self.timeout)

    def send_encoded(self, sender: str, recipient: str, content: bytes) -> None:
        """Send an encoded mail, with CRLF at its end, to one recipient.

        It raises what `sendmail` raises, and is faster: it parses no address and no content, and sends the
        commands before the text together if the server allows that (RFC 2920). After an error other than
        SMTPRecipientsRefused the connection must be closed.
        """
        self.ehlo_or_helo_if_needed()
        self.has_sent_text = False
        replies = self._send_commands(f"MAIL FROM:<{sender}>", f"RCPT TO:<{recipient}>", "DATA")
        code, reply = replies[0]
        if code != 250:
            raise smtplib.SMTPSenderRefused(code, reply, sender)
        code, reply = replies[1]
        if code not in (250, 251):
            if replies[-1][0] == 354:  # the server expects a text, although it has no recipient
                self.send(b".\r\n")
                self.getreply()
            if code != 421:
                self.rset()
            raise smtplib.SMTPRecipientsRefused({recipient: (code, reply)})
        code, reply = replies[2]
        if code == 354:
            code, reply = self._send_text(content)
        if code != 250:
            raise smtplib.SMTPDataError(code, reply)

    def _send_commands(self, *commands: str) -> list[tuple[int, bytes]]:
        """Send commands together, or up to the first refusal; return the replies."""
        if any("\r" in command or "\n" in command for command in commands):
            raise ValueError("A command must not contain line breaks.")
        if self.has_extn("pipelining"):
            self.send("\r\n".join([*commands, ""]))
            return [self.getreply() for _command in commands]
        replies = []
        for command in commands:
            replies.append(self.docmd(command))
            if replies[-1][0] >= 400:
                break
        return replies

    def _send_text(self, content: bytes) -> tuple[int, bytes]:
        self.has_sent_text = True
        if b"\r\n." in content:  # RFC 5321 section 4.5.2
            content = content.replace(b"\r\n.", b"\r\n..")
        if self.sock:
            self.sock.settimeout(DATA_TIMEOUT_SECONDS)
        try:
            self.send(content + b".\r\n")
            return self.getreply()
        finally:
            if self.sock:
                self.sock.settimeout(self.timeout)

    def quit(self) -> tuple[int, bytes]:
        try:
            return super().quit()
        except OSError:  # the server has accepted or refused the mail already
            self.close()
            return 421, b""


class PatientSMTPOverTLS(PatientSMTP, smtplib.SMTP_SSL):
    """An SMTP connection with implicit TLS."""


class EmailBackend(smtp.EmailBackend):
    """Django's backend; EMAIL_TIMEOUT applies to every command but DATA."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return PatientSMTPOverTLS if self.use_ssl else PatientSMTP
