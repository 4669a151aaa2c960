"""The operations of members as the pages of the site send them."""

from typing import Any

from django.test import Client

from tests.api import Answer, post_graphql
from tests.security.corpus import MUTATIONS, USER, write_mutation

PRESSES = ("logout", "resendVerification", "cancelEmailChange", "signOutEverywhere")
OPERATIONS = {
    **{field: write_mutation(field) for field in MUTATIONS},
    **{field: f"mutation {{ {field} }}" for field in PRESSES},
    "me": f"query {{ me {{ {USER} avatar updatedAt }} }}",
    "account": "{ account { pendingEmail pendingEmailExpiresAt } }",
    "requestPasswordReset": "mutation ($email: String!) { requestPasswordReset(email: $email) }",
}


def call(field: str, *, token: str = "", client: Client | None = None, **values: Any) -> Answer:
    """Post an operation; `values` are its input."""
    operation = OPERATIONS[field]
    variables = {"input": values} if "$input" in operation else values
    return post_graphql(operation, variables, token=token, client=client)
