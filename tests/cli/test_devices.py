"""`rbln-dra devices`: what is published, in every form."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from rbln_dra.discovery import SliceBackend, TreeBackend, bundled, discover

#: Run a command: exit code, standard output, standard error.
Invoke = Callable[..., tuple[int, str, str]]


def test_table(invoke: Invoke) -> None:
    """The table has kubectl's form: capitals, columns three blanks apart."""
    code, out, err = invoke("devices", "--tree", "rebel100")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "NAME                POOL            TYPE   PRODUCT     PCI ADDRESS    NUMA   PCIE ROOT",
        "vfio-0000-27-00-0   node-rebel100   vfio   RBLN-CR13   0000:27:00.0   0      pci0000:20",
    ]


def test_wide(invoke: Invoke) -> None:
    """The wide table adds ids, group, VF, capacities and driver; what is not there is <none>."""
    code, out, _ = invoke("devices", "--tree", "rebel100", "-o", "wide")
    assert code == 0
    header, row = (line.split("   ") for line in out.splitlines())
    assert [cell.strip() for cell in header if cell.strip()][-5:] == ["PCI ID", "IOMMU GROUP", "VF", "CAPACITY", "DRIVER"]
    assert [cell.strip() for cell in row if cell.strip()][-5:] == ["2130", "42", "false", "<none>", "npu.rebellions.ai"]


def test_name(invoke: Invoke) -> None:
    """Names are driver, pool and device, one a line."""
    code, out, _ = invoke("devices", "--tree", "atom", "-o", "name")
    assert code == 0
    assert len(out.splitlines()) == 16
    assert out.splitlines()[0] == "npu.rebellions.ai/node-atom/vfio-0000-23-00-0"


@pytest.mark.parametrize("name", ["rebel100", "atom", "ca22", "sriov", "mixed"])
@pytest.mark.parametrize("form", ["json", "yaml"])
def test_slices_read_back(invoke: Invoke, name: str, form: str) -> None:
    """What is printed as JSON or YAML is read again as the same devices in the same pools."""
    code, out, _ = invoke("devices", "--tree", name, "-o", form)
    assert code == 0
    scanned, read = discover(TreeBackend(name)), discover(SliceBackend(out))
    assert read.devices == scanned.devices
    assert [(pool.name, pool.node, pool.complete) for pool in read.pools] == [(scanned.node, scanned.node, True)]
    again = invoke("devices", "--slices", "-", "-o", form, stdin=out)
    assert again == (0, out, "")


def test_slices_are_a_list(invoke: Invoke) -> None:
    """The document is the list that kubectl prints, of v1 slices."""
    _, out, _ = invoke("devices", "--tree", "rebel100", "-o", "json")
    document = json.loads(out)
    assert (document["apiVersion"], document["kind"]) == ("v1", "List")
    (item,) = document["items"]
    assert (item["apiVersion"], item["kind"]) == ("resource.k8s.io/v1", "ResourceSlice")
    assert item["spec"]["nodeName"] == item["spec"]["pool"]["name"] == "node-rebel100"
    _, out, _ = invoke("devices", "--tree", "rebel100", "-o", "yaml")
    assert yaml.safe_load(out) == document


def pool(devices: int, *, slices: int = 1, **fields: object) -> str:
    """Write one slice of many devices."""
    return json.dumps(
        {
            "apiVersion": "resource.k8s.io/v1",
            "kind": "ResourceSlice",
            "metadata": {"name": "slice-a"},
            "spec": {
                "driver": "gpu.example.com",
                "pool": {"name": "rack/a", "generation": 7, "resourceSliceCount": slices},
                "allNodes": True,
                "devices": [{"name": f"d{index}", **fields} for index in range(devices)],
            },
        }
    )


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        (pool(0), [0]),
        (pool(128), [128]),
        (pool(129), [128, 1]),
        (pool(65, taints=[{"key": "a", "effect": "None"}]), [64, 1]),
        (pool(65, attributes={"a": {"ints": [1]}}), [64, 1]),
        (pool(65, consumesCounters=[{"counterSet": "a"}]), [64, 1]),
    ],
    ids=["empty", "full", "one-more", "tainted", "lists", "counters"],
)
def test_slices_hold_what_the_api_takes(invoke: Invoke, text: str, sizes: list[int]) -> None:
    """A pool is split at the limit of a slice, with a consistent count; an empty pool is one empty slice."""
    code, out, _ = invoke("devices", "--slices", "-", "-o", "json", stdin=text)
    assert code == 0
    items = json.loads(out)["items"]
    assert [len(item["spec"].get("devices", [])) for item in items] == sizes
    assert [item["spec"]["pool"] for item in items] == [{"name": "rack/a", "generation": 7, "resourceSliceCount": len(sizes)}] * len(sizes)
    assert [item["metadata"]["name"] for item in items] == ["slice-a", "rack-a-gpu.example.com-1"][: len(sizes)]
    assert "nodeName" not in items[0]["spec"]


def test_missing_slices_stay_missing(invoke: Invoke) -> None:
    """A pool of which slices were not seen is printed as one of which slices are missing."""
    code, out, err = invoke("devices", "--slices", "-", "-o", "json", stdin=pool(1, slices=3))
    assert code == 0
    assert json.loads(out)["items"][0]["spec"]["pool"]["resourceSliceCount"] == 3
    assert err.startswith("rbln-dra: note: ")
    assert invoke("devices", "--slices", "-", "-o", "json", "-q", stdin=pool(1, slices=3)) == (0, out, "")


def test_other_values(invoke: Invoke) -> None:
    """Lists, truth values, capacities and odd texts stand in cells that a terminal only prints."""
    text = pool(
        1,
        attributes={
            "resource.kubernetes.io/numaNode": {"ints": [0, 1]},
            "productName": {"string": "a\u001b[31m\nb"},
            "type": {},
            "vf": {"bool": True},
        },
        capacity={"memory": {"value": "1024Mi"}, "cores": {"value": "4"}},
    )
    code, out, _ = invoke("devices", "--slices", "-", "-o", "wide", stdin=text)
    assert code == 0
    cells = [cell.strip() for cell in out.splitlines()[1].split("   ") if cell.strip()]
    assert cells == [
        "d0", "rack/a", "<none>", r"a\x1b[31m b", "<none>", "0,1", "<none>", "<none>", "<none>", "true", "memory=1Gi,cores=4", "gpu.example.com",
    ]  # fmt: skip


def test_notes(invoke: Invoke) -> None:
    """Cards that are not published are remarks beside the result, unless they are not wanted."""
    code, out, err = invoke("devices", "--tree", "mixed")
    assert code == 0
    assert err
    assert all(line.startswith("rbln-dra: note: ") for line in err.splitlines())
    assert invoke("devices", "--tree", "mixed", "--quiet") == (0, out, "")


def test_profile(invoke: Invoke) -> None:
    """An older driver generation publishes in its own way."""
    _, out, _ = invoke("devices", "--tree", "rebel100", "--profile", "0d204dd")
    assert "RBLN-CR13" not in out
    assert invoke("devices", "--tree", "rebel100", "--profile", "0.1.0")[1:] == ("", "No devices found.\n")


def test_driver(invoke: Invoke) -> None:
    """A driver that is installed under another name publishes under it; of slices it is the only one that is read."""
    _, out, _ = invoke("devices", "--tree", "rebel100", "--driver", "npu.example.com", "-o", "name")
    assert out == "npu.example.com/node-rebel100/vfio-0000-27-00-0\n"
    assert invoke("devices", "--slices", "-", "--driver", "npu.rebellions.ai", stdin=pool(1)) == (0, "", "No devices found.\n")


def test_folder(invoke: Invoke, tmp_path: Path) -> None:
    """A folder of the shape of /sys is scanned like a host; without the node's name there is no pool, and no slice."""
    expected = discover(TreeBackend("rebel100"))
    bundled("rebel100").write(tmp_path)
    code, out, _ = invoke("devices", "--sysfs", str(tmp_path))
    assert code == 0
    assert "<none>" in out.splitlines()[1]
    assert "vfio-0000-27-00-0" in out
    code, out, err = invoke("devices", "--sysfs", str(tmp_path), "-o", "json")
    assert (code, out) == (2, "")
    assert err == "rbln-dra: error: a ResourceSlice names its node, which the source does not say; pass --node NAME\n"
    code, out, _ = invoke("devices", "--sysfs", str(tmp_path), "-o", "json", "--node", "node-rebel100")
    assert discover(SliceBackend(out)).devices == expected.devices
