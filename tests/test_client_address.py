"""Which address a request is counted under."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from sailing.middleware import ClientAddressMiddleware


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "6.6.6.6", "127.0.0.1"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.1", "1.2.3.4"),
        (2, "1.2.3.4", "127.0.0.1"),
        (1, "", "127.0.0.1"),
    ],
)
def test_only_what_a_trusted_proxy_appended_counts(
    settings: Any, proxies: int, forwarded: str, expected: str
) -> None:
    settings.TRUSTED_PROXY_COUNT = proxies
    request = RequestFactory().get("/", headers={"X-Forwarded-For": forwarded})
    ClientAddressMiddleware(lambda _request: HttpResponse())(request)
    assert request.META["REMOTE_ADDR"] == expected
