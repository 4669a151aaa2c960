"""The client of a request: the networks of its address, and the language of its response."""

import re
from contextvars import ContextVar
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest, HttpResponse

LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)

# Subscribers have at least a /64 (RFC 6177 section 2), many a /56, organizations a /48 (RIPE-690).
IPV6_PREFIXES = (64, 56, 48)
IPV4_PREFIX = 24  # the smallest network that is routed on the Internet
UNKNOWN = "unknown"  # the client of all requests without a valid address (RFC 7239 section 6.2)

# Some proxies append the port, and then put an IPv6 address in brackets.
_BRACKETS_OR_PORT = re.compile(r"(?:\[([^\]]+)\]|([0-9.]+))(?::[0-9]{1,5})?")


@dataclass(frozen=True)
class Client:
    """The networks of one client by which it is counted, the narrowest first, and the widest of all."""

    networks: tuple[str, ...]
    widest_network: str


NO_REQUEST = Client(("none",), "none")  # in a command for example
current_client: ContextVar[Client] = ContextVar("current_client", default=NO_REQUEST)


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address as a proxy or the server writes it, without its port; None if it is malformed."""
    match = _BRACKETS_OR_PORT.fullmatch(text.strip())
    try:
        address = ip_address((match[1] or match[2]) if match else text.strip())
    except ValueError:
        return None
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address


def get_client(request: HttpRequest) -> Client:
    """Return the client of a request, after `ClientAddressMiddleware` has set REMOTE_ADDR."""
    address = parse_address(request.META.get("REMOTE_ADDR", ""))
    if address is None:
        return Client((UNKNOWN,), UNKNOWN)
    # As a number, which drops the zone of an address ("fe80::1%eth0"): a network has none.
    number = int(address)
    if isinstance(address, IPv4Address):
        return Client((str(address),), str(IPv4Network((number, IPV4_PREFIX), strict=False)))
    networks = tuple(str(IPv6Network((number, prefix), strict=False)) for prefix in IPV6_PREFIXES)
    return Client(networks, networks[-1])


def choose_language(request: HttpRequest, fallback: str) -> str:
    """Return the language of `?lang=`, else of the cookie, else the fallback, else English."""
    codes = (request.GET.get("lang"), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME), fallback)
    return next((code for code in codes if code in LANGUAGES), settings.LANGUAGE_CODE)


def store_language(response: HttpResponse, language: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        samesite="Lax",
    )
