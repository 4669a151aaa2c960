"""`subscribeNewsletter` as the form of the site sends it."""

from typing import Any

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


def subscribe(*, client: Client | None = None, **values: Any) -> Answer:
    """Post the mutation with valid values, overridden by `values`."""
    given = {"email": "sailor@example.com", "userType": "sailor", "source": "landing-sailors"} | values
    return post_graphql(MUTATION, {"input": given}, client=client)
