"""Nodes and node selectors."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra.allocation import AllocationError, Node
from rbln_dra.allocation.nodes import matches, reaches
from rbln_dra.devices import NodeSelector, NodeSelectorRequirement, NodeSelectorTerm
from rbln_dra.errors import DecodeError

NODE = Node("n1", {"zone": "a", "rank": "3", "word": "x"})


def selector(*requirements: tuple[str, str, tuple[str, ...]], fields: tuple[tuple[str, str, tuple[str, ...]], ...] = ()) -> NodeSelector:
    """Make a selector of one term."""
    made = [tuple(NodeSelectorRequirement(*each) for each in group) for group in (requirements, fields)]
    return NodeSelector((NodeSelectorTerm(*made),))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("n1", Node("n1")),
        (Node("n1"), Node("n1")),
        ({"metadata": {"name": "n1"}}, Node("n1")),
        ({"metadata": {"name": "n1", "labels": None}, "status": {"declaredFeatures": ["F"]}}, Node("n1", declared_features=("F",))),
    ],
    ids=["name", "value", "object", "features"],
)
def test_a_node_is_read(given: object, expected: Node) -> None:
    """A name, a value and an object are a node."""
    assert Node.of(given) == expected


@pytest.mark.parametrize(
    ("given", "path"),
    [
        (1, "node"),
        ({}, "node.metadata.name"),
        ({"metadata": 1}, "node.metadata"),
        ({"metadata": {"name": 1}}, "node.metadata.name"),
        ({"metadata": {"name": "n", "labels": {"a": 1}}}, "node.metadata.labels[a]"),
        ({"metadata": {"name": "n"}, "status": {"declaredFeatures": [1]}}, "node.status.declaredFeatures[0]"),
    ],
    ids=["number", "empty", "metadata", "name", "label", "feature"],
)
def test_what_is_no_node(given: object, path: str) -> None:
    """Anything else is an error with its path."""
    with pytest.raises(DecodeError) as caught:
        Node.of(given)
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("requirement", "expected"),
    [
        (("zone", "In", ("a", "b")), True),
        (("zone", "In", ("b",)), False),
        (("zone", "NotIn", ("b",)), True),
        (("other", "NotIn", ("b",)), True),
        (("zone", "Exists", ()), True),
        (("other", "DoesNotExist", ()), True),
        (("rank", "Gt", ("2",)), True),
        (("rank", "Lt", ("3",)), False),
        (("word", "Gt", ("2",)), False),
        (("other", "Lt", ("2",)), False),
    ],
    ids=str,
)
def test_conditions(requirement: Any, expected: bool) -> None:
    """Each operator compares as Kubernetes does."""
    assert matches(selector(requirement), NODE) is expected


def test_fields_and_terms() -> None:
    """A field is the node's name; one term is enough, and an empty one never holds."""
    assert matches(selector(fields=(("metadata.name", "In", ("n1",)),)), NODE)
    assert not matches(selector(fields=(("metadata.name", "NotIn", ("n1",)),)), NODE)
    assert not matches(NodeSelector((NodeSelectorTerm(),)), NODE)
    assert matches(NodeSelector((NodeSelectorTerm(), *selector(("zone", "Exists", ())).terms)), NODE)


LONG = "x" * 64


@pytest.mark.parametrize(
    ("requirement", "fault"),
    [
        (("zone", "Is", ()), '.operator: Unsupported value: "Is": supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"'),
        (("zone", "In", ()), ".values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"),
        (("zone", "Exists", ("a",)), '.values: Invalid value: ["a"]: values set must be empty for exists and does not exist'),
        (("rank", "Gt", ("x",)), ".values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer"),
        (("rank", "Gt", ("99999999999999999999",)), "the value must be an integer"),
        (("a/b/c", "Exists", ()), '.key: Invalid value: "a/b/c": a qualified name must consist of'),
        (("/b", "Exists", ()), '.key: Invalid value: "/b": prefix part must be non-empty'),
        (("a/", "Exists", ()), '.key: Invalid value: "a/": name part must be non-empty; name part must consist of'),
        ((f"A/{LONG}", "Exists", ()), "prefix part a lowercase RFC 1123 subdomain must consist of"),
        ((f"a/{LONG}", "Exists", ()), "name part must be no more than 63 bytes"),
        (("a" * 254 + "/b", "Exists", ()), "prefix part must be no more than 253 bytes"),
        (("zone", "In", ("-",)), '.values[0][zone]: Invalid value: "-": a valid label must be an empty string or consist of'),
        (("zone", "In", ("a\a\x7fb",)), r'.values[0][zone]: Invalid value: "a\a\x7fb": a valid label must be an empty string or consist of'),
        (("zone", "In", (LONG,)), "must be no more than 63 bytes"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_kubernetes_refuses(requirement: Any, fault: str) -> None:
    """A term that cannot be read is an error with Kubernetes' text."""
    with pytest.raises(AllocationError) as caught:
        matches(selector(requirement), NODE)
    assert fault in caught.value.message
    assert caught.value.message.startswith("failed to parse node selector &NodeSelector{NodeSelectorTerms:[]NodeSelectorTerm{")


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        (("metadata.name", "Exists", ()), 'matchFields[0].operator: Unsupported value: "Exists": supported values: "In", "NotIn"'),
        (("metadata.name", "In", ()), "matchFields[0].values: Invalid value: null: must have one element"),
    ],
    ids=["operator", "values"],
)
def test_fields_that_kubernetes_refuses(field: Any, fault: str) -> None:
    """A field has two operators and one value; several faults stand in brackets."""
    with pytest.raises(AllocationError, match="nodeSelectorTerms") as caught:
        matches(selector(("zone", "In", ()), fields=(field,)), NODE)
    assert fault in caught.value.message
    assert caught.value.message.endswith("]")


def test_who_reaches() -> None:
    """A name counts before all nodes, and those before a selector."""
    assert reaches(NODE, node_name="n1", all_nodes=None, selector=None)
    assert not reaches(NODE, node_name="n2", all_nodes=True, selector=None)
    assert reaches(NODE, node_name=None, all_nodes=True, selector=None)
    assert not reaches(NODE, node_name=None, all_nodes=None, selector=None)
    assert reaches(NODE, node_name="", all_nodes=None, selector=selector(("zone", "Exists", ())))
