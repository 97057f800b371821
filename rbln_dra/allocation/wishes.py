"""
Room: what the requests of claims want: each request or subrequest with its class, checked before the search, and its verdict on each device.

May touch: `allocated`, `capacity`, `constraints`, `derived`, `nodes`, `pools`, `rules`, `cel`, `resources`, `kubernetes`, `quantity`, `errors`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

import attrs

from .. import cel
from ..cel import Environment, Program
from ..errors import AllocationError, CompileError, EvaluationError
from ..kubernetes import Kubernetes
from ..quantity import Quantity
from ..resources import ALL, EXACT_COUNT, DeviceClass, DeviceRequest, DeviceSelector, DeviceSubRequest, ExactDeviceRequest, ResourceClaim
from .allocated import Allocated
from .capacity import NotRepresentable, shortage
from .constraints import Constraint, constraint_of
from .derived import Derivations, DerivedConstraint, Failure
from .nodes import Node, reaches
from .pools import Candidate, Pool
from .rules import Rules

#: The most devices that a claim may get.
MOST_DEVICES: Final = 32
_HINT: Final = ". consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields"


@attrs.frozen(eq=False)
class Setting:
    """
    Everything that a search is about.

    Args:
        claims: The claims.
        classes: The classes by name.
        pools: The pools that the node can reach.
        node: The node.
        release: The release.
        rules: How it allocates.
        allocated: What is allocated already.
        environment: Where selectors are evaluated: as the scheduler does.
        verdicts: Selectors → position of a device → whether it matches; known from searches before.
        of_classes: Class → its selectors, as they were read before.
    """

    claims: Sequence[ResourceClaim]
    classes: Mapping[str, DeviceClass]
    pools: Sequence[Pool]
    node: Node
    release: Kubernetes
    rules: Rules
    allocated: Allocated
    environment: Environment
    verdicts: dict[Hashable, dict[int, bool]]
    of_classes: dict[str, list[Condition]]


class Condition:
    """
    One selector, compiled when it is first asked.

    Args:
        place: Where it stands, as errors say it: `claim ns/npu: selector #0`.
        expression: The expression.
        setting: What the search is about.
    """

    def __init__(self, place: str, expression: str, setting: Setting) -> None:
        self.place = place
        self.expression = expression
        self._environment = setting.environment
        self._names_device = setting.rules.allocator.names_device
        self._sharing = setting.rules.allocator.sharing
        self._program: Program | None = None

    @property
    def program(self) -> Program:
        """
        The compiled selector.

        Raises:
            AllocationError: It does not compile.
        """
        if self._program is None:
            try:
                self._program = cel.compile(self.expression, self._environment)
            except CompileError as error:
                raise AllocationError(f"{self.place}: CEL compile error: {error.message}") from None
        return self._program

    def holds(self, candidate: Candidate) -> bool:
        """
        Tell whether it is true of a device.

        Raises:
            AllocationError: It does not compile, or there is no answer.
        """
        program, device = self.program, candidate.device
        if device.allow_multiple_allocations and not self._sharing:
            # An allocator that knows no shares does not tell selectors of them.
            device = attrs.evolve(device, allow_multiple_allocations=None)
        try:
            return program.matches(device)
        except EvaluationError as error:
            raise AllocationError(self.failure(error.message, candidate)) from None

    def failure(self, message: str, candidate: Candidate) -> str:
        """Give the text of an error on a device."""
        if not self._names_device:
            return f"{self.place}: CEL runtime error: {message}"
        hint = _HINT if "no such key:" in message else ""
        return f"{self.place} on device {candidate.text}: CEL runtime error: {message}{hint}"


class Wish:
    """
    A request without subrequests, or one subrequest.

    Args:
        setting: What the search is about.
        claim: Its claim's place.
        request: Its request.
        given: What it wants.
        device_class: Its class.

    Attributes:
        name: Its own name.
        base: The name of its request.
        sub: Its own name when it is a subrequest, else empty.
        full_name: `request` or `request/subrequest`.
        all_devices: The devices that `All` means; `None` for a count.
        count: How many devices it needs.
        admin: Whether it is for an administrator.
        derived: The attributes that it computes of devices: name → expression.
        constraints: What it must keep to, with the number of each in its claim.
        verdicts: Position of a device → whether it matches.
        shortages: Identity of a device of which nothing is taken → which capacity it lacks; `None` when it has all.
    """

    def __init__(
        self, setting: Setting, claim: int, request: DeviceRequest, given: ExactDeviceRequest | DeviceSubRequest, device_class: DeviceClass
    ) -> None:
        self.claim = claim
        self.given = given
        self.base = request.name
        self.sub = given.name if isinstance(given, DeviceSubRequest) else ""
        self.name = self.sub or self.base
        self.full_name = f"{self.base}/{self.sub}" if self.sub else self.base
        self.device_class = device_class
        self.admin = isinstance(given, ExactDeviceRequest) and given.admin_access is True
        self.amounts: Mapping[str, Quantity] | None = None if given.capacity is None else given.capacity.requests
        self.count = 0
        self.all_devices: list[Candidate] | None = None
        self.verdicts: dict[int, bool] = {}
        self.shortages: dict[int, str | None] = {}
        class_name = device_class.metadata.name
        conditions = setting.of_classes.get(class_name)
        if conditions is None:
            conditions = setting.of_classes[class_name] = _conditions(f"class {class_name}", device_class.spec.selectors, setting)
        if given.selectors:
            conditions = [*conditions, *_conditions(f"claim {kobj(setting.claims[claim])}", given.selectors, setting)]
        self.conditions = conditions
        self.derived = {each.name: each.expression for each in given.derived_attributes} if "DerivedAttributes" in setting.rules.features else {}
        self.constraints: list[tuple[int, Constraint]] = []
        self._node = setting.node
        self._binding = "DeviceBindingAndStatus" in setting.rules.features

    def matches(self, candidate: Candidate) -> bool:
        """
        Tell whether a device is one of those that are wanted: its class, its selectors, and the node.

        Raises:
            AllocationError: A selector has no answer.
        """
        known = self.verdicts.get(candidate.position)
        if known is not None:
            return known
        device = candidate.device
        if device.binding_conditions and not self._binding:
            return False
        verdict = True
        for condition in self.conditions:
            if not condition.holds(candidate):
                verdict = False
                break
        verdict = verdict and self.reachable(candidate)
        self.verdicts[candidate.position] = verdict
        return verdict

    @property
    def selectors(self) -> Hashable:
        """What tells its verdicts apart from those of others."""
        return tuple(condition.expression for condition in self.conditions)

    def settled(self, candidate: Candidate) -> bool:
        """
        Tell whether a device matches, and that nothing that may be asked of it then is an error.

        Raises:
            AllocationError: A selector has no answer, or an attribute cannot be computed.
        """
        if not self.matches(candidate):
            return False
        failed = next((found for _, each in self.constraints if isinstance(found := each.read(candidate), Failure)), None) if self.derived else None
        if failed is not None:
            raise AllocationError(failed.message)
        return True

    def reachable(self, candidate: Candidate) -> bool:
        """Tell whether the node can reach a device that says so itself."""
        device = candidate.device
        return not candidate.slice.spec.per_device_node_selection or reaches(
            self._node, node_name=device.node_name, all_nodes=device.all_nodes, selector=device.node_selector
        )


def kobj(claim: ResourceClaim) -> str:
    """Write a claim's name as Kubernetes' logs do."""
    namespace = claim.metadata.namespace
    return f"{namespace}/{claim.metadata.name}" if namespace else claim.metadata.name


def _conditions(owner: str, selectors: Sequence[DeviceSelector], setting: Setting) -> list[Condition]:
    """Make the conditions of some selectors. A class may have one of an unknown kind, which would crash Kubernetes: it is true of nothing."""
    return [Condition(f"{owner}: selector #{index}", each.expression or "", setting) for index, each in enumerate(selectors)]


@attrs.frozen(eq=False)
class Demand:
    """
    What one claim wants.

    Args:
        requests: For each request its wish, or its subrequests' wishes in their order.
        constraints: What must hold between the devices.
        alternatives: Whether a request has subrequests.
    """

    requests: tuple[tuple[Wish, ...], ...]
    constraints: tuple[Constraint, ...]
    alternatives: tuple[bool, ...]


def demands(setting: Setting) -> tuple[Demand, ...]:
    """
    Check what the claims want, and find what `All` means.

    Raises:
        AllocationError: What they want is not possible, whatever is free.
    """
    found = tuple(_demand(setting, index) for index in range(len(setting.claims)))
    derivations = Derivations(setting.environment)
    for demand in found:
        for wish in (each for wishes in demand.requests for each in wishes):
            # What was learned for `All` is learned again: it could be of another subrequest.
            wish.verdicts = setting.verdicts.setdefault(wish.selectors, {})
            concerning = [(index, each) for index, each in enumerate(demand.constraints) if each.concerns(wish.base, wish.sub)]
            wish.constraints = [(index, _derived(each, wish, derivations)) for index, each in concerning]
    return found


def _derived(constraint: Constraint, wish: Wish, derivations: Derivations) -> Constraint:
    """Give a constraint as it applies to a wish, which may compute the attribute."""
    expression = wish.derived.get(constraint.attribute)
    return constraint if expression is None else DerivedConstraint(constraint, expression, derivations)


def _demand(setting: Setting, index: int) -> Demand:
    """Check what one claim wants."""
    claim = setting.claims[index]
    features = setting.rules.features
    owner = kobj(claim)
    requests: list[tuple[Wish, ...]] = []
    least = 0
    for request in claim.spec.devices.requests:
        if request.first_available and "PrioritizedList" not in features:
            raise AllocationError(f"claim {owner}, request {request.name}: has subrequests, but the DRAPrioritizedList feature is disabled")
        _check_capacity(setting, request, owner)
        wishes: list[Wish] = []
        for given in request.first_available or (request.exactly or ExactDeviceRequest(""),):
            # In some minors the second subrequest finds the verdicts of the first.
            stale = wishes[0].verdicts if len(wishes) == 1 and setting.rules.allocator.mixes_subrequests else None
            wishes.append(_wish(setting, index, request, given, stale))
        requests.append(tuple(wishes))
        wanted = min(each.count for each in wishes)
        if wanted > MOST_DEVICES - least:
            text = f"adding {wanted} devices exceeds the claim limit of {MOST_DEVICES}, with {least} already accounted for"
            raise AllocationError(f"claim {owner}, request {request.name}: {text}")
        least += wanted
    constraints = tuple(constraint_of(each, setting.rules, claim=owner, index=number) for number, each in enumerate(claim.spec.devices.constraints))
    return Demand(tuple(requests), constraints, tuple(bool(each.first_available) for each in claim.spec.devices.requests))


def _check_capacity(setting: Setting, request: DeviceRequest, owner: str) -> None:
    """
    Refuse amounts where they are not known.

    Raises:
        AllocationError: There are some.
    """
    if "ConsumableCapacity" in setting.rules.features or not setting.rules.allocator.sharing:
        return
    text = "has capacity requests, but the DRAConsumableCapacity feature is disabled"
    if request.exactly is not None and request.exactly.capacity is not None:
        raise AllocationError(f"claim {owner}, request {request.name}: {text}")
    for each in request.first_available:
        if each.capacity is not None:
            named = f"subrequest {each.name}" if setting.rules.allocator.names_subrequest else f"request {request.name}"
            raise AllocationError(f"claim {owner}, {named}: {text}")


def _wish(setting: Setting, claim: int, request: DeviceRequest, given: ExactDeviceRequest | DeviceSubRequest, stale: dict[int, bool] | None) -> Wish:
    """
    Check one request or subrequest.

    Raises:
        AllocationError: It cannot be met, whatever is free.
    """
    name = given.name if isinstance(given, DeviceSubRequest) else request.name
    place = f"claim {kobj(setting.claims[claim])}, request {name}"
    features = setting.rules.features
    if given.derived_attributes and setting.release.minor.minor >= 37 and "DerivedAttributes" not in features:
        raise AllocationError(f"{place}: cannot handle request with derived attributes, the feature is disabled")
    for index, selector in enumerate(given.selectors):
        if selector.expression is None:
            raise AllocationError(f"{place}, selector #{index}: CEL expression empty (unsupported selector type?)")
    if "AdminAccess" not in features and isinstance(given, ExactDeviceRequest) and given.admin_access is not None:
        raise AllocationError(f"{place}: admin access is requested, but the feature is disabled")
    if not given.device_class_name:
        raise AllocationError(f"{place}: missing device class name (unsupported request type?)")
    device_class = setting.classes.get(given.device_class_name)
    if device_class is None:
        class_name = given.device_class_name
        raise AllocationError(f"{place}: could not retrieve device class {class_name}: device class {class_name} not found")
    wish = Wish(setting, claim, request, given, device_class)
    # What others learned of the same selectors holds, but where an allocator mixes up what subrequests learn.
    fresh = {} if setting.rules.allocator.mixes_subrequests else setting.verdicts.setdefault(wish.selectors, {})
    wish.verdicts = fresh if stale is None else stale
    if given.allocation_mode == EXACT_COUNT:
        wish.count = given.count
    elif given.allocation_mode == ALL:
        wish.all_devices = _all(setting, wish, place)
        wish.count = len(wish.all_devices)
    else:
        raise AllocationError(f"{place}: unsupported count mode {given.allocation_mode}")
    return wish


def _all(setting: Setting, wish: Wish, place: str) -> list[Candidate]:
    """
    Find all devices that a wish can mean.

    Raises:
        AllocationError: A pool is incomplete or invalid, or a selector has no answer.
    """
    found: list[Candidate] = []
    for pool in setting.pools:
        if pool.incomplete or pool.invalid is not None:
            state = "being updated" if pool.incomplete else "invalid"
            raise AllocationError(f"{place}: asks for all devices, but resource pool {pool.text} is currently {state}")
        found += [each for each in pool.candidates if wish.matches(each) and _sufficient(setting, wish, each, place)]
    return found


def _sufficient(setting: Setting, wish: Wish, candidate: Candidate, place: str) -> bool:
    """
    Tell whether a device has the amounts that a wish for all devices names.

    Raises:
        AllocationError: An amount cannot be computed with.
    """
    if "ConsumableCapacity" not in setting.rules.features:
        return True
    taken: Mapping[str, Quantity] = {} if setting.rules.allocator.static_all else setting.allocated.capacity.get(candidate.id, {})
    try:
        return shortage(wish.amounts, candidate.device.capacity, taken=taken, rules=setting.rules) is None
    except NotRepresentable as error:
        raise AllocationError(f"{place}: checking capacity for device {candidate.device.name}: {error}") from None
