"""Many at once: one address, and many passwords."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier, Semaphore

import pytest
from django.db import connections
from django.test import Client
from post_office.models import Email

from accounts import hashers
from accounts.hashers import Argon2idHasher
from accounts.models import AccountLink, User
from accounts.tests.conftest import Answer, Call
from accounts.tests.factories import PASSWORD, MemberFactory, form
from sailing.errors import RateLimited

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


class TestHashing:
    """At most two at once in a process; who comes third is told at once to come again."""

    @pytest.fixture
    def occupy(self) -> Iterator[Callable[[int], None]]:
        """Begins so many hashes, which end with the test."""
        with ExitStack() as begun:

            def begin(number: int) -> None:
                for _ in range(number):
                    begun.enter_context(hashers._slot())

            yield begin

    @pytest.mark.parametrize("work", ["encode", "verify"])
    def test_a_third_at_once_is_refused_and_a_later_one_is_not(
        self, work: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        running, refused, done = Semaphore(0), Semaphore(0), []

        def slow(*args: object) -> str:
            running.release()
            refused.acquire()
            return "hash"

        def hash_once() -> None:
            done.append(getattr(Argon2idHasher(), work)("password", "a salt or a hash"))

        monkeypatch.setattr(f"django.contrib.auth.hashers.Argon2PasswordHasher.{work}", slow)
        with ThreadPoolExecutor(2) as pool:
            both = [pool.submit(hash_once) for _ in range(2)]
            for _ in both:
                running.acquire()
            with pytest.raises(RateLimited):
                hash_once()
            refused.release(2)
            for one in both:
                one.result()
        refused.release()
        hash_once()
        assert len(done) == 3

    def test_a_hash_that_fails_makes_room_too(self) -> None:
        for _ in range(3):
            with pytest.raises(ValueError, match="not enough values"):
                Argon2idHasher().verify("password", "no hash")

    @pytest.mark.django_db
    def test_a_visitor_is_told_to_come_again(self, call: Call, occupy: Callable[[int], None]) -> None:
        MemberFactory(email="known@example.com")
        occupy(2)
        for answer in (
            call("signUp", **form()),
            call("signIn", email="known@example.com", password=PASSWORD),
            call("signIn", email="nobody@example.com", password=PASSWORD),
        ):
            assert answer.error == {
                "message": "Too many attempts. Please wait a moment and try again.",
                "code": "RATE_LIMITED",
                "retryAfter": 1,
            }
            assert answer.http.status_code == 429
            assert answer.http["Retry-After"] == "1"
        assert User.objects.count() == 1

    @pytest.mark.django_db
    def test_one_at_work_hinders_nobody(self, call: Call, occupy: Callable[[int], None]) -> None:
        MemberFactory(email="known@example.com")
        occupy(1)
        assert call("signIn", email="known@example.com", password=PASSWORD).data["token"]

    @pytest.mark.django_db
    def test_to_be_told_to_come_again_is_no_failure(self, call: Call, occupy: Callable[[int], None]) -> None:
        MemberFactory(email="known@example.com")
        with hashers._slot(), hashers._slot():
            for _ in range(6):
                call("signIn", email="known@example.com", password=PASSWORD)
        assert call("signIn", email="known@example.com", password=PASSWORD).data["token"]

    @pytest.mark.django_db
    def test_it_holds_in_django_admin_too(self, admin_client: Client, occupy: Callable[[int], None]) -> None:
        member = MemberFactory(email="known@example.com")
        occupy(2)
        signing_in = Client().post("/admin/login/", {"username": "known@example.com", "password": PASSWORD})
        assert signing_in.status_code == 200
        assert "Too many attempts." in signing_in.content.decode()

        new = {"usable_password": "true", "password1": "New winds, 2026!", "password2": "New winds, 2026!"}
        changing = admin_client.post(f"/admin/accounts/user/{member.pk}/password/", new)
        assert changing.status_code == 429
        assert changing["Retry-After"] == "1"
        assert "Too many attempts." in changing.content.decode()
