"""Fixtures of the newsletter tests."""

from typing import Any, Protocol

import pytest
from django.test import Client

from tests.api import Answer, post_graphql

MUTATION = """
mutation ($input: SubscribeNewsletterInput!) {
  subscribeNewsletter(input: $input) {
    success
    message
    subscription { id email userType isActive isConfirmed createdAt source }
  }
}
"""


class Subscribe(Protocol):
    """Post the mutation with valid values, overridden by `values`."""

    def __call__(self, *, client: Client | None = None, **values: Any) -> Answer: ...


@pytest.fixture
def subscribe() -> Subscribe:
    def post(*, client: Client | None = None, **values: Any) -> Answer:
        given = {"email": "sailor@example.com", "userType": "sailor", "source": "landing-sailors"} | values
        return post_graphql(MUTATION, {"input": given}, client=client)

    return post
