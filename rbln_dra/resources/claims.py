"""
Room: the ResourceClaim, and the template that claims are made from.

May touch: `configuration`, `metadata`, `requests`, `status`, `versions`, `kubernetes`, `wire`.
"""

from __future__ import annotations

from typing import Any, Final

import attrs
from packaging.version import Version

from .. import wire
from ..kubernetes import Kubernetes
from .configuration import CLAIM_CONFIGURATION, DeviceClaimConfiguration
from .metadata import METADATA, ObjectMeta
from .requests import REQUEST, REQUEST_OF_V1BETA1, DeviceRequest, each
from .status import STATUS, ResourceClaimStatus
from .versions import Kind


@attrs.frozen
class DeviceConstraint:
    """
    What must hold between the devices of a claim. A valid one has one of the two attributes.

    Args:
        requests: The requests whose devices it binds, a subrequest as `request/subrequest`; none means all.
        match_attribute: The fully qualified name of an attribute that all the devices must have with one value.
        distinct_attribute: The name of one that all must have with different values; needs the gate DRAConsumableCapacity.
    """

    requests: tuple[str, ...] = wire.NIL
    match_attribute: str | None = None
    distinct_attribute: str | None = None


@attrs.frozen
class DeviceClaim:
    """
    The devices that a claim is for.

    Args:
        requests: What it asks for.
        constraints: What must hold between the devices.
        config: Configuration for their drivers.
    """

    requests: tuple[DeviceRequest, ...] = wire.NIL
    constraints: tuple[DeviceConstraint, ...] = wire.NIL
    config: tuple[DeviceClaimConfiguration, ...] = wire.NIL


@attrs.frozen
class ResourceClaimSpec:
    """
    What a claim asks for.

    Args:
        devices: The devices.
    """

    devices: DeviceClaim = attrs.field(factory=DeviceClaim)

    def defaulted(self) -> ResourceClaimSpec:
        """Fill in what the API server does: mode, count, operators of tolerations."""
        return attrs.evolve(self, devices=attrs.evolve(self.devices, requests=each(self.devices.requests, DeviceRequest.defaulted)))


@attrs.frozen
class ResourceClaim:
    """
    A claim for devices, which a pod uses.

    Args:
        metadata: Its name, its namespace and more.
        spec: What it asks for.
        status: What it got.

    Source: `ResourceClaim` of `k8s.io/api/resource`, v1, v1beta2 and v1beta1, v0.34 to v0.37.

    >>> claim = ResourceClaim.from_dict({
    ...     "apiVersion": "resource.k8s.io/v1beta1", "kind": "ResourceClaim", "metadata": {"name": "npu"},
    ...     "spec": {"devices": {"requests": [{"name": "npu", "deviceClassName": "vfio-npu.rebellions.ai"}]}}})
    >>> claim.spec.devices.requests[0].exactly.count
    1
    >>> claim.to_dict()["spec"]["devices"]["requests"][0]["exactly"]
    {'deviceClassName': 'vfio-npu.rebellions.ai', 'allocationMode': 'ExactCount', 'count': 1}
    """

    metadata: ObjectMeta = attrs.field(factory=ObjectMeta)
    spec: ResourceClaimSpec = attrs.field(factory=ResourceClaimSpec)
    status: ResourceClaimStatus = attrs.field(factory=ResourceClaimStatus)

    @classmethod
    def from_dict(cls, obj: object, *, strict: bool = False, kubernetes: str | Version | Kubernetes | None = None) -> ResourceClaim:
        """
        Read a claim of any version, as the API server does: converted, and with its defaults.

        Args:
            obj: A mapping, as `json.loads` gives it.
            strict: Whether an unknown key is an error; the API server drops it.
            kubernetes: The minor that reads it: fields that it does not know are dropped. `None` knows all fields of all minors.

        Raises:
            DecodeError: The API server could not read it.
            UnknownKubernetes: The minor is not known.
        """
        return CLAIM.read(obj, strict=strict, kubernetes=kubernetes)

    def to_dict(self, version: str = "v1") -> dict[str, Any]:
        """
        Give the form that it has in a version: `v1`, `v1beta2` or `v1beta1`. An empty status is left out.

        Raises:
            InvalidValue: There is no such version.
        """
        return CLAIM.write(self, version)

    def defaulted(self) -> ResourceClaim:
        """Fill in what the API server does; what `from_dict` gives is so already."""
        return attrs.evolve(self, spec=self.spec.defaulted(), status=self.status.defaulted())


@attrs.frozen
class ResourceClaimTemplateSpec:
    """
    What the claims of a template are.

    Args:
        metadata: Labels and annotations that they get.
        spec: What they ask for.
    """

    metadata: ObjectMeta = attrs.field(factory=ObjectMeta)
    spec: ResourceClaimSpec = attrs.field(factory=ResourceClaimSpec)


@attrs.frozen
class ResourceClaimTemplate:
    """
    A template of which each pod that names it gets a claim of its own.

    Args:
        metadata: Its name, its namespace and more.
        spec: What the claims are.

    Source: `ResourceClaimTemplate` of `k8s.io/api/resource`, v1, v1beta2 and v1beta1, v0.34 to v0.37.

    >>> template = ResourceClaimTemplate.from_dict({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "spec": {"spec": {}}})
    >>> template.to_dict("v1beta1")["apiVersion"]
    'resource.k8s.io/v1beta1'
    """

    metadata: ObjectMeta = attrs.field(factory=ObjectMeta)
    spec: ResourceClaimTemplateSpec = attrs.field(factory=ResourceClaimTemplateSpec)

    @classmethod
    def from_dict(cls, obj: object, *, strict: bool = False, kubernetes: str | Version | Kubernetes | None = None) -> ResourceClaimTemplate:
        """
        Read a template of any version, as the API server does: see `ResourceClaim.from_dict`.

        Raises:
            DecodeError: The API server could not read it.
            UnknownKubernetes: The minor is not known.
        """
        return TEMPLATE.read(obj, strict=strict, kubernetes=kubernetes)

    def to_dict(self, version: str = "v1") -> dict[str, Any]:
        """
        Give the form that it has in a version: `v1`, `v1beta2` or `v1beta1`.

        Raises:
            InvalidValue: There is no such version.
        """
        return TEMPLATE.write(self, version)

    def defaulted(self) -> ResourceClaimTemplate:
        """Fill in what the API server does; what `from_dict` gives is so already."""
        return attrs.evolve(self, spec=attrs.evolve(self.spec, spec=self.spec.spec.defaulted()))


_STRINGS: Final = wire.list_of(wire.STRING)
_CONSTRAINT: Final = wire.struct(
    DeviceConstraint,
    wire.Field("requests", "requests", _STRINGS),
    wire.Field("matchAttribute", "match_attribute", wire.optional(wire.STRING)),
    wire.Field("distinctAttribute", "distinct_attribute", wire.optional(wire.STRING)),
    expected='a constraint such as {"matchAttribute": "resource.kubernetes.io/pcieRoot"}',
)


def _spec(request: wire.Codec[DeviceRequest]) -> wire.Codec[ResourceClaimSpec]:
    """Make the codec of a spec from that of its requests."""
    devices = wire.struct(
        DeviceClaim,
        wire.Field("requests", "requests", wire.list_of(request), always=True),
        wire.Field("constraints", "constraints", wire.list_of(_CONSTRAINT)),
        wire.Field("config", "config", wire.list_of(CLAIM_CONFIGURATION)),
        expected='devices such as {"requests": []}',
    )
    return wire.struct(
        ResourceClaimSpec,
        wire.Field("devices", "devices", devices, always=True),
        expected='a spec such as {"devices": {"requests": []}}',
    )


def _claim(spec: wire.Codec[ResourceClaimSpec]) -> wire.Codec[ResourceClaim]:
    """Make the codec of a claim from that of its spec."""
    return wire.struct(
        ResourceClaim,
        wire.Field("metadata", "metadata", METADATA, always=True),
        wire.Field("spec", "spec", spec, always=True),
        wire.Field("status", "status", STATUS),
        expected="a ResourceClaim",
    )


def _template(spec: wire.Codec[ResourceClaimSpec]) -> wire.Codec[ResourceClaimTemplate]:
    """Make the codec of a template from that of its claims' spec."""
    inner = wire.struct(
        ResourceClaimTemplateSpec,
        wire.Field("metadata", "metadata", METADATA, always=True),
        wire.Field("spec", "spec", spec, always=True),
        expected='a spec such as {"spec": {"devices": {"requests": []}}}',
    )
    return wire.struct(
        ResourceClaimTemplate,
        wire.Field("metadata", "metadata", METADATA, always=True),
        wire.Field("spec", "spec", inner, always=True),
        expected="a ResourceClaimTemplate",
    )


_SPECS: Final = {"v1": _spec(REQUEST), "v1beta2": _spec(REQUEST), "v1beta1": _spec(REQUEST_OF_V1BETA1)}
CLAIM: Final = Kind("ResourceClaim", {version: _claim(spec) for version, spec in _SPECS.items()})
TEMPLATE: Final = Kind("ResourceClaimTemplate", {version: _template(spec) for version, spec in _SPECS.items()})
