"""How often one client may do one thing, counted in the cache that all processes share."""

from django.http import HttpRequest
from django_ratelimit.core import get_usage

from sailing.graphql.errors import RateLimited


def count(request: HttpRequest, *, group: str, rate: str, value: str = "") -> None:
    """Count one try, and refuse what exceeds the rate.

    Takes the request (whose REMOTE_ADDR is the client's own), the name of what is counted, a rate
    (`20/m`) and, where a client alone is too coarse, what else to count by (an account).
    Raises RateLimited with the seconds after which the next try counts anew.
    """

    def key(_group: str, request: HttpRequest) -> str:
        return f"{request.META['REMOTE_ADDR']} {value}"

    usage = get_usage(request, group=group, key=key, rate=rate, increment=True)
    if usage and usage["should_limit"]:
        # The library's window includes its last second.
        raise RateLimited(retry_after=usage["time_left"] + 1)
