"""What holds for every device: it comes out as it went in, and every input gives a device or one kind of error."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import attrs
from hypothesis import given, strategies as st

from rbln_dra.attributes import DeviceAttribute
from rbln_dra.devices import (
    NPU,
    PROFILES,
    CapacityRequestPolicy,
    CapacityRequestPolicyRange,
    Device,
    DeviceCapacity,
    DeviceCounterConsumption,
    DeviceTaint,
    NodeAllocatableMapping,
    NodeAllocatableOverhead,
    NodeAllocatableResource,
    NodeAllocatableResourceMapping,
    NodeSelector,
    NodeSelectorRequirement,
    NodeSelectorTerm,
    publish,
)
from rbln_dra.errors import DecodeError
from rbln_dra.pci import PCIAddress
from rbln_dra.quantity import Quantity

TEXT = st.text(max_size=8)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
QUANTITIES = st.tuples(st.integers(-(10**6), 10**6), st.sampled_from(["", "m", "k", "Ki", "Gi", "e3"])).map(
    lambda parts: Quantity.parse(f"{parts[0]}{parts[1]}")
)
MOMENTS = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC)).map(lambda moment: moment.replace(microsecond=0))


def tuples(of: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Any, ...]]:
    """Give short tuples."""
    return st.lists(of, max_size=2).map(tuple)


def mappings(of: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Give small mappings."""
    return st.dictionaries(TEXT, of, max_size=3)


def maybe(of: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Give a value or none."""
    return st.none() | of


ATTRIBUTES = st.builds(
    DeviceAttribute,
    int_value=maybe(INTEGERS),
    bool_value=maybe(st.booleans()),
    string_value=maybe(TEXT),
    version_value=maybe(TEXT),
    int_values=maybe(tuples(INTEGERS)),
    bool_values=maybe(tuples(st.booleans())),
    string_values=maybe(tuples(TEXT)),
    version_values=maybe(tuples(TEXT)),
)
POLICIES = st.builds(
    CapacityRequestPolicy,
    default=maybe(QUANTITIES),
    valid_values=maybe(tuples(QUANTITIES)),
    valid_range=maybe(st.builds(CapacityRequestPolicyRange, min=maybe(QUANTITIES), max=maybe(QUANTITIES), step=maybe(QUANTITIES))),
)
REQUIREMENTS = st.builds(NodeSelectorRequirement, key=TEXT, operator=TEXT, values=tuples(TEXT))
DEVICES = st.builds(
    Device,
    name=TEXT,
    driver=st.just("npu.rebellions.ai"),
    pool=maybe(TEXT),
    attributes=mappings(ATTRIBUTES),
    capacity=mappings(st.builds(DeviceCapacity, value=QUANTITIES, request_policy=maybe(POLICIES))),
    consumes_counters=tuples(st.builds(DeviceCounterConsumption, counter_set=TEXT, counters=mappings(QUANTITIES), compatibility_groups=tuples(TEXT))),
    node_name=maybe(TEXT),
    node_selector=maybe(
        st.builds(
            NodeSelector,
            terms=tuples(st.builds(NodeSelectorTerm, match_expressions=tuples(REQUIREMENTS), match_fields=tuples(REQUIREMENTS))),
        )
    ),
    all_nodes=maybe(st.booleans()),
    taints=tuples(st.builds(DeviceTaint, key=TEXT, effect=TEXT, value=TEXT, time_added=maybe(MOMENTS))),
    binds_to_node=maybe(st.booleans()),
    binding_conditions=tuples(TEXT),
    binding_failure_conditions=tuples(TEXT),
    allow_multiple_allocations=maybe(st.booleans()),
    node_allocatable_resources=mappings(
        st.builds(
            NodeAllocatableResource,
            mapping=maybe(
                st.builds(
                    NodeAllocatableMapping, capacity_key=maybe(TEXT), capacity_multiplier=maybe(QUANTITIES), device_multiplier=maybe(QUANTITIES)
                )
            ),
            overhead=maybe(st.builds(NodeAllocatableOverhead, per_pod=maybe(QUANTITIES), per_container=maybe(QUANTITIES))),
        )
    ),
    node_allocatable_resource_mappings=mappings(
        st.builds(NodeAllocatableResourceMapping, capacity_key=maybe(TEXT), allocation_multiplier=maybe(QUANTITIES))
    ),
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "attributes", "int", "string", "capacity", "value", "taints", "timeAdded", "x"]), inner, max_size=4
        )
    ),
    max_leaves=20,
)


@given(DEVICES)
def test_round_trip(device: Device) -> None:
    """Whatever fields a device has, the wire form holds them all, through JSON text too."""
    written = device.to_dict()
    for form in (written, json.loads(json.dumps(written))):
        again = Device.from_dict(form, driver=device.driver, pool=device.pool, strict=True)
        assert again == device
        assert list(again.attributes) == list(device.attributes)


@given(JSON)
def test_any_json(value: Any) -> None:
    """Any JSON value is a device or a `DecodeError`, and what is read can be read again."""
    try:
        device = Device.from_dict(value, driver="npu.rebellions.ai")
    except DecodeError as error:
        assert "\n" not in str(error)
        return
    assert Device.from_dict(device.to_dict(), driver=device.driver) == device


NPUS = st.builds(
    NPU,
    address=st.builds(PCIAddress, st.integers(0, 2**32 - 1) | st.integers(0, 0xFFFF), st.integers(0, 255), st.integers(0, 31), st.integers(0, 7)),
    pci_device_id=maybe(st.sampled_from(["1020", "1220", "1251", "2130", "ffff", "2BC0"])),
    driver=maybe(st.sampled_from(["vfio-pci", "rebellions", "vfio_pci"])),
    iommu_group=maybe(st.integers(0, 2**31)),
    numa_node=maybe(st.integers(0, 1023)),
    pcie_root=maybe(st.just("pci0000:20")),
    vf=st.booleans(),
    rbln=maybe(st.just("rbln0")),
    card_name=maybe(st.just("RBLN-CA25")),
    kernel_version=maybe(st.just("3.4.0")),
    memory=maybe(st.integers(0, 2**45)),
)


@given(NPUS, st.sampled_from(PROFILES))
def test_publish(npu: NPU, profile: Any) -> None:
    """Whatever a host says, a device has a name of its own, no empty facts, and at most nine attributes in passthrough; its wire form reads back."""
    device = publish(npu, profile=profile)
    if device is None:
        return
    assert Device.from_dict(device.to_dict(), driver=device.driver) == device
    if npu.driver == "vfio-pci":
        assert PCIAddress.from_device_name(device.name) == npu.address
        assert len(device.attributes) <= 9
        assert device.attributes["vf"].bool_value is npu.vf
    else:
        assert device.name == npu.rbln
    absent = npu.numa_node is None and not profile.negative_numa
    assert not (absent and any("numaNode" in name for name in device.attributes))


@given(NPUS)
def test_publish_ignores_what_it_does_not_name(npu: NPU) -> None:
    """A device depends on no fact of another card: publishing again, after another, gives the same."""
    first = publish(npu)
    publish(attrs.evolve(npu, numa_node=5, iommu_group=7, vf=not npu.vf))
    assert publish(npu) == first
