"""Each limit on a document, at its last allowed and its first refused value."""

from collections.abc import Callable

import pytest
from graphql import parse

from sailing.graphql.limits import LimitExceeded, check


def levels(count: int) -> str:
    return "{ a " * count + "}" * count


def levels_by_fragment(count: int) -> str:
    return "{ a { ...f } } fragment f on A " + "{ a " * (count - 1) + "}" * (count - 1)


def aliases(count: int) -> str:
    return "{ a { " + " ".join(f"b{n}: c" for n in range(count)) + " } }"


def aliases_by_fragment(count: int) -> str:
    spreads = "...f " * (count // 3) + " ".join(f"b{n}: c" for n in range(count % 3))
    return "{ a { " + spreads + " } } fragment f on A { x: c y: c z: c }"


def aliases_inline(count: int) -> str:
    return "{ a { ... { " + " ".join(f"b{n}: c" for n in range(count)) + " } } }"


def roots(count: int) -> str:
    return "{ " + "a " * count + "}"


def roots_by_fragment(count: int) -> str:
    return (
        "{ ...f ... { " + "a " * (count - 2) + "} } fragment f on Query { a ...g } fragment g on Query { a }"
    )


def mutations(count: int) -> str:
    return "mutation { " + "a " * count + "}"


def mutations_inline(count: int) -> str:
    return "mutation { " + "... on Mutation { a } " * count + "}"


def selections(count: int) -> str:
    return "{ a { " + "b " * (count - 1) + "} }"


def selections_of_all_operations(count: int) -> str:
    first, second = selections(count // 2), selections(count - count // 2)
    return f"query A {first} query B {second}"


def selections_where_defined_and_spread(count: int) -> str:
    return "{ a { ...f " + "b " * (count - 6) + "} } fragment f on A { b b }"


def directives(count: int) -> str:
    return "{ a " + "@x " * count + "}"


def directives_on_a_spread(count: int) -> str:
    return "{ ...f " + "@x " * count + "} fragment f on A { a }"


def directives_on_an_inline_fragment(count: int) -> str:
    return "{ ... " + "@x " * count + "{ a } }"


def directives_on_a_fragment(count: int) -> str:
    return "{ a } fragment f on A " + "@x " * count + "{ a }"


def directives_on_an_operation(count: int) -> str:
    return "query " + "@x " * count + "{ a }"


def directives_on_a_variable(count: int) -> str:
    return "query ($a: Int " + "@x " * count + ") { a }"


@pytest.mark.parametrize(
    ("document", "limit"),
    [
        (levels, 8),
        (levels_by_fragment, 8),
        (aliases, 15),
        (aliases_by_fragment, 15),
        (aliases_inline, 15),
        (roots, 5),
        (roots_by_fragment, 5),
        (mutations, 1),
        (mutations_inline, 1),
        (selections, 150),
        (selections_of_all_operations, 150),
        (selections_where_defined_and_spread, 150),
        (directives, 10),
        (directives_on_a_spread, 10),
        (directives_on_an_inline_fragment, 10),
        (directives_on_a_fragment, 10),
        (directives_on_an_operation, 10),
        (directives_on_a_variable, 10),
    ],
)
def test_limit_is_accepted_and_one_more_is_refused(document: Callable[[int], str], limit: int) -> None:
    check(parse(document(limit)))
    with pytest.raises(LimitExceeded, match=str(limit) if limit > 1 else "one mutation"):
        check(parse(document(limit + 1)))


def test_aliases_and_root_fields_are_counted_per_operation() -> None:
    one = "{ " + " ".join(f"b{n}: a" for n in range(5)) + " }"
    check(parse(" ".join(f"query q{n} {one}" for n in range(5))))


def test_fragment_may_be_spread_repeatedly() -> None:
    check(parse("{ a { ...f } b { ...f ...f } } fragment f on A { ...g } fragment g on A { c }"))
