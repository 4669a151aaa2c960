"""One walk over every address of the site, for each role and language, and the pages behind mail links."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import get_resolver
from django.utils import timezone, translation
from django.views import defaults
from django.views.csrf import csrf_failure

from accounts.models import AccountLink
from accounts.tests.factories import NEW_PASSWORDS, WRONG, MemberFactory
from newsletter.campaigns.models import CampaignState, Segment
from newsletter.campaigns.tests.factories import CampaignFactory, PictureFactory
from newsletter.imports.models import ImportBatch
from newsletter.invitations.models import Milestone
from newsletter.invitations.tests.factories import come, create_reader
from newsletter.models import SubscriptionLink
from newsletter.tests.factories import InterestFactory, SubscriptionFactory
from newsletter.tests.mailbox import manage_address
from sailing.jobs.models import Job
from sailing.mail.models import OutboxEmail
from sailing.web.pages import frontend
from tests.mailbox import english_left, text

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).parents[1]
LANGUAGES = pytest.mark.parametrize("language", ["en", "cs"])
HOME_PAGES = {"", "jsi18n/", "password_change/", "password_change/done/", "second-factor/"}
"""The pages of Django admin for an admin without any permission. test_groups.py has those of each group."""
NO_SIGN_IN = {"login/", "language/", "logout/", "second-factor/"}
"""The addresses of Django admin that do not lead a visitor to the sign-in."""
CLOSED = {
    "/graphql": 405,
    "/graphql/": 405,
    "/metrics": 404,
    "/static/": 404,
    "/newsletter/webhooks/postmark/": 405,
}
"""Public addresses that answer no GET."""
EXEMPT = ("/graphql", "/account/", "/newsletter/", "/admin/login/")
"""What takes a POST without a CSRF token: providers and mail programs have none, an old sign-in leads on."""
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
POLICY = {"default-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"}
WRITING = ("INSERT", "UPDATE", "DELETE")
NO_TEXT = re.compile(r"<(textarea|template|script)\b.*?</\1>|<[^>]*>", re.DOTALL)
"""Tags, and the parts of a page that it does not show as its own text."""

numbers = count(1)


def create_rows() -> dict[str, Any]:
    """Create a row of each model in Django admin; return the rows by the paths of their lists."""
    number = next(numbers)
    inviter = create_reader(f"inviter{number}@example.com")
    come(inviter, f"invited{number}@example.com")
    batch = ImportBatch.objects.create(file_name="list.csv")
    segment = Segment.objects.create(name=str(number))
    sent = {"state": CampaignState.SENT, "started_at": timezone.now(), "is_public": True, "segment": segment}
    return {
        "accounts/user": MemberFactory(),
        "admin/logentry": LogEntry.objects.create(user=MemberFactory(), action_flag=CHANGE),
        "campaigns/campaign": CampaignFactory(**sent),
        "campaigns/picture": PictureFactory(),
        "campaigns/segment": segment,
        "imports/importbatch": batch,
        "invitations/inviter": inviter,
        "invitations/milestone": Milestone.objects.create(threshold=number, name_en="A", name_cs="B"),
        "jobs/job": Job.objects.create(kind="retention"),
        "mail/outboxemail": OutboxEmail.objects.create(recipient="jana@example.com", subject="A"),
        "newsletter/interest": InterestFactory(name_en=f"Regattas {number}", name_cs=f"Regaty {number}"),
        "newsletter/leavinganswer": SubscriptionFactory().consent_events.create(reason="other"),
        "newsletter/subscription": SubscriptionFactory(confirmed=True, import_batch=batch),
    }


def walk(patterns: Any, start: str = "/") -> Iterator[str]:
    """Yield the route of each address, as Django's URL patterns write it."""
    for pattern in patterns:
        route = start + str(pattern.pattern).strip("^$")
        if hasattr(pattern, "url_patterns"):
            yield from walk(pattern.url_patterns, route)
        else:
            yield route


def list_paths(rows: dict[str, Any]) -> list[str]:
    """Return the path of each address, with the given rows, and of all React pages. There is no job 0."""
    known = {
        "<slug:key>": rows["campaigns/campaign"].key,
        "<str:provider>": "postmark",
        "<mail_token:token>": "never-sent/",
        **dict.fromkeys(("<int:job_id>", "<int:file_id>", "<int:number>", "<path:content_type_id>"), "0"),
    }
    paths = [route.path for route in frontend.list_routes() if route.path]
    for route in walk(get_resolver().url_patterns):
        row = next((row for name, row in rows.items() if f"/admin/{name}/" in route), None)
        path = route
        for parameter, value in known.items():
            path = path.replace(parameter, value)
        path = re.sub(r"<(path:object_id|int:pk|int:batch_id)>", str(row.pk if row else 0), path)
        path = path.replace("(?P<name>[0-9a-f]{24}\\.(?:jpg|png))", rows["campaigns/picture"].name)
        paths.append(re.sub(r"\(.*\)", "none", path))
    return paths


def assert_secure(headers: Any) -> None:
    """Check the headers that each response has."""
    assert headers.items() >= HEADERS.items()
    policy = headers["Content-Security-Policy"]
    assert set(policy.split("; ")) >= POLICY
    assert "unsafe" not in policy
    assert headers["Referrer-Policy"] in ("strict-origin-when-cross-origin", "same-origin", "no-referrer")
    assert "camera=()" in headers["Permissions-Policy"]
    assert headers["X-Request-ID"]
    assert "Server" not in headers


def assert_complete(response: Any, language: str) -> None:
    """Check that a page is in one language, has a title and a heading, and nothing that the CSP blocks."""
    page = text(response)
    assert f'<html lang="{language}"' in page
    title, heading = (re.findall(f"(?s)<{tag}[ >].*?</{tag}>", page)[0] for tag in ("title", "h1"))
    assert NO_TEXT.sub("", heading).strip()
    assert "{" not in title + heading
    assert not re.search(
        r"<script(?![^>]+src=)(?![^>]+application/json)|<[^>]+ (style|on[a-z]+)=|<style", page
    )
    if language == "cs":
        shown = NO_TEXT.sub(" ", page)
        left = {line for app in ("accounts", "newsletter") for line in english_left(shown, app)}
        assert left <= {"early access"}  # an example of an English name
        body = response.content.decode().partition("<body")[2]
        assert not re.search(r"\b[ksvzou] \w", NO_TEXT.sub(" ", body))  # no line ends with such a word


def is_refused(path: str, response: Any) -> bool:
    """Return whether a page is refused, or only led to: Django answers the short address of a row so."""
    return response.status_code in (403, 404, 405) or response.headers.get("Location") == f"{path}change/"


def is_expected(role: str, path: str, response: Any) -> bool:
    """Return whether the status of a GET is one that the role should get."""
    status, location = response.status_code, response.headers.get("Location", "")
    if not path.startswith("/admin/"):
        is_unknown = "/go/" in path or "never-sent" in path or path.endswith("/none")
        return status == CLOSED.get(path, 404) if path in CLOSED or is_unknown else status in (200, 302)
    page = path.removeprefix("/admin/")
    if role == "visitor":
        return page in NO_SIGN_IN or location.startswith(f"/admin/login/?next={path}")
    if role == "staff":
        return status == 200 if page in HOME_PAGES else page in NO_SIGN_IN or is_refused(path, response)
    return status in (200, 302, 403, 404, 405)


@pytest.mark.parametrize("role", ["visitor", "staff", "superuser"])
@LANGUAGES
def test_each_address_answers_each_role_in_its_language(role: str, language: str) -> None:
    """With the headers of the site, and without a change of what is stored."""
    paths, client = list_paths(create_rows()), Client()
    client.cookies["django_language"] = language
    if role != "visitor":
        client.force_login(MemberFactory(is_staff=True, is_superuser=role == "superuser"))
        client.get("/admin/")  # the first visit stores which database this is
    read = 0
    for path in paths:
        with CaptureQueriesContext(connection) as queries:
            response = client.get(path)
        assert is_expected(role, path, response), (path, response.status_code)
        if "/pictures/" not in path:  # which other sites may embed
            assert_secure(response.headers)
        changes = [sql for query in queries if (sql := query["sql"]).startswith(WRITING)]
        assert all("django_session" in sql for sql in changes), path
        if response.status_code == 200 and b"<html" in response.content:  # not a part of a page
            assert_complete(response, language)
            read += 1
    assert read > 10


def test_post_without_a_csrf_token_changes_nothing(admin_user: Any) -> None:
    paths = list_paths(create_rows())
    client = Client(enforce_csrf_checks=True)
    for path in paths:
        client.force_login(admin_user)
        for method in ("POST", "DELETE"):
            with CaptureQueriesContext(connection) as queries:
                status = client.generic(method, path).status_code
            is_refused = status in (403, 405)
            assert is_refused or (path.startswith(EXEMPT) and 300 < status < 500), (method, path, status)
            assert not [query for query in queries if query["sql"].startswith(WRITING)], (method, path)


def test_admin_without_permissions_changes_nothing() -> None:
    paths, client = list_paths(create_rows()), Client()
    client.force_login(MemberFactory(is_staff=True))
    client.get("/admin/")  # the first visit stores which database this is
    for path in paths:
        if path.startswith("/admin/") and path.removeprefix("/admin/") not in HOME_PAGES | NO_SIGN_IN:
            with CaptureQueriesContext(connection) as queries:
                assert is_refused(path, client.post(path)), path
            changes = [sql for query in queries if (sql := query["sql"]).startswith(WRITING)]
            assert all("django_session" in sql for sql in changes), path


def test_number_of_queries_does_not_depend_on_the_rows(admin_client: Client) -> None:
    paths = list_paths(create_rows())
    counts: list[dict[str, int]] = []
    admin_client.get("/admin/")  # the first visit stores which database this is
    for _round in range(2):
        counts.append({})
        for path in paths:
            with CaptureQueriesContext(connection) as queries:
                admin_client.get(path)
            counts[-1][path] = len(queries)
        for _row in range(3):
            create_rows()
    assert {
        path: (count, counts[1][path]) for path, count in counts[0].items() if counts[1][path] > count
    } == {}


def refuse_nul(execute: Any, sql: str, params: Any, *rest: Any) -> Any:
    """Run a statement as PostgreSQL would, which takes no NUL in a text."""
    assert not any("\0" in value for value in params or () if isinstance(value, str)), sql
    return execute(sql, params, *rest)


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_text_of_a_path_brings_a_nul_to_the_database(admin_client: Client, method: str) -> None:
    routes = [re.sub(r"<int:\w+>", "1", route) for route in walk(get_resolver().url_patterns)]
    paths = {re.sub(r"<[\w:]+>|\(.*\)", "a%00b", route) for route in routes if re.search("[<(]", route)}
    assert "/newsletter/confirm/a%00b" in paths
    for path in paths:
        with connection.execute_wrapper(refuse_nul):
            assert getattr(admin_client, method)(path).status_code < 500, path


OF_MEMBERS = [{}, {"password": WRONG}, {"new_password1": "weak"}, NEW_PASSWORDS]
OF_SUBSCRIBERS = [
    {},
    {"preferences": "1", "audience": "company", "pause": "30"},
    {"reason": "too-many"},
    {"comment": "x" * 999},
]
PRESSES: dict[str, list[dict[str, str]]] = {
    **dict.fromkeys(("verify", "reset", "change-email"), OF_MEMBERS),
    "confirm": [{}],
    "manage": OF_SUBSCRIBERS,
}
"""What the buttons of each page send, besides those for another person and for a new link."""


def write_links(purpose: str, language: str) -> list[str]:
    """Return the paths of an open link and of one that has expired, or of readers in each state."""
    if purpose == "manage":
        states = ({"confirmed": True}, {"confirmed": True, "paused": True}, {"unsubscribed": True})
        return [manage_address(SubscriptionFactory(language=language, **state)) for state in states]
    paths = []
    for lifetime in (None, timedelta(days=-1)):
        if purpose == "confirm":
            owner = SubscriptionFactory(language=language)
            token = SubscriptionLink.issue(purpose, lifetime=lifetime, subscription=owner)
            paths.append(f"/newsletter/confirm/{token}/")
        else:
            member = MemberFactory(language=language)
            email = f"new-{member.email}"
            token = AccountLink.issue(purpose, lifetime=lifetime, user=member, email=email)
            paths.append(f"/account/{purpose.removeprefix('change-')}/{token}/")
    return paths


@LANGUAGES
@pytest.mark.parametrize("purpose", PRESSES)
def test_pages_behind_links_are_complete_before_and_after_each_button(language: str, purpose: str) -> None:
    """In the language of the link's owner."""
    InterestFactory(name_en="Regattas", name_cs="Regaty")
    Milestone.objects.create(threshold=1, name_en="A sticker", name_cs="Samolepka")
    for press in (*PRESSES[purpose], {"not_me": "1"}, {"renew": "1"}):
        for path in write_links(purpose, language):
            for query in ("", "?not-me=1"):
                assert_complete(Client().get(path + query), language)
            for query in ("", f"?lang={language}"):  # the first may delete the owner
                response = Client().post(path + query, press)
                assert response.status_code in (200, 401, 422)
                assert_complete(response, language)


@LANGUAGES
def test_errors_have_complete_pages(language: str) -> None:
    request, error = RequestFactory().get("/"), PermissionDenied()
    with translation.override(language):
        for page, status in (
            (defaults.bad_request(request, error), 400),
            (defaults.permission_denied(request, error), 403),
            (csrf_failure(request), 403),
            (defaults.page_not_found(request, error), 404),
            (defaults.server_error(request), 500),
            (Client().post(f"/newsletter/subscribe/?lang={language}"), 422),
            (Client().get(f"/newsletter/confirm/x/?lang={language}"), 404),
        ):
            assert page.status_code == status
            assert_complete(page, language)


@pytest.mark.parametrize(
    "path", re.findall(r"\.\./(.+)\.module\.css", (ROOT / "frontend/src/styles/documents.css").read_text())
)
def test_templates_use_only_classes_that_a_module_has(path: str) -> None:
    classes = re.findall(r"\.(\w+)", (ROOT / f"frontend/src/{path}.module.css").read_text())
    scripts = ["static/accounts/password.js", "accounts/forms.py", "newsletter/forms.py"]
    sources = [*(ROOT / "templates").rglob("*.html"), *(ROOT / each for each in scripts)]
    pattern = rf"\b{Path(path).name}-(\w+)"
    used = {name for source in sources for name in re.findall(pattern, source.read_text())}
    assert used
    assert used <= set(classes)
