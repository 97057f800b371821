"""
Room: how much a device has, and how requests may consume it.

May touch: `collections`, `findings`, `server`, `rbln_dra.devices`, `quantity`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from ..devices import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity
from ..quantity import Quantity
from .collections import check_set
from .findings import FieldError, Finding, Findings, forbidden, invalid, required
from .server import Server

_INT64: Final = 2**63
_MILLI: Final = 3
#: The digits of the highest number of 64 bits.
_DIGITS: Final = 19
#: So many places further on nothing of 64 bits is left.
_FAR: Final = 100
_GATE: Final = "DRAFractionalCapacityRange"


def capacity(server: Server, item: DeviceCapacity, path: str, *, shared: bool) -> Findings:
    """Check a capacity; only a device that several claims may share says how it is consumed."""
    policy = item.request_policy
    if policy is None:
        return []
    path = f"{path}.requestPolicy"
    if not shared:
        return [forbidden(path, "allowMultipleAllocations must be true")]
    if policy.valid_values and policy.valid_range is not None:
        return [forbidden(path, 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time')]
    return _policy(server, item.value, policy, path)


def _policy(server: Server, most: Quantity, policy: CapacityRequestPolicy, path: str) -> Findings:
    """Check a policy with values or a range, or none of both."""
    if policy.valid_values:
        if policy.default is None:
            return [required(f"{path}.default", "required when validValues is defined")]
        return _values(server, most, policy.default, policy.valid_values, f"{path}.validValues")
    if policy.valid_range is not None:
        if policy.default is None:
            return [required(f"{path}.default", "required when validRange is defined")]
        return _range(server, most, policy.default, policy.valid_range, f"{path}.validRange")
    return []


def _values(server: Server, most: Quantity, default: Quantity, values: Sequence[Quantity], path: str) -> Findings:
    """Check the amounts that may be consumed: ascending, none above the capacity, the default among them."""
    findings = [
        invalid(f"{path}[{index}]", str(value), "values must be sorted in ascending order")
        for index, (before, value) in enumerate(itertools.pairwise(values), start=1)
        if before > value
    ]
    exact = server.enabled(_GATE)
    size = server.limit("valid values")
    # Comparing two neighbours has changed how Kubernetes holds the first of them.
    held = [*(_met(value, after) for value, after in itertools.pairwise(values)), values[-1]]
    findings += check_set(
        server,
        list(zip(values, held, strict=True)),
        path,
        lambda pair, place: [invalid(place, str(pair[0]), f"option is larger than capacity value: {most}")] if pair[0] > most else [],
        key=lambda pair: _decimal(pair[1]) if exact else str(integer(pair[1])),
        most=size,
        covered=False,
    )
    known = default in values and (len(values) <= size or server.minor < 35)
    return findings if known else [*findings, invalid(path, str(default), "default value is not valid according to the requestPolicy")]


def _decimal(value: Quantity) -> str:
    """Write an amount as Go's decimals do: with all its digits, and with the places that it has."""
    return f"{value.number:f}" if _exponent(value) < _FAR else str(value.number)


def _range(server: Server, most: Quantity, default: Quantity, range_: CapacityRequestPolicyRange, path: str) -> Findings:
    """Check a range: inside the capacity, the default inside the range, both ends on a step."""
    low, high, step = range_.min, range_.max, range_.step
    if low is None:
        return [required(f"{path}.min", "required when validRange is defined")]
    amounts = {"default": default, "min": low, **({} if high is None else {"max": high}), **({} if step is None else {"step": step})}
    findings = _ends(server, most, default, low, high, path)
    milli = server.enabled(_GATE) and any(_fractional(amount) for amount in amounts.values())
    if milli:
        detail = "value cannot be represented as a milli value"
        unsafe = [invalid(f"{path}.{name}", str(amount), detail) for name, amount in amounts.items() if not _thousandths(amount)]
        if unsafe:
            return findings + unsafe
    return findings if step is None else findings + _steps(server, most, amounts, path, milli=milli)


def _ends(server: Server, most: Quantity, default: Quantity, low: Quantity, high: Quantity | None, path: str) -> Findings:
    """Check the ends of a range. Before 1.37 a wrong default is reported for the end."""
    new = server.minor >= 37
    findings: Findings = []
    if low > most:
        findings.append(invalid(f"{path}.min", str(low), f"min is larger than capacity value: {most}"))
    if default < low:
        findings.append(invalid(f"{path}.{'default' if new else 'min'}", str(default), f"default is less than min: {low}"))
    if high is None:
        return findings
    if low > high:
        findings.append(invalid(f"{path}.max", str(low), f"min is larger than max: {high}"))
    if high > most:
        findings.append(invalid(f"{path}.max", str(high), f"max is larger than capacity value: {most}"))
    if default > high:
        findings.append(invalid(f"{path}.{'default' if new else 'max'}", str(default), f"default is more than max: {high}"))
    return findings


def _steps(server: Server, most: Quantity, amounts: Mapping[str, Quantity], path: str, *, milli: bool) -> Findings:
    """Check the step of a range, and that default and end are on one."""
    low, step = amounts["min"], amounts["step"]
    new = server.minor >= 37
    if new and step.sign <= 0:
        return [invalid(f"{path}.step", str(step), "must be greater than zero")]
    added = low.add(step)
    findings = [invalid(f"{path}.step", str(step), f"one step {added} is larger than capacity value: {most}")] if added > most else []
    unsafe = [finding for name, amount in amounts.items() for finding in _int64(f"{path}.{name}", amount)] if new and not milli else []
    if unsafe:
        return findings + unsafe
    held = _held(amounts, most)
    names = [name for name in ("default", "max") if name in amounts]
    return findings + [finding for name in names for finding in _stepped(amounts, held, name, _MILLI if milli else 0, f"{path}.step")]


def _met(amount: Quantity, other: Quantity) -> Quantity:
    """Give an amount as Kubernetes holds it once it was compared: in the slow representation, if the other is in that."""
    return amount if other.scale is None else amount.promoted()


def _held(amounts: Mapping[str, Quantity], most: Quantity) -> dict[str, Quantity]:
    """Give the amounts of a range as Kubernetes holds them after all the comparisons."""
    held = dict(amounts)
    pairs: list[tuple[str, Quantity | str]] = [("min", most), ("default", "min"), ("min", "max"), ("max", most), ("default", "max")]
    for name, other in pairs:
        if name in held and (not isinstance(other, str) or other in held):
            held[name] = _met(held[name], held[other] if isinstance(other, str) else other)
    return held


def _stepped(amounts: Mapping[str, Quantity], held: Mapping[str, Quantity], name: str, places: int, path: str) -> Findings:
    """Check that an amount is a number of steps above the lowest."""
    distance = integer(held["step"], places)
    if distance == 0:  # before 1.37 the API server divides by it and answers with an internal error
        return [Finding(FieldError("InternalError", path, "Internal error: runtime error: integer divide by zero"))]
    above = _wrapped(integer(held[name], places) - integer(held["min"], places))
    detail = f"value is not a multiple of a given step ({amounts['step']}) from ({amounts['min']})"
    return [invalid(path, str(amounts[name]), detail)] if above % abs(distance) else []


def _int64(path: str, amount: Quantity) -> Findings:
    """Check that an amount can be reckoned with."""
    if amount.sign < 0:
        return [invalid(path, str(amount), "must be greater than or equal to 0")]
    if amount.number >= _INT64:
        return [invalid(path, str(amount), f"must not be larger than {_INT64 - 1}")]
    return []


def _fractional(amount: Quantity) -> bool:
    """Tell whether an amount is no whole number."""
    return amount.number != amount.number.to_integral_value()


def _thousandths(amount: Quantity) -> bool:
    """Tell whether an amount is what is left of it in thousandths of 64 bits."""
    return amount.number == Decimal(integer(amount, _MILLI)).scaleb(-_MILLI)


def _wrapped(number: int) -> int:
    """Give what 64 bits keep of a number."""
    return (number + _INT64) % (2 * _INT64) - _INT64


def integer(amount: Quantity, places: int = 0) -> int:
    """
    Give an amount in whole units of 10 to the power of -places as Kubernetes does: rounded up, and wrong where it does not fit 64 bits.

    >>> integer(Quantity.parse("1500m")), integer(Quantity.parse("1500m"), 3), integer(Quantity.parse("-1500m"))
    (2, 1500, -2)
    """
    exponent = _exponent(amount)
    sign, digits, _ = amount.number.as_tuple()
    unscaled = int(Decimal((sign, digits, 0)))
    if amount.scale is None:
        return _fast(unscaled, exponent + places)
    shift = exponent + amount.scale
    return _slow(unscaled * int(10 ** min(max(shift, 0), _FAR)) // int(10 ** min(max(-shift, 0), _FAR)), amount.scale - places)


def _exponent(amount: Quantity) -> int:
    """Give the power of ten that the digits of an amount are multiplied with."""
    return int(amount.number.as_tuple().exponent)


def _fast(unscaled: int, exponent: int) -> int:
    """Scale an amount in the fast representation: rounded away from zero; 0 where it does not fit."""
    if exponent < 0:
        whole, rest = divmod(abs(unscaled), int(10 ** min(-exponent, _FAR)))
        return (whole + bool(rest)) * (-1 if unscaled < 0 else 1)
    scaled = unscaled * int(10 ** min(exponent, _FAR))
    return scaled if -_INT64 <= scaled < _INT64 else 0


def _slow(unscaled: int, surplus: int) -> int:
    """Scale an amount in the slow representation: towards the larger, cut to 64 bits."""
    if surplus <= 0:
        # Go makes the factor of a float; one that does not fit becomes the lowest number.
        return _wrapped(_wrapped(unscaled) * (int(10**-surplus) if surplus > -_DIGITS else -_INT64))
    power = int(10**surplus)
    if unscaled < _INT64 - 1 and surplus < _DIGITS:
        kept = _wrapped(unscaled)
        quotient = abs(kept) // power * (-1 if kept < 0 else 1)
        return quotient + bool(kept % power)
    quotient, rest = divmod(unscaled, power)
    return _wrapped(quotient) + bool(rest)
