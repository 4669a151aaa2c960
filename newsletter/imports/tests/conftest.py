"""Fixtures of the newsletter tests."""

from newsletter.tests.conftest import subscribe

__all__ = ["subscribe"]
