"""Write parsed Markdown as plain text."""

import re
from collections.abc import Sequence

from markdown_it.token import Token

from newsletter.campaigns.markdown import (
    LITERALS,
    NAME_FIELD,
    NAME_MARKS,
    SAFE_URL,
    Body,
    Values,
    get_url_field,
    get_words,
)

NAME = re.compile("{0}|{1}[^{2}]*{2}".format(NAME_FIELD.pattern, *NAME_MARKS))
"""The first name of the reader: its field, or the marks that `Values` fills in."""


def to_text(body: Body, values: Values) -> str:
    """Return the body as plain text."""
    # One list of finished blocks for each open container; the first is the document.
    containers: list[list[str]] = [[]]
    numbers: list[int | None] = []
    is_tight = False
    for index, token in enumerate(body.tokens):
        blocks = containers[-1]
        if token.type == "inline":
            is_tight = is_tight or body.tokens[index - 1].hidden
            text = inline_text(token.children or [], values)
            if body.tokens[index - 1].type == "heading_open":
                text = underline(text, "-")
            if text:
                blocks.append(text)
        elif token.type in ("fence", "code_block"):
            blocks.append(_indent(token.content.rstrip("\n"), "    ", "    "))
        elif token.type == "hr":
            blocks.append("* * *")
        elif token.type in ("blockquote_open", "list_item_open"):
            containers.append([])
        elif token.type == "bullet_list_open":
            containers.append([])
            numbers.append(None)
        elif token.type == "ordered_list_open":
            containers.append([])
            numbers.append(int(token.attrs.get("start", 1)))
        elif token.type == "blockquote_close":
            inner = "\n\n".join(containers.pop())
            containers[-1].append(_indent(inner, "> ", "> "))
        elif token.type == "list_item_close":
            inner = ("\n" if is_tight else "\n\n").join(containers.pop())
            number = numbers[-1]
            mark = "- " if number is None else f"{number}. "
            if number is not None:
                numbers[-1] = number + 1
            containers[-1].append(_indent(inner, mark, " " * len(mark)) if inner else mark.strip())
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            numbers.pop()
            inner = ("\n" if is_tight else "\n\n").join(containers.pop())
            containers[-1].append(inner)
            is_tight = is_tight and bool(numbers)
    return "\n\n".join(containers[0])


def inline_text(children: Sequence[Token], values: Values) -> str:
    """Return a paragraph as plain text. A link that stands alone is written as "label: address"."""
    parts: list[str] = []
    link_start = 0
    is_alone = bool(children) and children[0].type == "link_open" and children[-1].type == "link_close"
    is_alone = is_alone and sum(token.type == "link_open" for token in children) == 1
    href = ""
    for token in children:
        if token.type == "text":
            parts.append(values.fill(token.content))
        elif token.type in LITERALS:
            parts.append(token.content)
        elif token.type == "softbreak":
            parts.append(" ")
        elif token.type == "hardbreak":
            parts.append("\n")
        elif token.type == "image":
            alt = get_words(token.children or [], values).strip()
            parts.append(f"[{alt}]" if alt else "")
        elif token.type == "link_open":
            href = str(token.attrs["href"])
            link_start = len(parts)
        elif token.type == "link_close":
            label = href if token.info == "auto" else "".join(parts[link_start:]).strip()
            target = values.get_href(href)
            del parts[link_start:]
            parts.append(_link_text(label, href, target, is_alone=is_alone))
    return "".join(parts).strip()


def _link_text(label: str, href: str, target: str, *, is_alone: bool) -> str:
    if not SAFE_URL.match(target):  # without an address in the HTML either
        return label
    if get_url_field(href) and not is_alone:  # it must not become a part of an address before it
        return f"{label} <{target}>"
    if label in ("", href, target, href.removeprefix("mailto:")):
        return target.removeprefix("mailto:")
    return f"{label}: {target}" if is_alone else f"{label} <{target}>"


def underline(text: str, character: str) -> str:
    """Return a heading in plain text."""
    return f"{text}\n{character * min(len(text), 72)}" if text else ""


def _indent(text: str, first: str, others: str) -> str:
    lines = text.split("\n")
    rest = [f"{others}{line}".rstrip() for line in lines[1:]]
    return "\n".join([f"{first}{lines[0]}", *rest])


def get_title_text(body: Body, values: Values | None = None) -> str:
    """Return the words of the title, blank if the body begins with no heading. `values`: see `get_words`."""
    return get_words(body.title, values).strip()


def get_first_words(body: Body, values: Values | None = None, *, length: int) -> str:
    """Return the beginning of the first paragraph, whole words. `values`: see `get_words`."""
    for token in body.tokens:
        if token.type == "inline":
            text = " ".join(get_words(token.children or [], values).split())
            # A name is one word, so that its field or its marks are not cut in two.
            text = NAME.sub(lambda name: name[0].replace(" ", "\u00a0"), text)
            if text:
                return text if len(text) <= length else f"{text[:length].rpartition(' ')[0]}…"
    return ""
