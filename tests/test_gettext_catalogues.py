"""The gettext catalogues: every string is translated to Czech."""

import re
from typing import Any

import pytest
from babel.messages.catalog import Message

from scripts.update_messages import TEMPLATES, extract_messages, read_catalogue

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%[sd]|\{\w*\}")


def forms(text: Any) -> tuple[str, ...]:
    return tuple(text) if isinstance(text, tuple | list) else (text,)


def keys(messages: list[Message]) -> set[tuple[str | None, str]]:
    return {(m.context, forms(m.id)[0]) for m in messages if m.id}


@pytest.mark.parametrize("app", TEMPLATES)
def test_catalogue_has_exactly_the_strings_of_the_code(app: str) -> None:
    assert keys(list(read_catalogue(app))) == keys(list(extract_messages(app)))


@pytest.mark.parametrize("app", TEMPLATES)
def test_every_string_is_translated_with_the_same_placeholders(app: str) -> None:
    for message in read_catalogue(app):
        if not message.id:
            continue
        sources = forms(message.id)
        translations = forms(message.string)
        assert all(translations), f"{message.id!r} has no Czech"
        assert not message.fuzzy, f"{message.id!r} is fuzzy"
        if len(sources) > 1:
            assert len(translations) == 3, f"{message.id!r} needs the Czech forms one, few and many"
        for translation in translations:
            expected = set(PLACEHOLDER.findall(sources[-1]))
            assert set(PLACEHOLDER.findall(translation)) == expected, f"{message.id!r}"


def test_apps_translate_a_shared_string_alike() -> None:
    """Django merges the catalogues: only the translation of the first app is ever shown."""
    shown: dict[tuple[str | None, str], tuple[str, ...]] = {}
    for app in TEMPLATES:
        for message in read_catalogue(app):
            if message.id:
                key = (message.context, forms(message.id)[0])
                assert shown.setdefault(key, forms(message.string)) == forms(message.string), key
