"""
Room: advice on objects that the API server admits and their author may not have meant.

The API server sees one object at a time, and knows no driver. Each kind of advice is one row of `RULES`; the facts are those of the attribute schema.

May touch: `findings`, `limits`, `attributes`, `names`, `resources`, `kubernetes`.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import attrs
from packaging.version import Version

from ..attributes import ATTRIBUTES
from ..kubernetes import DEFAULT, Kubernetes
from ..names import DRIVER_NAME, RESOURCE_DOMAIN
from ..resources import DeviceConstraint, Object, ResourceClaim, ResourceClaimTemplate, ResourceSlice, from_dict
from .findings import size
from .limits import LIMITS


@attrs.frozen
class Advice:
    """
    One thing about an object that Kubernetes admits.

    Args:
        code: The rule, a name of `RULES`.
        index: The number of the object among those that were looked at, from 0.
        field: Where in the object, as Kubernetes writes paths, in the form of v1.
        message: What it is and what to do, on one line.
    """

    code: str
    index: int
    field: str
    message: str


#: What a rule gives: number of the object, path, message.
_Found = Iterator[tuple[int, str, str]]


@attrs.frozen
class Rule:
    """
    One kind of advice.

    Args:
        name: What a program tests.
        summary: What it finds, for the documentation.
        find: Finds it.
    """

    name: str
    summary: str
    find: Callable[[Sequence[Object]], _Found]


def advise(*objects: object, kubernetes: str | Version | Kubernetes = DEFAULT) -> tuple[Advice, ...]:
    """
    Give advice on objects that belong together, such as all slices of a cluster. None of it is an error: see `validate` for those.

    Args:
        objects: The objects: of `rbln_dra.resources`, mappings as `json.loads` gives them, or objects of a client.
        kubernetes: The minor that reads them.

    Raises:
        DecodeError: The API server could not read one.
        UnknownKubernetes: The minor is not known.

    >>> published = {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "a"}, "spec": {
    ...     "driver": "npu.rebellions.ai", "nodeName": "a", "pool": {"name": "a", "resourceSliceCount": 1},
    ...     "devices": [{"name": "vfio-0000-27-00-0", "attributes": {"npu.rebellions.ai/type": {"string": "vfio"}}}]}}
    >>> print(advise(published)[0].message)
    the domain is the driver's own, which Kubernetes means to refuse; call it type
    """
    items = [item if isinstance(item, Object) else from_dict(item, kubernetes=kubernetes) for item in objects]
    found = (Advice(rule.name, index, field, message) for rule in RULES for index, field, message in rule.find(items))
    return tuple(sorted(found, key=lambda advice: (advice.index, advice.field, advice.code)))


def _slices(items: Sequence[Object]) -> Iterator[tuple[int, ResourceSlice]]:
    """Give the slices among objects."""
    return ((index, item) for index, item in enumerate(items) if isinstance(item, ResourceSlice))


def _own_domains(items: Sequence[Object]) -> _Found:
    """Find names with the domain of the driver itself: the scheduler puts a bare name there too, in random order."""
    for index, item in _slices(items):
        prefix = f"{item.spec.driver}/"
        for number, device in enumerate(item.spec.devices):
            for where, names in (("attributes", device.attributes), ("capacity", device.capacity)):
                for name in names:
                    bare = name.removeprefix(prefix)
                    if bare == name:
                        continue
                    path = f"spec.devices[{number}].{where}[{name}]"
                    if bare in names:
                        yield index, path, f"it is the same as {bare}, and which of the two a selector sees is random; leave it out"
                    else:
                        yield index, path, f"the domain is the driver's own, which Kubernetes means to refuse; call it {bare}"


def _shared_pools(items: Sequence[Object]) -> _Found:
    """Find pools of which slices are on different nodes."""
    nodes: dict[tuple[str, str], str] = {}
    for index, item in _slices(items):
        spec = item.spec
        if not spec.node_name:
            continue
        first = nodes.setdefault((spec.driver, spec.pool.name), spec.node_name)
        if first != spec.node_name:
            text = f"the pool {spec.pool.name} of {spec.driver} is on the node {first} already; name the pool of a node after the node"
            yield index, "spec.pool.name", text


def _full_texts(items: Sequence[Object]) -> _Found:
    """Find texts that are as long as they may be."""
    most = LIMITS["attribute value"].most(Kubernetes.of(DEFAULT).minor.minor)
    for index, item in _slices(items):
        for number, device in enumerate(item.spec.devices):
            for name, attribute in device.attributes.items():
                if attribute.string_value is not None and size(attribute.string_value) == most:
                    text = f"it has {most} bytes, the most there may be; if it was cut, a selector that compares it as a whole is fragile"
                    yield index, f"spec.devices[{number}].attributes[{name}].string", text


def _constraints(items: Sequence[Object]) -> Iterator[tuple[int, str, DeviceConstraint]]:
    """Give the constraints of claims and templates with their paths."""
    for index, item in enumerate(items):
        if isinstance(item, ResourceClaim | ResourceClaimTemplate):
            spec, path = (item.spec, "spec") if isinstance(item, ResourceClaim) else (item.spec.spec, "spec.spec")
            for number, constraint in enumerate(spec.devices.constraints):
                yield index, f"{path}.devices.constraints[{number}]", constraint


#: What is the same for all NPUs of a product, and says nothing of where one is. The name of the product is not here: who matches it means just that.
_ALIKE: Final = frozenset({"type", "pciDeviceID", "vf", "pciLinkSpeed", "pciLinkWidth", "firmwareVersion", "driverVersion"})


def _constants(items: Sequence[Object]) -> _Found:
    """Find matches on what is the same everywhere."""
    for index, path, constraint in _constraints(items):
        domain, _, name = (constraint.match_attribute or "").partition("/")
        if domain == DRIVER_NAME and name in _ALIKE:
            text = (
                f"{name} is constant across a product and does not express locality; match {RESOURCE_DOMAIN}/pcieRoot for devices of one PCIe root, "
                f"or select {RESOURCE_DOMAIN}/pciBusID for one device"
            )
            yield index, f"{path}.matchAttribute", text


#: The attributes that the driver publishes: domain and name in it.
_PUBLISHED: Final = sorted({(row.domain, row.id) for row in ATTRIBUTES if not row.capacity})
_DOMAINS: Final = sorted({domain for domain, _ in _PUBLISHED})
#: How alike two names, and two domains, are of which one is taken for the other.
_NEAR: Final = 0.7
_NEAR_DOMAIN: Final = 0.8


def _unknown(items: Sequence[Object]) -> _Found:
    """Find constraints on what the driver does not publish: no device has it, so none is ever allocated."""
    known = {f"{domain}/{name}" for domain, name in _PUBLISHED} | _made(items)
    for index, path, constraint in _constraints(items):
        for field, name in (("matchAttribute", constraint.match_attribute), ("distinctAttribute", constraint.distinct_attribute)):
            if name is None or name in known:
                continue
            domain, meant = name.partition("/")[0], _meant(name)
            mistyped = domain not in _DOMAINS and difflib.get_close_matches(domain, _DOMAINS, n=1, cutoff=_NEAR_DOMAIN)
            # In a domain that drivers share another driver may publish what this one does not.
            if domain == DRIVER_NAME or mistyped or (domain == RESOURCE_DOMAIN and meant):
                yield index, f"{path}.{field}", f"the NPU DRA driver publishes no {name}{f'; did you mean {meant}?' if meant else ''}"


def _meant(name: str) -> str | None:
    """Give the attribute that was probably meant: one of nearly that name, in the likest domain; `None` when there is none."""
    domain, _, id_ = name.partition("/")

    def alike(one: str, other: str) -> float:
        return difflib.SequenceMatcher(None, one.lower(), other.lower()).ratio()

    near = [(alike(id_, other), alike(domain, place), f"{place}/{other}") for place, other in _PUBLISHED if alike(id_, other) >= _NEAR]
    return max(near)[2] if near else None


def _made(items: Sequence[Object]) -> set[str]:
    """Name the attributes that slices at hand publish, and those that claims compute."""
    names = {
        name if "/" in name else f"{item.spec.driver}/{name}"
        for _, item in _slices(items)
        for device in item.spec.devices
        for name in device.attributes
    }
    specs = [
        item.spec if isinstance(item, ResourceClaim) else item.spec.spec for item in items if isinstance(item, ResourceClaim | ResourceClaimTemplate)
    ]
    for request in (each for spec in specs for each in spec.devices.requests):
        computed = [wish.derived_attributes for wish in request.first_available]
        if request.exactly is not None:
            computed.append(request.exactly.derived_attributes)
        names |= {attribute.name for attributes in computed for attribute in attributes}
    return names


#: All kinds of advice.
RULES: Final = (
    Rule("own-domain", "an attribute or capacity whose name has the domain of its own driver", _own_domains),
    Rule("shared-pool", "a pool with slices of different nodes", _shared_pools),
    Rule("full-text", "a text attribute of exactly as many bytes as there may be, which may have been cut", _full_texts),
    Rule("constant-match", "a match on an attribute that is the same for all NPUs of a product", _constants),
    Rule("unknown-attribute", "a constraint on an attribute that the driver does not publish", _unknown),
)
