"""The API as a visitor's page calls it, and a database that many can use at once."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest
from django.db import connection, connections
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


@pytest.fixture
def shared_database(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """A database that threads share as processes do.

    PostgreSQL's test database is one. SQLite's is in memory, whose locks are others than a file's: here
    its content moves to a file for the length of a test.
    """
    if connection.vendor != "sqlite":
        yield
        return
    in_memory = connections["default"]
    config = in_memory.settings_dict
    file = tmp_path / "database.sqlite3"
    with in_memory.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(file)])
    name = config["NAME"]
    config["NAME"] = str(file)
    del connections["default"]
    connections["default"].ensure_connection()  # switches the file to its journal before the others come
    try:
        yield
    finally:
        connections["default"].close()
        config["NAME"] = name
        connections["default"] = in_memory
