"""Headers of a request change neither links in mails, redirects nor the client, nor do charsets break it."""

import json
from io import BytesIO
from itertools import count
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client, RequestFactory
from pytest_django import Settings

from accounts.tests.factories import form
from sailing.wsgi import application
from tests.api import post_graphql
from tests.mailbox import mails
from tests.security.corpus import SUBSCRIBE, write_mutation

pytestmark = pytest.mark.django_db

FORMS = [("subscribeNewsletter", {"email": "a@example.org", "userType": "sailor"}), ("signUp", form())]
HOSTILE = {
    "SCRIPT_NAME": "/evil",  # what some servers make of a header of this name
    "HTTP_X_SCRIPT_NAME": "/evil",
    "HTTP_X_FORWARDED_HOST": "evil.example",
    "HTTP_X_FORWARDED_PREFIX": "/evil",
    "HTTP_X_FORWARDED_PORT": "666",
    "HTTP_FORWARDED": "host=evil.example",
    "HTTP_X_ORIGINAL_URL": "/evil",
    "HTTP_X_REWRITE_URL": "/evil",
    "HTTP_ORIGIN": "https://evil.example",
    "HTTP_REFERER": "https://evil.example/evil",
}


def call(environ: dict[str, Any]) -> tuple[int, dict[str, str], str]:
    """Return the status, the headers and the body of the WSGI application's response."""
    found: dict[str, Any] = {}

    def start_response(status: str, headers: list[tuple[str, str]], *_rest: Any) -> None:
        found.update(status=int(status.split()[0]), headers=dict(headers))

    body = b"".join(application({**environ, **HOSTILE}, start_response))
    return found["status"], found["headers"], body.decode()


@pytest.mark.django_db(transaction=True)  # the end of a request closes old connections
@pytest.mark.parametrize(("field", "values"), FORMS)
def test_links_in_mails_start_with_the_site_url(field: str, values: dict[str, str]) -> None:
    body = json.dumps({"query": write_mutation(field), "variables": {"input": values}}).encode()
    environ = RequestFactory().post("/graphql", body, content_type="application/json").environ
    status, _headers, text = call({**environ, "wsgi.input": BytesIO(body)})
    assert status == 200
    assert "errors" not in json.loads(text)
    (mail,) = mails()
    for part in (mail.text, mail.html):
        assert "evil" not in part
        assert f"{configured.SITE_URL}/" in part


@pytest.mark.parametrize("path", ["/admin", "/admin/"])
def test_redirect_has_no_prefix(path: str) -> None:
    status, headers, _text = call(RequestFactory().get(path).environ)
    assert status in (301, 302)
    assert headers["Location"].startswith("/admin/")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("parameter", ["charset=hex", "title*=bogus''%ff"])
def test_charset_of_a_request_is_ignored(method: str, parameter: str) -> None:
    body = b"email=%C3%A1"
    environ = RequestFactory().generic(method, "/newsletter/subscribe/?a=%C3%A1", body).environ
    content_type = f"application/x-www-form-urlencoded; {parameter}"
    environ |= {"wsgi.input": BytesIO(body), "CONTENT_TYPE": content_type}
    assert call(environ)[0] < 500


class TestClientAddress:
    """What a client writes into a header does not evade its rate limit of three requests."""

    SPOOFED = ["X-Real-IP", "X-Client-IP", "Remote-Addr", "True-Client-IP", "CF-Connecting-IP", "Via"]
    PROXIES = ["203.0.113.7", "198.51.100.8"]
    """The address that each trusted proxy appends."""
    MALFORMED = ["{0}, {0}, {0}", ", {0}", "unknown, {0}", '"{0}"', "{0}:443", "x" * 4000]

    @pytest.fixture(autouse=True)
    def _rate(self, settings: Settings) -> None:
        settings.SUBSCRIBE_RATE = "3/d"
        self.addresses = (f"192.0.2.{number}" for number in count(1))

    def subscribe(self, proxies: int, **headers: str) -> int:
        """Return the status of a subscription, after each trusted proxy has appended an address."""
        forwarded = [headers.pop("X-Forwarded-For", ""), *self.PROXIES[:proxies]]
        headers["X-Forwarded-For"] = ", ".join(filter(None, forwarded))
        client = Client(REMOTE_ADDR="10.0.0.1", headers=headers)
        return int(post_graphql(f"mutation {{ {SUBSCRIBE} }}", client=client).http.status_code)

    @pytest.mark.parametrize("proxies", [0, 1, 2])
    def test_forged_headers_do_not_change_it(self, settings: Settings, proxies: int) -> None:
        settings.TRUSTED_PROXY_COUNT = proxies
        statuses = []
        for names in [["X-Forwarded-For"], self.SPOOFED] * 2:
            address = next(self.addresses)
            forged = {"Forwarded": f"for={address};host={address}", "X-Forwarded-Host": "localhost"}
            statuses.append(self.subscribe(proxies, **forged, **dict.fromkeys(names, address)))
        assert statuses == [200] * 3 + [429]

    def test_malformed_address_list_does_not_change_it(self, settings: Settings) -> None:
        settings.TRUSTED_PROXY_COUNT = 1
        lists = [text.format(next(self.addresses)) for text in self.MALFORMED]
        statuses = [self.subscribe(1, **{"X-Forwarded-For": each}) for each in lists]
        assert statuses == [200] * 3 + [429] * (len(lists) - 3)

    @pytest.mark.parametrize("proxies", [1, 2])
    def test_address_from_the_outermost_proxy_is_the_client(self, settings: Settings, proxies: int) -> None:
        settings.TRUSTED_PROXY_COUNT = proxies
        lists = [", ".join([next(self.addresses), *self.PROXIES[1:proxies]]) for _try in range(4)]
        assert [self.subscribe(0, **{"X-Forwarded-For": each}) for each in lists] == [200] * 4
