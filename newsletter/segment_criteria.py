"""Criteria of segments that nested apps answer: campaigns have segments, but import none of the others."""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet

criteria: dict[str, Callable[[Any], QuerySet[Any]]] = {}
"""By the column of the segment: a function of its value that returns the subscriptions that fit.

A criterion is of an address, so the other subscription of the address fits, too.
"""
