"""Pages for search engines, link previews and browsers without scripts."""

import json
import re
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings
from django.test import Client
from time_machine import TimeMachineFixture

from sailing.web.pages import frontend

PUBLIC = [route for route in frontend.list_routes() if route.is_public]
SITEMAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}

each_public_page = pytest.mark.parametrize("route", PUBLIC, ids=lambda route: route.path)
each_language = pytest.mark.parametrize("language", ["en", "cs"])


def head(path: str, language: str = "en", **headers: str) -> str:
    response = Client().get(path, {"lang": language}, headers=headers)
    return response.content.decode().partition("</head>")[0]


def content(head: str, name: str) -> str:
    """Return the content of a meta element."""
    found = re.search(rf'<meta (?:name|property)="{name}" content="([^"]*)">', head)
    assert found, name
    return found[1]


@each_language
@each_public_page
def test_public_page_has_complete_metadata(route: frontend.Route, language: str) -> None:
    page = head(route.path or "", language)
    suffix = "?lang=cs" if language == "cs" else ""
    address = f"{settings.SITE_URL}{route.path}"
    assert f"<title>{route.title(language)}</title>" in page
    assert content(page, "description") == content(page, "og:description") == route.description(language)
    assert content(page, "og:title") == route.title(language)
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
def test_titles_and_descriptions_are_unique(language: str) -> None:
    assert len({route.title(language) for route in PUBLIC}) == len(PUBLIC)
    assert len({route.description(language) for route in PUBLIC}) == len(PUBLIC)


@pytest.mark.parametrize("path", ["/newsletter", "/nowhere"])
def test_every_page_has_the_configuration_of_its_scripts(path: str) -> None:
    page = Client().get(path).content.decode()
    found = re.search(r'<script id="site-config" type="application/json">(.*?)</script>', page)
    assert found
    config = json.loads(found[1])
    assert config["sentryDsn"] == settings.SENTRY_DSN


def test_canonical_url_has_no_trailing_slash() -> None:
    assert f'<link rel="canonical" href="{settings.SITE_URL}/newsletter">' in head("/newsletter/")


def test_404_page_is_not_indexed() -> None:
    page = head("/nowhere")
    assert '<meta name="robots" content="noindex">' in page
    assert "canonical" not in page


@pytest.mark.parametrize(
    ("language", "year", "launch", "is_past"),
    [
        ("cs", 2025, "Vyplouváme v\u00a0roce 2025", "false"),
        ("en", 2026, "Launching soon", "true"),
    ],
)
def test_public_page_is_prerendered_with_a_launch_that_is_not_past(
    language: str, year: int, launch: str, is_past: str, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to(f"{year}-06-01T12:00:00+00:00", tick=False)
    page = Client().get("/newsletter", {"lang": language}).content.decode()
    assert f'<div id="root"><h1>newsletter</h1><p>{launch}.</p>© 2025 ' in page
    assert f'"launchYear": "2025", "isLaunchYearPast": {is_past},' in page


def test_sitemap_lists_every_public_page_in_every_language() -> None:
    response = Client().get("/sitemap.xml", headers={"Host": settings.ALLOWED_HOSTS[0]})
    assert response.headers["Content-Type"] == "application/xml"
    listed = ET.fromstring(response.content).findall("s:url", SITEMAP)
    expected = {f"{settings.SITE_URL}{route.path}{suffix}" for route in PUBLIC for suffix in ("", "?lang=cs")}
    assert {url.findtext("s:loc", namespaces=SITEMAP) for url in listed} == expected
    for url in listed:
        links = {link.get("hreflang"): link.get("href") for link in url.findall("x:link", SITEMAP)}
        assert links["en"] == links["x-default"] == (links["cs"] or "").removesuffix("?lang=cs")


def test_robots_txt_allows_crawling_and_names_the_sitemap() -> None:
    response = Client().get("/robots.txt")
    assert response.headers["Content-Type"].startswith("text/plain")
    lines = response.content.decode().splitlines()
    assert lines[0] == "User-agent: *"
    assert "Disallow: /" not in lines
    assert "Disallow: /admin/" in lines
    assert f"Sitemap: {settings.SITE_URL}/sitemap.xml" in lines
