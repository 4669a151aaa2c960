"""Each public page as somebody would write it by hand: the same text, pictures and font, nothing else.

It is made of the page's own HTML, so that both always say the same: text, links and pictures stay, and
with them a style sheet of a few lines; what only makes the page work or look its way (scripts, classes,
icons, closed dialogs, forms) goes.
"""

from functools import cache
from html import escape
from html.parser import HTMLParser

import brotli
from django.http import HttpRequest, HttpResponse

from sailing.pages import manifest, routes

KEPT = {
    *("main", "header", "footer", "nav", "section", "article", "aside", "div", "span", "p", "blockquote"),
    *("h1", "h2", "h3", "h4", "ul", "ol", "li", "dl", "dt", "dd", "a", "strong", "time"),
    *("picture", "source", "img", "figure", "figcaption"),
}
DROPPED = {"button", "dialog", "form", "noscript", "script", "style", "svg", "template", "video"}
VOID = {"img", "source"}
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
    """The HTML of a page without what nobody would write by hand."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._dropped: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._dropped or tag in DROPPED:
            self._dropped.append(tag)
        elif tag in KEPT:
            kept = "".join(f' {name}="{escape(value or "")}"' for name, value in attrs if name in ATTRIBUTES)
            self.parts.append(f"<{tag}{kept}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if not self._dropped and tag in VOID:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if self._dropped:
            if tag in self._dropped:
                del self._dropped[self._dropped.index(tag) :]
        elif tag in KEPT and tag not in VOID:
            self.parts.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        if not self._dropped:
            self.parts.append(escape(data))


def page(request: HttpRequest, name: str) -> HttpResponse:
    """The page of an entry of the route table, compressed as the product's is."""
    return HttpResponse(_written(name), headers={"Content-Encoding": "br"})


@cache
def _written(name: str) -> bytes:
    entry = next(entry for entry in routes.list_routes() if entry.page == name)
    rewritten = _Rewritten()
    rewritten.feed(manifest.prerendered(name, "en"))
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
    """Its style sheet: a file, because the policy lets no style stand in the page."""
    return HttpResponse(STYLE % _font(), content_type="text/css")


def _font() -> str:
    return next(address for address in manifest.document_assets().fonts if "latin" in address)
