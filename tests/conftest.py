"""Fixtures of the tests in this folder."""

import logging
from collections.abc import Iterator
from io import StringIO

import pytest
from structlog.stdlib import ProcessorFormatter


@pytest.fixture
def log() -> Iterator[StringIO]:
    """Return the formatted log."""
    root = logging.getLogger()
    ours = next(h for h in root.handlers if isinstance(h.formatter, ProcessorFormatter))
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(ours.formatter)
    root.addHandler(handler)
    yield written
    root.removeHandler(handler)
