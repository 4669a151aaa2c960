"""Fixtures of the tests that cross the apps."""

import logging
from collections.abc import Iterator
from io import StringIO

import pytest
from structlog.stdlib import ProcessorFormatter


@pytest.fixture
def log() -> Iterator[StringIO]:
    """What the log gets, as it is written out."""
    root = logging.getLogger()
    ours = next(h for h in root.handlers if isinstance(h.formatter, ProcessorFormatter))
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(ours.formatter)
    root.addHandler(handler)
    yield written
    root.removeHandler(handler)
