"""A cluster that is read once."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra.allocation import Cluster, Node, allocate, explain
from rbln_dra.errors import DecodeError
from tests.allocation.objects import CLASS, NPU, claim, device, published, request

SLICES = [published(device("a"), device("b")), published(device("c"), name="t", pool="n2", nodeName="n2")]


def test_claim_after_claim() -> None:
    """What is allocated is given as in use to the next, and what was found out of a node stays."""
    cluster = Cluster(classes=CLASS, slices=SLICES, kubernetes="1.36")
    taken: list[Any] = []
    rows: list[tuple[str, ...]] = []
    for _ in range(2):
        found = cluster.allocate(claim(request()), node="n1", in_use=taken)
        assert found is not None
        taken += [each.allocated for each in found]
        rows += [row[1:] for each in found for row in each.results]
    assert rows == [(NPU, "n1", "a"), (NPU, "n1", "b")]
    assert cluster.allocate(claim(request()), node="n1", in_use=taken) is None
    assert cluster.explain(claim(request()), node="n1", in_use=taken).advice == ("request r: 2 devices that match are in use",)


@pytest.mark.parametrize("node", ["n1", "n2", "n3", {"metadata": {"name": "n2", "labels": {"zone": "a"}}}, Node("n1", {"zone": "b"})])
@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36", "1.37"])
def test_as_if_read_anew(node: Any, minor: str) -> None:
    """It answers for each node, asked again and again, what `allocate` and `explain` say that read everything anew."""
    cluster = Cluster(classes=CLASS, slices=SLICES, kubernetes=minor)
    given: dict[str, Any] = {"classes": CLASS, "slices": SLICES, "node": node, "kubernetes": minor}
    for wanted in (
        claim(request()),
        claim(request(count=2)),
        claim(request("r", "device.driver == 'x'")),
        claim(request("r", "device.driver != 'x'")),
    ):
        for _ in range(2):
            assert cluster.allocate(wanted, node=node) == allocate(wanted, **given)
            assert cluster.explain(wanted, node=node) == explain(wanted, **given)


def test_shown() -> None:
    """It shows how much it has."""
    assert repr(Cluster(classes=CLASS, slices=SLICES, kubernetes="1.36")) == "Cluster(1 classes, 2 slices, kubernetes='1.36')"


def test_no_slices() -> None:
    """What is no slice is refused when it is given."""
    slices: Any = [3]
    with pytest.raises(DecodeError) as caught:
        Cluster(classes=CLASS, slices=slices)
    assert caught.value.path == "slices[0]"


def test_bounds() -> None:
    """What is found out is kept for some thousand nodes, and on each for some hundred lists of selectors."""
    cluster = Cluster(classes=CLASS, slices=SLICES)
    for number in range(4100):
        assert cluster.allocate(claim(request()), node=f"m{number}") is None
    assert list(cluster._reached) == [Node(f"m{number}") for number in range(4, 4100)]
    for number in range(300):
        cluster.allocate(claim(request("r", f"{number} == 0")), node="n1")
    assert len(cluster._reached[Node("n1")].verdicts) < 257
