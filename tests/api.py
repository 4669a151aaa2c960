"""GraphQL calls as a page of the site makes them."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.test import Client

from sailing import client

VISITOR = client.Client(("127.0.0.1",), "127.0.0.0/24")
"""The client of all requests of Django's test client."""


@dataclass(frozen=True)
class Answer:
    """The response to an operation with one field."""

    http: HttpResponse
    body: dict[str, Any]

    @property
    def data(self) -> Any:
        """The value of the field."""
        assert "errors" not in self.body, self.body
        (value,) = self.body["data"].values()
        return value

    @property
    def error(self) -> dict[str, Any]:
        """The message and the extensions of the only error."""
        (error,) = self.body["errors"]
        return {"message": error["message"], **error["extensions"]}


def post_graphql(
    query: str, variables: dict[str, Any] | None = None, *, token: str = "", client: Client | None = None
) -> Answer:
    # Not escaped, so that long texts fit into the size limit.
    body = json.dumps({"query": query, "variables": variables}, ensure_ascii=False)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = (client or Client()).post("/graphql", body, content_type="application/json", headers=headers)
    assert isinstance(response, HttpResponse)
    return Answer(http=response, body=json.loads(response.content))


def czech_visitor() -> Client:
    client = Client()
    client.cookies.load({"django_language": "cs"})
    return client
