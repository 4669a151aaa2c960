"""What Django reads of the front end: its route table, its message catalogues and its build."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from whitenoise.storage import CompressedManifestStaticFilesStorage

FRONTEND = settings.BASE_DIR / "frontend"


@dataclass(frozen=True)
class Route:
    """A page of the route table. `head`: how the names of the messages of its head begin.

    `path`: None for the 404 page. `catalogues`, `chunks`: needed at once, besides the shared ones and its
    own. The page differs with each of the `sources` in `?source=`, or of the `help_paths` of the 404 page.
    """

    page: str
    head: str
    path: str | None
    is_public: bool
    catalogues: tuple[str, ...]
    chunks: tuple[str, ...]
    sources: tuple[str, ...]
    help_paths: tuple[str, ...]

    def title(self, language: str) -> str:
        return get_message(language, f"{self.head}Title")

    def description(self, language: str) -> str:
        return get_message(language, f"{self.head}Description")


Assets = dict[str, list[str]]  # the addresses of styles, scripts and fonts that a page's head links, in order


def get_route(path: str) -> Route:
    """Return the route of a path, with or without a trailing slash, or else that of the 404 page."""
    path = path.rstrip("/") or "/"
    return next((route for route in list_routes() if route.path == path), get_not_found_route())


@cache
def list_routes() -> list[Route]:
    return [_parse_route(values) for values in _read_source("routes.json")["routes"]]


@cache
def get_not_found_route() -> Route:
    return _parse_route(_read_source("routes.json")["notFound"])


def _read_source(name: str) -> dict[str, Any]:
    return dict(json.loads((FRONTEND / name).read_text(encoding="utf-8")))


def _parse_route(values: dict[str, Any]) -> Route:
    return Route(
        page=values["page"],
        head=values["head"],
        path=values.get("path"),
        is_public=values.get("isPublic", False),
        catalogues=tuple(values["catalogues"]),
        chunks=tuple(values.get("chunks", ())),
        sources=tuple(values.get("sources", ())),
        help_paths=tuple(values.get("helpPaths", ())),
    )


def get_message(language: str, key: str) -> str:
    return _read_messages(language)[key]


@cache
def _read_messages(language: str) -> dict[str, str]:
    return _read_source(f"messages/{language}.json")


def get_page_assets(route: Route, language: str) -> Assets:
    """Return the assets that a page needs at once: the entry point, its chunks and its messages."""
    manifest = read_manifest()
    messages = (f"messages-{language}-{name}" for name in ("public", *route.catalogues))
    names = [f"page-{route.page}", *messages, *route.chunks]
    return _collect([manifest["entrypoints"]["main"], *(manifest["chunks"][name] for name in names)])


def get_document_assets() -> Assets:
    """Return the assets of a page that Django renders, without scripts: webpack emits an empty one."""
    return _collect([read_manifest()["entrypoints"]["documents"]])


def get_script_url(entry: str) -> str:
    """Return the URL of an entry point that is one script: `deferHydration`, or one of Django admin."""
    (url,) = read_manifest()["entrypoints"][entry]["js"]
    return str(url)


def read_page(page: str, language: str, variant: str = "") -> str:
    """Return the prerendered HTML of a page; blank in development, where React renders it."""
    name = f"{page}.{variant}.html" if variant else f"{page}.html"
    return "" if settings.DEBUG else _read_built("pages", language, name)


def read_manifest() -> dict[str, Any]:
    """Return webpack's manifest. Raises FileNotFoundError, naming the command to run, without a build."""
    if settings.DEBUG:  # the development server rewrites it at every change
        parse_manifest.cache_clear()
    return parse_manifest()


@cache
def parse_manifest() -> dict[str, Any]:
    return dict(json.loads(_read_built("manifest.json")))


def _collect(parts: list[dict[str, list[str]]]) -> Assets:
    def list_urls(kind: str) -> list[str]:
        return list(dict.fromkeys(url for part in parts for url in part[kind]))

    return {"styles": list_urls("css"), "scripts": list_urls("js"), "fonts": read_manifest()["fonts"]}


def _read_built(*parts: str) -> str:
    path: Path = settings.BUNDLE_DIR.joinpath(*parts)
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} is missing: `npm run build` makes it") from None


class BundleStaticFilesStorage(CompressedManifestStaticFilesStorage):
    """Hash and compress the files of Django's apps and `static/`; webpack has hashed its own."""

    def hashed_name(self, name: str, content: Any = None, filename: str | None = None) -> str:
        if name.startswith("app/"):
            return name
        return str(super().hashed_name(name, content, filename))
