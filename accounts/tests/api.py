"""The operations of members as the pages of the site send them."""

from typing import Any

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


def call(field: str, *, token: str = "", client: Client | None = None, **values: Any) -> Answer:
    """Post an operation; `values` are its input."""
    operation = OPERATIONS[field]
    variables = {"input": values} if "$input" in operation else values
    return post_graphql(operation, variables, token=token, client=client)
