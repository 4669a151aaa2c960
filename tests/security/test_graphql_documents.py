"""The memory for documents: keyed by the text, bounded, and for good documents only."""

from collections.abc import Iterator
from typing import Any

import pytest
from graphql import GraphQLSchema, parse

from sailing.graphql import documents
from sailing.graphql.documents import InvalidDocument, document
from sailing.graphql.view import schema


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The texts that were parsed, beginning with an empty memory."""
    texts: list[str] = []

    def counted(text: str, **options: Any) -> Any:
        texts.append(text)
        return parse(text, **options)

    monkeypatch.setattr(documents, "parse", counted)
    documents._cached.cache_clear()
    yield texts
    documents._cached.cache_clear()


@pytest.fixture
def ours() -> GraphQLSchema:
    return schema()


def test_a_text_is_parsed_once_and_another_for_itself(parsed: list[str], ours: GraphQLSchema) -> None:
    first = document(ours, "{ __typename }")
    assert document(ours, "{ __typename }") is first
    assert document(ours, "{ me { id } }") is not first
    assert parsed == ["{ __typename }", "{ me { id } }"]


@pytest.mark.parametrize("text", ["{", "{ nothing }", "{ " + "me { id } " * 6 + "}"])
def test_a_refused_text_takes_no_place(parsed: list[str], ours: GraphQLSchema, text: str) -> None:
    for _ in range(2):
        with pytest.raises(InvalidDocument):
            document(ours, text)
    assert parsed == [text, text]
    assert documents._cached.cache_info().currsize == 0


def test_a_long_text_takes_no_place(parsed: list[str], ours: GraphQLSchema) -> None:
    text = "{ __typename }" + " " * documents.LONGEST_CACHED
    document(ours, text)
    assert documents._cached.cache_info().currsize == 0


def test_the_memory_is_bounded(parsed: list[str], ours: GraphQLSchema) -> None:
    for number in range(documents.CACHED_DOCUMENTS + 5):
        document(ours, f"query q{number} {{ __typename }}")
    assert documents._cached.cache_info().currsize == documents.CACHED_DOCUMENTS
