"""Parse and validate GraphQL documents, with a cache.

Parsing and validating take longer than executing, and the front end sends the same few documents.
"""

from collections.abc import Collection
from functools import lru_cache

from django.conf import settings
from graphql import DocumentNode, GraphQLError, GraphQLSchema, Node, parse, validate
from graphql.validation import NoSchemaIntrospectionCustomRule, specified_rules

from sailing.graphql import limits

CACHE_SIZE = 64
"""Documents. One of 1,000 tokens takes some 350 KB, so all take at most about 22 MB."""

MAX_CACHED_LENGTH = 2048
"""Characters."""

MAX_MESSAGE_LENGTH = 300
"""Characters."""


class InvalidDocument(Exception):
    """The document cannot be executed, for the reasons in `errors`."""

    def __init__(self, errors: list[GraphQLError]) -> None:
        super().__init__("invalid document")
        self.errors = errors


def parse_document(schema: GraphQLSchema, text: str) -> DocumentNode:
    """Return the parsed, valid document of a text. Raises InvalidDocument, which is never cached."""
    return _parse_cached(schema, text) if len(text) <= MAX_CACHED_LENGTH else _parse(schema, text)


def sanitize_message(message: str) -> str:
    """Return a message of graphql-core without name suggestions and long quotations of the request.

    Suggestions would disclose the schema, which introspection does not.
    """
    if not settings.DEBUG:
        message = message.partition(" Did you mean")[0]
    return message if len(message) <= MAX_MESSAGE_LENGTH else f"{message[:MAX_MESSAGE_LENGTH]}…"


def _parse(schema: GraphQLSchema, text: str) -> DocumentNode:
    try:
        parsed = parse(text, max_tokens=limits.MAX_TOKENS)
        limits.check(parsed)
    except limits.LimitExceeded as error:
        raise InvalidDocument([error]) from None
    except (GraphQLError, RecursionError) as error:
        message = error.message if isinstance(error, GraphQLError) else "The document is nested too deeply."
        raise InvalidDocument([_error("GRAPHQL_PARSE_FAILED", message)]) from None
    rules = [*specified_rules] if settings.DEBUG else [*specified_rules, NoSchemaIntrospectionCustomRule]
    errors = validate(schema, parsed, rules, max_errors=5)
    if errors:
        failures = [_error("GRAPHQL_VALIDATION_FAILED", error.message, error.nodes) for error in errors]
        raise InvalidDocument(failures)
    return parsed


def _error(code: str, message: str, nodes: Collection[Node] | None = None) -> GraphQLError:
    return GraphQLError(sanitize_message(message), nodes=nodes, extensions={"code": code})


_parse_cached = lru_cache(maxsize=CACHE_SIZE)(_parse)
