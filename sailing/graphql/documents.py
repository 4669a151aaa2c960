"""Parse GraphQL documents, check their limits, and validate those within, whose cost grows with size."""

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from graphql import GraphQLError, GraphQLSchema, language, parse, validate
from graphql.validation import NoSchemaIntrospectionCustomRule, specified_rules

MAX_TOKENS = 1000
MAX_DEPTH = 8
MAX_ALIASES = 15
MAX_ROOT_FIELDS = 5
MAX_SELECTIONS = 150  # of the whole document: validation compares each with all others of its name
MAX_DIRECTIVES = 10  # on one node
CACHE_SIZE = 64  # documents of at most some 350 KB; the front end sends the same few
MAX_CACHED_LENGTH = 2048  # characters
MAX_MESSAGE_LENGTH = 300  # characters

Fragments = Mapping[str, language.FragmentDefinitionNode]


class InvalidDocument(Exception):
    status = 400

    def __init__(self, errors: list[GraphQLError]) -> None:
        super().__init__(errors[0].message)
        self.errors = errors


def parse_document(schema: GraphQLSchema, text: str) -> language.DocumentNode:
    """Return the parsed, valid document of a text. Raises InvalidDocument, which is never cached."""
    return _parse_cached(schema, text) if len(text) <= MAX_CACHED_LENGTH else _parse(schema, text)


def sanitize_message(message: str) -> str:
    """Return a message of graphql-core without suggestions, which disclose the schema, and long quotes."""
    if not settings.DEBUG:
        message = message.partition(" Did you mean")[0]
    return message if len(message) <= MAX_MESSAGE_LENGTH else f"{message[:MAX_MESSAGE_LENGTH]}…"


def check_limits(document: language.DocumentNode) -> None:
    """Raise InvalidDocument at the first exceeded limit, so that nested fragments cost no time.

    A fragment counts where it is defined and wherever it is spread.
    """
    nodes = document.definitions
    fragments = {node.name.value: node for node in nodes if isinstance(node, language.FragmentDefinitionNode)}
    selections = 0
    for node in nodes:
        _check_directives(node)
        if not isinstance(node, language.ExecutableDefinitionNode):
            continue
        for variable in node.variable_definitions or ():
            _check_directives(variable)
        roots = aliases = 0
        path = (node.name.value,) if isinstance(node, language.FragmentDefinitionNode) else ()
        for child, depth in _walk(node.selection_set, fragments, depth=1, path=path):
            selections += 1
            _check(selections, MAX_SELECTIONS, "selections")
            _check_directives(child)
            if isinstance(child, language.FieldNode):
                roots += depth == 1
                aliases += child.alias is not None
                _check(depth, MAX_DEPTH, "levels")
                _check(aliases, MAX_ALIASES, "aliases")
        if isinstance(node, language.OperationDefinitionNode):
            _check(roots, MAX_ROOT_FIELDS, "fields at the root")
            if node.operation is language.OperationType.MUTATION:
                _check(roots, 1, "mutation")


def _walk(
    selected: language.SelectionSetNode | None, fragments: Fragments, *, depth: int, path: tuple[str, ...]
) -> Iterator[tuple[language.Node, int]]:
    """Yield each selection with its level, also those of the fragments, whose `path` leads here."""
    for child in selected.selections if selected else ():
        yield child, depth
        inner: Any = child
        inner_path, inner_depth = path, depth + isinstance(child, language.FieldNode)
        if isinstance(child, language.FragmentSpreadNode):
            if child.name.value in path:
                raise _exceed("a fragment inside itself")
            inner, inner_path = fragments.get(child.name.value), (*path, child.name.value)
        if inner:  # validation reports unknown fragments
            yield from _walk(inner.selection_set, fragments, depth=inner_depth, path=inner_path)


def _check_directives(node: Any) -> None:
    _check(len(getattr(node, "directives", ())), MAX_DIRECTIVES, "directives on one node")


def _check(count: int, limit: int, what: str) -> None:
    if count > limit:
        raise _exceed(f"more than {limit} {what}")


def _exceed(what: str) -> InvalidDocument:
    return InvalidDocument([_error("LIMIT_EXCEEDED", f"The document exceeds a limit: {what}.")])


def _parse(schema: GraphQLSchema, text: str) -> language.DocumentNode:
    try:
        parsed = parse(text, max_tokens=MAX_TOKENS)
        check_limits(parsed)
    except (GraphQLError, RecursionError) as error:
        message = error.message if isinstance(error, GraphQLError) else "The document is nested too deeply."
        raise InvalidDocument([_error("GRAPHQL_PARSE_FAILED", message)]) from None
    rules = [*specified_rules] if settings.DEBUG else [*specified_rules, NoSchemaIntrospectionCustomRule]
    if errors := validate(schema, parsed, rules, max_errors=5):
        raise InvalidDocument(
            [_error("GRAPHQL_VALIDATION_FAILED", each.message, each.nodes) for each in errors]
        )
    return parsed


def _error(code: str, message: str, nodes: Collection[language.Node] | None = None) -> GraphQLError:
    return GraphQLError(sanitize_message(message), nodes=nodes, extensions={"code": code})


_parse_cached = lru_cache(maxsize=CACHE_SIZE)(_parse)
