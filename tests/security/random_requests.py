"""Random GraphQL requests generated from the schema, valid ones and corrupted ones."""

import json
import random
import string
from typing import Any

from graphql import (
    GraphQLInputObjectType,
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
    document, variables = write_operation(schema, rng)
    body: Any = {"query": document, "variables": variables}
    for corrupt in (corrupt_text, corrupt_variables, corrupt_body):
        if rng.random() < 0.15:
            body = corrupt(body, rng)
    try:
        encoded = json.dumps(body, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError):
        encoded = b"{"
    return corrupt_bytes(encoded, rng) if rng.random() < 0.05 else encoded


def write_operation(schema: GraphQLSchema, rng: Rng) -> tuple[str, dict[str, Any]]:
    """Return a document with one or more root fields, and its variables."""
    kind, root = rng.choice([("query", schema.query_type)] + [("mutation", schema.mutation_type)] * 3)
    assert root
    definitions: list[str] = []
    variables: dict[str, Any] = {}
    selected = []
    for _field in range(1 if rng.random() < 0.9 else rng.randint(2, 8)):
        name = rng.choice(sorted(root.fields))
        arguments = []
        for argument, described in root.fields[name].args.items():
            variable = f"v{len(definitions)}"
            definitions.append(f"${variable}: {described.type}")
            variables[variable] = choose_value(described.type, rng)
            arguments.append(f"{argument}: ${variable}")
        given = f"({', '.join(arguments)})" if arguments else ""
        selected.append(f"{name}{given} {write_selection(root.fields[name].type, rng)}")
    head = f"({', '.join(definitions)})" if definitions else ""
    return f"{kind} Go{head} {{ {' '.join(selected)} }}", variables


def write_selection(kind: Any, rng: Rng) -> str:
    """Return some fields of an object type, sometimes with an alias, a directive or a field too many."""
    inner = get_named_type(kind)
    if not isinstance(inner, GraphQLObjectType):
        return ""
    names = rng.sample(sorted(inner.fields), rng.randint(1, len(inner.fields)))
    parts = [f"{name} {write_selection(inner.fields[name].type, rng)}" for name in names]
    if rng.random() < 0.1:
        odd = ["__typename", "__schema { types { name } }", word(rng), "... { id }", f"{word(rng)}: id"]
        parts.append(rng.choice([*odd, "id @skip(if: true)", "id @deprecated", f"id @{word(rng)}"]))
    return f"{{ {' '.join(parts)} }}"


def choose_value(kind: Any, rng: Rng, name: str = "") -> Any:
    """Return a value of an input type, mostly a valid one, so that requests reach the later stages."""
    if rng.random() < 0.06:
        return rng.choice(ODD_VALUES)
    if not isinstance(kind, GraphQLNonNull) and rng.random() < 0.15:
        return None
    if name == "email" and rng.random() < 0.85:
        return f"{word(rng)}@example.{rng.choice(['com', 'org'])}"
    if name in GOOD_FIELDS and rng.random() < 0.85:
        return rng.choice(GOOD_FIELDS[name])
    bare: Any = kind.of_type if isinstance(kind, GraphQLNonNull) else kind
    if isinstance(bare, GraphQLList):
        return [choose_value(bare.of_type, rng) for _item in range(rng.randint(0, 3))]
    if isinstance(bare, GraphQLInputObjectType):
        return {
            inner: choose_value(described.type, rng, inner)
            for inner, described in bare.fields.items()
            if isinstance(described.type, GraphQLNonNull) or rng.random() < 0.6
        }
    if str(bare) == "Boolean":
        return rng.random() < 0.5
    return rng.choice(ODD_NUMBERS) if str(bare) in ("Int", "Float") else choose_text(rng)


def choose_text(rng: Rng) -> str:
    if rng.random() < 0.7:
        return rng.choice([f"{word(rng)}@{word(rng)}.cz", *GOOD_TEXTS, *ODD_TEXTS])
    return "".join(chr(rng.choice([rng.randint(0, 0x7F), rng.randint(0, 0xFFFF)])) for _ in range(12))


def word(rng: Rng) -> str:
    return "".join(rng.choices(string.ascii_lowercase, k=rng.randint(1, 9)))


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
