"""The API as a visitor's page calls it."""

import json
from dataclasses import dataclass
from typing import Any, Protocol

import pytest
from django.http import HttpResponse
from django.test import Client

MUTATION = """
mutation Subscribe($input: SubscribeNewsletterInput!) {
  subscribeNewsletter(input: $input) {
    success
    message
    subscription { id email userType isActive isConfirmed createdAt source }
  }
}
"""


@dataclass(frozen=True)
class Answer:
    """What came back from the API."""

    http: HttpResponse
    body: dict[str, Any]

    @property
    def payload(self) -> dict[str, Any]:
        """The mutation's own answer."""
        assert "errors" not in self.body, self.body
        payload: dict[str, Any] = self.body["data"]["subscribeNewsletter"]
        return payload

    @property
    def error(self) -> dict[str, Any]:
        """The one error: its message, and what stands under its extensions."""
        (found,) = self.body["errors"]
        return {"message": found["message"], **found["extensions"]}


class Subscribe(Protocol):
    """Posts the mutation with good values, except for those given."""

    def __call__(self, *, client: Client | None = None, **values: Any) -> Answer: ...


@pytest.fixture
def subscribe() -> Subscribe:
    def post(*, client: Client | None = None, **values: Any) -> Answer:
        given = {"email": "sailor@example.com", "userType": "sailor", "source": "landing-sailors"} | values
        body = {"query": MUTATION, "operationName": "Subscribe", "variables": {"input": given}}
        response = (client or Client()).post("/graphql", json.dumps(body), content_type="application/json")
        assert isinstance(response, HttpResponse)
        return Answer(http=response, body=json.loads(response.content))

    return post
