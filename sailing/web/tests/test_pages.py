"""What Django serves to every visitor: React pages, the legal documents and static files."""

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import gettext, override
from time_machine import TimeMachineFixture

from sailing.jobs import retention
from sailing.web.pages import frontend
from sailing.web.pages.legal import ANALYTICS_COOKIES
from tests.processes import ROOT, manage

PUBLIC = [route for route in frontend.list_routes() if route.is_public]
FILE = "app/main.0123456789abcdef.js"
SITEMAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}


@pytest.mark.parametrize(
    ("path", "status", "page"),
    [
        ("/", 200, "crossroad"),
        ("/newsletter/", 200, "newsletter"),
        ("/about", 404, "not-found.about"),
        ("/about/us", 404, "not-found"),
        ("/forgot-password", 404, "not-found.forgot-password"),
    ],
)
def test_path_has_its_status_and_prerendered_page(path: str, status: int, page: str) -> None:
    response = Client().get(path)
    assert response.status_code == status
    assert f'<div id="root"><h1>{page}</h1>' in response.content.decode()


def test_settings_are_escaped_in_prerendered_pages(settings: Any) -> None:
    settings.OPERATOR_NAME = "<b>Sailing</b>"
    html = Client().get("/").content.decode()
    assert f"2025 &lt;b&gt;Sailing&lt;/b&gt; {settings.OPERATOR_ADDRESS} {settings.CONTACT_EMAIL}" in html


def test_unknown_host_is_refused_except_for_health() -> None:
    client = Client(headers={"Host": "evil.example"})
    assert client.get("/").status_code == 400
    assert client.get("/healthz").status_code == 200


def test_each_encoding_is_revalidated_by_its_own_etag() -> None:
    tags = set()
    accepted = {"gzip, deflate, br, zstd": "br", "gzip;q=0.8, broken": "gzip", "identity": None}
    for header, encoding in accepted.items():
        first = Client().get("/", headers={"Accept-Encoding": header})
        assert first.headers.get("Content-Encoding") == encoding
        assert first.headers["Cache-Control"] == "no-cache"
        assert "Accept-Encoding" in first.headers["Vary"]
        known = {"Accept-Encoding": header, "If-None-Match": first.headers["ETag"]}
        assert Client().get("/", headers=known).status_code == 304
        tags.add(first.headers["ETag"])
    assert len(tags) == 3


def test_language_follows_the_choice_of_the_visitor_not_of_the_browser() -> None:
    client = Client(headers={"Accept-Language": "cs"})
    assert b'<html lang="en" data-language="en">' in client.get("/").content
    chosen = client.get("/?lang=cs")
    assert b'<html lang="cs" data-language="cs">' in chosen.content
    assert chosen.cookies["django_language"].value == "cs"
    assert b'<html lang="cs" data-language="cs">' in client.get("/newsletter").content


def test_page_links_all_chunks_that_it_needs_at_once() -> None:
    html = Client().get("/profile").content.decode()
    linked = re.findall(r"/static/app/([\w-]+)\.\w+\.js", html.partition("data-scripts=")[2])
    catalogues = [f"messages-en-{name}" for name in ("public", "components", "app", "sample-notifications")]
    assert linked[1:] == ["page-profile", *catalogues, "require-auth", "session", "member-controls"]


@pytest.mark.parametrize(
    ("language", "year", "launch", "is_past"),
    [("cs", 2025, "Vyplouváme v\u00a0roce 2025", "false"), ("en", 2026, "Launching soon", "true")],
)
def test_page_and_its_configuration_have_a_launch_that_is_not_past(
    language: str, year: int, launch: str, is_past: str, time_machine: TimeMachineFixture
) -> None:
    time_machine.move_to(f"{year}-06-01T12:00:00+00:00", tick=False)
    page = Client().get("/newsletter", {"lang": language}).content.decode()
    assert f'<div id="root"><h1>newsletter</h1><p>{launch}.</p>© 2025 ' in page
    (config,) = re.findall(r'<script id="site-config" type="application/json">(.*?)</script>', page)
    assert f'"launchYear": "2025", "isLaunchYearPast": {is_past},' in config
    assert json.loads(config)["sentryDsn"] == settings.SENTRY_DSN


def read_head(path: str, language: str = "en") -> str:
    return Client().get(path, {"lang": language}).content.decode().partition("</head>")[0]


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize("route", PUBLIC, ids=lambda route: route.path)
def test_public_page_has_complete_metadata(route: frontend.Route, language: str) -> None:
    head = read_head(route.path or "", language)
    contents = dict(re.findall(r'<meta (?:name|property)="([\w:]+)" content="([^"]*)">', head))
    address = f"{settings.SITE_URL}{route.path}"
    in_language = f"{address}?lang=cs" if language == "cs" else address
    assert f"<title>{route.title(language)}</title>" in head
    assert contents["description"] == contents["og:description"] == route.description(language)
    assert contents["og:title"] == route.title(language)
    assert f'<link rel="canonical" href="{in_language}">' in head
    for code, url in {"en": address, "cs": f"{address}?lang=cs", "x-default": address}.items():
        assert f'<link rel="alternate" hreflang="{code}" href="{url}">' in head
    assert contents["og:url"] == in_language
    assert contents["og:image"].startswith(f"{settings.SITE_URL}/static/media/og")
    assert "noindex" not in head


def test_titles_and_descriptions_are_unique() -> None:
    for language in ("en", "cs"):
        assert len({route.title(language) for route in PUBLIC}) == len(PUBLIC)
        assert len({route.description(language) for route in PUBLIC}) == len(PUBLIC)


def test_other_spelling_is_not_canonical_and_the_404_page_not_indexed() -> None:
    assert f'<link rel="canonical" href="{settings.SITE_URL}/newsletter">' in read_head("/newsletter/")
    head = read_head("/nowhere")
    assert '<meta name="robots" content="noindex">' in head
    assert "canonical" not in head


def test_sitemap_lists_every_public_page_in_every_language_and_robots_txt_names_it() -> None:
    response = Client().get("/sitemap.xml", headers={"Host": settings.ALLOWED_HOSTS[0]})
    listed = ET.fromstring(response.content).findall("s:url", SITEMAP)
    expected = {f"{settings.SITE_URL}{route.path}{suffix}" for route in PUBLIC for suffix in ("", "?lang=cs")}
    assert {url.findtext("s:loc", namespaces=SITEMAP) for url in listed} == expected
    for url in listed:
        links = {link.get("hreflang"): link.get("href") for link in url.findall("x:link", SITEMAP)}
        assert links["en"] == links["x-default"] == (links["cs"] or "").removesuffix("?lang=cs")
    lines = Client().get("/robots.txt").content.decode().splitlines()
    assert "Disallow: /" not in lines
    assert {"Disallow: /admin/", f"Sitemap: {settings.SITE_URL}/sitemap.xml"} <= set(lines)


# Google Analytics and Sentry extend the Content-Security-Policy of React pages only.
PAGES = ["/", "/newsletter", "/nowhere"]
OTHERS = ["/graphql", "/admin/login/", "/newsletter/confirm/unknown/", "/healthz", "/static/gone.js"]
GOOGLE = "https://*.google-analytics.com https://*.analytics.google.com https://www.googletagmanager.com"
DIRECTIVES = ["script", "style", "img", "font", "media", "connect", "manifest"]
SELF = {f"{name}-src": "'self'" for name in DIRECTIVES} | {
    "default-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
SOURCES = {
    "script-src": "'self' https://www.googletagmanager.com",
    "img-src": f"'self' {GOOGLE}",
    "connect-src": f"'self' {GOOGLE} https://errors.example:9000",
}

ASK = f"""
import json
from django.test import Client
answers = {{path: Client().get(path) for path in {PAGES + OTHERS!r}}}
print(json.dumps({{
    path: [answer.headers["Content-Security-Policy"], b"data-measured" in answer.getvalue()]
    for path, answer in answers.items()
}}))
"""


def test_react_pages_alone_allow_what_the_settings_name() -> None:
    """Settings are read at the start, so other settings need a new process."""
    named = {"GA_MEASUREMENT_ID": "G-ABC123", "SENTRY_DSN": "https://key@errors.example:9000/base/42"}
    asked = manage("shell", "-c", ASK, **named, DATABASE_URL="sqlite://:memory:")
    for path, (text, is_measured) in json.loads(asked.splitlines()[-1]).items():
        policy = dict(directive.partition(" ")[::2] for directive in text.split("; "))
        assert policy == (SELF | SOURCES if path in PAGES else SELF), path
        assert is_measured is (path in PAGES), path


def read_legal(document: str, language: str) -> str:
    response = Client().get(f"/legal/{document}/?lang={language}")
    assert response.status_code == 200
    return response.content.decode().replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize(
    ("language", "stated"),
    [
        ("en", ["deleted 14 days after sign-up", "as a rule within 1 hour."]),
        ("cs", ["smažeme 14 dní po registraci", "nejpozději za 1 hodinu."]),
    ],
)
def test_notice_names_every_period_and_types_none(language: str, stated: list[str]) -> None:
    template = settings.BASE_DIR / "templates" / "legal" / f"privacy.{language}.html"
    source = template.read_text(encoding="utf-8")
    assert set(re.findall(r"{{ periods\.(\w+) }}", source)) == {*retention.periods, "analyticsCookies"}
    typed = r"\d+ (?:second|minute|hour|day|week|month|year|sekund|minut|hod|dn|týd|měs|rok|let)"
    assert re.findall(typed, source) == []
    contents = re.findall(r'<a href="#(\w+)">(.*)</a>', source)
    assert contents == re.findall(r'<section id="(\w+)">\n  <h2>(.*)</h2>', source)
    notice = read_legal("privacy", language)
    assert [text for text in stated if text not in notice] == []
    quoted = re.findall("[“„](.*?)[”“]", notice)
    with override(language):
        assert quoted[:2] == [gettext("Unsubscribe"), gettext("Preferences")], "as newsletters name them"


def test_cookies_of_analytics_live_as_long_as_their_script_says() -> None:
    script = (settings.BASE_DIR / "frontend/src/consent/tag.ts").read_text(encoding="utf-8")
    assert f"COOKIE_LIFETIME_SECONDS = {ANALYTICS_COOKIES.days} * 24 * 60 * 60" in script


def test_notice_names_only_the_recipients_that_this_site_has(settings: Any) -> None:
    settings.GA_MEASUREMENT_ID = settings.SENTRY_DSN = settings.EMAIL_PROVIDER = ""
    notice = read_legal("privacy", "en")
    assert not re.search("Google|Sentry|Postmark", notice)
    assert "The operator of our mail server, which delivers our emails" in notice
    settings.GA_MEASUREMENT_ID, settings.EMAIL_PROVIDER = "G-TEST", "postmark"
    settings.SENTRY_DSN = "https://a@sentry.example/1"
    notice = read_legal("privacy", "en")
    for name in ("Google", "Sentry", "Postmark, which delivers our emails"):
        assert name in notice


@pytest.mark.parametrize("language", ["en", "cs"])
@pytest.mark.parametrize("document", ["privacy", "terms"])
def test_documents_name_the_operator(document: str, language: str) -> None:
    text = read_legal(document, language)
    assert "Sailing &amp; Co." in text
    assert settings.CONTACT_EMAIL in text


OLD_CONNECTIONS = pytest.mark.django_db  # which the end of a response closes


def fetch(path: str, method: str = "GET", **headers: str) -> Any:
    """Return a response, with what was sent as `sent`."""
    response: Any = Client().generic(method, f"/static/{path}", headers=headers)
    response.sent = response.getvalue()
    response.close()
    return response


@OLD_CONNECTIONS
def test_file_is_compressed_immutable_and_has_the_security_headers(settings: Any, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "app").mkdir()
    for ending, content in {"": b"longest", ".gz": b"longer", ".br": b"short"}.items():
        (tmp_path / f"{FILE}{ending}").write_bytes(content)
    first = fetch(FILE, **{"accept-encoding": "gzip, br"})
    assert (first.sent, first.headers["Vary"]) == (b"short", "Accept-Encoding")
    assert first.headers["Cache-Control"] == "max-age=315360000, public, immutable"
    conditional = fetch(FILE, **{"if-none-match": first.headers["ETag"]})
    responses = [first, conditional, fetch(FILE, range="bytes=0-1"), fetch(FILE, "POST")]
    assert [each.status_code for each in responses] == [200, 304, 206, 405]
    page = Client().get("/healthz")
    own = {"Content-Type", "Content-Length", "Cache-Control", "X-Request-ID"}
    for response in responses:
        assert response.headers["X-Request-ID"]
        for name in page.headers.keys() - own:
            assert response.headers[name] == page.headers[name], (response.status_code, name)


@OLD_CONNECTIONS
@pytest.mark.parametrize(
    ("file", "policy", "kind"),
    [
        ("media/favicon.svg", "cross-origin", "image/svg+xml"),
        ("site.webmanifest", "same-origin", "application/manifest+json"),
    ],
)
def test_other_origins_may_show_media_only(settings: Any, file: str, policy: str, kind: str) -> None:
    settings.STATIC_ROOT = ROOT / "static"
    headers = fetch(file).headers
    assert (headers["Cross-Origin-Resource-Policy"], headers["Content-Type"]) == (policy, kind)


@OLD_CONNECTIONS
def test_missing_file_is_not_found_and_its_404_not_cached() -> None:
    response = fetch(FILE)
    assert (response.status_code, response.headers["Cache-Control"]) == (404, "no-store")
    assert response.headers["Content-Type"] == "text/plain"
