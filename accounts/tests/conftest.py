"""The API as a page of the site calls it."""

import json
from dataclasses import dataclass
from typing import Any, Protocol

import pytest
from django.http import HttpResponse
from django.test import Client

USER = "id email firstName lastName nickname phone nationality isEmailVerified createdAt"

OPERATIONS = {
    "signUp": f"mutation Go($input: SignUpInput!) {{ signUp(input: $input) {{ token user {{ {USER} }} }} }}",
    "signIn": f"mutation Go($input: SignInInput!) {{ signIn(input: $input) {{ token user {{ {USER} }} }} }}",
    "me": f"query Go {{ me {{ {USER} avatar updatedAt }} }}",
    "updateProfile": """
        mutation Go($input: UpdateProfileInput!) {
          updateProfile(input: $input) {
            id email firstName lastName nickname phone nationality updatedAt
          }
        }""",
    "logout": "mutation Go { logout }",
    "resendVerification": "mutation Go { resendVerification }",
}


@dataclass(frozen=True)
class Answer:
    """What came back from the API."""

    field: str
    http: HttpResponse
    body: dict[str, Any]

    @property
    def data(self) -> Any:
        """The field's own answer."""
        assert "errors" not in self.body, self.body
        return self.body["data"][self.field]

    @property
    def error(self) -> dict[str, Any]:
        """The one error: its message, and what stands under its extensions."""
        (found,) = self.body["errors"]
        return {"message": found["message"], **found["extensions"]}


class Call(Protocol):
    """Posts one operation of spec section 7."""

    def __call__(
        self, field: str, *, token: str = "", client: Client | None = None, **values: Any
    ) -> Answer: ...


@pytest.fixture
def call() -> Call:
    def post(field: str, *, token: str = "", client: Client | None = None, **values: Any) -> Answer:
        variables = {"input": values} if values else {}
        body = {"query": OPERATIONS[field], "operationName": "Go", "variables": variables}
        response = (client or Client()).post(
            "/graphql",
            json.dumps(body),
            content_type="application/json",
            headers={"Authorization": f"Bearer {token}"} if token else {},
        )
        assert isinstance(response, HttpResponse)
        return Answer(field=field, http=response, body=json.loads(response.content))

    return post


def czech_visitor() -> Client:
    client = Client()
    client.cookies.load({"django_language": "cs"})
    return client
