"""Each limit on a document, at its last allowed and its first refused value, and the cache of documents."""

import pytest
from graphql import parse

from sailing.graphql import documents
from sailing.graphql.documents import InvalidDocument, check_limits, parse_document
from sailing.graphql.view import schema as get_schema

LIMITS: dict[str, tuple[int, int, str, str, str]] = {
    "aliases": (15, 0, "{ a { ", "b: c ", "} }"),
    "aliases by fragment": (15, 6, "{ a { ...f ...f ", "b: c ", "} } fragment f on A { x: c y: c z: c }"),
    "aliases inline": (15, 0, "{ a { ... { ", "b: c ", "} } }"),
    "root fields": (5, 0, "{ ", "a ", "}"),
    "root fields by fragment": (5, 1, "{ ...f ... { ", "a ", "} } fragment f on Query { a }"),
    "mutations": (1, 0, "mutation { ", "... on Mutation { a } ", "}"),
    "selections": (150, 1, "{ a { ", "b ", "} }"),
    "selections of all operations": (150, 3, "query A { a { b } } query B { a { ", "c ", "} } "),
    "selections where defined and spread": (150, 6, "{ a { ...f ", "b ", "} } fragment f on A { b b }"),
    "directives": (10, 0, "{ a ", "@x ", "}"),
    "directives on a spread": (10, 0, "{ ...f ", "@x ", "} fragment f on A { a }"),
    "directives on a fragment": (10, 0, "{ a } fragment f on A ", "@x ", "{ a }"),
    "directives on an operation": (10, 0, "query ", "@x ", "{ a }"),
    "directives on a variable": (10, 0, "query ($a: Int ", "@x ", ") { a }"),
}
"""The limit, how much the rest of the document counts, and the text before, of and after each repetition."""


def check_limit(document: list[str], limit: int) -> None:
    """Check the documents at the limit and one above it."""
    check_limits(parse(document[0]))
    with pytest.raises(InvalidDocument, match=f"more than {limit} "):
        check_limits(parse(document[1]))


@pytest.mark.parametrize("name", LIMITS)
def test_limit_is_accepted_and_one_more_is_refused(name: str) -> None:
    limit, rest, before, repeated, after = LIMITS[name]
    check_limit([before + repeated * (limit - rest + more) + after for more in (0, 1)], limit)


@pytest.mark.parametrize(("start", "max_levels"), [("query A ", 8), ("{ a { ...f } } fragment f on A ", 7)])
def test_eight_levels_are_accepted_and_a_ninth_is_refused(start: str, max_levels: int) -> None:
    check_limit([start + "{ a " * count + "}" * count for count in (max_levels, max_levels + 1)], 8)


def test_aliases_and_root_fields_are_counted_per_operation() -> None:
    check_limits(parse(" ".join(f"query q{number} {{ {'b: a ' * 5} }}" for number in range(5))))


def test_fragment_may_be_spread_repeatedly() -> None:
    check_limits(parse("{ a { ...f } b { ...f ...f } } fragment f on A { ...g } fragment g on A { c }"))


def test_only_short_valid_documents_are_kept_and_few_of_them() -> None:
    schema = get_schema()
    first = parse_document(schema, "{ __typename }")
    assert parse_document(schema, "{ __typename }") is first
    long = "{ __typename }" + " " * documents.MAX_CACHED_LENGTH
    assert parse_document(schema, long) is not parse_document(schema, long)
    kept = documents._parse_cached.cache_info().currsize
    for text in ("{", "{ nothing }", "{ " + "me { id } " * 6 + "}"):
        with pytest.raises(InvalidDocument):
            parse_document(schema, text)
    assert documents._parse_cached.cache_info().currsize == kept
    for number in range(documents.CACHE_SIZE):
        parse_document(schema, f"query q{number} {{ __typename }}")
    assert parse_document(schema, "{ __typename }") is not first
