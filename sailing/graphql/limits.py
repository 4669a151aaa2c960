"""Limits on a parsed document, checked before validation, whose cost grows with the document.

A fragment counts where it is defined and wherever it is spread. The walk stops at the first exceeded limit,
so that circular and exponentially nested fragments cost no time.
"""

from typing import Any

from graphql import GraphQLError
from graphql.language import (
    DocumentNode,
    ExecutableDefinitionNode,
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
MAX_SELECTIONS = 150
"""Fields, fragment spreads and inline fragments of the whole document. Validation compares each selection
with all others of the same name."""
MAX_DIRECTIVES = 10
"""On one node."""


class LimitExceeded(GraphQLError):
    """The document exceeds a limit."""

    def __init__(self, what: str) -> None:
        super().__init__(f"The document exceeds a limit: {what}.", extensions={"code": "LIMIT_EXCEEDED"})


def check(document: DocumentNode) -> None:
    """Raise LimitExceeded for a document that exceeds a limit, also in unused parts."""
    walk = _Walk(document)
    for node in document.definitions:
        _check_directives(node)
        if isinstance(node, ExecutableDefinitionNode):
            for variable in node.variable_definitions or ():
                _check_directives(variable)
            walk.definition(node)


class _Walk:
    """Walk through definitions with their fragments expanded, and count."""

    def __init__(self, document: DocumentNode) -> None:
        self.fragments = {
            node.name.value: node for node in document.definitions if isinstance(node, FragmentDefinitionNode)
        }
        self.open: set[str] = set()
        self.selections = 0
        self.aliases = 0
        self.roots = 0

    def definition(self, node: ExecutableDefinitionNode) -> None:
        self.aliases = self.roots = 0
        if isinstance(node, FragmentDefinitionNode):
            self.fragment(node.name.value, depth=0)
            return
        self.selection(node.selection_set, depth=0)
        if self.roots > MAX_ROOT_FIELDS:
            raise LimitExceeded(f"more than {MAX_ROOT_FIELDS} fields at the root")
        is_mutation = isinstance(node, OperationDefinitionNode) and node.operation is OperationType.MUTATION
        if is_mutation and self.roots > 1:
            raise LimitExceeded("more than one mutation")

    def selection(self, selected: SelectionSetNode | None, *, depth: int) -> None:
        for child in selected.selections if selected else ():
            self.selections += 1
            if self.selections > MAX_SELECTIONS:
                raise LimitExceeded(f"more than {MAX_SELECTIONS} selections")
            _check_directives(child)
            if isinstance(child, FieldNode):
                self.field(child, depth=depth + 1)
            elif isinstance(child, FragmentSpreadNode):
                self.fragment(child.name.value, depth=depth)
            else:
                self.selection(child.selection_set, depth=depth)  # type: ignore[attr-defined]

    def field(self, node: FieldNode, *, depth: int) -> None:
        self.roots += depth == 1
        self.aliases += node.alias is not None
        if depth > MAX_DEPTH:
            raise LimitExceeded(f"more than {MAX_DEPTH} levels")
        if self.aliases > MAX_ALIASES:
            raise LimitExceeded(f"more than {MAX_ALIASES} aliases")
        self.selection(node.selection_set, depth=depth)

    def fragment(self, name: str, *, depth: int) -> None:
        if name in self.open:
            raise LimitExceeded("a fragment inside itself")
        if name in self.fragments:  # validation reports unknown fragments
            self.open.add(name)
            self.selection(self.fragments[name].selection_set, depth=depth)
            self.open.remove(name)


def _check_directives(node: Any) -> None:
    if len(getattr(node, "directives", ())) > MAX_DIRECTIVES:
        raise LimitExceeded(f"more than {MAX_DIRECTIVES} directives on one node")
