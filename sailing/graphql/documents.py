"""Parses, bounds and validates a query text: once a text, then from memory.

Parsing and validating take longer than executing; the front end sends the same few texts all day.
"""

from functools import lru_cache

from django.conf import settings
from graphql import DocumentNode, GraphQLError, GraphQLSchema, parse, validate
from graphql.validation import NoSchemaIntrospectionCustomRule, specified_rules

from sailing.graphql import limits

CACHED_DOCUMENTS = 256
LONGEST_CACHED = 4096  # characters; with the number above, the bound on what the cache holds


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
        parsed = parse(text, no_location=False, max_tokens=limits.MAX_TOKENS)
        limits.check(parsed)
    except limits.LimitExceeded as error:
        raise InvalidDocument([error]) from None
    except (GraphQLError, RecursionError) as error:
        message = error.message if isinstance(error, GraphQLError) else "The document is nested too deeply."
        raise InvalidDocument([GraphQLError(message, extensions={"code": "GRAPHQL_PARSE_FAILED"})]) from None
    rules = [*specified_rules] if settings.DEBUG else [*specified_rules, NoSchemaIntrospectionCustomRule]
    errors = validate(schema, parsed, rules, max_errors=5)
    if errors:
        raise InvalidDocument([_validation_error(error) for error in errors])
    return parsed


def _validation_error(error: GraphQLError) -> GraphQLError:
    # Suggestions would spell out the schema that introspection does not show.
    message = error.message if settings.DEBUG else error.message.partition(" Did you mean")[0]
    return GraphQLError(message, nodes=error.nodes, extensions={"code": "GRAPHQL_VALIDATION_FAILED"})


_cached = lru_cache(maxsize=CACHED_DOCUMENTS)(_checked)
