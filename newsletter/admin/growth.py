"""What nested apps show on the growth page: `sections.append(Section(...))`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.http import HttpRequest


@dataclass(frozen=True)
class Section:
    """A part of the page. `get_context`: takes the request and the first and the last day of the period.

    It returns the context of the template, or None for an admin who may not see the section.
    """

    template: str
    get_context: Callable[[HttpRequest, date, date], dict[str, Any] | None]


sections: list[Section] = []
