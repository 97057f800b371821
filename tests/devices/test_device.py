"""The DRA device: every v1 field of 1.34 to 1.37, read as the API server reads and written as it writes."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime
from typing import Any

import attrs
import pytest

from rbln_dra.attributes import DeviceAttribute
from rbln_dra.devices import (
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
)
from rbln_dra.documents import Written
from rbln_dra.errors import DecodeError
from rbln_dra.quantity import Quantity

DRIVER = "npu.rebellions.ai"


def quantity(text: str) -> Quantity:
    """Give a quantity."""
    return Quantity.parse(text)


FULL: dict[str, Any] = {
    "name": "vfio-0000-27-00-0",
    "attributes": {
        "type": {"string": "vfio"},
        "resource.kubernetes.io/numaNode": {"ints": [0, 1]},
        "driverVersion": {"version": "1.2.3"},
    },
    "capacity": {
        "memory": {
            "value": "140Gi",
            "requestPolicy": {"default": "1Gi", "validRange": {"min": "1Gi", "max": "8Gi", "step": "1Gi"}},
        },
        "cores": {"value": "4", "requestPolicy": {"default": "1", "validValues": ["1", "2"]}},
    },
    "consumesCounters": [{"counterSet": "card", "counters": {"memory": {"value": "1Gi"}}, "compatibilityGroups": ["a", "b"]}],
    "nodeName": "node-rebel100",
    "nodeSelector": {
        "nodeSelectorTerms": [
            {
                "matchExpressions": [{"key": "zone", "operator": "In", "values": ["a"]}],
                "matchFields": [{"key": "metadata.name", "operator": "Exists"}],
            }
        ]
    },
    "allNodes": False,
    "taints": [{"key": "example.com/broken", "value": "yes", "effect": "NoSchedule", "timeAdded": "2026-01-31T09:30:00Z"}],
    "bindsToNode": True,
    "bindingConditions": ["Ready"],
    "bindingFailureConditions": ["Failed"],
    "allowMultipleAllocations": False,
    "nodeAllocatableResources": {
        "cpu": {
            "mapping": {"capacityKey": "cores", "capacityMultiplier": "2", "deviceMultiplier": "8"},
            "overhead": {"perPod": "1", "perContainer": "500m"},
        }
    },
    "nodeAllocatableResourceMappings": {"cpu": {"capacityKey": "cores", "allocationMultiplier": "2"}},
}

DEVICE = Device(
    name="vfio-0000-27-00-0",
    driver=DRIVER,
    pool="node-rebel100",
    attributes={
        "type": DeviceAttribute(string_value="vfio"),
        "resource.kubernetes.io/numaNode": DeviceAttribute(int_values=(0, 1)),
        "driverVersion": DeviceAttribute(version_value="1.2.3"),
    },
    capacity={
        "memory": DeviceCapacity(
            quantity("140Gi"),
            CapacityRequestPolicy(quantity("1Gi"), valid_range=CapacityRequestPolicyRange(quantity("1Gi"), quantity("8Gi"), quantity("1Gi"))),
        ),
        "cores": DeviceCapacity(quantity("4"), CapacityRequestPolicy(quantity("1"), (quantity("1"), quantity("2")))),
    },
    consumes_counters=(DeviceCounterConsumption("card", {"memory": quantity("1Gi")}, ("a", "b")),),
    node_name="node-rebel100",
    node_selector=NodeSelector(
        (NodeSelectorTerm((NodeSelectorRequirement("zone", "In", ("a",)),), (NodeSelectorRequirement("metadata.name", "Exists"),)),)
    ),
    all_nodes=False,
    taints=(DeviceTaint("example.com/broken", "NoSchedule", "yes", datetime(2026, 1, 31, 9, 30, tzinfo=UTC)),),
    binds_to_node=True,
    binding_conditions=("Ready",),
    binding_failure_conditions=("Failed",),
    allow_multiple_allocations=False,
    node_allocatable_resources={
        "cpu": NodeAllocatableResource(
            NodeAllocatableMapping("cores", quantity("2"), quantity("8")), NodeAllocatableOverhead(quantity("1"), quantity("500m"))
        )
    },
    node_allocatable_resource_mappings={"cpu": NodeAllocatableResourceMapping("cores", quantity("2"))},
)


def test_every_field() -> None:
    """Each field has its place in Python, and comes out as it went in, in the same order."""
    device = Device.from_dict(FULL, driver=DRIVER, pool="node-rebel100")
    assert device == DEVICE
    assert device.to_dict() == FULL
    assert list(device.to_dict()) == list(FULL)
    assert list(device.attributes) == list(FULL["attributes"])


def test_strictly() -> None:
    """Strict reading knows every field."""
    assert Device.from_dict(FULL, driver=DRIVER, pool="node-rebel100", strict=True) == DEVICE


def test_value() -> None:
    """A device is a value: equal, hashable, and the same after pickling."""
    device = Device.from_dict(FULL, driver=DRIVER, pool="node-rebel100")
    assert {device: 1}[DEVICE] == 1
    assert pickle.loads(pickle.dumps(device)) == device
    assert attrs.evolve(device, name="other") != device
    assert device.id == (DRIVER, "node-rebel100", "vfio-0000-27-00-0")


READABLE: list[tuple[Any, dict[str, Any]]] = [
    ({}, {"name": ""}),
    ({"name": None, "attributes": None, "capacity": None, "taints": None, "allNodes": None}, {"name": ""}),
    ({"name": "d", "Name": "x", "basic": {"attributes": {}}}, {"name": "d"}),
    ({"name": "Not A Label"}, {"name": "Not A Label"}),
    ({"name": "d", "attributes": {"a": None}}, {"name": "d", "attributes": {"a": {}}}),
    ({"name": "d", "attributes": {"a": {"int": 1, "string": "x"}}}, {"name": "d", "attributes": {"a": {"int": 1, "string": "x"}}}),
    (
        {"name": "d", "attributes": {"type": {"string": "a"}, f"{DRIVER}/type": {"string": "b"}, "a/b/c": {}, "/x": {}}},
        {"name": "d", "attributes": {"type": {"string": "a"}, f"{DRIVER}/type": {"string": "b"}, "a/b/c": {}, "/x": {}}},
    ),
    ({"name": "d", "capacity": {"m": {}}}, {"name": "d", "capacity": {"m": {"value": "0"}}}),
    ({"name": "d", "capacity": {"m": None}}, {"name": "d", "capacity": {"m": {"value": "0"}}}),
    ({"name": "d", "capacity": {"m": {"value": 5}}}, {"name": "d", "capacity": {"m": {"value": "5"}}}),
    ({"name": "d", "capacity": {"m": {"value": 1.5}}}, {"name": "d", "capacity": {"m": {"value": "1500m"}}}),
    ({"name": "d", "capacity": {"m": {"value": " 1024Mi "}}}, {"name": "d", "capacity": {"m": {"value": "1Gi"}}}),
    (
        {"name": "d", "capacity": {"m": {"value": "1", "requestPolicy": {"validValues": []}}}},
        {"name": "d", "capacity": {"m": {"value": "1", "requestPolicy": {"default": None, "validValues": []}}}},
    ),
    ({"name": "d", "taints": [{}, None]}, {"name": "d", "taints": [{"key": "", "effect": ""}, {"key": "", "effect": ""}]}),
    ({"name": "d", "nodeSelector": {}}, {"name": "d", "nodeSelector": {"nodeSelectorTerms": None}}),
    ({"name": "d", "bindsToNode": False, "nodeName": ""}, {"name": "d", "nodeName": "", "bindsToNode": False}),
]


@pytest.mark.parametrize(("obj", "written"), READABLE, ids=lambda value: repr(value)[:60])
def test_reading_does_not_judge(obj: object, written: dict[str, Any]) -> None:
    """What the API server can read is read, with Go's zero values for what is missing, whatever its validation will say."""
    assert Device.from_dict(obj, driver=DRIVER).to_dict() == written


@pytest.mark.parametrize(
    ("obj", "message"),
    [
        ("d", 'spec.devices[3]: expected a device such as {"name": "vfio-0000-27-00-0"}, got \'d\''),
        ({"name": 5}, 'spec.devices[3].name: expected a string, got 5; did you mean "5"?'),
        ({"attributes": []}, "spec.devices[3].attributes: expected an object, got []"),
        (
            {"attributes": {"type": "vfio"}},
            'spec.devices[3].attributes[type]: expected an attribute such as {"string": "vfio"}, got \'vfio\'; did you mean {"string": "vfio"}?',
        ),
        ({"attributes": {"a": {"int": 2**63}}}, "spec.devices[3].attributes[a].int: expected an integer of 64 bits, got 9223372036854775808"),
        ({"capacity": {"m": "16Gi"}}, 'spec.devices[3].capacity[m]: expected a capacity such as {"value": "16Gi"}, got \'16Gi\''),
        ({"capacity": {"m": {"value": "16GiB"}}}, "spec.devices[3].capacity[m].value: expected a quantity such as 16Gi, got '16GiB'"),
        ({"capacity": {"m": {"value": "1\n"}}}, "spec.devices[3].capacity[m].value: expected a quantity such as 16Gi, got '1\\n'"),
        ({"capacity": {"m": {"value": True}}}, "spec.devices[3].capacity[m].value: expected a quantity such as 16Gi, got True"),
        ({"capacity": {"m": {"value": []}}}, "spec.devices[3].capacity[m].value: expected a quantity such as 16Gi, got []"),
        (
            {"taints": [{"timeAdded": "yesterday"}]},
            "spec.devices[3].taints[0].timeAdded: expected a time such as 2026-01-31T09:30:00Z, got 'yesterday'",
        ),
        (
            {"consumesCounters": [{"counters": {"c": 1}}]},
            'spec.devices[3].consumesCounters[0].counters[c]: expected a counter such as {"value": "4"}, got 1',
        ),
        (
            {"nodeSelector": {"nodeSelectorTerms": [{"matchFields": [{"values": [1]}]}]}},
            'spec.devices[3].nodeSelector.nodeSelectorTerms[0].matchFields[0].values[0]: expected a string, got 1; did you mean "1"?',
        ),
        ({"allowMultipleAllocations": "true"}, "spec.devices[3].allowMultipleAllocations: expected true or false, got 'true'; did you mean true?"),
    ],
    ids=lambda value: repr(value)[:60],
)
def test_unreadable(obj: object, message: str) -> None:
    """What the API server cannot read is refused in one line: the place, what was expected, what came."""
    with pytest.raises(DecodeError) as caught:
        Device.from_dict(obj, driver=DRIVER, path="spec.devices[3]")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("value", "text"),
    [(Written("1e3"), "1e3"), (1000.0, "1k"), (1000, "1k"), (" 16Gi ", "16Gi"), (None, "0")],
    ids=["as it was written", "a float", "an integer", "blanks around", "null"],
)
def test_a_quantity_may_be_a_number(value: object, text: str) -> None:
    """A number counts as its text; blanks around a text do not."""
    read = Device.from_dict({"name": "d", "capacity": {"m": {"value": value}}}, driver=DRIVER)
    assert str(read.capacity["m"].value) == text


def test_a_quantity_that_python_does_not_write() -> None:
    """A number of thousands of digits is refused like any other that is no quantity."""
    with pytest.raises(DecodeError, match="expected a quantity such as 16Gi, got an integer of 16610 bits"):
        Device.from_dict({"capacity": {"m": {"value": 10**5000}}}, driver=DRIVER)


@pytest.mark.parametrize(
    ("obj", "path", "hint"),
    [
        ({"attribute": {}}, "attribute", "did you mean attributes?"),
        ({"attributes": {"type": {"stringValue": "vfio"}}}, "attributes[type].stringValue", "did you mean string?"),
        ({"capacity": {"m": {"quantity": "1"}}}, "capacity[m].quantity", None),
        ({"taints": [{"keys": ""}]}, "taints[0].keys", "did you mean key?"),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_strict(obj: object, path: str, hint: str | None) -> None:
    """Read strictly, an unknown field is an error with its place and what was probably meant."""
    with pytest.raises(DecodeError) as caught:
        Device.from_dict(obj, driver=DRIVER, strict=True)
    assert (caught.value.path, caught.value.hint) == (path, hint)
