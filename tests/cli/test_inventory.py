"""`rbln-dra inventory`: the lines of the documentation."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

#: Run a command: exit code, standard output, standard error.
Invoke = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("name", "line"),
    [("rebel100", "node-rebel100   1   vfio-0000-27-00-0\n"), ("atom", "node-atom   16   vfio-0000-23-00-0\n")],
    ids=["rebel100", "atom"],
)
def test_documented_lines(invoke: Invoke, name: str, line: str) -> None:
    """Pool, number of devices, first device: as the documentation shows its two nodes, from a scan and from the slices alike."""
    assert invoke("inventory", "--tree", name) == (0, line, "")
    _, slices, _ = invoke("devices", "--tree", name, "-o", "yaml")
    assert invoke("inventory", "--slices", "-", stdin=slices) == (0, line, "")


def slice_of(driver: str, pool: str, devices: list[str]) -> dict[str, object]:
    """Write a slice."""
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": "ResourceSlice",
        "metadata": {"name": f"{pool}-{driver}"},
        "spec": {
            "driver": driver,
            "nodeName": pool,
            "pool": {"name": pool, "generation": 1, "resourceSliceCount": 1},
            "devices": [{"name": name} for name in devices],
        },
    }


def test_pools(invoke: Invoke) -> None:
    """Only the NPU driver's pools are listed unless another driver is asked for; an empty pool has no first device."""
    text = json.dumps(
        {
            "kind": "List",
            "items": [
                slice_of("npu.rebellions.ai", "node-a", ["vfio-0000-27-00-0", "vfio-0000-28-00-0"]),
                slice_of("gpu.example.com", "node-a", ["gpu-0"]),
                slice_of("npu.rebellions.ai", "node-long", []),
            ],
        }
    )
    assert invoke("inventory", "--slices", "-", stdin=text)[:2] == (0, "node-a      2   vfio-0000-27-00-0\nnode-long   0   <none>\n")
    assert invoke("inventory", "--slices", "-", "--driver", "gpu.example.com", stdin=text)[:2] == (0, "node-a   1   gpu-0\n")
    assert invoke("inventory", "--slices", "-", "--driver", "x.example.com", stdin=text) == (0, "", "No pools found.\n")
