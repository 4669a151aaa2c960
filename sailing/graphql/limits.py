"""Bounds on a parsed document, checked before validation, whose cost grows with the document.

Fragment spreads count as what they stand for. A fragment's own measures are computed once, however
often it is spread, so that neither a circle nor a doubling chain of fragments costs time.
"""

from dataclasses import dataclass

from graphql import GraphQLError
from graphql.language import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    OperationDefinitionNode,
    OperationType,
    SelectionSetNode,
)

MAX_TOKENS = 1000
MAX_DEPTH = 8
MAX_ALIASES = 15
MAX_ROOT_FIELDS = 5
MAX_FIELDS = 200
MAX_DIRECTIVES = 10  # on one node


class LimitExceeded(GraphQLError):
    """The document asks for more than any page of ours does."""

    def __init__(self, what: str) -> None:
        super().__init__(f"The document exceeds a limit: {what}.", extensions={"code": "LIMIT_EXCEEDED"})


@dataclass(frozen=True)
class Measure:
    """What a selection adds up to with its fragments written out."""

    depth: int = 0
    aliases: int = 0
    fields: int = 0
    roots: int = 0

    def beside(self, other: "Measure") -> "Measure":
        return Measure(
            max(self.depth, other.depth),
            self.aliases + other.aliases,
            self.fields + other.fields,
            self.roots + other.roots,
        )


class _Measurer:
    def __init__(self, document: DocumentNode) -> None:
        self.fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self.known: dict[str, Measure] = {}
        self.open: set[str] = set()

    def selection(self, node: SelectionSetNode | None, level: int) -> Measure:
        # Ends long before Python's own limit; what lies deeper is refused anyway.
        if level > MAX_DEPTH * 2:
            raise LimitExceeded(f"more than {MAX_DEPTH} levels")
        total = Measure()
        for child in node.selections if node else ():
            _check_directives(child.directives)
            if isinstance(child, FieldNode):
                inner = self.selection(child.selection_set, level + 1)
                part = Measure(
                    inner.depth + 1, inner.aliases + (child.alias is not None), inner.fields + 1, 1
                )
            elif isinstance(child, FragmentSpreadNode):
                part = self.fragment(child.name.value, level)
            else:
                part = self.selection(child.selection_set, level + 1)  # type: ignore[attr-defined]
            total = total.beside(part)
        return total

    def fragment(self, name: str, level: int) -> Measure:
        node = self.fragments.get(name)
        if node is None:
            return Measure()  # validation names it
        if name in self.open:
            raise LimitExceeded("a fragment inside itself")
        if name not in self.known:
            self.open.add(name)
            self.known[name] = self.selection(node.selection_set, level + 1)
            self.open.remove(name)
        return self.known[name]


def check(document: DocumentNode) -> None:
    """Raise LimitExceeded for a document beyond one of the bounds, used or unused parts alike."""
    measurer = _Measurer(document)
    for node in document.definitions:
        _check_directives(getattr(node, "directives", ()))
        if isinstance(node, FragmentDefinitionNode):
            measurer.fragment(node.name.value, 0)  # unused ones must not be endless either
        elif isinstance(node, OperationDefinitionNode):
            measure = measurer.selection(node.selection_set, 0)
            _check(measure, is_mutation=node.operation is OperationType.MUTATION)


def _check(measure: Measure, *, is_mutation: bool) -> None:
    bounds = {
        f"more than {MAX_DEPTH} levels": measure.depth > MAX_DEPTH,
        f"more than {MAX_ALIASES} aliases": measure.aliases > MAX_ALIASES,
        f"more than {MAX_FIELDS} fields": measure.fields > MAX_FIELDS,
        f"more than {MAX_ROOT_FIELDS} fields at the root": measure.roots > MAX_ROOT_FIELDS,
        "more than one mutation": is_mutation and measure.roots > 1,
    }
    for what, exceeded in bounds.items():
        if exceeded:
            raise LimitExceeded(what)


def _check_directives(directives: tuple[object, ...]) -> None:
    if len(directives) > MAX_DIRECTIVES:
        raise LimitExceeded(f"more than {MAX_DIRECTIVES} directives on one node")
