"""
Room: the DeviceClass: a name for the devices that some conditions choose.

May touch: `conditions`, `configuration`, `metadata`, `versions`, `kubernetes`, `wire`.
"""

from __future__ import annotations

from typing import Any, Final

import attrs
from packaging.version import Version

from .. import wire
from ..kubernetes import Kubernetes
from .conditions import SELECTOR, DeviceSelector
from .configuration import CLASS_CONFIGURATION, DeviceClassConfiguration
from .metadata import METADATA, ObjectMeta
from .versions import VERSIONS, Kind


@attrs.frozen
class DeviceClassSpec:
    """
    What a class is.

    Args:
        selectors: Conditions that must all hold of a device.
        config: Configuration for the drivers of its devices.
        extended_resource_name: The resource by which containers can ask for one of its devices without a claim, from 1.34 behind the gate
            DRAExtendedResource.
    """

    selectors: tuple[DeviceSelector, ...] = wire.NIL
    config: tuple[DeviceClassConfiguration, ...] = wire.NIL
    extended_resource_name: str | None = None


@attrs.frozen
class DeviceClass:
    """
    A class of devices, which claims name.

    Args:
        metadata: Its name and more.
        spec: What it is.

    Source: `DeviceClass` of `k8s.io/api/resource`, v1, v1beta2 and v1beta1, v0.34 to v0.37.

    >>> chosen = DeviceClass.from_dict({
    ...     "apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "npu.rebellions.ai"},
    ...     "spec": {"selectors": [{"cel": {"expression": "device.driver == 'npu.rebellions.ai'"}}]}})
    >>> chosen.spec.selectors[0].expression
    "device.driver == 'npu.rebellions.ai'"
    """

    metadata: ObjectMeta = attrs.field(factory=ObjectMeta)
    spec: DeviceClassSpec = attrs.field(factory=DeviceClassSpec)

    @classmethod
    def from_dict(cls, obj: object, *, strict: bool = False, kubernetes: str | Version | Kubernetes | None = None) -> DeviceClass:
        """
        Read a class of any version, as the API server does: see `ResourceClaim.from_dict`.

        Raises:
            DecodeError: The API server could not read it.
            UnknownKubernetes: The minor is not known.
        """
        return CLASS.read(obj, strict=strict, kubernetes=kubernetes)

    def to_dict(self, version: str = "v1") -> dict[str, Any]:
        """
        Give the form that it has in a version: `v1`, `v1beta2` or `v1beta1`.

        Raises:
            InvalidValue: There is no such version.
        """
        return CLASS.write(self, version)

    def defaulted(self) -> DeviceClass:
        """Give itself: a class has no defaults."""
        return self


_SPEC: Final = wire.struct(
    DeviceClassSpec,
    wire.Field("selectors", "selectors", wire.list_of(SELECTOR)),
    wire.Field("config", "config", wire.list_of(CLASS_CONFIGURATION)),
    wire.Field("extendedResourceName", "extended_resource_name", wire.optional(wire.STRING)),
    expected='a spec such as {"selectors": []}',
)
_CLASS: Final = wire.struct(
    DeviceClass,
    wire.Field("metadata", "metadata", METADATA, always=True),
    wire.Field("spec", "spec", _SPEC, always=True),
    expected="a DeviceClass",
)
CLASS: Final = Kind("DeviceClass", dict.fromkeys(VERSIONS, _CLASS))
