"""GraphQL requests made from the schema by chance: well-formed ones, and ones gone wrong in every way."""

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

Chance = random.Random

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


def request_body(schema: GraphQLSchema, chance: Chance) -> bytes:
    """The body of one request."""
    document, variables = operation(schema, chance)
    body: Any = {"query": document, "variables": variables}
    for harm in (harmed_text, harmed_variables, harmed_body):
        if chance.random() < 0.15:
            body = harm(body, chance)
    try:
        encoded = json.dumps(body, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        encoded = b"{"
    return harmed_bytes(encoded, chance) if chance.random() < 0.05 else encoded


def operation(schema: GraphQLSchema, chance: Chance) -> tuple[str, dict[str, Any]]:
    """A document with one or more root fields, and its variables."""
    is_mutation = chance.random() < 0.75
    root = schema.mutation_type if is_mutation else schema.query_type
    assert root
    definitions: list[str] = []
    variables: dict[str, Any] = {}
    fragments: list[str] = []
    selected = []
    for _field in range(1 if chance.random() < 0.9 else chance.randint(2, 8)):
        name = chance.choice(sorted(root.fields))
        selected.append(field(name, root.fields[name], definitions, variables, fragments, chance, depth=0))
    head = f"({', '.join(definitions)})" if definitions else ""
    kind = "mutation" if is_mutation else "query"
    return f"{kind} Go{head} {{ {' '.join(selected)} }} {' '.join(fragments)}", variables


def field(
    name: str,
    found: "GraphQLField",
    definitions: list[str],
    variables: dict[str, Any],
    fragments: list[str],
    chance: Chance,
    *,
    depth: int,
) -> str:
    """One field: perhaps an alias, its arguments by variable or written out, directives, selections."""
    arguments = []
    for argument, described in found.args.items():
        given = value(described.type, chance, depth=0)
        if chance.random() < 0.8:
            variable = f"v{len(definitions)}"
            definitions.append(f"${variable}: {described.type}")
            variables[variable] = given
            arguments.append(f"{argument}: ${variable}")
        elif chance.random() < 0.9:
            arguments.append(f"{argument}: {literal(given)}")
    text = name if chance.random() < 0.9 else f"{word(chance)}: {name}"
    if arguments:
        text += f"({', '.join(arguments)})"
    if chance.random() < 0.05:
        text += (
            f" @{chance.choice(['skip', 'include', 'deprecated', 'x'])}(if: {literal(chance.random() < 0.5)})"
        )
    inner = get_named_type(found.type)
    if isinstance(inner, GraphQLObjectType) and chance.random() < 0.97:
        text += " " + selections(inner, definitions, variables, fragments, chance, depth=depth + 1)
    return text


def selections(
    inner: GraphQLObjectType,
    definitions: list[str],
    variables: dict[str, Any],
    fragments: list[str],
    chance: Chance,
    *,
    depth: int,
) -> str:
    names = chance.sample(sorted(inner.fields), chance.randint(1, len(inner.fields)))
    parts = [
        field(name, inner.fields[name], definitions, variables, fragments, chance, depth=depth)
        for name in names
    ]
    odd = chance.random()
    if odd < 0.05:
        parts.append(chance.choice(["__typename", "__schema { types { name } }", word(chance), "... { id }"]))
    elif odd < 0.1:
        fragment = f"f{len(fragments)}"
        fragments.append(f"fragment {fragment} on {inner.name} {{ {' '.join(parts)} }}")
        parts = [f"...{fragment}"]
    return f"{{ {' '.join(parts)} }}"


def value(kind: "GraphQLInputType", chance: Chance, *, depth: int) -> Any:
    """A value of an input type; sometimes of another one."""
    if chance.random() < 0.06:
        return chance.choice(ODD_VALUES)
    if not isinstance(kind, GraphQLNonNull) and chance.random() < 0.15:
        return None
    bare: Any = kind.of_type if isinstance(kind, GraphQLNonNull) else kind
    if isinstance(bare, GraphQLList):
        return [value(bare.of_type, chance, depth=depth + 1) for _item in range(chance.randint(0, 3))]
    if isinstance(bare, GraphQLInputObjectType):
        given = {
            name: field_value(name, described.type, chance, depth=depth + 1)
            for name, described in bare.fields.items()
            if isinstance(described.type, GraphQLNonNull) or chance.random() < 0.6
        }
        if chance.random() < 0.05:
            given[word(chance)] = chance.choice(ODD_VALUES)
        return given
    if isinstance(bare, GraphQLEnumType):
        return chance.choice(list(bare.values))
    makers: dict[str, Callable[[], Any]] = {
        "Int": lambda: chance.choice([*ODD_NUMBERS, chance.randint(0, 10_000)]),
        "Float": lambda: chance.choice(ODD_NUMBERS),
        "Boolean": lambda: chance.random() < 0.5,
    }
    return makers.get(str(bare), lambda: text_value(chance))()


def field_value(name: str, kind: "GraphQLInputType", chance: Chance, *, depth: int) -> Any:
    """A value of an input's field: mostly one that keeps the rules, so that requests get far."""
    if chance.random() < 0.15:
        return value(kind, chance, depth=depth)
    if name == "email":
        return f"{word(chance)}@example.{chance.choice(['com', 'org'])}"
    return chance.choice(GOOD_FIELDS[name]) if name in GOOD_FIELDS else value(kind, chance, depth=depth)


def text_value(chance: Chance) -> str:
    kind = chance.random()
    if kind < 0.3:
        return f"{word(chance)}@{word(chance)}.{chance.choice(['cz', 'example', 'x', 'xn--p1ai'])}"
    if kind < 0.6:
        return chance.choice(GOOD_TEXTS)
    if kind < 0.8:
        return chance.choice(ODD_TEXTS)
    return "".join(
        chr(chance.choice([chance.randint(0, 0x7F), chance.randint(0, 0xFFFF)])) for _ in range(12)
    )


def word(chance: Chance) -> str:
    return "".join(chance.choices(string.ascii_lowercase, k=chance.randint(1, 9)))


def literal(given: Any) -> str:
    """A value as it is written in a document."""
    if isinstance(given, dict):
        return "{" + ", ".join(f"{name or 'x'}: {literal(inner)}" for name, inner in given.items()) + "}"
    if isinstance(given, list):
        return "[" + ", ".join(map(literal, given)) + "]"
    return json.dumps(given)


def harmed_text(body: Any, chance: Chance) -> Any:
    """The query text cut, doubled, or with characters put in and taken out."""
    text = str(body["query"])
    at = chance.randrange(len(text))
    junk = chance.choice(
        ["{", "}", '"', "$", "...", "@", "\\", "\u2028", "#", "(", "!", '"""', "\ud800", "0"]
    )
    return body | {
        "query": chance.choice(
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


def harmed_variables(body: Any, chance: Chance) -> Any:
    names = [*body["variables"], word(chance)]
    return body | {"variables": body["variables"] | {chance.choice(names): chance.choice(ODD_VALUES)}}


def harmed_body(body: Any, chance: Chance) -> Any:
    name = chance.choice(["query", "variables", "operationName", "extensions", "id", word(chance)])
    return chance.choice(
        [body | {name: chance.choice([*ODD_VALUES, "Go", word(chance)])}, [body], None, name]
    )


def harmed_bytes(body: bytes, chance: Chance) -> bytes:
    at = chance.randrange(len(body))
    return body[:at] + bytes(chance.randrange(256) for _ in range(chance.randint(0, 3))) + body[at + 1 :]
