"""Fixtures of the import tests."""

from newsletter.tests.conftest import subscribe

__all__ = ["subscribe"]
