"""The mail server, for the tests of campaigns."""

from sailing.mail.tests.conftest import server

__all__ = ["server"]
