"""
Room: the declarations of the API's types, as Kubernetes 1.37 has them: rows of `declared.Declared`, by kind and version.

Rules that 1.37 runs and does not yet heed are not here.

May touch: `declared`, `limits`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .declared import (
    Declared,
    among,
    attribute_name,
    caseless_name,
    characters,
    extended_resource_name,
    in_size,
    label_name,
    long_name,
    lower_uid,
    partition_type,
    resource_pool,
    short_name,
)
from .limits import LIMITS


def _most(name: str) -> int | None:
    """Give a limit of the newest minor."""
    return LIMITS[name].most(37)


_OPERATIONS: Final = among("*", "NodePrepareResources", "NodeUnprepareResources")
_ATTRIBUTE: Final = ("int", "bool", "string", "version", "ints", "bools", "strings", "versions")
_COUNTERS: Final = Declared("counters", required=True, mapping=True, keys=short_name)

_DEVICE: Final = (
    Declared("attributes", mapping=True, union=_ATTRIBUTE),
    Declared(
        "consumesCounters",
        most=_most("consumptions"),
        key=("counterSet",),
        fields=(
            Declared("counterSet", required=True, rules=(short_name,)),
            _COUNTERS,
            Declared("compatibilityGroups", most=_most("compatibility groups"), key=(), item=short_name),
        ),
    ),
    Declared("taints", fields=(Declared("effect", required=True, rules=(among("NoExecute", "NoSchedule", "None"),)),)),
    Declared("bindingConditions", most=_most("binding conditions")),
    Declared("bindingFailureConditions", most=_most("binding failure conditions")),
    Declared(
        "nodeAllocatableResources",
        mapping=True,
        fields=(Declared("mapping", union=("capacityKey", "deviceMultiplier")),),
    ),
)


def _slice(devices: tuple[Declared, ...]) -> tuple[Declared, ...]:
    """Make the rows of a slice from those of its devices."""
    spec = (
        Declared("devices", fields=devices),
        Declared(
            "sharedCounters",
            most=_most("counter sets"),
            key=("name",),
            fields=(Declared("name", required=True, rules=(short_name,)), _COUNTERS),
        ),
        Declared("partitionTypeAttribute", rules=(partition_type,)),
        Declared("skipNodeOperations", key=(), item=_OPERATIONS, encoded=True),
    )
    return (Declared("spec", fields=spec),)


_OPAQUE: Final = Declared(
    "opaque",
    fields=(Declared("driver", required=True, rules=(caseless_name, characters(63))),),
)
#: The versions before v1 have its rules in another order.
_OPAQUE_OF_BETA: Final = Declared(
    "opaque",
    fields=(Declared("driver", required=True, rules=(characters(63), caseless_name)),),
)


def _class(opaque: Declared) -> tuple[Declared, ...]:
    """Make the rows of a class."""
    spec = (
        Declared("selectors", most=_most("selectors")),
        Declared("config", most=_most("configurations"), fields=(opaque,)),
        Declared("extendedResourceName", rules=(extended_resource_name,)),
    )
    return (Declared("metadata", fields=(Declared("name", rules=(long_name,)),)), Declared("spec", fields=spec))


_TOLERATIONS: Final = Declared(
    "tolerations",
    fields=(
        Declared("key", rules=(label_name,)),
        Declared("operator", required=True, rules=(among("Equal", "Exists"),)),
        Declared("effect", rules=(among("NoExecute", "NoSchedule", "None"),)),
    ),
)
_WISH: Final = (
    Declared("selectors", most=_most("selectors")),
    Declared("allocationMode", rules=(among("All", "ExactCount"),)),
    _TOLERATIONS,
    Declared(
        "derivedAttributes",
        most=_most("derived attributes"),
        fields=(Declared("name", required=True, rules=(attribute_name,)), Declared("expression", required=True)),
    ),
)
_ALTERNATIVES: Final = Declared(
    "firstAvailable",
    most=_most("subrequests"),
    key=("name",),
    fields=(Declared("deviceClassName", required=True, rules=(long_name,)), *_WISH),
)
_REQUEST: Final = (Declared("exactly", fields=_WISH), _ALTERNATIVES)
_REQUEST_OF_V1BETA1: Final = (*_WISH[:2], _ALTERNATIVES, *_WISH[2:])


def _claim(request: tuple[Declared, ...], opaque: Declared) -> tuple[Declared, ...]:
    """Make the rows of what a claim asks for."""
    names = Declared("requests", most=_most("requests"), key=())
    devices = (
        Declared("requests", most=_most("requests"), key=("name",), fields=request),
        Declared(
            "constraints",
            most=_most("constraints"),
            fields=(names, Declared("matchAttribute", rules=(attribute_name,)), Declared("distinctAttribute", rules=(attribute_name,))),
        ),
        Declared("config", most=_most("configurations"), fields=(names, opaque)),
    )
    return (Declared("devices", fields=devices),)


_CLAIMS: Final = {
    "v1": _claim(_REQUEST, _OPAQUE),
    "v1beta2": _claim(_REQUEST, _OPAQUE_OF_BETA),
    "v1beta1": _claim(_REQUEST_OF_V1BETA1, _OPAQUE_OF_BETA),
}


def _status(opaque: Declared) -> Declared:
    """Make the row of what became of a claim, which only updates of the status change."""
    share = Declared("shareID", rules=(lower_uid,))
    results = (
        Declared("driver", required=True, rules=(caseless_name, characters(63))),
        Declared("pool", required=True, rules=(resource_pool,)),
        _TOLERATIONS,
        Declared("bindingConditions", most=_most("binding conditions")),
        Declared("bindingFailureConditions", most=_most("binding failure conditions")),
        share,
        Declared("skipNodeOperations", key=(), item=_OPERATIONS, encoded=True),
    )
    config = (
        Declared("source", required=True, rules=(among("FromClaim", "FromClass"),)),
        Declared("requests", most=_most("requests"), key=()),
        opaque,
    )
    allocated = (
        Declared("results", most=_most("results"), fields=results),
        Declared("config", most=_most("allocation configurations"), fields=config),
    )
    network = (
        Declared("interfaceName", rules=(in_size(256),)),
        Declared("ips", most=_most("addresses"), key=()),
        Declared("hardwareAddress", rules=(in_size(128),)),
    )
    rows = (
        Declared("allocation", settled=True, fields=(Declared("devices", fields=allocated),)),
        Declared("reservedFor", most=_most("consumers"), key=("uid",)),
        Declared("devices", key=("driver", "device", "pool", "shareID"), fields=(share, Declared("networkData", fields=network))),
    )
    return Declared("status", fields=rows)


_STATUS: Final = {"v1": _status(_OPAQUE), "v1beta2": _status(_OPAQUE_OF_BETA), "v1beta1": _status(_OPAQUE_OF_BETA)}

#: Kind → version → rows.
DECLARATIONS: Final[Mapping[str, Mapping[str, tuple[Declared, ...]]]] = {
    "ResourceSlice": {"v1": _slice(_DEVICE), "v1beta2": _slice(_DEVICE), "v1beta1": _slice((Declared("basic", fields=_DEVICE),))},
    "DeviceClass": {"v1": _class(_OPAQUE), "v1beta2": _class(_OPAQUE_OF_BETA), "v1beta1": _class(_OPAQUE_OF_BETA)},
    "ResourceClaim": {version: (Declared("spec", fields=rows, immutable=True), _STATUS[version]) for version, rows in _CLAIMS.items()},
    "ResourceClaimTemplate": {version: (Declared("spec", fields=(Declared("spec", fields=rows),)),) for version, rows in _CLAIMS.items()},
}
