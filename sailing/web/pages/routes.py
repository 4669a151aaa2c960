"""The route table and the message catalogues, which Django shares with React.

They are `frontend/routes.json` and `frontend/src/i18n/messages`.
"""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings

FRONTEND = settings.BASE_DIR / "frontend"


@dataclass(frozen=True)
class Route:
    """A page of the table: its component, the messages of its head, and its path if it has one.

    Search engines index pages that are public. The messages of `catalogues` are added to the shared ones;
    `chunks` are needed at once, besides the page's own.
    The page differs with each of the `sources` in `?source=`, and the 404 page with each of the `help_paths`.
    """

    page: str
    title_key: str
    description_key: str
    path: str | None
    is_public: bool
    catalogues: tuple[str, ...]
    chunks: tuple[str, ...]
    sources: tuple[str, ...]
    help_paths: tuple[str, ...]

    def title(self, language: str) -> str:
        return message(language, self.title_key)

    def description(self, language: str) -> str:
        return message(language, self.description_key)


def get_route(path: str) -> Route | None:
    """Return the route of a path, with or without a trailing slash; None for an unknown path."""
    return _by_path().get(path.rstrip("/") or "/")


def get_not_found_route() -> Route:
    """Return the route of the 404 page."""
    return _parse_route(_table()["notFound"])


def list_routes() -> list[Route]:
    """Return every route with a path, in the order of the table."""
    return list(_by_path().values())


@cache
def _by_path() -> dict[str, Route]:
    return {route["path"]: _parse_route(route) for route in _table()["routes"]}


def _parse_route(values: dict[str, Any]) -> Route:
    return Route(
        page=values["page"],
        title_key=f"{values['head']}Title",
        description_key=f"{values['head']}Description",
        path=values.get("path"),
        is_public=values.get("isPublic", False),
        catalogues=tuple(values["catalogues"]),
        chunks=tuple(values.get("chunks", ())),
        sources=tuple(values.get("sources", ())),
        help_paths=tuple(values.get("helpPaths", ())),
    )


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads((FRONTEND / "routes.json").read_text(encoding="utf-8"))
    return table


def message(language: str, key: str) -> str:
    """Return a message of the front end, its placeholders as they are."""
    return _messages(language)[key]


@cache
def _messages(language: str) -> dict[str, str]:
    messages: dict[str, str] = {}
    for catalogue in (FRONTEND / "src" / "i18n" / "messages" / language).glob("*.json"):
        messages |= json.loads(catalogue.read_text(encoding="utf-8"))
    return messages
