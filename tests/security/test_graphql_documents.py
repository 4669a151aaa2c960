"""The cache of documents: bounded, and for valid documents only."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from graphql import GraphQLSchema, parse

from sailing.graphql import documents
from sailing.graphql.documents import InvalidDocument, parse_document
from sailing.graphql.view import schema


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Return the list of the texts that are parsed, starting with an empty cache."""
    texts: list[str] = []

    def counted(text: str, **options: Any) -> Any:
        texts.append(text)
        return parse(text, **options)

    monkeypatch.setattr(documents, "parse", counted)
    documents._parse_cached.cache_clear()
    yield texts
    documents._parse_cached.cache_clear()


@pytest.fixture
def ours() -> GraphQLSchema:
    return schema()


def test_document_is_parsed_once(parsed: list[str], ours: GraphQLSchema) -> None:
    first = parse_document(ours, "{ __typename }")
    assert parse_document(ours, "{ __typename }") is first
    assert parse_document(ours, "{ me { id } }") is not first
    assert parsed == ["{ __typename }", "{ me { id } }"]


@pytest.mark.parametrize(
    "text",
    ["{", "{ nothing }", "{ " + "me { id } " * 6 + "}", "{ __typename }" + " " * documents.MAX_CACHED_LENGTH],
    ids=["syntax error", "unknown field", "above a limit", "long"],
)
def test_invalid_and_long_documents_are_not_cached(parsed: list[str], ours: GraphQLSchema, text: str) -> None:
    for _ in range(2):
        with suppress(InvalidDocument):
            parse_document(ours, text)
    assert parsed == [text, text]


def test_cache_is_bounded(parsed: list[str], ours: GraphQLSchema) -> None:
    texts = [f"query q{number} {{ __typename }}" for number in range(documents.CACHE_SIZE + 1)]
    for text in [*texts, texts[0]]:
        parse_document(ours, text)
    assert parsed == [*texts, texts[0]]
