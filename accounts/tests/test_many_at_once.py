"""Many sign-ups with one address at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections
from post_office.models import Email

from accounts.models import AccountLink, User
from accounts.tests.conftest import Call
from accounts.tests.factories import form
from tests.api import Answer

REQUESTS = 20


def at_once(request: Callable[[], Answer]) -> list[Answer]:
    """The answers to equal requests that start together."""
    barrier = Barrier(REQUESTS)

    def one(_: int) -> Answer:
        try:
            barrier.wait()
            return request()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(REQUESTS) as pool:
        return list(pool.map(one, range(REQUESTS)))


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
class TestSignUp:
    def outcomes(self, answers: list[Answer]) -> dict[str, int]:
        codes = [answer.error["code"] if "errors" in answer.body else "OK" for answer in answers]
        return {code: codes.count(code) for code in set(codes)}

    def test_20_with_one_address_make_one_account_and_one_mail(self, call: Call) -> None:
        outcomes = self.outcomes(at_once(lambda: call("signUp", **form())))

        assert outcomes.pop("OK") == 1
        assert set(outcomes) <= {"BAD_USER_INPUT", "RATE_LIMITED"}
        assert User.objects.count() == AccountLink.objects.count() == Email.objects.count() == 1

    def test_also_where_hashing_does_not_hold_them_apart(
        self, call: Call, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(User, "set_password", lambda self, password: None)
        answers = at_once(lambda: call("signUp", **form()))

        assert self.outcomes(answers) == {"OK": 1, "BAD_USER_INPUT": REQUESTS - 1}
        assert User.objects.count() == AccountLink.objects.count() == Email.objects.count() == 1
