"""The tree of errors: one line each, compared by value, whatever the value in them is."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from typing_extensions import override

from rbln_dra import PCIAddress, QualifiedName, Quantity, Selector, Semver, TreeBackend, cel, discover, errors
from rbln_dra.attributes import schema
from rbln_dra.discovery import Tree, bundled, make_backend
from rbln_dra.kubernetes import Kubernetes, parse_feature_gates
from rbln_dra.names import DriverName, FullyQualifiedName, Name
from rbln_dra.products import by_marketing_name, by_pci_id, by_resource_name, by_sku, lookup, near

EXAMPLES = (
    errors.InvalidValue("a", "b", "c", 1, "d"),
    errors.InvalidPCIAddress("a", "b"),
    errors.DecodeError("spec", 5, "a list", "h", 1, 2, "file"),
    errors.DiscoveryError("place", "reason", "hint"),
    errors.CompileError("message", (errors.Issue(1, 2, "message"),), "expression"),
    errors.EvaluationError("message", "hint", "device"),
    errors.AllocationError("message", node_only=True),
    errors.SearchLimitExceeded("message", node_only=False, steps=5),
    errors.Unsupported("a feature"),
    errors.MissingPackage("PyYAML", "-o yaml"),
)


class Odd:
    """A value that cannot even be shown."""

    @override
    def __repr__(self) -> str:
        """Fail in its own way."""
        raise RuntimeError("no")


def deep() -> list[Any]:
    """Nest lists deeper than Python shows."""
    value: list[Any] = []
    for _ in range(5000):
        value = [value]
    return value


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: type(error).__name__)
def test_by_value(error: errors.Error) -> None:
    """An error equals one with the same fields, hashes alike, and comes back from a pickle."""
    twin = pickle.loads(pickle.dumps(error))
    assert twin == error
    assert twin is not error
    assert hash(twin) == hash(error)
    assert str(twin) == str(error)
    assert str(error).isprintable()
    assert error != errors.Error()


def test_many_errors_in_one() -> None:
    """All are in the field, the line has the first three; one error alone is itself."""
    single = [errors.DecodeError(f"a[{number}]", 1, "a text") for number in range(12)]
    whole = errors.DecodeError.together([errors.DecodeError.together(single[:5]), *single[5:]])
    assert (whole.path, whole.every) == ("a[0]", tuple(single))
    assert str(whole).endswith("; also a[2]: expected a text, got 1; also 9 more")
    assert errors.DecodeError.together(single[:1]) == single[0]
    assert single[0].every == (single[0],)


@pytest.mark.parametrize("value", [Odd(), deep(), 10**5000, "x" * 10**6, {"a": Odd()}], ids=["odd", "deep", "huge", "long", "inside"])
def test_any_value(value: object) -> None:
    """An error about a value can be shown, on one line of bounded length, though the value cannot."""
    for error in (errors.InvalidValue(value, "a text"), errors.DecodeError("spec", value, "a list")):
        assert len(str(error)) < 200
        assert str(error).isprintable()


def test_long_texts() -> None:
    """A reason that quotes all of a value, and a place of any length, are cut; the fields have all of it."""
    text = "x" * 100_000
    with pytest.raises(errors.InvalidSemver) as semver:
        Semver.parse_tolerant(text)
    with pytest.raises(errors.DiscoveryError) as tree:
        discover(TreeBackend(text))
    assert len(str(semver.value)) < 2000
    assert len(str(tree.value)) < 2000
    assert tree.value.place == text


def test_empty_place() -> None:
    """A place without a name is shown as one."""
    with pytest.raises(errors.DiscoveryError, match="^'': no such tree"):
        discover(TreeBackend(""))


@pytest.mark.parametrize(
    "parse",
    [
        PCIAddress.parse,
        PCIAddress.from_device_name,
        Quantity.parse,
        Semver.parse,
        Semver.parse_tolerant,
        Name.parse,
        DriverName.parse,
        QualifiedName.parse,
        lambda text: QualifiedName(text, "type"),
        lambda text: QualifiedName(None, text),
        FullyQualifiedName.parse,
        lambda text: FullyQualifiedName("npu.rebellions.ai", text),
        Kubernetes.parse,
        Kubernetes,
        parse_feature_gates,
        lambda value: Kubernetes("1.36", gates={"DRAListTypeAttributes": value}),
        by_pci_id,
        by_sku,
        by_marketing_name,
        by_resource_name,
        lookup,
        near,
        Selector,
        lambda value: Selector("true", value),
        lambda value: cel.Environment(kubernetes=value),
        discover,
        Tree.parse,
        bundled,
        make_backend,
        schema,
    ],
    ids=lambda parse: getattr(parse, "__qualname__", ""),
)
@pytest.mark.parametrize("value", [5, b"bytes", [], {"a": 1}, object(), Odd(), deep()], ids=lambda value: type(value).__name__)
def test_no_text(parse: Callable[[Any], object], value: object) -> None:
    """What wants a text and is given something else says so with an error of this tree."""
    with pytest.raises(errors.InvalidValue) as caught:
        parse(value)
    assert str(caught.value).isprintable()


def test_texts_where_other_values_are_meant() -> None:
    """A text is refused where it would count as something else: a gate's "false", a minor for an environment, a node for a backend."""
    with pytest.raises(errors.InvalidFeatureGates):
        Kubernetes("1.36", gates={"DRAListTypeAttributes": "false"})  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(errors.InvalidValue, match="expected an environment such as"):
        Selector("true", "1.36")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(errors.InvalidValue, match="expected a backend such as"):
        discover("atom")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    with pytest.raises(errors.UnknownKubernetes, match="it has an epoch"):
        Kubernetes("1!1.36")
