"""`rbln-dra allocate`: the devices of claims, or why there are none, and the exit code."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

#: Run a command: exit code, standard output, standard error.
Invoke = Callable[..., tuple[int, str, str]]

CLASSES = """
apiVersion: resource.k8s.io/v1
kind: DeviceClassList
items:
- {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: vfio}, spec: {selectors: [{cel: {expression: "device.driver == 'npu.rebellions.ai'"}}]}}
- {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: odd}, spec: {selectors: [{cel: {expression: "device.attributes['x.example'].y == 1"}}]}}
"""
CLAIM = """
apiVersion: resource.k8s.io/v1
kind: %s
metadata: {name: npus%s}
spec: {%sdevices: {requests: [{name: card, exactly: {deviceClassName: %s, count: %d}}], constraints: %s}%s}
"""
ROOT = "[{matchAttribute: resource.kubernetes.io/pcieRoot}]"


@pytest.fixture
def files(invoke: Invoke, tmp_path: Path) -> Path:
    """Give a folder with the slices of the bundled ATOM node, classes and claims."""
    (tmp_path / "slices.json").write_text(invoke("devices", "--tree", "atom", "-o", "json")[1])
    (tmp_path / "classes.yaml").write_text(CLASSES)
    (tmp_path / "two.yaml").write_text(CLAIM % ("ResourceClaim", ", namespace: ns", "", "vfio", 2, "[]", ""))
    (tmp_path / "many.yaml").write_text(CLAIM % ("ResourceClaim", "", "", "vfio", 17, ROOT, ""))
    (tmp_path / "odd.yaml").write_text(CLAIM % ("ResourceClaim", "", "", "odd", 1, "[]", ""))
    (tmp_path / "template.yaml").write_text(CLAIM % ("ResourceClaimTemplate", "", "spec: {", "vfio", 1, "[]", "}"))
    (tmp_path / "node.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata: {name: node-atom}\n")
    return tmp_path


def test_it_fits(invoke: Invoke, files: Path) -> None:
    """One row for each device."""
    code, out, err = invoke("allocate", f"{files}/two.yaml", "--slices", f"{files}/slices.json", "--classes", f"{files}/classes.yaml")
    assert (code, err) == (0, "")
    rows = [line.split() for line in out.splitlines()]
    assert rows[0] == ["CLAIM", "REQUEST", "DRIVER", "POOL", "DEVICE"]
    assert rows[1:] == [["ns/npus", "card", "npu.rebellions.ai", "node-atom", f"vfio-0000-23-00-{function}"] for function in (0, 1)]


@pytest.mark.parametrize("node", ["node-atom", "node.yaml"])
def test_templates_and_nodes(invoke: Invoke, files: Path, node: str) -> None:
    """A template is a claim under its name; a node is a name or a file."""
    where = f"{files}/{node}" if "." in node else node
    arguments = ("--slices", "-", "--classes", f"{files}/classes.yaml", "--node", where)
    code, out, _ = invoke("allocate", f"{files}/template.yaml", *arguments, stdin=(files / "slices.json").read_text())
    assert (code, out.splitlines()[1].split()[:2]) == (0, ["npus", "card"])


def test_a_node_among_the_objects(invoke: Invoke, files: Path) -> None:
    """A Node object in a file is the node."""
    common = ("--slices", f"{files}/slices.json", "--classes", f"{files}/classes.yaml")
    assert invoke("allocate", f"{files}/two.yaml", f"{files}/node.yaml", *common)[0] == 0


def test_it_does_not_fit(invoke: Invoke, files: Path) -> None:
    """Exit code 1, with hints on standard error."""
    code, out, err = invoke("allocate", f"{files}/many.yaml", "--slices", f"{files}/slices.json", "--classes", f"{files}/classes.yaml")
    assert (code, out) == (1, "does not fit\n")
    assert err.startswith("rbln-dra: hint: request card: 16 devices cannot go together under a constraint")


def test_in_use(invoke: Invoke, files: Path) -> None:
    """What is in use is passed over, named as a device or by an allocated claim."""
    common = ("--slices", f"{files}/slices.json", "--classes", f"{files}/classes.yaml")
    _, out, _ = invoke("allocate", f"{files}/two.yaml", *common, "-o", "json")
    claim = json.loads(json.dumps({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "a"}, "spec": {}}))
    claim["status"] = {"allocation": json.loads(out)["claims"][0]["allocation"]}
    (files / "used.json").write_text(json.dumps(claim))
    used = ("--in-use", f"{files}/used.json", "--in-use", "npu.rebellions.ai/node-atom/vfio-0000-23-00-2")
    _, out, _ = invoke("allocate", f"{files}/two.yaml", *common, *used)
    assert [line.split()[-1] for line in out.splitlines()[1:]] == ["vfio-0000-23-00-3", "vfio-0000-24-00-0"]


def test_explained(invoke: Invoke, files: Path) -> None:
    """Each request with each device, and what rules it out."""
    common = ("--slices", f"{files}/slices.json", "--classes", f"{files}/classes.yaml", "--explain")
    code, out, _ = invoke("allocate", f"{files}/many.yaml", *common)
    assert code == 1
    assert "claim npus, request card: wants 17, could take 0 (16 constraint)" in out
    assert out.splitlines()[-1].startswith("hint: ")
    document = json.loads(invoke("allocate", f"{files}/many.yaml", *common, "-o", "json")[1])
    assert document["requests"][0]["devices"][0]["reason"] == "constraint"
    code, out, _ = invoke("allocate", f"{files}/odd.yaml", *common)
    assert code == 2
    assert out.startswith("ERROR: class odd: selector #0: CEL runtime error: no such key: y\n")


def test_broken_pools_are_shown(invoke: Invoke, files: Path) -> None:
    """A pool of which slices are missing is named."""
    slices = json.loads((files / "slices.json").read_text())
    slices["items"][0]["spec"]["pool"]["resourceSliceCount"] = 2
    (files / "slices.json").write_text(json.dumps(slices))
    common = ("--slices", f"{files}/slices.json", "--classes", f"{files}/classes.yaml", "--explain")
    assert (
        "pool npu.rebellions.ai/node-atom: incomplete: its slices are not as many as they say" in invoke("allocate", f"{files}/two.yaml", *common)[1]
    )


def test_what_fits_is_explained(invoke: Invoke, files: Path) -> None:
    """What fits has no hints."""
    common = ("--slices", f"{files}/slices.json", "--classes", f"{files}/classes.yaml", "--explain")
    code, out, _ = invoke("allocate", f"{files}/two.yaml", *common)
    assert code == 0
    assert "claim ns/npus, request card: wants 2, could take 16" in out
    assert "hint:" not in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("odd.yaml", "slices.json", "classes.yaml"), "class odd: selector #0: CEL runtime error: no such key: y"),
        (("classes.yaml", "slices.json", "classes.yaml"), "there is no ResourceClaim in "),
        (("two.yaml", "classes.yaml", "classes.yaml"), "say which node with --node: the slices name none"),
        (("absent.yaml", "slices.json", "classes.yaml"), "cannot be read: No such file or directory"),
    ],
    ids=["scheduler's error", "no claim", "no node", "no file"],
)
def test_errors(invoke: Invoke, files: Path, arguments: tuple[str, str, str], said: str) -> None:
    """One line on standard error, and exit code 2."""
    claim, slices, classes = (f"{files}/{name}" for name in arguments)
    code, out, err = invoke("allocate", claim, "--slices", slices, "--classes", classes)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_device_in_use_that_is_not_published(invoke: Invoke, files: Path) -> None:
    """A slip of the pen is remarked: the device that was meant stays free."""
    common = ("--slices", f"{files}/slices.json", "--classes", f"{files}/classes.yaml")
    slip, meant = (f"npu.rebellions.ai/node-atom/vfio-0000-23-00{mark}0" for mark in ".-")
    code, out, err = invoke("allocate", f"{files}/two.yaml", *common, "--in-use", slip, "--in-use", meant)
    assert (code, err) == (0, f"rbln-dra: note: --in-use {slip}: no slice has this device\n")
    assert [line.split()[-1] for line in out.splitlines()[1:]] == ["vfio-0000-23-00-1", "vfio-0000-23-00-2"]


def test_amounts_are_as_the_api_server_stores_them(invoke: Invoke, tmp_path: Path) -> None:
    """1.5Gi is stored as 1536Mi, which does not grow in 1.35; what is no 64-bit number when it is stored does."""
    pool = {"name": "n", "generation": 1, "resourceSliceCount": 1}
    memory = {"memory": {"value": "100Pi", "requestPolicy": {"validRange": {"min": "1Gi"}}}}
    devices = [{"name": "d", "allowMultipleAllocations": True, "capacity": memory}]
    common = {"apiVersion": "resource.k8s.io/v1", "metadata": {"name": "x"}}
    published = {**common, "kind": "ResourceSlice", "spec": {"driver": "d", "nodeName": "n", "pool": pool, "devices": devices}}
    (tmp_path / "all.json").write_text(json.dumps({"kind": "List", "items": [published, {**common, "kind": "DeviceClass", "spec": {}}]}))
    consumed = []
    for amount in ("1.5Gi", "1000Ti"):
        exactly = {"deviceClassName": "x", "count": 2, "capacity": {"requests": {"memory": amount}}}
        wanted = {**common, "kind": "ResourceClaim", "spec": {"devices": {"requests": [{"name": "r", "exactly": exactly}]}}}
        (tmp_path / "claim.json").write_text(json.dumps(wanted))
        gates = ("--kubernetes", "1.35", "--feature-gates", "DRAConsumableCapacity=true", "-o", "json")
        report = json.loads(invoke("allocate", f"{tmp_path}/claim.json", "--slices", f"{tmp_path}/all.json", *gates)[1])
        consumed += [each["consumedCapacity"]["memory"] for each in report["claims"][0]["allocation"]["devices"]["results"]]
    assert consumed == ["1536Mi", "1536Mi", "3000Ti", "3000Ti"]


@pytest.mark.parametrize("text", ["kind: Pod", "- 1", "[]"], ids=["kind", "number", "list"])
def test_other_objects(invoke: Invoke, files: Path, text: str) -> None:
    """A file with anything else is refused."""
    (files / "other.yaml").write_text(text)
    code, _, err = invoke("allocate", f"{files}/other.yaml", "--slices", f"{files}/slices.json")
    assert code == 2
    assert "kind: expected one of ResourceClaim, ResourceClaimTemplate, DeviceClass, ResourceSlice, Node" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('{"kind": "List", "items": 5}', "wrong.json: document 1: kind: expected one of ResourceClaim, ResourceClaimTemplate, "),
        ('{"kind": "Node", "metadata": 5}', "node.metadata: expected an object, got 5"),
        ('{"kind": "ResourceSlice", "spec": {}}', "wrong.json: document 1: apiVersion: expected one of resource.k8s.io/v1, "),
        ('{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "spec": 5}', "wrong.json: document 1: spec: expected "),
        (
            '{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSliceList", "items": [{}, {"spec": {"devices": 5}}]}',
            "wrong.json: document 1, item 2: spec.devices: expected ",
        ),
    ],
)
def test_members_of_a_wrong_kind(invoke: Invoke, files: Path, text: str, said: str) -> None:
    """What is no list or no object where there must be one is one line."""
    (files / "wrong.json").write_text(text)
    code, out, err = invoke("allocate", f"{files}/two.yaml", "--slices", f"{files}/wrong.json", "--classes", f"{files}/classes.yaml")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
