"""
Room: what is built, and what the API server says of it.

May touch: `resources`, `validation`.
"""

from __future__ import annotations

import attrs
import pytest

from rbln_dra import Device, Kubernetes, TreeBackend, discover, validate
from rbln_dra.attributes import DeviceAttribute
from rbln_dra.devices import DeviceTaint
from rbln_dra.kubernetes import MINORS
from rbln_dra.names import DRIVER_NAME
from rbln_dra.products import PRODUCTS
from rbln_dra.resources import VERSIONS, Object, claim, claim_template, device_classes, npu_devices, pool_slices

TAINTED = [Device(f"d{number}", DRIVER_NAME, taints=(DeviceTaint("example.com/broken", "NoSchedule"),)) for number in range(200)]
LISTED = [Device(f"d{number}", DRIVER_NAME, attributes={"nodes": DeviceAttribute.of([0, 1])}) for number in range(200)]


def built(minor: str) -> list[Object]:
    """Build one of everything."""
    found: list[Object] = [*device_classes(), *pool_slices([], node="n", kubernetes=minor)]
    for tree in ("atom", "ca22", "mixed", "rebel100", "sriov"):
        inventory = discover(TreeBackend(tree))
        found.extend(pool_slices(inventory.devices, node=inventory.node or "", kubernetes=minor))
    found.extend(pool_slices(TAINTED, node="n", kubernetes=minor))
    for product in (None, *PRODUCTS):
        devices = npu_devices(32, product=product, same="pcieRoot")
        found.extend((claim("npu", devices, namespace="ns"), claim_template("npu", devices, namespace="ns")))
    found.append(claim("npu", npu_devices(None, same="numaNode"), namespace="ns"))
    return found


@pytest.mark.parametrize("minor", MINORS)
def test_what_is_built_is_admitted(minor: str) -> None:
    """In every minor and every version."""
    for obj in built(minor):
        assert validate(obj, kubernetes=minor) == ()
        for version in VERSIONS:
            assert validate(obj.to_dict(version), kubernetes=minor) == ()


def test_a_slice_of_lists_is_admitted_where_there_are_lists() -> None:
    """Lists of attributes halve the limit where their feature is on; elsewhere they are nothing, and such a device has no value."""
    release = Kubernetes("1.36", gates={"DRAListTypeAttributes": True})
    slices = pool_slices(LISTED, node="n", kubernetes=release)
    assert [len(each.spec.devices) for each in slices] == [64, 64, 64, 8]
    assert [validate(each, kubernetes=release) for each in slices] == [()] * 4


@pytest.mark.parametrize("minor", MINORS)
def test_an_update_of_a_pool_is_admitted(minor: str) -> None:
    """The next generation of a slice may take the place of the one before."""
    made = pool_slices(TAINTED, node="n", kubernetes=minor)
    old = tuple(attrs.evolve(each, metadata=attrs.evolve(each.metadata, resource_version="5")) for each in made)
    new = pool_slices(TAINTED[1:], node="n", kubernetes=minor, previous=old)
    assert new[0] != old[0]
    for before, after in zip(old, new, strict=True):
        assert validate(after, kubernetes=minor, old=before) == ()
