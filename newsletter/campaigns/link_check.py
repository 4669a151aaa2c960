"""Open the links and pictures of a campaign once, and name the dead ones.

The server makes these requests, so it must not reach what only it can reach: each host, also that of a
redirect, is resolved once, every address must be public, and the connection goes to that address.
"""

import ipaddress
import socket
import ssl
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing, suppress
from functools import cache
from http.client import HTTPConnection, HTTPException
from threading import Timer
from time import monotonic
from urllib.parse import urljoin

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

from newsletter.campaigns import markdown
from newsletter.campaigns.checks import LANGUAGES, get_place
from newsletter.campaigns.markup_checks import LOOKS_LIKE_PLACEHOLDER, Problem, shorten
from newsletter.campaigns.models import CampaignText

MAX_LINKS = 40
MAX_REDIRECTS = 4
MAX_ADDRESSES = 3
THREADS = 10
PORTS = {80, 443}
DEADLINE_SECONDS = 12.0
"""For all links together. Then every connection is closed, also one that still gets a byte now and then."""
CONNECT_SECONDS = 3.0
READ_SECONDS = 5.0
"""The longest pause in an answer."""

HEADERS = {"User-Agent": "Mozilla/5.0 (compatible; link check)", "Accept": "*/*"}

UNDECIDED = {401, 403, 405, 407, 429, 451}
"""Answers to programs, or to visitors without a sign-in. They say nothing about the page."""

REDIRECTS = {301, 302, 303, 307, 308}

NO_ANSWER = _("%(url)s does not answer.")
NO_HOST = _("%(url)s: the domain does not exist.")
NOT_PUBLIC = _("%(url)s is not on the public internet.")
OTHER_PORT = _("%(url)s has another port than 80 or 443, so it was not opened.")
NO_PAGE = _("%(url)s does not exist (%(status)s).")
FAILURE = _("%(url)s answers with an error (%(status)s).")
BAD_CERTIFICATE = _("%(url)s has no valid certificate, so browsers warn of it.")


def find_dead_links(texts: Iterable[CampaignText]) -> tuple[int, dict[str, str]]:
    """Open the web addresses of the links and pictures of some texts.

    Returns how many, and what is wrong with the dead ones, by their address.

    Takes at most DEADLINE_SECONDS. Only the first MAX_LINKS are opened.
    """
    urls = list(dict.fromkeys(url for url, _language, _line in _find_addresses(texts)))[:MAX_LINKS]
    ends_at = monotonic() + DEADLINE_SECONDS
    executor = ThreadPoolExecutor(THREADS, thread_name_prefix="link-check")
    futures: dict[str, Future[tuple[Promise | None, int]]] = {
        url: executor.submit(_find_fault, url, ends_at) for url in urls
    }
    done, _late = wait(futures.values(), timeout=DEADLINE_SECONDS)
    # Its threads end now, except for those that look up a host: the resolver has a time limit of its own.
    executor.shutdown(wait=False, cancel_futures=True)
    messages = {}
    for url, future in futures.items():
        fault, status = future.result() if future in done else (NO_ANSWER, 0)
        if fault:
            messages[url] = fault % {"url": shorten(url), "status": status}
    return len(urls), messages


def add_dead_links(
    problems: Iterable[Problem], texts: Iterable[CampaignText], messages: Mapping[str, str]
) -> list[Problem]:
    """Add the dead links of some texts to their problems. `messages`: what is wrong, by the address.

    Of a dead address nothing else says that it looks like a placeholder.
    """
    dead, replaced = [], set()
    for url, language, line in _find_addresses(texts):
        if url in messages:
            dead.append(Problem("warning", messages[url], line=line, language=language))
            message = LOOKS_LIKE_PLACEHOLDER % {"url": shorten(url)}
            replaced.add(Problem("warning", message, line=line, language=language))
    others = [problem for problem in problems if problem not in replaced]
    return sorted(dict.fromkeys([*others, *dead]), key=get_place)


def _find_addresses(texts: Iterable[CampaignText]) -> Iterator[tuple[str, str, int]]:
    """Return the web addresses in some texts, with language and line."""
    for text in sorted(texts, key=lambda text: LANGUAGES.index(text.language)):
        body = markdown.parse(text.body)
        for excerpt in sorted([*body.links, *body.pictures], key=lambda excerpt: excerpt.line):
            if markdown.WEB_URL.match(excerpt.text):
                yield excerpt.text, text.language, excerpt.line


def _find_fault(url: str, ends_at: float) -> tuple[Promise | None, int]:
    """Return what is wrong with an address, if anything, and the status of its page.

    The language of the request is not known in this thread, so the caller fills in the message.
    """
    try:
        status = _open(url, ends_at)
    except _NotAllowedError as error:
        return error.message, 0
    except (socket.gaierror, LocationParseError, UnicodeError):
        return NO_HOST, 0
    except ssl.SSLCertVerificationError:
        return BAD_CERTIFICATE, 0
    except (HTTPException, OSError, ValueError):  # ValueError: a redirect to what is no address
        return NO_ANSWER, 0
    if status in (404, 410):
        return NO_PAGE, status
    return (FAILURE if status >= 400 and status not in UNDECIDED else None), status


class _NotAllowedError(Exception):
    """The server must not open an address. The message says why."""

    def __init__(self, message: Promise) -> None:
        super().__init__(message)
        self.message = message


def _open(url: str, ends_at: float) -> int:
    """Return the status of the page of an address, after its redirects. The body is not read.

    `ends_at`: when to give up, in the time of `monotonic`.
    """
    for _number in range(MAX_REDIRECTS + 1):
        parts = parse_url(url)
        port = _get_port(parts)
        addresses = _resolve(parts.host or "", port)
        status, location = _request(parts, addresses, port, ends_at)
        if status not in REDIRECTS or not location:
            return status
        url = urljoin(url, location)
    return status


def _get_port(parts: Url) -> int:
    if parts.scheme not in ("http", "https") or not parts.host:
        raise _NotAllowedError(NOT_PUBLIC)
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    if port not in PORTS:
        raise _NotAllowedError(OTHER_PORT)
    return port


def _resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host. Raises _NotAllowedError unless all of them are public."""
    found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    addresses = [str(info[4][0]) for info in found]
    if not all(map(_is_public, addresses)):
        raise _NotAllowedError(NOT_PUBLIC)
    return addresses


def _is_public(address: str) -> bool:
    found = ipaddress.ip_address(address)
    # `is_global` alone lets some of these through. IPv6 addresses that stand for IPv4 ones are reserved too.
    if found.is_reserved or found.is_multicast:
        return False
    if isinstance(found, ipaddress.IPv6Address) and (
        found.is_site_local or found.sixtofour or found.teredo or found.ipv4_mapped
    ):
        return False
    return found.is_global


def _request(parts: Url, addresses: list[str], port: int, ends_at: float) -> tuple[int, str | None]:
    """Return the status of an answer and where it redirects to, after a connection to one of `addresses`."""
    # TLS takes over the socket, so the timer has one of its own for the same connection.
    with _connect(addresses, port, ends_at) as connection, connection.dup() as same:
        timer = Timer(ends_at - monotonic(), _break_off, [same])
        timer.start()
        try:
            connection.settimeout(READ_SECONDS)
            return _exchange(parts, connection)
        finally:
            timer.cancel()
            timer.join()


def _connect(addresses: list[str], port: int, ends_at: float) -> socket.socket:
    """Return a connection to the first address that takes it: this machine may have no IPv6."""
    *others, last = addresses[:MAX_ADDRESSES]
    for address in others:
        with suppress(OSError):
            return _connect_to(address, port, ends_at)
    return _connect_to(last, port, ends_at)


def _connect_to(address: str, port: int, ends_at: float) -> socket.socket:
    seconds = min(CONNECT_SECONDS, ends_at - monotonic())
    if seconds <= 0:
        raise TimeoutError
    return socket.create_connection((address, port), seconds)


def _break_off(connection: socket.socket) -> None:
    with suppress(OSError):  # the other side was faster
        connection.shutdown(socket.SHUT_RDWR)


def _exchange(parts: Url, connection: socket.socket) -> tuple[int, str | None]:
    host = parts.host or ""
    client = HTTPConnection(host)
    with closing(client):
        client.sock = connection
        if parts.scheme == "https":
            client.sock = _get_tls().wrap_socket(connection, server_hostname=host.strip("[]").rstrip("."))
        client.request("GET", parts.request_uri, headers={**HEADERS, "Host": parts.netloc or ""})
        with client.getresponse() as response:
            return response.status, response.getheader("Location")


@cache
def _get_tls() -> ssl.SSLContext:
    return ssl.create_default_context()
