"""Calls of the GraphQL endpoint."""

import json
from typing import Any

from django.test import Client


def post_graphql(
    query: str, variables: dict[str, Any] | None = None, *, token: str = "", client: Client | None = None
) -> Any:
    """Return the HTTP response to a GraphQL operation."""
    # Not escaped, so that long texts fit into the size limit.
    body = json.dumps({"query": query, "variables": variables}, ensure_ascii=False)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return (client or Client()).post("/graphql", body, content_type="application/json", headers=headers)
