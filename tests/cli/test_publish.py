"""`rbln-dra publish`: the slices of a node as kubectl apply takes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from rbln_dra import validate
from rbln_dra.kubernetes import MINORS

#: Run a command: exit code, standard output, standard error.
Invoke = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("minor", MINORS)
@pytest.mark.parametrize("tree", ["rebel100", "atom"])
def test_every_minor_admits_what_is_printed(invoke: Invoke, tree: str, minor: str) -> None:
    """The API server has nothing against the slices and the classes, one document each."""
    code, out, _ = invoke("publish", "--tree", tree, "--classes", "--kubernetes", minor)
    documents = list(yaml.safe_load_all(out))
    assert code == 0
    assert [each["kind"] for each in documents] == ["ResourceSlice", "DeviceClass", "DeviceClass"]
    assert [validate(each, kubernetes=minor) for each in documents] == [(), (), ()]
    assert invoke("validate", "-", "--kubernetes", minor, stdin=out) == (0, "", "")


def test_the_node_has_the_slice(invoke: Invoke) -> None:
    """Node, pool and name of the slice are those of the node that is named."""
    _, out, _ = invoke("publish", "--tree", "rebel100", "--node", "node-1", "-o", "json", "-q")
    (made,) = json.loads(out)["items"]
    assert (made["metadata"]["name"], made["spec"]["nodeName"]) == ("node-1-npu.rebellions.ai-0", "node-1")
    assert made["spec"]["pool"] == {"name": "node-1", "generation": 1, "resourceSliceCount": 1}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--sysfs", "SYSFS"), "a ResourceSlice names its node, which the source does not say; pass --node NAME"),
        (("--slices", "-"), "--slices are published already"),
        (("--sysfs", "/nowhere"), "/nowhere"),
        (("--tree", "nothing"), "nothing"),
    ],
    ids=["node", "slices", "sysfs", "tree"],
)
def test_sources_that_cannot_be_published(invoke: Invoke, arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """A source that is none, or does not name its node, is one line of error."""
    (tmp_path / "bus/pci/devices").mkdir(parents=True)
    code, out, err = invoke("publish", *(str(tmp_path) if each == "SYSFS" else each for each in arguments))
    assert (code, out, said in err, err.count("\n")) == (2, "", True, 1)
