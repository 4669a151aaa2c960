"""How a caller's mistake is told to the caller."""

from django.conf import settings

LONGEST_MESSAGE = 300  # characters


def mistake(message: str) -> str:
    """What graphql-core says of a caller's mistake, as it is shown to the caller.

    It quotes the request, however long, and suggests names, which would spell out the schema that
    introspection does not show.
    """
    kept = message if settings.DEBUG else message.partition(" Did you mean")[0]
    return kept if len(kept) <= LONGEST_MESSAGE else f"{kept[:LONGEST_MESSAGE]}…"
