"""Files of the front-end build: the assets of a page, from webpack's manifest, and the prerendered HTML."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings

from sailing.web.pages.routes import Route


@dataclass(frozen=True)
class Assets:
    """The URLs that a page's head links, in order."""

    styles: tuple[str, ...]
    scripts: tuple[str, ...]
    fonts: tuple[str, ...]


def page_assets(entry: Route, language: str) -> Assets:
    """Return the assets that a page needs at once: the entry point, its chunks and its messages.

    Linking all of them saves the round trips that the scripts would need to find each other.
    Raises FileNotFoundError, naming the command to run, if nothing was built.
    """
    manifest = _read_manifest()
    messages = (f"messages-{language}-{name}-json" for name in ("public", *entry.catalogues))
    names = [f"page-{entry.page}", *messages, *entry.chunks]
    return _assets([manifest["entrypoints"]["main"], *(manifest["chunks"][name] for name in names)])


def script_url(entry: str) -> str:
    """Return the URL of an entry point that is one script: `deferHydration`, or one of Django admin."""
    (url,) = _read_manifest()["entrypoints"][entry]["js"]
    return str(url)


def document_assets() -> Assets:
    """Return the assets of a page that Django renders.

    Its template links no script: the one that webpack emits beside a style sheet is empty.
    """
    return _assets([_read_manifest()["entrypoints"]["documents"]])


def prerendered(page: str, language: str, variant: str = "") -> str:
    """Return the prerendered HTML of a page; blank in development, where React renders it.

    `variant` is one of the page's sources, or of its help paths without the slash, in the route table.
    Raises FileNotFoundError, naming the command to run, if nothing was built.
    """
    name = f"{page}.{variant}.html" if variant else f"{page}.html"
    return "" if settings.DEBUG else _read_built("pages", language, name)


def _assets(parts: list[dict[str, list[str]]]) -> Assets:
    scripts = [address for part in parts for address in part["js"]]
    styles = [address for part in parts for address in part["css"]]
    return Assets(
        styles=tuple(dict.fromkeys(styles)),
        scripts=tuple(dict.fromkeys(scripts)),
        fonts=tuple(_read_manifest()["fonts"]),
    )


def _read_built(*parts: str) -> str:
    path: Path = settings.BUNDLE_DIR.joinpath(*parts)
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} is missing: `npm run build` makes it") from None


def _read() -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(_read_built("manifest.json"))
    return manifest


_read_once = cache(_read)


def _read_manifest() -> dict[str, Any]:
    # The development server rewrites it at every change.
    return _read() if settings.DEBUG else _read_once()
