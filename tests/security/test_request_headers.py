"""Request headers change neither links in mails nor redirects, and no charset makes a request fail."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings
from django.test import RequestFactory

from accounts.tests.factories import form
from sailing.wsgi import application
from tests.mailbox import mails
from tests.security.corpus import write_mutation

FORMS = [("subscribeNewsletter", {"email": "a@example.org", "userType": "sailor"}), ("signUp", form())]
HOSTILE = {
    "SCRIPT_NAME": "/evil",  # what some servers make of a header of this name
    "HTTP_SCRIPT_NAME": "/evil",
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
        assert f"{settings.SITE_URL}/" in part


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/admin", "/admin/"])
def test_redirect_has_no_prefix(path: str) -> None:
    status, headers, _text = call(RequestFactory().get(path).environ)
    assert status in (301, 302)
    assert headers["Location"].startswith("/admin/")


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("parameter", ["charset=hex", "charset=idna", "Charset=UTF7", "title*=bogus''%ff"])
def test_charset_of_a_request_is_ignored(method: str, parameter: str) -> None:
    body = b"email=%C3%A1"
    environ = RequestFactory().generic(method, "/newsletter/subscribe/?a=%C3%A1", body).environ
    content_type = f"application/x-www-form-urlencoded; {parameter}"
    environ |= {"wsgi.input": BytesIO(body), "CONTENT_TYPE": content_type}
    assert call(environ)[0] < 500
