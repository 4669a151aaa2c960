"""What webpack built: which files a page needs, read from the manifest that the build writes, and the
HTML of the pages that it rendered."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.conf import settings


@dataclass(frozen=True)
class Assets:
    """Addresses of the files to link from a page's head, in order."""

    styles: tuple[str, ...]
    scripts: tuple[str, ...]
    fonts: tuple[str, ...]


def page_assets(page: str, group: str, language: str) -> Assets:
    """What a React page loads at first: the entry, the page's own chunk, every page's messages and its own.

    The stretch of a page that comes to life later (the chunk `part-<page>`) stands in the HTML from the
    start, so its styles are linked too.

    Raises FileNotFoundError, with what to do, when nothing was built.
    """
    manifest = _manifest()
    names = [f"page-{page}", f"messages-{language}", f"messages-{language}-{group}-json"]
    later = manifest["chunks"].get(f"part-{page}", {"css": []})
    return _assets(
        [
            manifest["entrypoints"]["main"],
            *(manifest["chunks"][name] for name in names),
            {"js": [], "css": later["css"]},
        ]
    )


def beginning() -> str:
    """The address of the script that asks for the others of a page that stands already, when it is time."""
    (address,) = _manifest()["entrypoints"]["begin"]["js"]
    return str(address)


def document_assets() -> Assets:
    """What a page rendered by Django links: a style sheet from the same tokens, no script."""
    return _assets([_manifest()["entrypoints"]["documents"]], with_scripts=False)


def prerendered(page: str, language: str, source: str = "") -> str:
    """The HTML of a public page as the build rendered it; nothing in development, where React renders it.

    `source` is one of the page's own in the route table, or blank.
    Raises FileNotFoundError, with what to do, when nothing was built.
    """
    name = f"{page}.{source}.html" if source else f"{page}.html"
    path = settings.BUNDLE_DIR / "pages" / language / name
    if settings.DEBUG:
        return ""
    try:
        html: str = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} is missing: `npm run build` makes it") from None
    return html


def _assets(parts: list[dict[str, list[str]]], *, with_scripts: bool = True) -> Assets:
    scripts = [address for part in parts for address in part["js"]] if with_scripts else []
    styles = [address for part in parts for address in part["css"]]
    return Assets(
        styles=tuple(dict.fromkeys(styles)),
        scripts=tuple(dict.fromkeys(scripts)),
        fonts=tuple(_manifest()["fonts"]),
    )


def _read() -> dict[str, Any]:
    path = settings.BUNDLE_DIR / "manifest.json"
    try:
        manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise FileNotFoundError(f"{path} is missing: `npm run build` makes it") from None
    return manifest


_read_once = cache(_read)


def _manifest() -> dict[str, Any]:
    # The development server writes it anew at every change.
    return _read() if settings.DEBUG else _read_once()
