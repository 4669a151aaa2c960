"""Open the links and pictures of a campaign once, and name the dead ones.

The server makes these requests, so it must not reach what only it can reach: each host, also that of a
redirect, is resolved once, every address must be public, and the connection goes to that address.
"""

import ipaddress
import socket
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from urllib.parse import urljoin

import urllib3
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from urllib3.exceptions import (
    ConnectTimeoutError,
    HTTPError,
    LocationParseError,
    NewConnectionError,
    SSLError,
)
from urllib3.util import Url, parse_url

from newsletter.campaigns import markdown
from newsletter.campaigns.checks import LANGUAGES, Problem
from newsletter.campaigns.markup_checks import shorten
from newsletter.campaigns.models import CampaignText

MAX_LINKS = 40
MAX_REDIRECTS = 4
MAX_ADDRESSES = 3
THREADS = 10
DEADLINE_SECONDS = 12.0
"""For all links together: a request may take 15 s."""
TIMEOUT = urllib3.Timeout(connect=3.0, read=5.0)

HEADERS = {"User-Agent": "Mozilla/5.0 (compatible; link check)", "Accept": "*/*"}

UNDECIDED = {401, 403, 405, 407, 429, 451}
"""Answers to programs, or to visitors without a sign-in. They say nothing about the page."""

NAT64 = ipaddress.ip_network("64:ff9b::/96")

NO_ANSWER = _("%(url)s does not answer.")
NO_HOST = _("The site of %(url)s does not exist.")
NOT_PUBLIC = _("%(url)s is not on the public internet.")
NO_PAGE = _("%(url)s does not exist (%(status)s).")
FAILURE = _("%(url)s answers with an error (%(status)s).")
BAD_CERTIFICATE = _("%(url)s has no valid certificate, so browsers warn of it.")


def find_dead_links(texts: Iterable[CampaignText]) -> tuple[int, list[Problem]]:
    """Open the web addresses of the links and pictures of some texts; return how many, and the dead ones.

    Takes at most DEADLINE_SECONDS. Only the first MAX_LINKS are opened.
    """
    places = list(_find_addresses(texts))
    urls = list(dict.fromkeys(url for url, _language, _line in places))[:MAX_LINKS]
    executor = ThreadPoolExecutor(THREADS)
    futures: dict[str, Future[tuple[Promise | None, int]]] = {
        url: executor.submit(_find_fault, url) for url in urls
    }
    done, _late = wait(futures.values(), timeout=DEADLINE_SECONDS)
    executor.shutdown(wait=False, cancel_futures=True)
    problems = []
    for url, language, line in places:
        future = futures.get(url)
        if future is not None:
            fault, status = future.result() if future in done else (NO_ANSWER, 0)
            if fault:
                message = fault % {"url": shorten(url), "status": status}
                problems.append(Problem("warning", language, message, "body", line))
    return len(urls), problems


def _find_addresses(texts: Iterable[CampaignText]) -> Iterator[tuple[str, str, int]]:
    """Return the web addresses in some texts, with language and line."""
    for text in sorted(texts, key=lambda text: LANGUAGES.index(text.language)):
        body = markdown.parse(text.body)
        for excerpt in sorted([*body.links, *body.pictures], key=lambda excerpt: excerpt.line):
            if markdown.WEB_URL.match(excerpt.text):
                yield excerpt.text, text.language, excerpt.line


def _find_fault(url: str) -> tuple[Promise | None, int]:
    """Return what is wrong with an address, if anything, and the status of its page.

    The language of the request is not known in this thread, so the caller fills in the message.
    """
    try:
        status = _open(url)
    except _NotPublicError:
        return NOT_PUBLIC, 0
    except (socket.gaierror, LocationParseError, UnicodeError):
        return NO_HOST, 0
    except SSLError:
        return BAD_CERTIFICATE, 0
    except (HTTPError, OSError):
        return NO_ANSWER, 0
    if status in (404, 410):
        return NO_PAGE, status
    return (FAILURE if status >= 400 and status not in UNDECIDED else None), status


class _NotPublicError(Exception):
    """The address of a host is not public, or its scheme is none of the web."""


def _open(url: str) -> int:
    """Return the status of the page of an address, after its redirects. The body is not read."""
    for _number in range(MAX_REDIRECTS + 1):
        parts = parse_url(url)
        addresses = _resolve(parts)
        status, location = _request_any(parts, addresses)
        if location is None:
            return status
        url = urljoin(url, location)
    return status


def _resolve(parts: Url) -> list[str]:
    """Return the addresses of a host. Raises _NotPublicError unless all of them are public."""
    if parts.scheme not in ("http", "https") or not parts.host:
        raise _NotPublicError
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    found = socket.getaddrinfo(parts.host.strip("[]"), port, type=socket.SOCK_STREAM)
    addresses = [str(info[4][0]) for info in found]
    if not all(map(_is_public, addresses)):
        raise _NotPublicError
    return addresses


def _is_public(address: str) -> bool:
    found = ipaddress.ip_address(address)
    if isinstance(found, ipaddress.IPv6Address) and (found.sixtofour or found.teredo or found in NAT64):
        return False  # it stands for an IPv4 address
    return found.is_global and not found.is_multicast


def _request_any(parts: Url, addresses: list[str]) -> tuple[int, str | None]:
    """Request a page from the first address that takes the connection: this machine may have no IPv6."""
    *others, last = addresses[:MAX_ADDRESSES]
    for address in others:
        with suppress(NewConnectionError, ConnectTimeoutError):
            return _request(parts, address)
    return _request(parts, last)


def _request(parts: Url, address: str) -> tuple[int, str | None]:
    """Return the status of an answer and where it redirects to. The connection goes to `address`."""
    pool: urllib3.HTTPConnectionPool
    if parts.scheme == "https":
        host = (parts.host or "").strip("[]")
        pool = urllib3.HTTPSConnectionPool(
            address, parts.port or 443, server_hostname=host, assert_hostname=host
        )
    else:
        pool = urllib3.HTTPConnectionPool(address, parts.port or 80)
    with pool:
        response = pool.urlopen(
            "GET",
            parts.request_uri,
            headers={**HEADERS, "Host": parts.netloc or ""},
            timeout=TIMEOUT,
            retries=False,
            redirect=False,
            preload_content=False,
        )
        try:
            return response.status, response.get_redirect_location() or None
        finally:
            response.close()
