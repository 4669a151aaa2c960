"""`signIn` and `logout`."""

from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import hashers, tokens
from accounts.hashers import Argon2idHasher
from accounts.models import RevokedToken, User
from accounts.tests.conftest import Call
from accounts.tests.factories import NEW_USER, PASSWORD, MemberFactory
from sailing.errors import RateLimited

pytestmark = pytest.mark.django_db

WRONG = "Foul winds, 2025!"


@pytest.fixture
def hashes(member: User, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets an item for each slot that is taken to hash or verify a password."""
    networks: list[str] = []
    monkeypatch.setattr(hashers._slots, "acquire", networks.append)
    monkeypatch.setattr(hashers._slots, "release", lambda _network: None)
    return networks


def test_sign_in_returns_a_token_and_the_member(call: Call, member: User) -> None:
    answer = call("signIn", email="jana@example.com", password=PASSWORD).data

    created_at = member.created_at.isoformat()
    assert answer["user"] == {**NEW_USER, "id": str(member.pk), "createdAt": created_at}
    assert call("me", token=answer["token"]).data["id"] == str(member.pk)
    member.refresh_from_db()
    assert member.last_login is not None


@pytest.mark.parametrize(
    ("values", "message", "field"),
    [
        ({"email": "jana"}, "Invalid email address", "email"),
        ({"password": ""}, "Password is required", "password"),
        ({"password": "Aa1!a"}, "Password must be at least 6 characters", "password"),
        ({"password": "x" * 129}, "Password must be at most 128 characters", "password"),
    ],
)
def test_invalid_value_is_refused_with_its_field_and_without_a_hash(
    call: Call, values: dict[str, str], message: str, field: str, hashes: list[str]
) -> None:
    given: dict[str, Any] = {"email": "jana@example.com", "password": PASSWORD} | values
    error = call("signIn", **given).error
    assert error == {"message": message, "code": "BAD_USER_INPUT", "field": field}
    assert not hashes


@pytest.mark.parametrize("reason", ["unknown email", "wrong password", "deactivated", "no password"])
def test_refusal_is_the_same_for_every_reason_after_one_hash_and_one_select(
    call: Call, member: User, hashes: list[str], reason: str
) -> None:
    User.objects.update(is_active=reason != "deactivated")
    if reason == "no password":
        User.objects.update(password=make_password(None))
    email = "nobody@example.com" if reason == "unknown email" else member.email
    with CaptureQueriesContext(connection) as queries:
        answer = call("signIn", email=email, password=WRONG if reason == "wrong password" else PASSWORD)
    assert answer.error == {"message": "Invalid email or password.", "code": "INVALID_CREDENTIALS"}
    assert answer.http.status_code == 200
    assert answer.body["data"] is None
    assert len(hashes) == 1
    (about_members,) = [query["sql"] for query in queries if '"accounts_' in query["sql"]]
    assert about_members.startswith("SELECT")


class TestRehashing:
    """A hash with outdated parameters is replaced at the next sign-in."""

    @pytest.fixture
    def token(self, member: User, monkeypatch: pytest.MonkeyPatch) -> str:
        """Return a token issued while the hash was current."""
        with monkeypatch.context() as patch:
            patch.setattr(Argon2idHasher, "time_cost", 1)
            member.set_password(PASSWORD)
        member.save()
        return tokens.issue(member)

    def test_outdated_hash_is_replaced_and_tokens_stay_valid(
        self, call: Call, member: User, token: str
    ) -> None:
        new = call("signIn", email=member.email, password=PASSWORD).data["token"]

        member.refresh_from_db()
        assert "t=2" in member.password
        assert call("me", token=token).data
        assert call("me", token=new).data

    def test_password_changed_meanwhile_is_kept(self, member: User, token: str) -> None:
        stale = User.objects.get(pk=member.pk)
        User.objects.update(password="the new one's hash")
        assert stale.check_password(PASSWORD)
        assert User.objects.get().password == "the new one's hash"

    def test_sign_in_succeeds_without_a_slot_for_rehashing(
        self, call: Call, member: User, token: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def busy(self: Argon2idHasher, *args: str) -> str:
            raise RateLimited(retry_after=1)

        monkeypatch.setattr(Argon2idHasher, "encode", busy)
        assert call("signIn", email=member.email, password=PASSWORD).data["token"]
        member.refresh_from_db()
        assert "t=1" in member.password


class TestSignOut:
    def test_token_is_revoked_once_and_others_stay_valid(self, call: Call, member: User) -> None:
        token, other = tokens.issue(member), tokens.issue(member)
        assert [call("logout", token=token).data for _ in range(2)] == [True, True]
        assert RevokedToken.objects.count() == 1
        assert call("me", token=token).error["code"] == "UNAUTHENTICATED"
        assert call("me", token=other).data

    @pytest.mark.parametrize("token", ["", "nonsense"])
    def test_invalid_token_is_unauthenticated(self, call: Call, token: str) -> None:
        assert call("logout", token=token).error["code"] == "UNAUTHENTICATED"
        assert not RevokedToken.objects.exists()


def test_member_signs_in_with_any_spelling_of_the_address(call: Call) -> None:
    member = MemberFactory(email="jana@xn--lun-eqa.cz")
    assert call("signIn", email=" Jana@ČLUN.cz ", password=PASSWORD).data["token"]
    assert User.objects.get_by_natural_key("JANA@xn--lun-eqa.CZ") == member


@pytest.mark.parametrize("typed", [None, "a" * 300, "petr@example.com"])
def test_unknown_or_invalid_address_finds_nobody(typed: str | None) -> None:
    MemberFactory(email="jana@example.com")
    with pytest.raises(User.DoesNotExist):
        User.objects.get_by_natural_key(typed)
