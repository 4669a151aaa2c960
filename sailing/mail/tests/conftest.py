"""Fixtures of both apps."""

from accounts.tests.conftest import call
from newsletter.tests.conftest import subscribe

__all__ = ["call", "subscribe"]
