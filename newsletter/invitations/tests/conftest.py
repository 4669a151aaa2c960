"""Fixtures of the invitation tests."""

from newsletter.tests.conftest import subscribe

__all__ = ["subscribe"]
