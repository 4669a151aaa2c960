"""Fixtures of the accounts tests."""

from typing import Any, Protocol

import pytest
from django.test import Client

from accounts import tokens
from accounts.models import User
from accounts.tests.factories import MemberFactory
from tests.api import Answer, post_graphql

USER = "id email firstName lastName nickname phone nationality isEmailVerified createdAt"

OPERATIONS = {
    "signUp": f"mutation ($input: SignUpInput!) {{ signUp(input: $input) {{ token user {{ {USER} }} }} }}",
    "signIn": f"mutation ($input: SignInInput!) {{ signIn(input: $input) {{ token user {{ {USER} }} }} }}",
    "me": f"query {{ me {{ {USER} avatar updatedAt }} }}",
    "updateProfile": """
        mutation ($input: UpdateProfileInput!) {
          updateProfile(input: $input) {
            id email firstName lastName nickname phone nationality updatedAt
          }
        }""",
    "logout": "mutation { logout }",
    "resendVerification": "mutation { resendVerification }",
    "changePassword": f"""
        mutation ($input: ChangePasswordInput!) {{
          changePassword(input: $input) {{ token user {{ {USER} }} }}
        }}""",
    "requestEmailChange": "mutation ($input: EmailChangeInput!) { requestEmailChange(input: $input) }",
    "cancelEmailChange": "mutation { cancelEmailChange }",
    "account": "{ account { pendingEmail pendingEmailExpiresAt } }",
    "deleteAccount": "mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) }",
    "signOutEverywhere": "mutation { signOutEverywhere }",
    "requestPasswordReset": "mutation ($email: String!) { requestPasswordReset(email: $email) }",
}


class Call(Protocol):
    """Post one operation of spec section 7; `values` are its input."""

    def __call__(
        self, field: str, *, token: str = "", client: Client | None = None, **values: Any
    ) -> Answer: ...


@pytest.fixture
def member() -> Any:
    return MemberFactory(email="jana@example.com")


@pytest.fixture
def token(member: User) -> str:
    return tokens.issue(member)


@pytest.fixture
def call() -> Call:
    def post(field: str, *, token: str = "", client: Client | None = None, **values: Any) -> Answer:
        takes_input = "$input" in OPERATIONS[field]
        variables = {"input": values} if takes_input else values
        return post_graphql(OPERATIONS[field], variables, token=token, client=client)

    return post
