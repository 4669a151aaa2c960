"""Each public page as a minimal hand-written page: the same text, links, pictures and font.

It is derived from the page's HTML, so that the content is always the same. Scripts, classes, icons, closed
dialogs and forms are removed, and the style sheet is a few lines.
"""

from functools import cache
from html import escape
from html.parser import HTMLParser

import brotli
from django.http import HttpRequest, HttpResponse

from sailing.web.pages import frontend

KEPT_TAGS = {
    *("main", "header", "footer", "nav", "section", "article", "aside", "div", "span", "p", "blockquote"),
    *("h1", "h2", "h3", "h4", "ul", "ol", "li", "dl", "dt", "dd", "a", "strong", "time"),
    *("picture", "source", "img", "figure", "figcaption"),
}
DROPPED_TAGS = {"button", "dialog", "form", "noscript", "script", "style", "svg", "template", "video"}
VOID_TAGS = {"img", "source"}
ATTRIBUTES = {
    *("href", "hreflang", "lang", "datetime"),
    *("alt", "fetchpriority", "height", "loading", "media", "sizes", "src", "srcset", "type", "width"),
}
STYLE = """
@font-face {
  font-family: Montserrat; font-weight: 100 900; font-display: swap; src: url(%s) format("woff2");
}
body { margin: 0; font: 1rem/1.5 Montserrat, Arial, sans-serif; color: #0a1e38; }
img { display: block; width: 100%%; height: auto; }
main, header, footer { padding: 1rem; }
h1 { font-size: 2rem; line-height: 1.15; }
"""


class _Rewritten(HTMLParser):
    """Reduce the HTML of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._dropped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._dropped or tag in DROPPED_TAGS:
            self._dropped.append(tag)
        elif tag in KEPT_TAGS:
            kept = "".join(f' {name}="{escape(value or "")}"' for name, value in attrs if name in ATTRIBUTES)
            self.parts.append(f"<{tag}{kept}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._dropped and tag in VOID_TAGS:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._dropped:
            if tag in self._dropped:
                del self._dropped[self._dropped.index(tag) :]
        elif tag in KEPT_TAGS and tag not in VOID_TAGS:
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self.parts.append(escape(data))


def page(request: HttpRequest, name: str) -> HttpResponse:
    """Answer with the reduced page of a route, compressed as the site's own."""
    return HttpResponse(_written(name), headers={"Content-Encoding": "br"})


@cache
def _written(name: str) -> bytes:
    entry = next(entry for entry in frontend.list_routes() if entry.page == name)
    rewritten = _Rewritten()
    rewritten.feed(frontend.read_page(name, "en"))
    html = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(entry.title('en'))}</title>"
        f'<meta name="description" content="{escape(entry.description("en"))}">'
        f'<link rel="preload" href="{_font()}" as="font" type="font/woff2" crossorigin>'
        '<link rel="stylesheet" href="/peer/hand-written.css">'
        f"</head><body>{''.join(rewritten.parts)}</body></html>"
    )
    compressed: bytes = brotli.compress(html.encode())
    return compressed


def style(request: HttpRequest) -> HttpResponse:
    """Answer with the style sheet; the policy forbids inline styles."""
    return HttpResponse(STYLE % _font(), content_type="text/css")


def _font() -> str:
    return next(address for address in frontend.get_document_assets()["fonts"] if "latin" in address)
