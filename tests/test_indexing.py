"""What search engines, link previews and visitors without a script get."""

import json
import re
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings
from django.test import Client

from sailing.pages import routes

PUBLIC = [entry for entry in routes.all_entries() if entry.is_public]
SITEMAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}

each_public_page = pytest.mark.parametrize("entry", PUBLIC, ids=lambda entry: entry.path)
each_language = pytest.mark.parametrize("language", ["en", "cs"])


def head(path: str, language: str = "en", **headers: str) -> str:
    response = Client().get(path, {"lang": language}, headers=headers)
    return response.content.decode().partition("</head>")[0]


def content(head: str, name: str) -> str:
    """The content of a meta element."""
    found = re.search(rf'<meta (?:name|property)="{name}" content="([^"]*)">', head)
    assert found, name
    return found[1]


@each_language
@each_public_page
def test_a_public_page_says_what_it_is(entry: routes.Entry, language: str) -> None:
    page = head(entry.path or "", language)
    suffix = "?lang=cs" if language == "cs" else ""
    address = f"{settings.SITE_URL}{entry.path}"
    assert f"<title>{entry.title(language)}</title>" in page
    assert content(page, "description") == content(page, "og:description") == entry.description(language)
    assert content(page, "og:title") == entry.title(language)
    assert f'<link rel="canonical" href="{address}{suffix}">' in page
    assert f'<link rel="alternate" hreflang="en" href="{address}">' in page
    assert f'<link rel="alternate" hreflang="cs" href="{address}?lang=cs">' in page
    assert f'<link rel="alternate" hreflang="x-default" href="{address}">' in page
    assert content(page, "og:url") == f"{address}{suffix}"
    assert content(page, "og:locale") == {"en": "en_US", "cs": "cs_CZ"}[language]
    assert content(page, "og:image").startswith(f"{settings.SITE_URL}/static/media/og")
    assert content(page, "twitter:card") == "summary_large_image"
    assert "noindex" not in page


@each_language
def test_titles_and_descriptions_are_each_pages_own(language: str) -> None:
    assert len({entry.title(language) for entry in PUBLIC}) == len(PUBLIC)
    assert len({entry.description(language) for entry in PUBLIC}) == len(PUBLIC)


@pytest.mark.parametrize("path", ["/newsletter", "/nowhere"])
def test_every_page_knows_what_the_heads_of_the_others_are_made_of(path: str) -> None:
    page = Client().get(path).content.decode()
    found = re.search(r'<script id="site-config" type="application/json">(.*?)</script>', page)
    assert found
    config = json.loads(found[1])
    assert config["siteUrl"] == settings.SITE_URL
    assert config["picture"] == content(head("/newsletter"), "og:image")


def test_the_canonical_address_does_not_depend_on_how_the_page_was_asked_for() -> None:
    assert f'<link rel="canonical" href="{settings.SITE_URL}/newsletter">' in head("/newsletter/")


def test_the_404_page_is_for_no_index() -> None:
    page = head("/nowhere")
    assert '<meta name="robots" content="noindex">' in page
    assert "canonical" not in page


def test_a_public_page_can_be_read_without_a_script() -> None:
    response = Client().get("/newsletter", {"lang": "cs"})
    assert f'<div id="root"><h1>newsletter</h1> {settings.LAUNCH_YEAR}</div>' in response.content.decode()


def test_the_sitemap_lists_every_public_page_in_every_language() -> None:
    response = Client().get("/sitemap.xml", headers={"Host": settings.ALLOWED_HOSTS[0]})
    assert response.headers["Content-Type"] == "application/xml"
    listed = ET.fromstring(response.content).findall("s:url", SITEMAP)
    expected = {f"{settings.SITE_URL}{entry.path}{suffix}" for entry in PUBLIC for suffix in ("", "?lang=cs")}
    assert {url.findtext("s:loc", namespaces=SITEMAP) for url in listed} == expected
    for url in listed:
        links = {link.get("hreflang"): link.get("href") for link in url.findall("x:link", SITEMAP)}
        assert links["en"] == links["x-default"] == (links["cs"] or "").removesuffix("?lang=cs")


def test_robots_are_welcome_and_told_of_the_sitemap() -> None:
    response = Client().get("/robots.txt")
    assert response.headers["Content-Type"].startswith("text/plain")
    lines = response.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert "Disallow: /" not in lines
    assert "Disallow: /admin/" in lines
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in lines
