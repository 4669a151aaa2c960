"""Hostile GraphQL requests and the expected refusals."""

import json

SUBSCRIBE = 'subscribeNewsletter(input: {email: "a@b.cz", userType: "sailor"}) { success }'
USER = "id email firstName lastName nickname phone nationality isEmailVerified createdAt"
SESSION = f"{{ token user {{ {USER} }} }}"
MUTATIONS = {
    "signUp": ("SignUpInput", SESSION),
    "signIn": ("SignInInput", SESSION),
    "updateProfile": ("UpdateProfileInput", f"{{ {USER} updatedAt }}"),
    "changePassword": ("ChangePasswordInput", SESSION),
    "requestEmailChange": ("EmailChangeInput", ""),
    "deleteAccount": ("DeleteAccountInput", ""),
    "subscribeNewsletter": ("SubscribeNewsletterInput", "{ success subscription { email source } }"),
}
"""Each mutation with an input: the type of the input, and what the answer contains."""
DOUBLING = " ".join(f"fragment f{n} on User {{ ...f{n + 1} ...f{n + 1} }}" for n in reversed(range(70)))

LIMIT, PARSE, VALIDATION = "LIMIT_EXCEEDED", "GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED"

DOCUMENTS: dict[str, tuple[str, str, str]] = {
    "fragments in each other": (
        "{ me { ...a } } fragment a on User { ...b } fragment b on User { ...a }",
        LIMIT,
        "inside itself",
    ),
    "3,000 equal fields": ("{ me { " + "id " * 3000 + "} }", PARSE, "1000 tokens"),
    "doubling to nothing": ("{ me { ...f0 } } " + DOUBLING, LIMIT, "150 selections"),
    "depth 300": ("{ me " + "{ me " * 300 + "}" * 300 + " }", PARSE, "nested too deeply"),
    "brackets": ("[" * 20_000, PARSE, ""),
    "NUL": ("{ me { id } }\0", PARSE, "U+0000"),
    "half a pair, escaped": ('{ me(a: "\\ud800") { id } }', PARSE, "Unicode escape"),
    "subscription": ("subscription { me { id } }", "BAD_USER_INPUT", "subscription"),
    "type definition": ("type A { b: Int } { __typename }", VALIDATION, "not executable"),
    "240 variables": (
        "query (" + " ".join(f"$a{n}: Int" for n in range(240)) + ") { __typename }",
        VALIDATION,
        "never used",
    ),
    "introspection": ("{ __schema { types { name } } }", VALIDATION, "introspection"),
    "no such field": ("{ mee { id } }", VALIDATION, "mee"),
    "a name of 30,000": ("{ " + "x" * 30_000 + " }", VALIDATION, "xxx"),
    "a number of 20,000 digits": (
        "mutation { " + SUBSCRIBE.replace("}", f", fillTime: {'9' * 20_000}}}", 1) + " }",
        VALIDATION,
        "999",
    ),
    "no operation of several": ("query A { __typename } query B { __typename }", "BAD_USER_INPUT", "name"),
    "empty": ("", PARSE, ""),
}

BODIES: dict[str, tuple[bytes, int]] = {
    "no JSON": (b"query { me }", 400),
    "100,000 deep": (b'{"query": ' + b"[" * 15_000 + b"]" * 15_000 + b"}", 400),
    "query is a number": (b'{"query": 1}', 400),
    "variables are a list": (b'{"query": "{ me { id } }", "variables": []}', 400),
    "operationName is a list": (b'{"query": "{ me { id } }", "operationName": []}', 400),
    "extensions are a list": (b'{"query": "{ me { id } }", "extensions": []}', 400),
    "a batch": (b'[{"query": "{ me { id } }"}]', 400),
    "invalid UTF-8": (b'{"query": "\xff"}', 400),
    "a byte order mark": (b'\xef\xbb\xbf{"query": "{ me { id } }"}', 400),
    "half a pair in the text": (b'{"query": "{ me { id } } #\\ud800"}', 400),
    "half a pair in a variable": (b'{"query": "{ __typename }", "variables": {"a": ["\\udfff"]}}', 400),
    "NaN": (b'{"query": "{ __typename }", "variables": {"a": NaN}}', 400),
    "1e999": (b'{"query": "{ __typename }", "variables": {"a": 1e999}}', 400),
    "a number of 5,000 digits": (b'{"query": "{ me }", "variables": {"a": ' + b"9" * 5000 + b"}}", 400),
    "1 MB": (b'{"query": "' + b"a" * 1_000_000 + b'"}', 413),
    "nothing": (b" ", 400),
}


VARIABLES: dict[str, object] = {
    "an unknown name of 30,000": {"x" * 30_000: 1},
    "a text of 30,000 for a number": {"email": "a@b.cz", "userType": "sailor", "fillTime": "x" * 30_000},
    "a number of 4,000 digits": {"email": "a@b.cz", "userType": "sailor", "fillTime": 10**4000},
    "a list for a text": {"email": ["a@b.cz"], "userType": "sailor"},
}


def bodies() -> dict[str, bytes]:
    """Return the body of every request, by name."""
    documents = {name: json.dumps({"query": text}).encode() for name, (text, *_) in DOCUMENTS.items()}
    variables = {name: with_input(value) for name, value in VARIABLES.items()}
    return documents | {name: body for name, (body, _) in BODIES.items()} | variables


def with_input(value: object) -> bytes:
    """Return the body of a subscription with this input."""
    query = write_mutation("subscribeNewsletter")
    return json.dumps({"query": query, "variables": {"input": value}}).encode()


def write_mutation(field: str) -> str:
    """Return the document of a mutation that takes its input from a variable."""
    input_type, selection = MUTATIONS[field]
    return f"mutation Go($input: {input_type}!) {{ {field}(input: $input) {selection} }}"
