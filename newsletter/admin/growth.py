"""What nested apps show on the growth page: decorated functions in their modules `admin.growth`."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.http import HttpRequest

Bounds = tuple[datetime, datetime]
"""The first and the last moment of the period."""

GetContext = Callable[[HttpRequest, Bounds], dict[str, Any] | None]
"""Takes the request and the period.

Returns the context of the template, or None for an admin who may not see the section.
"""

sections: list[tuple[str, GetContext]] = []


def section(template: str) -> Callable[[GetContext], GetContext]:
    """Show what a function returns as a section of the page, by a template that has it as `part`."""

    def register(get_context: GetContext) -> GetContext:
        sections.append((template, get_context))
        return get_context

    return register
