"""Messages of graphql-core for invalid requests."""

from django.conf import settings

LONGEST_MESSAGE = 300  # characters


def sanitize_message(message: str) -> str:
    """Return a message of graphql-core, shortened and without suggestions.

    Messages quote the request, and suggestions reveal the schema, which introspection does not.
    """
    kept = message if settings.DEBUG else message.partition(" Did you mean")[0]
    return kept if len(kept) <= LONGEST_MESSAGE else f"{kept[:LONGEST_MESSAGE]}…"
