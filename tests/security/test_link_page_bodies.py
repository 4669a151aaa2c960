"""Bodies posted to the pages of mail links are parsed only for known links and below a size limit."""

from collections.abc import Callable

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.test import Client

from accounts.tests.factories import MemberFactory
from accounts.tests.mailbox import link_to_reset, link_to_verify
from newsletter.models import State, Subscription, UserType
from newsletter.services import subscriptions
from newsletter.tests.mailbox import confirm_address, preferences_address, unsubscribe_address
from sailing.mail_links.views import MAX_BODY_BYTES
from tests.api import VISITOR
from tests.mailbox import latest

pytestmark = pytest.mark.django_db

FORM = "application/x-www-form-urlencoded"


def subscribe() -> None:
    subscriptions.subscribe(
        client=VISITOR,
        email="sailor@example.com",
        user_type=UserType.SAILOR,
        source=None,
        website=None,
        language="en",
    )


def confirm_link() -> str:
    subscribe()
    return confirm_address(latest())


def unsubscribe_link() -> str:
    subscribe()
    return unsubscribe_address(latest())


def preferences_link() -> str:
    subscribe()
    return preferences_address(latest())


KNOWN = pytest.mark.parametrize(
    "link",
    [
        lambda: link_to_verify(MemberFactory()),
        lambda: link_to_reset(MemberFactory()),
        confirm_link,
        unsubscribe_link,
        preferences_link,
    ],
    ids=["verify", "reset", "confirm", "unsubscribe", "preferences"],
)


@pytest.fixture
def unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail the test when the body of a request is parsed."""

    def parse(self: WSGIRequest) -> None:
        pytest.fail("The body was parsed.")

    monkeypatch.setattr(WSGIRequest, "_load_post_and_files", parse)


@pytest.mark.usefixtures("unread")
@pytest.mark.parametrize(
    "prefix", ["account/verify", "account/reset", "newsletter/confirm", "newsletter/unsubscribe"]
)
@pytest.mark.parametrize("size", [10, 2_400_000])
def test_body_for_an_unknown_token_is_not_parsed(prefix: str, size: int) -> None:
    response = Client().post(f"/{prefix}/never-sent/", "x" * size, content_type=FORM)
    assert response.status_code == 404


@pytest.mark.usefixtures("unread")
class TestRefusedBodies:
    @KNOWN
    def test_large_body_is_refused_with_413(self, link: Callable[[], str]) -> None:
        response = Client().post(link(), "x" * (MAX_BODY_BYTES + 1), content_type=FORM)
        assert response.status_code == 413
        assert "We didn’t understand this request" in response.content.decode()

    @KNOWN
    def test_chunked_body_is_refused_with_411(self, link: Callable[[], str]) -> None:
        address = link()
        response = Client().generic("POST", address, headers={"Transfer-Encoding": "chunked"})
        assert response.status_code == 411

    @pytest.mark.parametrize("length", ["-1", "1e3", "١٢"])
    def test_invalid_content_length_is_refused_with_411(self, length: str) -> None:
        response = Client().post(confirm_link(), "x", content_type=FORM, CONTENT_LENGTH=length)
        assert response.status_code == 411

    def test_content_length_of_thousands_of_digits_is_refused_with_413(self) -> None:
        response = Client().post(confirm_link(), "x", content_type=FORM, CONTENT_LENGTH="9" * 5000)
        assert response.status_code == 413

    def test_refusal_is_in_the_language_of_the_mail(self) -> None:
        address = link_to_verify(MemberFactory(language="cs")).replace("?lang=cs", "")
        response = Client().post(address, "x" * (MAX_BODY_BYTES + 1), content_type=FORM)
        assert '<html lang="cs">' in response.content.decode()


def test_body_of_the_maximum_size_is_accepted() -> None:
    address = confirm_link()
    assert Client().post(address, f"{'x' * (MAX_BODY_BYTES - 1)}=", content_type=FORM).status_code == 200
    assert Subscription.objects.get().state is State.CONFIRMED


def test_empty_body_is_accepted() -> None:
    """Browsers send one, because the button of the page has no name."""
    address = confirm_link()
    assert Client().generic("POST", address, CONTENT_LENGTH="0").status_code == 200
    assert Subscription.objects.get().state is State.CONFIRMED


def test_one_click_post_without_a_body_unsubscribes(db: None) -> None:
    """Some mail programs send neither a body nor a length (RFC 8058)."""
    link = unsubscribe_link()
    response = Client().generic("POST", link, CONTENT_LENGTH="")
    assert response.status_code == 200
    assert Subscription.objects.get().unsubscribed_at
