"""Random GraphQL requests generated from the schema, valid ones and corrupted ones."""

import json
import random
import string
from collections.abc import Callable
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLSchema,
    get_named_type,
)

Rng = random.Random

ODD_TEXTS = [
    "",
    " ",
    "\x00",
    "a\x00b",
    "\u202e",
    "\u0000\uffff",
    "\U0001f6a4" * 40,
    "e\u0301" * 80,
    "<script>alert(1)</script>",
    "'; DROP TABLE accounts_user; --",
    "{{ 7 * 7 }}{% debug %}",
    "%s%n%x",
    "../../etc/passwd",
    "a@b.cz\r\nBcc: c@d.cz",
    "null",
    "\ufeff",
    "x" * 300,
    "x" * 5000,
    "\u0130\u0131\ufb01",
    "9" * 400,
]
GOOD_TEXTS = [
    "Jana",
    "sailor",
    "company",
    "landing-sailors",
    "Fair winds, 2025!",
    "Trimer of jib",
    "+420 777 123 456",
    "CZ-12345",
]
GOOD_FIELDS: dict[str, list[Any]] = {
    "firstName": ["Jana", "Nováková"],
    "lastName": ["Jana", "Nováková"],
    "password": ["Fair winds, 2025!"],
    "audiences": [[], ["sailor"], ["sailor", "company"]],
    "language": ["en", "cs"],
    "pauseDays": [0, 30, 90],
    "reason": ["too-many", "other"],
    "phone": ["+420 777 123 456", ""],
    "userType": ["sailor", "company"],
    "source": ["landing-sailors", None, ""],
    "favoritePosition": ["Trimer of jib", None, ""],
    "captainLicense": [True, False, None],
    "captainLicenseNumber": ["CZ-12345", None],
    "website": ["", None],
    "fillTime": [4000, None],
}
ODD_NUMBERS = [0, -1, 1, 999, 1000, 2**31 - 1, 2**31, -(2**31) - 1, 2**63, 2**70, 1.5, -0.0, 1e300]
ODD_VALUES: list[Any] = [None, True, False, [], {}, [[]], {"a": 1}, 0, "x", 1.5, [None], {"": ""}]


def request_body(schema: GraphQLSchema, rng: Rng) -> bytes:
    """Return the body of a request."""
    document, variables = operation(schema, rng)
    body: Any = {"query": document, "variables": variables}
    for corrupt in (corrupt_text, corrupt_variables, corrupt_body):
        if rng.random() < 0.15:
            body = corrupt(body, rng)
    try:
        encoded = json.dumps(body, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        encoded = b"{"
    return corrupt_bytes(encoded, rng) if rng.random() < 0.05 else encoded


def operation(schema: GraphQLSchema, rng: Rng) -> tuple[str, dict[str, Any]]:
    """Return a document with one or more root fields, and its variables."""
    is_mutation = rng.random() < 0.75
    root = schema.mutation_type if is_mutation else schema.query_type
    assert root
    definitions: list[str] = []
    variables: dict[str, Any] = {}
    fragments: list[str] = []
    selected = []
    for _field in range(1 if rng.random() < 0.9 else rng.randint(2, 8)):
        name = rng.choice(sorted(root.fields))
        selected.append(field(name, root.fields[name], definitions, variables, fragments, rng, depth=0))
    head = f"({', '.join(definitions)})" if definitions else ""
    kind = "mutation" if is_mutation else "query"
    return f"{kind} Go{head} {{ {' '.join(selected)} }} {' '.join(fragments)}", variables


def field(
    name: str,
    found: "GraphQLField",
    definitions: list[str],
    variables: dict[str, Any],
    fragments: list[str],
    rng: Rng,
    *,
    depth: int,
) -> str:
    """Return a field with its arguments and selections, sometimes with an alias and directives."""
    arguments = []
    for argument, described in found.args.items():
        given = value(described.type, rng, depth=0)
        if rng.random() < 0.8:
            variable = f"v{len(definitions)}"
            definitions.append(f"${variable}: {described.type}")
            variables[variable] = given
            arguments.append(f"{argument}: ${variable}")
        elif rng.random() < 0.9:
            arguments.append(f"{argument}: {literal(given)}")
    text = name if rng.random() < 0.9 else f"{word(rng)}: {name}"
    if arguments:
        text += f"({', '.join(arguments)})"
    if rng.random() < 0.05:
        text += f" @{rng.choice(['skip', 'include', 'deprecated', 'x'])}(if: {literal(rng.random() < 0.5)})"
    inner = get_named_type(found.type)
    if isinstance(inner, GraphQLObjectType) and rng.random() < 0.97:
        text += " " + selections(inner, definitions, variables, fragments, rng, depth=depth + 1)
    return text


def selections(
    inner: GraphQLObjectType,
    definitions: list[str],
    variables: dict[str, Any],
    fragments: list[str],
    rng: Rng,
    *,
    depth: int,
) -> str:
    names = rng.sample(sorted(inner.fields), rng.randint(1, len(inner.fields)))
    parts = [
        field(name, inner.fields[name], definitions, variables, fragments, rng, depth=depth) for name in names
    ]
    odd = rng.random()
    if odd < 0.05:
        parts.append(rng.choice(["__typename", "__schema { types { name } }", word(rng), "... { id }"]))
    elif odd < 0.1:
        fragment = f"f{len(fragments)}"
        fragments.append(f"fragment {fragment} on {inner.name} {{ {' '.join(parts)} }}")
        parts = [f"...{fragment}"]
    return f"{{ {' '.join(parts)} }}"


def value(kind: "GraphQLInputType", rng: Rng, *, depth: int) -> Any:
    """Return a value of an input type, sometimes of another type."""
    if rng.random() < 0.06:
        return rng.choice(ODD_VALUES)
    if not isinstance(kind, GraphQLNonNull) and rng.random() < 0.15:
        return None
    bare: Any = kind.of_type if isinstance(kind, GraphQLNonNull) else kind
    if isinstance(bare, GraphQLList):
        return [value(bare.of_type, rng, depth=depth + 1) for _item in range(rng.randint(0, 3))]
    if isinstance(bare, GraphQLInputObjectType):
        given = {
            name: field_value(name, described.type, rng, depth=depth + 1)
            for name, described in bare.fields.items()
            if isinstance(described.type, GraphQLNonNull) or rng.random() < 0.6
        }
        if rng.random() < 0.05:
            given[word(rng)] = rng.choice(ODD_VALUES)
        return given
    if isinstance(bare, GraphQLEnumType):
        return rng.choice(list(bare.values))
    makers: dict[str, Callable[[], Any]] = {
        "Int": lambda: rng.choice([*ODD_NUMBERS, rng.randint(0, 10_000)]),
        "Float": lambda: rng.choice(ODD_NUMBERS),
        "Boolean": lambda: rng.random() < 0.5,
    }
    return makers.get(str(bare), lambda: text_value(rng))()


def field_value(name: str, kind: "GraphQLInputType", rng: Rng, *, depth: int) -> Any:
    """Return a value of an input field, mostly a valid one, so that requests reach the later stages."""
    if rng.random() < 0.15:
        return value(kind, rng, depth=depth)
    if name == "email":
        return f"{word(rng)}@example.{rng.choice(['com', 'org'])}"
    return rng.choice(GOOD_FIELDS[name]) if name in GOOD_FIELDS else value(kind, rng, depth=depth)


def text_value(rng: Rng) -> str:
    kind = rng.random()
    if kind < 0.3:
        return f"{word(rng)}@{word(rng)}.{rng.choice(['cz', 'example', 'x', 'xn--p1ai'])}"
    if kind < 0.6:
        return rng.choice(GOOD_TEXTS)
    if kind < 0.8:
        return rng.choice(ODD_TEXTS)
    return "".join(chr(rng.choice([rng.randint(0, 0x7F), rng.randint(0, 0xFFFF)])) for _ in range(12))


def word(rng: Rng) -> str:
    return "".join(rng.choices(string.ascii_lowercase, k=rng.randint(1, 9)))


def literal(given: Any) -> str:
    """Return a value as a GraphQL literal."""
    if isinstance(given, dict):
        return "{" + ", ".join(f"{name or 'x'}: {literal(inner)}" for name, inner in given.items()) + "}"
    if isinstance(given, list):
        return "[" + ", ".join(map(literal, given)) + "]"
    return json.dumps(given)


def corrupt_text(body: Any, rng: Rng) -> Any:
    """Return the body with its query text cut, doubled, or with characters inserted or removed."""
    text = str(body["query"])
    at = rng.randrange(len(text))
    junk = rng.choice(["{", "}", '"', "$", "...", "@", "\\", "\u2028", "#", "(", "!", '"""', "\ud800", "0"])
    return body | {
        "query": rng.choice(
            [
                text[:at],
                text[at:],
                text + text,
                text[:at] + junk + text[at:],
                text[:at] + text[at + 3 :],
                junk * 200,
            ]
        )
    }


def corrupt_variables(body: Any, rng: Rng) -> Any:
    names = [*body["variables"], word(rng)]
    return body | {"variables": body["variables"] | {rng.choice(names): rng.choice(ODD_VALUES)}}


def corrupt_body(body: Any, rng: Rng) -> Any:
    name = rng.choice(["query", "variables", "operationName", "extensions", "id", word(rng)])
    return rng.choice([body | {name: rng.choice([*ODD_VALUES, "Go", word(rng)])}, [body], None, name])


def corrupt_bytes(body: bytes, rng: Rng) -> bytes:
    at = rng.randrange(len(body))
    return body[:at] + bytes(rng.randrange(256) for _ in range(rng.randint(0, 3))) + body[at + 1 :]
