"""Random objects of resource.k8s.io: good ones, and good ones with something wrong."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from rbln_dra import Kubernetes
from rbln_dra.errors import InvalidFeatureGates
from rbln_dra.kubernetes import GATES

if TYPE_CHECKING:
    from random import Random

DRIVER = "npu.rebellions.ai"
NAMES = (
    "r0",
    "r1",
    "s0",
    "a",
    "npu",
    "A",
    "a.b",
    "a_b",
    "",
    "-a",
    "a/b",
    "a/b/c",
    "é",
    "x" * 63,
    "x" * 64,
    "node-1",
    "*",
    "a" * 254,
    "Npu.Rebellions.AI",
)
DOMAINS = (
    *NAMES,
    DRIVER,
    "example.com/a",
    "example.com/a-b",
    "Example.com/a",
    "/a",
    "a/",
    "kubernetes.io/x",
    "requests.a/b",
    f"{'d' * 64}/a",
    f"a/{'i' * 33}",
)
EXPRESSIONS = (
    "true",
    "1",
    "device",
    f'device.driver == "{DRIVER}"',
    f'device.attributes["{DRIVER}"].type == "vfio"',
    "[3, 1].sort() == [1, 3]",
    "device.allowMultipleAllocations",
    f'device.attributes["{DRIVER}"].list.includes("x")',
    "a",
    "",
    "(",
    '"' + "x" * 10240 + '" == ""',
    'semver("1.0.0").isGreaterThan(semver("0.1.0"))',
    "[1, 2, 3, 4].all(a, [1, 2, 3, 4].all(b, [1, 2, 3, 4].all(c, [1, 2, 3, 4].all(d, 'x'.matches('y')))))",
)
QUANTITIES = (
    "0",
    "1",
    "2",
    "3",
    "4",
    "-1",
    "1Gi",
    "2Gi",
    "16Gi",
    "1500m",
    "0.5",
    "1n",
    "9223372036854775807",
    "18446744073709551616",
    "1e30",
    "1E20",
)
VALUES: tuple[Any, ...] = (None, 0, 1, -1, 33, 2**31, True, False, [], {}, [None], "x", "", *NAMES)
EFFECTS = ("NoSchedule", "NoExecute", "None", "", "Other")
OPERATORS = ("Exists", "Equal", "", "Other")
SELECTOR_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "", "Near")
VERSIONS = ("v1", "v1beta2", "v1beta1")
KINDS = ("ResourceSlice", "ResourceClaim", "DeviceClass", "ResourceClaimTemplate")
#: Fields that rarely stand in a good object, by the key beside which they may be put.
EXTRAS: dict[str, tuple[Any, ...]] = {
    "labels": ({"a": "b"}, {"a/b/c": "-"}, {"": "x" * 64}),
    "annotations": ({"a": "b"}, {"A/B": ""}, {"a b": "x" * 262144}),
    "finalizers": (["a"], ["example.com/a"], ["orphan", "foregroundDeletion"], ["kubernetes", "a b"]),
    "ownerReferences": (
        [{"apiVersion": "v1", "kind": "Node", "name": "n", "uid": "u"}],
        [{"apiVersion": "", "kind": "", "name": "", "uid": ""}],
        [
            {"apiVersion": "v1", "kind": "Event", "name": "n", "uid": "u", "controller": True},
            {"apiVersion": "a/b/c", "kind": "K", "name": "n", "uid": "u", "controller": True},
        ],
        [{"apiVersion": "a/", "kind": "K", "name": "n", "uid": "u"}],
    ),
    "managedFields": (
        [{"manager": "m", "operation": "Update"}],
        [{"manager": "m" * 129, "operation": "", "fieldsType": "x", "subresource": "s" * 257}],
    ),
    "generation": (-1, 5),
    "deletionGracePeriodSeconds": (5,),
    "creationTimestamp": ("2026-01-01T00:00:00Z",),
    "deletionTimestamp": ("2026-01-01T00:00:00Z",),
    "uid": ("u", "v"),
}


def good(random: Random, kind: str) -> dict[str, Any]:
    """Make an object in which little is wrong, in the form of v1."""
    made = {"ResourceSlice": _slice, "ResourceClaim": _claim, "DeviceClass": _class, "ResourceClaimTemplate": _template}[kind](random)
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, **made}


def _some(random: Random, share: float = 0.3) -> bool:
    return random.random() < share


def _attribute(random: Random) -> dict[str, Any]:
    """Make an attribute, mostly with one value."""
    options: list[dict[str, Any]] = [
        {"string": "x"},
        {"int": 1},
        {"bool": False},
        {"version": "1.2.3"},
        {"version": "1.2"},
        {"string": "é" * 33},
        {"strings": ["a", "x" * 65]},
        {"ints": []},
        {"bools": [True] * 10},
        {"versions": ["1.0.0", "1"]},
        {},
        {"string": "", "int": 0},
        {"string": "a", "strings": ["b"]},
    ]
    return random.choice(options[:4] if _some(random, 0.7) else options)


def _capacity(random: Random) -> dict[str, Any]:
    """Make a capacity, maybe with a policy."""
    made: dict[str, Any] = {"value": random.choice(QUANTITIES[:-2])}
    if _some(random, 0.4):
        policy: dict[str, Any] = {"default": random.choice(QUANTITIES)} if _some(random, 0.8) else {}
        if _some(random, 0.5):
            policy["validValues"] = sorted((random.choice(QUANTITIES) for _ in range(random.choice((0, 1, 2, 3, 11)))), key=len)
        if _some(random, 0.6):
            policy["validRange"] = {name: random.choice(QUANTITIES) for name in ("min", "max", "step") if _some(random, 0.7)}
        made["requestPolicy"] = policy
    return made


def _node_selector(random: Random) -> dict[str, Any]:
    """Make a selector of nodes."""

    def requirement() -> dict[str, Any]:
        values = [random.choice(NAMES) for _ in range(random.choice((0, 1, 1, 2)))]
        return {"key": random.choice(("a", "metadata.name", *DOMAINS)), "operator": random.choice(SELECTOR_OPERATORS), "values": values}

    def term() -> dict[str, Any]:
        return {name: [requirement()] for name in ("matchExpressions", "matchFields") if _some(random, 0.6)}

    return {"nodeSelectorTerms": [term() for _ in range(random.choice((0, 1, 1, 1, 2)))]}


def _taint(random: Random) -> dict[str, Any]:
    return {
        "key": random.choice(("a", "example.com/a", *DOMAINS)),
        "value": random.choice(("", "v", "-", "x" * 64)),
        "effect": random.choice(EFFECTS),
    }


def _resource(random: Random) -> dict[str, Any]:
    """Make what a device takes of its node."""
    mapping = {name: random.choice(QUANTITIES) for name in ("capacityMultiplier", "deviceMultiplier") if _some(random)}
    if _some(random):
        mapping["capacityKey"] = random.choice(("c0", "nothing", ""))
    made: dict[str, Any] = {"mapping": mapping} if _some(random, 0.7) else {}
    if _some(random):
        made["overhead"] = {name: random.choice(QUANTITIES) for name in ("perPod", "perContainer") if _some(random, 0.5)}
    return made


def _device(random: Random, index: int) -> dict[str, Any]:
    """Make a device."""
    made: dict[str, Any] = {"name": f"d{index}", "attributes": {f"a{number}": _attribute(random) for number in range(random.randrange(4))}}
    if _some(random, 0.4):
        made["attributes"][random.choice(DOMAINS)] = _attribute(random)
    if _some(random):
        made["capacity"] = {name: _capacity(random) for name in ("c0", random.choice(DOMAINS))}
    if _some(random):
        made["allowMultipleAllocations"] = random.choice((True, True, False))
    if _some(random, 0.2):
        made["taints"] = [_taint(random) for _ in range(random.choice((1, 1, 4, 5, 17)))]
    if _some(random, 0.25):
        counters = {random.choice(("x", "y", *NAMES)): {"value": "1"} for _ in range(2)}
        consumptions: list[dict[str, Any]] = [
            {"counterSet": random.choice(("set", *NAMES)), "counters": counters} for _ in range(random.choice((1, 1, 2, 3)))
        ]
        if _some(random):
            consumptions[0]["compatibilityGroups"] = [random.choice(NAMES) for _ in range(random.choice((0, 1, 2, 3)))]
        made["consumesCounters"] = consumptions
    if _some(random, 0.2):
        made.update(
            random.choice(
                (
                    {"nodeName": "n"},
                    {"nodeName": ""},
                    {"allNodes": True},
                    {"allNodes": False},
                    {"nodeSelector": _node_selector(random)},
                    {"nodeName": "n_", "allNodes": True},
                )
            )
        )
    if _some(random, 0.2):
        made["bindingConditions"] = [random.choice(("a", "b", *DOMAINS)) for _ in range(random.randrange(6))]
        made["bindingFailureConditions"] = [random.choice(("a", "c", *DOMAINS)) for _ in range(random.randrange(6))]
    if _some(random, 0.15):
        made["nodeAllocatableResources"] = {random.choice(("cpu", "memory", "hugepages-1Gi", "pods", "a/b")): _resource(random)}
        made["nodeAllocatableResourceMappings"] = {
            random.choice(("cpu", "a/b", "kubernetes.io/x")): random.choice(
                ({}, {"capacityKey": "c0"}, {"capacityKey": ""}, {"allocationMultiplier": random.choice(QUANTITIES)})
            )
        }
    return made


def _metadata(random: Random, name: str) -> dict[str, Any]:
    made: dict[str, Any] = {"name": name if _some(random, 0.9) else random.choice((*DOMAINS, ".", "a%b"))}
    for key, options in EXTRAS.items():
        if _some(random, 0.03):
            made[key] = deepcopy(random.choice(options))
    return made


def _slice(random: Random) -> dict[str, Any]:
    count = random.choice((0, 1, 1, 2, 2, 3)) if _some(random, 0.96) else random.choice((64, 65, 128, 129))
    devices = [_device(random, index) for index in range(min(count, 3))] + [{"name": f"e{index}"} for index in range(count - 3)]
    spec: dict[str, Any] = {"driver": DRIVER, "pool": {"name": "n1", "generation": 1, "resourceSliceCount": 1}}
    if _some(random, 0.95):
        spec.update(
            random.choice(
                (
                    {"nodeName": "n1"},
                    {"nodeName": "n1"},
                    {"allNodes": True},
                    {"perDeviceNodeSelection": True},
                    {"nodeSelector": _node_selector(random)},
                )
            )
        )
    if devices or _some(random):
        spec["devices"] = devices
    if _some(random, 0.3):
        spec["sharedCounters"] = [
            {
                "name": random.choice(("set", "other", *NAMES)),
                "counters": {random.choice(("x", "y", *NAMES)): {"value": "4"} for _ in range(random.choice((0, 1, 2, 2)))},
            }
            for _ in range(random.choice((0, 1, 2, 9)))
        ]
        if _some(random, 0.5):
            spec.pop("devices", None)
    if _some(random, 0.1):
        spec["partitionTypeAttribute"] = random.choice((f"{DRIVER}/a0", f"{DRIVER}/a1", *DOMAINS))
    if _some(random, 0.1):
        spec["skipNodeOperations"] = [
            random.choice(("*", "NodePrepareResources", "NodeUnprepareResources", "x", "")) for _ in range(random.randrange(3))
        ]
    return {"metadata": _metadata(random, "n1-abc"), "spec": spec}


def _selectors(random: Random) -> list[dict[str, Any]]:
    return [
        {"cel": {"expression": random.choice(EXPRESSIONS)}} if _some(random, 0.95) else {}
        for _ in range(random.choice((0, 1, 1, 2)) if _some(random, 0.98) else 33)
    ]


def _config(random: Random) -> list[dict[str, Any]]:
    parameters: Any = random.choice(({"a": 1}, {}, None, [], "x", 1, {"a": "x" * 10240}))
    opaque = {"driver": random.choice((DRIVER, DRIVER, *NAMES)), "parameters": parameters}
    return [{"opaque": opaque} if _some(random, 0.9) else {} for _ in range(random.choice((0, 1, 1, 2)))]


def _wish(random: Random) -> dict[str, Any]:
    made: dict[str, Any] = {"deviceClassName": "vfio-npu" if _some(random, 0.8) else random.choice(NAMES)}
    if _some(random, 0.4):
        made["selectors"] = _selectors(random)
    if _some(random):
        made["allocationMode"] = random.choice(("All", "ExactCount", "", "Other"))
    if _some(random):
        made["count"] = random.choice((0, 1, 2, -1, 33))
    if _some(random, 0.2):
        made["tolerations"] = [{**_taint(random), "operator": random.choice(OPERATORS)}]
    if _some(random, 0.1):
        made["capacity"] = {"requests": {random.choice(DOMAINS): "1"}}
    if _some(random, 0.1):
        made["derivedAttributes"] = [{"name": random.choice(("example.com/a", *DOMAINS)), "expression": random.choice(("", "true", EXPRESSIONS[3]))}]
    return made


def _devices(random: Random) -> dict[str, Any]:
    """Make what a claim asks for."""
    requests: list[dict[str, Any]] = []
    for index in range(random.choice((0, 1, 1, 2, 2, 3)) if _some(random, 0.98) else 33):
        request: dict[str, Any] = {"name": f"r{index}" if _some(random, 0.9) else random.choice(NAMES)}
        if _some(random, 0.75):
            request["exactly"] = _wish(random)
            if _some(random, 0.1):
                request["exactly"]["adminAccess"] = random.choice((True, False))
        if _some(random):
            count = random.choice((0, 1, 2, 9))
            request["firstAvailable"] = [
                {"name": f"s{number}" if _some(random, 0.9) else random.choice(NAMES), **_wish(random)} for number in range(count)
            ]
        requests.append(request)

    def targets() -> list[str]:
        return [random.choice(("r0", "r0", "r0/s0", "r1", "r9", *NAMES)) for _ in range(random.choice((0, 1, 1, 2)))]

    made: dict[str, Any] = {"requests": requests}
    if _some(random):
        kinds: tuple[dict[str, Any], ...] = (
            {"matchAttribute": random.choice(("example.com/a", *DOMAINS))},
            {"distinctAttribute": random.choice(("example.com/a", *DOMAINS))},
            {},
            {"matchAttribute": "a/b", "distinctAttribute": "a"},
        )
        made["constraints"] = [{"requests": targets(), **random.choice(kinds)}]
    if _some(random):
        made["config"] = [{"requests": targets(), **item} for item in _config(random)]
    return made


def _claim(random: Random) -> dict[str, Any]:
    metadata = {**_metadata(random, "claim"), **({"namespace": "ns"} if _some(random, 0.9) else {})}
    return {"metadata": metadata, "spec": {"devices": _devices(random)}}


def _template(random: Random) -> dict[str, Any]:
    made = _claim(random)
    inner = {} if _some(random, 0.7) else {"metadata": _metadata(random, "inner")}
    return {"metadata": made["metadata"], "spec": {**inner, "spec": made["spec"]}}


def _class(random: Random) -> dict[str, Any]:
    spec: dict[str, Any] = {}
    if _some(random, 0.6):
        spec["selectors"] = _selectors(random)
    if _some(random):
        spec["config"] = _config(random)
    if _some(random):
        spec["extendedResourceName"] = random.choice(("example.com/npu", *DOMAINS))
    return {"metadata": _metadata(random, "vfio-npu.rebellions.ai"), "spec": spec}


def in_version(made: dict[str, Any], version: str) -> dict[str, Any]:
    """Give the form of an object in a version."""
    made = {**made, "apiVersion": f"resource.k8s.io/{version}"}
    spec: dict[str, Any] = made["spec"]
    if version != "v1beta1":
        return made
    if made["kind"] == "ResourceSlice" and "devices" in made["spec"]:
        devices = [
            {"name": device["name"], "basic": {key: value for key, value in device.items() if key != "name"}} for device in made["spec"]["devices"]
        ]
        made["spec"] = {**made["spec"], "devices": devices}
    if made["kind"] == "ResourceClaim":
        made["spec"] = _flat(spec)
    if made["kind"] == "ResourceClaimTemplate":
        made["spec"] = {**spec, "spec": _flat(spec["spec"])}
    return made


def _flat(spec: dict[str, Any]) -> dict[str, Any]:
    requests = [
        {**{key: value for key, value in each.items() if key != "exactly"}, **each.get("exactly", {})} for each in spec["devices"]["requests"]
    ]
    return {"devices": {**spec["devices"], "requests": requests}}


def places(value: Any) -> list[tuple[Any, Any]]:
    """List the containers in a value with each of their keys."""
    found: list[tuple[Any, Any]] = []
    pending = [value]
    while pending:
        container = pending.pop()
        keys = list(container) if isinstance(container, dict) else list(range(len(container)))
        for key in keys:
            found.append((container, key))
            if isinstance(container[key], dict | list):
                pending.append(container[key])
    return found


def mutate(random: Random, made: dict[str, Any], *, part: str = "") -> None:
    """Change something of an object or a part of it: another value, a field away, an item twice, a long list, a key renamed."""
    parts = {key: made[key] for key in ((part,) if part else ("metadata", "spec")) if key in made}
    found = places(parts)
    if not found:
        return
    container, key = random.choice(found)
    if container is parts:
        container = made
    way = random.random()
    value = container[key]
    if way < 0.45:
        pool = NAMES if isinstance(value, str) and _some(random, 0.7) else VALUES
        container[key] = deepcopy(random.choice(pool))
    elif way < 0.6:
        del container[key]
    elif way < 0.75 and isinstance(container, list):
        container.insert(key, deepcopy(value))
    elif way < 0.85 and isinstance(value, list) and value:
        container[key] = [deepcopy(value[0]) for _ in range(random.choice((3, 5, 9, 17, 33, 65)))]
    elif isinstance(container, dict) and container is not made:
        container[random.choice((*NAMES, *DOMAINS)) if _some(random) else key] = deepcopy(value)


def gates(random: Random, minor: str) -> dict[str, bool]:
    """Choose feature gates with which the API server of a minor starts."""
    free = [gate for gate in GATES.values() if gate.name.startswith("DRA") and gate.setting(minor) is not None and not gate.setting(minor).locked]  # type: ignore[union-attr]
    chosen: dict[str, bool] = {}
    while _some(random, 0.6):
        gate = random.choice(free)
        attempt = {**chosen, gate.name: random.random() < 0.7, **dict.fromkeys((each for each in gate.requires if each.startswith("DRA")), True)}
        attempt = {name: value for name, value in attempt.items() if not (setting := GATES[name].setting(minor)) or not setting.locked}
        try:
            Kubernetes(minor, gates=attempt)
        except InvalidFeatureGates:
            continue
        chosen = attempt
    return chosen


SHARES = (
    "11111111-2222-3333-4444-55555555aaaa",
    "11111111-2222-3333-4444-55555555AAAA",
    "{11111111-2222-3333-4444-55555555aaaa}",
    "urn:uuid:11111111-2222-3333-4444-55555555aaaa",
    "URN:uuid:11111111-2222-3333-4444-55555555aaaa",
    "xrn:uuid:11111111-2222-3333-4444-55555555aaaa",
    "1111111122223333444455555555aaaa",
    "1111111122223333444455555555aaag",
    "(11111111-2222-3333-4444-55555555aaaa)",
    "11111111-2222-3333-444455555555aaaa-",
    "u",
    "",
)
ADDRESSES = (
    "10.9.8.7/24",
    "010.9.8.7/24",
    "10.9.8.7",
    "10.9.8.7/33",
    "10.9.8.7/-1",
    "10.9.8.256/24",
    "10.9.8/24",
    "10.9.8.7/024",
    "2001:db8::1/64",
    "2001:DB8::1/64",
    "2001:db8:0:0:0:0:0:1/64",
    "2001:db8::1/129",
    "::/0",
    "::1/128",
    "1::/16",
    "1:2:3:4:5:6:7:8/64",
    "1:2:3:4:5:6:7::/64",
    "1:2:3:4:5:6:7::8/64",
    "1:2:3:4:5:6:7:8:9/64",
    "1::2::3/64",
    ":1/64",
    "1:/64",
    "::ffff:10.0.0.1/120",
    "::ffff:10.0.0.1/20",
    "::ffff:a00:1/128",
    "::10.0.0.1/96",
    "1:2:3:4:5:6:10.0.0.1/96",
    "10.0.0.1::/96",
    "fe80::1%eth0/64",
    "00001::/16",
    "12345::/16",
    "1:0:0:2:0:0:0:3/64",
    "/24",
    "",
)
RESULT = {"request": "r0", "driver": DRIVER, "pool": "n1", "device": "d0"}


def _mostly(random: Random, good: Any, others: tuple[Any, ...] = NAMES, share: float = 0.93) -> Any:
    return good if _some(random, share) else random.choice(others)


def _result(random: Random, index: int) -> dict[str, Any]:
    """Make an allocated device."""
    made: dict[str, Any] = {
        "request": _mostly(random, "r0", ("r1", "r0/s0", "r9", *NAMES), 0.8),
        "driver": _mostly(random, DRIVER),
        "pool": _mostly(random, "n1", ("a//b", "a/B", f"{'a' * 250}/b", *NAMES)),
        "device": _mostly(random, f"d{index}"),
    }
    if _some(random, 0.15):
        made["adminAccess"] = random.choice((True, False))
    if _some(random, 0.2):
        made["tolerations"] = [{**_taint(random), "operator": random.choice(OPERATORS)} for _ in range(random.choice((0, 1, 2)))]
    if _some(random, 0.2):
        made["bindingConditions"] = [random.choice(("a", "b", *DOMAINS)) for _ in range(random.randrange(6))]
        made["bindingFailureConditions"] = [random.choice(("a", "c", *DOMAINS)) for _ in range(random.randrange(6))]
    if _some(random, 0.25):
        made["shareID"] = _mostly(random, SHARES[0], SHARES, 0.6)
    if _some(random, 0.2):
        made["consumedCapacity"] = {random.choice(("memory", "cores")): random.choice(QUANTITIES)}
    if _some(random, 0.2):
        made["skipNodeOperations"] = [
            random.choice(("*", "NodePrepareResources", "NodeUnprepareResources", "x", "")) for _ in range(random.randrange(3))
        ]
    return made


def _condition(random: Random) -> dict[str, Any]:
    """Make a condition."""
    made: dict[str, Any] = {
        "type": _mostly(random, random.choice(("Ready", "Bound")), DOMAINS, 0.8),
        "status": _mostly(random, "True", ("False", "Unknown", "", "true"), 0.8),
        "lastTransitionTime": _mostly(random, "2026-01-01T00:00:00Z", (None, "0001-01-01T00:00:00Z")),
        "reason": _mostly(random, "Because", ("a,b", "a:", "1", "", "é", "x" * 1025, "_a", "a b"), 0.8),
        "message": _mostly(random, "", ("it is", "x" * 32769), 0.9),
    }
    if _some(random, 0.2):
        made["observedGeneration"] = random.choice((0, 1, -1))
    return made


def _reported(random: Random, result: dict[str, Any]) -> dict[str, Any]:
    """Make what a driver says of a device, mostly of an allocated one."""
    made: dict[str, Any] = {
        "driver": _mostly(random, result["driver"]),
        "pool": _mostly(random, result["pool"], ("n2", *NAMES)),
        "device": _mostly(random, result["device"], ("d9", *NAMES)),
    }
    if "shareID" in result and _some(random, 0.8):
        made["shareID"] = result["shareID"]
    elif _some(random, 0.1):
        made["shareID"] = random.choice(SHARES)
    if _some(random, 0.4):
        made["conditions"] = [_condition(random) for _ in range(random.choice((0, 1, 2, 9)))]
    if _some(random):
        made["data"] = random.choice(({"a": 1}, {}, None, [], "x", 1, False, {"a": "<b>"}, {"a": "x" * 10240}))
    if _some(random, 0.4):
        made["networkData"] = {
            "interfaceName": random.choice(("net1", "x" * 257, "é" * 129)),
            "ips": [random.choice(ADDRESSES) for _ in range(random.choice((0, 1, 2, 17)))],
            "hardwareAddress": random.choice(("00:11:22:33:44:55", "x" * 129, "é" * 65)),
        }
    return made


def _status(random: Random) -> dict[str, Any]:
    """Make what became of a claim."""
    made: dict[str, Any] = {}
    results = [_result(random, index) for index in range(random.choice((0, 1, 1, 1, 2, 3)) if _some(random, 0.97) else 33)]
    if _some(random, 0.85):
        devices: dict[str, Any] = {"results": results}
        if _some(random):
            devices["config"] = [
                {
                    "source": _mostly(random, random.choice(("FromClaim", "FromClass")), ("", "x"), 0.85),
                    "requests": [random.choice(("r0", "r0", "r0/s0", "r1", *NAMES)) for _ in range(random.choice((0, 1, 2)))],
                    **item,
                }
                for item in _config(random)
            ]
            if devices["config"] and _some(random, 0.05):
                devices["config"] = [devices["config"][0]] * 65
        allocation: dict[str, Any] = {"devices": devices}
        if _some(random):
            allocation["nodeSelector"] = _node_selector(random)
        if _some(random):
            allocation["allocationTimestamp"] = "2026-01-01T00:00:00Z"
        made["allocation"] = allocation
    if _some(random, 0.5):
        count = random.choice((0, 1, 1, 2, 3)) if _some(random, 0.97) else 257
        made["reservedFor"] = [
            {"resource": _mostly(random, "pods", ("", "x")), "name": _mostly(random, "p"), "uid": _mostly(random, f"u{index}", ("u0", ""))}
            for index in range(count)
        ]
    if _some(random, 0.6):
        made["devices"] = [_reported(random, result) for result in results if _some(random, 0.8)]
        made["devices"] += [_reported(random, random.choice((RESULT, *results))) for _ in range(random.choice((0, 0, 0, 1)))]
    return made


def status_question(random: Random, minor: str) -> dict[str, Any]:
    """Make a question about an update of a claim's status: of one with or without an allocation, which changes, stays or goes."""
    version = random.choice(VERSIONS)
    stored: dict[str, Any] = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", **_claim(random)}
    for name in ("labels", "annotations"):  # What is stored was admitted, but for the parts that are checked again.
        stored["metadata"].pop(name, None)
    stored["metadata"].update(namespace="ns", resourceVersion="1")
    if _some(random, 0.4):
        stored["status"] = _status(random)
    if _some(random, 0.1):
        stored["metadata"].update(deletionTimestamp="2026-01-01T00:00:00Z", deletionGracePeriodSeconds=0)
    made = deepcopy(stored)
    if _some(random, 0.6) or "status" not in made:
        made["status"] = _status(random)
    old = in_version(stored, random.choice(VERSIONS))
    made = in_version(made, version)
    for _ in range(random.choice((0, 1, 1, 2))):
        mutate(random, made, part="status")
    if _some(random, 0.1):
        mutate(random, made)
    return {"gates": gates(random, minor), "admin": _some(random, 0.5), "subresource": "status", "stored": True, "old": old, "object": made}


def repeating(random: Random, made: Any, other: Any = None, *, head: bool = True) -> str:
    """Write an object as JSON in which some keys stand several times, with values of their own, of another object, and others; and `null`."""
    if isinstance(made, list):
        beside = other if isinstance(other, list) else []
        items = (repeating(random, item, beside[index] if index < len(beside) else None, head=False) for index, item in enumerate(made))
        return f"[{','.join(items)}]"
    if not isinstance(made, dict):
        return json.dumps(made)
    others = other if isinstance(other, dict) else {}
    pairs: list[tuple[str, Any, Any]] = []
    for key, value in made.items():
        pairs.append((key, value, others.get(key)))
        if not head and _some(random, 0.12):
            for _ in range(random.choice((1, 1, 2))):
                again = random.choice((others.get(key), others.get(key), None, value, [] if isinstance(value, list) else value))
                pairs.insert(len(pairs) - random.randrange(2), (key, random.choice(VALUES) if _some(random, 0.05) else again, value))
    if not head and _some(random, 0.1):
        pairs += [(key, value, None) for key, value in others.items() if key not in made]
    return f"{{{','.join(f'{json.dumps(key)}:{repeating(random, value, another, head=False)}' for key, value, another in pairs)}}}"


def repeating_text(random: Random) -> str:
    """Make the text of an object with repeated keys."""
    kind, version = random.choice(KINDS), random.choice(VERSIONS)
    return repeating(random, in_version(good(random, kind), version), in_version(good(random, kind), version))


def question(random: Random, minor: str) -> dict[str, Any]:
    """Make a question: an object that is made or changed, gates, and whether the namespace is labelled for admin access."""
    version = random.choice(VERSIONS)
    made = in_version(good(random, random.choice(KINDS)), version)
    asked: dict[str, Any] = {"gates": gates(random, minor), "admin": _some(random, 0.5)}
    if _some(random, 0.25):
        made["metadata"]["resourceVersion"] = "1"
        asked["old"] = deepcopy(made)
        if _some(random):
            mutate(random, asked["old"])
        if made["kind"].startswith("ResourceClaim"):  # What is stored is in a namespace.
            metadata = asked["old"].get("metadata")
            asked["old"]["metadata"] = {**(metadata if isinstance(metadata, dict) else {}), "namespace": "ns"}
    for _ in range(random.choice((0, 1, 1, 2))):
        mutate(random, made)
    return {**asked, "object": made}
