"""Fixtures of the accounts tests."""

from typing import Any, Protocol

import pytest
from django.test import Client

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
}


class Call(Protocol):
    """Post one operation of spec section 7; `values` are its input."""

    def __call__(
        self, field: str, *, token: str = "", client: Client | None = None, **values: Any
    ) -> Answer: ...


@pytest.fixture
def call() -> Call:
    def post(field: str, *, token: str = "", client: Client | None = None, **values: Any) -> Answer:
        variables = {"input": values} if values else {}
        return post_graphql(OPERATIONS[field], variables, token=token, client=client)

    return post
