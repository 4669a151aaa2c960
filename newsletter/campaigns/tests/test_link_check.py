"""Which links of a campaign are dead, and which are never opened."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

import pytest
from django.utils import translation

from newsletter.campaigns import link_check
from newsletter.campaigns.link_check import add_dead_links, find_dead_links
from newsletter.campaigns.markup_checks import Problem
from newsletter.campaigns.models import CampaignText
from newsletter.campaigns.tests.rendered import text


class Handler(BaseHTTPRequestHandler):
    """Answers /404 with 404, and redirects /to/ADDRESS."""

    def do_GET(self) -> None:
        self.server.seen.append((self.path, self.headers["Host"]))  # type: ignore[attr-defined]
        if self.path == "/silent":
            self.server.stop.wait(10)  # type: ignore[attr-defined]
            return
        if self.path == "/slow":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Endless: ")
            with suppress(OSError):  # the check has closed the connection
                while not self.server.stop.wait(0.01):  # type: ignore[attr-defined]
                    self.wfile.write(b"x")
            return
        _, _, target = self.path.partition("/to/")
        self.send_response(302 if target else int(self.path[1:]))
        if target:
            self.send_header("Location", unquote(target))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        """Write nothing."""


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    server: Any = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    monkeypatch.setattr(link_check, "PORTS", {80, 443, server.server_port})
    server.seen, server.stop = [], threading.Event()
    server.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.stop.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def public_site(site: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a site that counts as public. Other addresses of this machine do not."""
    monkeypatch.setattr(link_check, "_is_public", lambda address: address == "127.0.0.1")
    return site


def find_in(*texts: CampaignText) -> list[Problem]:
    return add_dead_links([], texts, find_dead_links(texts)[1])


def find(*urls: str) -> list[str]:
    body = "\n\n".join(f"[a]({url})" for url in urls)
    return [str(problem).partition(": ")[2] for problem in find_in(text(body))]


@pytest.mark.parametrize("status", [200, 403])
def test_page_that_answers_is_fine(public_site: Any, status: int) -> None:
    assert find(f"{public_site.url}/{status}") == []


@pytest.mark.parametrize(
    ("status", "words"), [(404, "does not exist"), (410, "does not exist"), (500, "error")]
)
def test_dead_page_is_named_with_its_line(public_site: Any, status: int, words: str) -> None:
    [found] = find(f"{public_site.url}/200", f"{public_site.url}/{status}")
    assert found.startswith(f"Line 3: {public_site.url}/{status} ")
    assert words in found
    with translation.override("cs"):
        assert words not in find(f"{public_site.url}/{status}")[0]
    [problem] = find_in(text(f"![A boat]({public_site.url}/{status})", language="cs"))
    assert (problem.language, problem.part, problem.line) == ("cs", "body", 1)


def test_redirects_are_followed_to_the_page(public_site: Any) -> None:
    [found] = find(f"{public_site.url}/to/{public_site.url}/404")
    assert "does not exist (404)" in found
    assert find(f"{public_site.url}/to/200") == []


def test_each_address_is_opened_once(public_site: Any) -> None:
    url = f"{public_site.url}/404"
    texts = [text(f"[a]({url}) [b]({url})"), text(f"[a]({url})", language="cs")]
    count, messages = find_dead_links(texts)
    assert (count, list(messages), len(public_site.seen)) == (1, [url], 1)
    assert [problem.language for problem in add_dead_links([], texts, messages)] == ["en", "cs"]


def test_only_the_first_links_are_opened(public_site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_check, "MAX_LINKS", 2)
    assert len(find(*(f"{public_site.url}/404?{number}" for number in range(3)))) == 2


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/200",
        "http://localhost:{port}/200",
        "http://[::1]:{port}/200",
        "http://[::ffff:127.0.0.1]:{port}/200",
        "http://2130706433:{port}/200",
        "http://0.0.0.0:{port}/200",
        "https://169.254.169.254/latest/meta-data/",
    ],
)
def test_address_that_is_not_public_is_never_opened(site: Any, url: str) -> None:
    [found] = find(url.format(port=site.server_port))
    assert "is not on the public internet" in found or "does not exist" in found
    assert site.seen == []


PRIVATE_IPV4 = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "240.0.0.1", "224.0.0.1"]
PRIVATE_IPV6 = ["::1", "fd00::1", "fe80::1", "fec0::1", "ff0e::1", "::ffff:10.0.0.1", "::127.0.0.1"]
TRANSLATED = ["64:ff9b::7f00:1", "64:ff9b:1::7f00:1", "2001:0:7f00:1::1", "2002:7f00:1::1"]


@pytest.mark.parametrize("address", [*PRIVATE_IPV4, *PRIVATE_IPV6, *TRANSLATED])
def test_address_of_a_private_network_is_not_public(address: str) -> None:
    assert not link_check._is_public(address)


def test_addresses_of_the_internet_are_public() -> None:
    assert link_check._is_public("1.1.1.1")
    assert link_check._is_public("2606:4700::1111")


@pytest.mark.parametrize(
    "target", ["http://127.0.0.2:{port}/200", "file:///etc/passwd", "gopher://127.0.0.1/"]
)
def test_redirect_to_an_address_that_is_not_public_is_refused(public_site: Any, target: str) -> None:
    [found] = find(f"{public_site.url}/to/{target.format(port=public_site.server_port)}")
    assert "is not on the public internet" in found
    assert len(public_site.seen) == 1


@pytest.mark.parametrize(
    "path", ["http://127.0.0.1:22/", "/to/http://127.0.0.1:22/", "/to/https://127.0.0.1:25/"]
)
def test_other_ports_are_never_opened(public_site: Any, path: str) -> None:
    [found] = find(path if path.startswith("http") else f"{public_site.url}{path}")
    assert "has another port than 80 or 443" in found


def test_redirect_to_what_is_no_address_is_no_answer(public_site: Any) -> None:
    assert "does not answer" in find(f"{public_site.url}/to/http://[")[0]


def test_connection_goes_to_the_address_that_was_looked_at(
    public_site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    port = public_site.server_port

    def resolve(host: str, *args: Any, **options: Any) -> Any:
        asked.append(host)
        return real(host if host == "127.0.0.1" else "127.0.0.1", *args, **options)

    real = socket.getaddrinfo
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert find(f"http://boats.example:{port}/200") == []
    assert asked == ["boats.example", "127.0.0.1"]
    assert public_site.seen == [("/200", f"boats.example:{port}")]


def test_address_that_refuses_the_connection_is_passed_over(
    site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def resolve(host: str, port: int, *args: Any, **options: Any) -> Any:
        hosts = ["127.0.0.2", "127.0.0.1"] if host == "boats.example" else [host]
        return [entry for each in hosts for entry in real(each, port, *args, **options)]

    real = socket.getaddrinfo
    monkeypatch.setattr(link_check, "_is_public", lambda address: True)
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    assert find(f"http://boats.example:{site.server_port}/200") == []
    assert len(site.seen) == 1


def test_site_that_does_not_exist_is_named() -> None:
    [found] = find("https://boats.invalid/")
    assert "https://boats.invalid/: the domain does not exist." in found


def test_site_that_does_not_answer_is_named_in_time(
    public_site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_check, "READ_SECONDS", 0.05)
    assert "does not answer" in find(f"{public_site.url}/silent")[0]
    monkeypatch.setattr(link_check, "READ_SECONDS", 5.0)
    monkeypatch.setattr(link_check, "DEADLINE_SECONDS", 0.05)
    assert "does not answer" in find(f"{public_site.url}/silent")[0]


def test_no_thread_stays_with_a_site_that_never_ends_its_answer(
    public_site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_check, "DEADLINE_SECONDS", 0.3)
    find(f"{public_site.url}/slow")
    assert [path for path, _host in public_site.seen] == ["/slow"]
    threads = [thread for thread in threading.enumerate() if thread.name.startswith("link-check")]
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


def test_texts_without_web_addresses_need_no_request() -> None:
    body = "[a](mailto:hello@sailing.cz) [b]({preferences_url}) ![c](media:og.jpg)"
    assert find_dead_links([text(body)]) == (0, {})
