"""Parses, bounds and validates a query text: once a text, then from memory.

Parsing and validating take longer than executing; the front end sends the same few texts all day.
"""

from collections.abc import Collection
from functools import lru_cache

from django.conf import settings
from graphql import DocumentNode, GraphQLError, GraphQLSchema, Node, parse, validate
from graphql.validation import NoSchemaIntrospectionCustomRule, specified_rules

from sailing.graphql import limits
from sailing.graphql.errors import sanitize_message

# A parsed document of 1,000 tokens takes some 350 KB of memory: together at most about 22 MB.
CACHED_DOCUMENTS = 64
LONGEST_CACHED = 2048  # characters


class InvalidDocument(Exception):
    """The text is no document that this schema answers; `errors` say why."""

    def __init__(self, errors: list[GraphQLError]) -> None:
        super().__init__("invalid document")
        self.errors = errors


def document(schema: GraphQLSchema, text: str) -> DocumentNode:
    """The parsed and valid document of a text. Raises InvalidDocument; failures are never kept."""
    return _cached(schema, text) if len(text) <= LONGEST_CACHED else _checked(schema, text)


def _checked(schema: GraphQLSchema, text: str) -> DocumentNode:
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
        found = [_error("GRAPHQL_VALIDATION_FAILED", error.message, error.nodes) for error in errors]
        raise InvalidDocument(found)
    return parsed


def _error(code: str, message: str, nodes: Collection[Node] | None = None) -> GraphQLError:
    return GraphQLError(sanitize_message(message), nodes=nodes, extensions={"code": code})


_cached = lru_cache(maxsize=CACHED_DOCUMENTS)(_checked)
