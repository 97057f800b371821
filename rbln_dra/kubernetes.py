"""
Room: the Kubernetes minors that this package knows, their feature gates, and what `--feature-gates` makes of them.

May touch: `errors`, `quoting`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import cast

import attrs
from packaging.version import InvalidVersion, Version

from .errors import InvalidFeatureGates, UnknownKubernetes
from .quoting import quoted

#: The minors that this package knows, oldest first.
MINORS = ("1.34", "1.35", "1.36", "1.37")
#: The minor that is meant when none is named: the Rebellions driver builds on its modules.
DEFAULT_MINOR = "1.35"


@attrs.frozen
class Setting:
    """
    A feature gate in one minor.

    Args:
        stage: `alpha`, `beta` or `GA`.
        default: Whether the feature is on when nothing is said.
        locked: Whether a component refuses to start with another value than the default.
    """

    stage: str
    default: bool
    locked: bool = False


#: What the history of a gate is asked for.
_MINOR = re.compile(r"(?: 1\. )? [0-9]{1,4}", re.VERBOSE)


def _number(minor: str) -> int:
    """Give the number of a minor of Kubernetes 1."""
    return int(minor.removeprefix("1."))


@attrs.frozen
class Gate:
    """
    A feature gate.

    Args:
        name: As `--feature-gates` names it.
        history: Minor → setting from that minor on, oldest first; a minor before the first one does not know the gate.
        requires: The gates that must be on for this one to be on; Kubernetes checks this from 1.35 on.
        summary: What the feature is, in a few words.
    """

    name: str
    history: Mapping[str, Setting] = attrs.field(hash=False)
    requires: tuple[str, ...] = ()
    summary: str = ""

    def setting(self, minor: str) -> Setting | None:
        """
        Give the gate's setting in a minor; `None` when the minor does not know the gate.

        Raises:
            UnknownKubernetes: That is no minor.

        >>> GATES["DRAListTypeAttributes"].setting("1.36")
        Setting(stage='alpha', default=False, locked=False)
        """
        UnknownKubernetes.unless_text(minor, _EXPECTED)
        if _MINOR.fullmatch(minor) is None:
            raise UnknownKubernetes(minor, _EXPECTED)
        settings = [setting for since, setting in self.history.items() if _number(since) <= _number(minor)]
        return settings[-1] if settings else None


_ALPHA = Setting("alpha", default=False)
_BETA = Setting("beta", default=True)
_BETA_OFF = Setting("beta", default=False)
_GA = Setting("GA", default=True)
_LOCKED = Setting("GA", default=True, locked=True)

_DRA = ("DynamicResourceAllocation",)

#: Every gate that bears on dynamic resource allocation. Source: pkg/features/kube_features.go of 1.34.9, 1.35.6, 1.36.2 and 1.37.1.
GATES: Mapping[str, Gate] = MappingProxyType(
    {
        gate.name: gate
        for gate in (
            Gate("DRAAdminAccess", {"1.32": _ALPHA, "1.34": _BETA, "1.36": _LOCKED}, _DRA, "requests with `adminAccess`"),
            Gate("DRAConsumableCapacity", {"1.34": _ALPHA, "1.36": _BETA}, _DRA, "devices shared by their capacity; `allowMultipleAllocations`"),
            Gate("DRADerivedAttributes", {"1.37": _ALPHA}, _DRA, "attributes that a claim computes with CEL"),
            Gate(
                "DRADeviceBindingConditions",
                {"1.34": _ALPHA, "1.36": _BETA},
                (*_DRA, "DRAResourceClaimDeviceStatus"),
                "devices that must be made ready before a pod is bound",
            ),
            Gate("DRADeviceCompatibilityGroups", {"1.37": _ALPHA}, (*_DRA, "DRAPartitionableDevices"), "which devices go together"),
            Gate("DRADeviceTaintRules", {"1.35": _ALPHA, "1.36": _BETA_OFF, "1.37": _GA}, ("DRADeviceTaints",), "DeviceTaintRule objects"),
            Gate("DRADeviceTaints", {"1.33": _ALPHA, "1.36": _BETA, "1.37": _GA}, _DRA, "taints of devices and tolerations of requests"),
            Gate("DRAExtendedResource", {"1.34": _ALPHA, "1.36": _BETA, "1.37": _LOCKED}, _DRA, "extended resources served by a DeviceClass"),
            # On by default only with --min-compatibility-version=1.37; without it a component stays compatible with the minor before its own.
            Gate("DRAFractionalCapacityRange", {"1.37": _BETA_OFF}, ("DRAConsumableCapacity",), "capacity ranges finer than one"),
            Gate("DRAListTypeAttributes", {"1.36": _ALPHA}, _DRA, "attributes that are lists; the CEL function `includes`"),
            Gate("DRANodeAllocatableResources", {"1.36": _ALPHA}, _DRA, "devices that are also CPU, memory or hugepages of the node"),
            Gate("DRAOptionalNodeOperations", {"1.37": _ALPHA}, (*_DRA, "NodeDeclaredFeatures"), "devices without work of a node plugin"),
            Gate("DRAPartitionableDevices", {"1.33": _ALPHA, "1.36": _BETA}, _DRA, "shared counters, devices that overlap"),
            Gate(
                "DRAPartitionableDevicesType",
                {"1.37": _ALPHA},
                (*_DRA, "DRAPartitionableDevices", "DRAResourcePoolStatus"),
                "the kind of partition a device is",
            ),
            Gate("DRAPrioritizedList", {"1.33": _ALPHA, "1.34": _BETA, "1.36": _GA, "1.37": _LOCKED}, _DRA, "requests with `firstAvailable`"),
            Gate("DRAResourceClaimDeviceStatus", {"1.32": _ALPHA, "1.33": _BETA, "1.37": _LOCKED}, (), "`status.devices` of a claim"),
            Gate(
                "DRAResourceClaimGranularStatusAuthorization",
                {"1.36": _BETA},
                (*_DRA, "DRAResourceClaimDeviceStatus"),
                "authorization per part of a claim's status",
            ),
            Gate("DRAResourcePoolStatus", {"1.36": _ALPHA}, _DRA, "ResourcePoolStatusRequest objects"),
            Gate("DRASchedulerFilterTimeout", {"1.34": _BETA}, _DRA, "a limit on the time that an allocation takes per node"),
            Gate("DRAWorkloadResourceClaims", {"1.36": _ALPHA, "1.37": _BETA_OFF}, (*_DRA, "GenericWorkload"), "claims of a group of pods"),
            Gate(
                "DynamicResourceAllocation",
                {"1.26": _ALPHA, "1.32": _BETA_OFF, "1.34": _GA, "1.35": _LOCKED},
                (),
                "dynamic resource allocation itself",
            ),
            Gate("GenericWorkload", {"1.35": _ALPHA, "1.37": _BETA_OFF}, (), "Workload objects"),
            Gate(
                "KubeletPodResourcesDynamicResources",
                {"1.27": _ALPHA, "1.34": _BETA, "1.36": _LOCKED},
                (),
                "DRA devices in the kubelet's pod resources API",
            ),
            Gate("KubeletPodResourcesGet", {"1.27": _ALPHA, "1.34": _BETA, "1.36": _LOCKED}, (), "`Get` of the kubelet's pod resources API"),
            Gate("NodeDeclaredFeatures", {"1.35": _ALPHA, "1.36": _BETA, "1.37": _LOCKED}, (), "features that a node declares"),
            Gate("ResourceHealthStatus", {"1.31": _ALPHA, "1.36": _BETA}, _DRA, "the health of devices in a pod's status"),
            Gate("ResourceHealthStatusMessage", {"1.36": _BETA}, ("ResourceHealthStatus",), "a message with that health"),
        )
    }
)

_EXPECTED_GATES = "feature gates such as DRAListTypeAttributes=true,DRADeviceTaints=false"
_EXPECTED_GATE = "a feature gate of dynamic resource allocation"
_GATES_FORM = 'gates such as {"DRAListTypeAttributes": True}'
_EXPECTED = f"a Kubernetes minor from {MINORS[0]} to {MINORS[-1]}"
#: From this minor on a gate that is on requires others to be on.
_REQUIREMENTS_SINCE = 35

#: The gates that stand for all of a stage that are not named themselves.
_STAGES = {"AllAlpha": "alpha", "AllBeta": "beta"}

#: What Go's `strconv.ParseBool` takes.
_BOOLEANS = {
    **dict.fromkeys(("1", "t", "T", "true", "TRUE", "True"), True),
    **dict.fromkeys(("0", "f", "F", "false", "FALSE", "False"), False),
}


def _minor(given: object) -> Version:
    """Fold `1.36`, `v1.36.2`, `v1.36.2-gke.1001` and a `Version` to the minor."""
    # What a vendor appends (-gke.1001, a bare + for "and later patches") is no part of the version that PEP 440 could read.
    text, _, suffix = (str(given) if isinstance(given, str | Version | float) else "").strip().partition("-")
    try:
        # Beyond that length Python would refuse the numbers.
        version = Version(text.rstrip("+") if len(text) < 100 else "")
    except InvalidVersion:
        raise UnknownKubernetes(given, _EXPECTED, hint=_near(text, MINORS)) from None
    minor = Version(f"{version.major}.{version.minor}")
    if version.epoch:
        raise UnknownKubernetes(given, _EXPECTED, "it has an epoch")
    if str(minor) not in MINORS:
        older = minor < Version(MINORS[0])
        raise UnknownKubernetes(
            given, _EXPECTED, f"{minor} is {'older' if older else 'newer'}", hint=None if version.major == 1 else _near(text, MINORS)
        )
    if version.is_prerelease or suffix.startswith(("alpha", "beta", "rc")):
        raise UnknownKubernetes(given, _EXPECTED, "it is a pre-release")
    return minor


def _sorted(gates: Mapping[str, bool] | Iterable[tuple[str, bool]]) -> tuple[tuple[str, bool], ...]:
    """Make gates comparable. A text is refused as a value: "false" would count as true."""
    try:
        overrides = dict(gates)
    except (TypeError, ValueError):
        raise InvalidFeatureGates(gates, _GATES_FORM) from None
    for name, value in cast("dict[object, object]", overrides).items():
        if not (isinstance(name, str) and isinstance(value, bool)):
            raise InvalidFeatureGates({name: value}, _GATES_FORM)
    return tuple(sorted(overrides.items()))


@attrs.frozen
class Kubernetes:
    """
    A Kubernetes minor with its feature gates: the defaults, and what `--feature-gates` overrides.

    Args:
        minor: `1.34` to `1.37`. A `v` in front, a patch release and a vendor's suffix are read and dropped: `v1.36.2-gke.1001` is `1.36`.
        gates: Gate → value, for gates that are set. `AllAlpha` and `AllBeta` set what is not set itself, as in Kubernetes.

    Raises:
        UnknownKubernetes: The minor, or a gate in that minor, is not known.
        InvalidFeatureGates: A component of the minor would not start: a gate is locked to its default, or one that is on needs one that is off.

    Source: k8s.io/component-base/featuregate.

    >>> release = Kubernetes("v1.36.2", gates={"DRAListTypeAttributes": True})
    >>> release.minor, release.enabled("DRAListTypeAttributes"), release.enabled("DRADerivedAttributes")
    (<Version('1.36')>, True, False)
    >>> str(release)
    '1.36 DRAListTypeAttributes=true'
    """

    minor: Version = attrs.field(default=Version(DEFAULT_MINOR), converter=_minor)
    overrides: tuple[tuple[str, bool], ...] = attrs.field(default=(), alias="gates", converter=_sorted)
    _enabled: frozenset[str] = attrs.field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        """Work out which gates are on."""
        object.__setattr__(self, "_enabled", _resolve(str(self.minor), dict(self.overrides)))

    @classmethod
    def of(cls, release: str | Version | Kubernetes) -> Kubernetes:
        """
        Take what stands wherever a function wants `kubernetes=`: a minor, or such a value.

        Raises:
            UnknownKubernetes: The minor is not known.

        >>> Kubernetes.of("1.37") == Kubernetes("1.37")
        True
        """
        if isinstance(release, Kubernetes):
            return release
        return _of_minor(release) if type(release) is str else cls(release)

    @classmethod
    def parse(cls, text: str) -> Kubernetes:
        """
        Read a minor, and behind a space the text of `--feature-gates`.

        Raises:
            UnknownKubernetes: The minor, or a gate in that minor, is not known.
            InvalidFeatureGates: The gates are not written so, or a component of the minor would not start with them.

        >>> Kubernetes.parse("1.36 DRAAdminAccess=false")  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        rbln_dra.errors.InvalidFeatureGates: expected feature gates that Kubernetes 1.36 lets one set, got 'DRAAdminAccess=false': cannot set ...
        """
        UnknownKubernetes.unless_text(text, _EXPECTED)
        minor, _, gates = text.strip().partition(" ")
        return cls(minor, gates=parse_feature_gates(gates))

    def __str__(self) -> str:
        """Render the minor, and behind a space the gates that are set."""
        return f"{self.minor} {self.feature_gates}" if self.overrides else str(self.minor)

    @property
    def gates(self) -> Mapping[str, bool]:
        """The gates that are set, by name."""
        return dict(self.overrides)

    @property
    def feature_gates(self) -> str:
        """The gates that are set, as the text of `--feature-gates`; empty without any."""
        return format_feature_gates(self.gates)

    def enabled(self, gate: str) -> bool:
        """
        Tell whether a feature is on. One that the minor does not have yet is off.

        Raises:
            UnknownKubernetes: No minor has this gate.

        >>> Kubernetes("1.34").enabled("DRAConsumableCapacity"), Kubernetes("1.36").enabled("DRAConsumableCapacity")
        (False, True)
        """
        UnknownKubernetes.unless_text(gate, _EXPECTED_GATE)
        if gate not in GATES:
            raise UnknownKubernetes(gate, _EXPECTED_GATE, hint=_near(gate, GATES))
        return gate in self._enabled


@lru_cache(maxsize=64)
def _of_minor(minor: str) -> Kubernetes:
    """Give the value of a minor, which is asked for over and over."""
    return Kubernetes(minor)


def parse_feature_gates(text: str) -> dict[str, bool]:
    """
    Read the text of `--feature-gates`: `NAME=BOOLEAN`, separated by commas. White space around a name or a value does not count; a later value wins.

    A boolean is what Kubernetes takes for one: `true`, `True`, `TRUE`, `t`, `T`, `1`, and likewise for false. Names are judged by `Kubernetes`.

    Raises:
        InvalidFeatureGates: The text is not so; `reason` is Kubernetes' text.

    >>> parse_feature_gates("DRAListTypeAttributes=true, DRADeviceTaints=false")
    {'DRAListTypeAttributes': True, 'DRADeviceTaints': False}
    """
    InvalidFeatureGates.unless_text(text, _EXPECTED_GATES)
    gates: dict[str, bool] = {}
    for item in filter(None, text.split(",")):
        name, equals, value = (part.strip() for part in item.partition("="))
        if not equals or value not in _BOOLEANS:
            reason = (
                f"invalid value of {name}={value}, err: strconv.ParseBool: parsing {quoted(value)}: invalid syntax"
                if equals
                else f"missing bool value for {name}"
            )
            raise InvalidFeatureGates(text, _EXPECTED_GATES, reason)
        gates[name] = _BOOLEANS[value]
    return gates


def format_feature_gates(gates: Mapping[str, bool]) -> str:
    """
    Write gates as the text of `--feature-gates`, sorted by name.

    Raises:
        InvalidFeatureGates: These are no gates with their values.

    >>> format_feature_gates({"DRAListTypeAttributes": True, "DRADeviceTaints": False})
    'DRADeviceTaints=false,DRAListTypeAttributes=true'
    """
    return ",".join(f"{name}={'true' if value else 'false'}" for name, value in _sorted(gates))


def _resolve(minor: str, overrides: Mapping[str, bool]) -> frozenset[str]:
    """Work out which gates are on in a minor, or say why its components do not start."""
    known = {name: setting for name, gate in GATES.items() if (setting := gate.setting(minor)) is not None}
    for name, value in overrides.items():
        if name in _STAGES:
            continue
        if name not in known:
            raise UnknownKubernetes(
                name,
                f"a feature gate of Kubernetes {minor}",
                f"unrecognized feature gate: {name}",
                hint=_later(name) or _near(name, (*known, *_STAGES)) or _near(name, GATES),
            )
        if known[name].locked and known[name].default != value:
            text = f"cannot set feature gate {name} to {_text(value)}, feature is locked to {_text(known[name].default)}"
            raise _refusal(minor, overrides, text)
    stages = {stage: overrides[gate] for gate, stage in _STAGES.items() if gate in overrides}
    enabled = frozenset(name for name, setting in known.items() if overrides.get(name, stages.get(setting.stage, setting.default)))
    if _number(minor) >= _REQUIREMENTS_SINCE:
        for name in sorted(enabled):
            missing = sorted(set(GATES[name].requires) - enabled)
            if missing:
                raise _refusal(minor, overrides, f"{name} is enabled, but depends on features that are disabled: [{' '.join(missing)}]")
    return enabled


def _refusal(minor: str, overrides: Mapping[str, bool], reason: str) -> InvalidFeatureGates:
    """Say why a component does not start."""
    return InvalidFeatureGates(format_feature_gates(overrides), f"feature gates that Kubernetes {minor} lets one set", reason)


def _text(value: object) -> str:
    """Write a boolean as Go does."""
    return "true" if value else "false"


def _later(name: str) -> str | None:
    """Say since when there is a gate that an older minor does not know."""
    return f"it exists from {next(iter(GATES[name].history))} on" if name in GATES else None


def _near(text: str, names: Iterable[str]) -> str | None:
    """Say which names a text resembles."""
    from difflib import get_close_matches

    near = get_close_matches(text[:100], tuple(names), n=3, cutoff=0.75)
    return f"did you mean {' or '.join(near)}?" if near else None


#: What is meant where no release is named.
DEFAULT = Kubernetes()
