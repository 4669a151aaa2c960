"""The route table and the page texts that Django shares with React.

`frontend/routes.json` is the one table of paths, `frontend/src/i18n/messages` the one place of texts.
"""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings

FRONTEND = settings.BASE_DIR / "frontend"


@dataclass(frozen=True)
class Entry:
    """A page of the table: its component, where its head's texts stand, and the path when it has one.

    `prerendered` pages are public: rendered at build time, the same for every visitor, and for search
    engines to find. With each of the `sources` in `?source=` such a page is rendered once more.
    """

    page: str
    title_key: str
    description_key: str
    path: str | None
    prerendered: bool
    sources: tuple[str, ...]

    @property
    def group(self) -> str:
        """The group of messages that comes with the page: the one that its title is in."""
        return self.title_key.partition(".")[0]

    def title(self, language: str) -> str:
        return _message(language, self.title_key)

    def description(self, language: str) -> str:
        return _message(language, self.description_key)


def entry_of(path: str) -> Entry | None:
    """The entry of a path, with or without a slash at its end; None for a path that is no route."""
    return _by_path().get(path.rstrip("/") or "/")


def not_found() -> Entry:
    """The entry of the page that every other path shows."""
    return _entry(_table()["notFound"])


def all_entries() -> list[Entry]:
    """Every route, in the table's order."""
    return list(_by_path().values())


@cache
def _by_path() -> dict[str, Entry]:
    return {route["path"]: _entry(route) for route in _table()["routes"]}


def _entry(values: dict[str, Any]) -> Entry:
    return Entry(
        page=values["page"],
        title_key=values["titleKey"],
        description_key=values["descriptionKey"],
        path=values.get("path"),
        prerendered=values.get("prerendered", False),
        sources=tuple(values.get("sources", ())),
    )


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((FRONTEND / "routes.json").read_text(encoding="utf-8"))
    return table


def _message(language: str, key: str) -> str:
    return _messages(language, key.partition(".")[0])[key]


@cache
def _messages(language: str, group: str) -> dict[str, str]:
    catalogue = FRONTEND / "src" / "i18n" / "messages" / language / f"{group}.json"
    messages: dict[str, str] = json.loads(catalogue.read_text(encoding="utf-8"))
    return messages
