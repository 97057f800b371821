"""
Room: capacity: what a request consumes of a device that several may share, by the policy of each capacity, and whether that is still there.

May touch: `rules`, `devices`, `quantity`, `errors`.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from typing import Final, cast

import attrs

from ..devices import CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity
from ..errors import Error
from ..quantity import Format, Quantity
from .rules import Rules

_MAX: Final = 2**63 - 1
#: This power of ten and those above are beyond 64 bits.
_FACTORS: Final = 19
#: Nothing is rounded but where it is asked for.
_EXACT: Final = Context(prec=100_000, Emax=MAX_EMAX, Emin=MIN_EMIN)
_NOT_REPRESENTABLE: Final = "capacity request cannot be represented in the device's range arithmetic"


class NotRepresentable(Error):
    """An amount that Kubernetes cannot compute with; the one argument is its text."""


@attrs.frozen
class Shortage:
    """
    Why a device does not have what a request wants.

    Args:
        name: The capacity.
        reason: Why, as a clause.
    """

    name: str
    reason: str


def shortage(
    requested: Mapping[str, Quantity] | None,
    capacity: Mapping[str, DeviceCapacity],
    *,
    taken: Mapping[str, Quantity],
    rules: Rules,
    growing: Container[str] = (),
) -> Shortage | None:
    """
    Say what a device lacks of what a request wants, beside what is taken of it already; `None` when it has it all.

    Args:
        requested: What the request names; amounts of `growing` are replaced when they grow.
        capacity: What the device has.
        taken: What is taken of it already.
        rules: How the minor does it.
        growing: Capacities whose amount grows by what is taken, where it is held by reference.

    Raises:
        NotRepresentable: An amount cannot be computed with, in the minors where that is an error.
    """
    for name in requested or {}:
        if name not in capacity:
            return Shortage(name, "the device has no such capacity")
    wanted = consumption(requested, capacity, rules)
    if rules.allocator.capacity_errors:
        for name, amount in wanted.items():
            if amount.sign < 0:
                raise NotRepresentable(f'capacity "{name}": capacity value is negative')
    for name, has in capacity.items():
        amount = wanted[name]
        if (reason := _violation(amount, has.request_policy, rules)) is not None:
            return Shortage(name, reason)
        total = amount if name not in taken else taken[name].add(amount)
        if name in growing and by_reference(requested, name, amount, has):
            cast("dict[str, Quantity]", requested)[name] = amount.add(taken[name])
        if total > has.value:
            return Shortage(name, f"{total} of {has.value} would be taken" if name in taken else f"{total} is wanted, the device has {has.value}")
    return None


def by_reference(requested: Mapping[str, Quantity] | None, name: str, amount: Quantity, has: DeviceCapacity) -> bool:
    """
    Tell whether Kubernetes takes the very amount that the request names, not a copy.

    That needs a policy that changes nothing about the amount, and an amount that is not held as 64 bits.
    """
    return amount.scale is not None and has.request_policy is not None and amount is (requested or {}).get(name)


def consumption(requested: Mapping[str, Quantity] | None, capacity: Mapping[str, DeviceCapacity], rules: Rules) -> dict[str, Quantity]:
    """
    Give what a request consumes of each capacity of a device.

    Raises:
        NotRepresentable: An amount cannot be computed with.
    """
    return {name: _consumed(name, None if requested is None else requested.get(name), has, rules) for name, has in capacity.items()}


def _consumed(name: str, requested: Quantity | None, has: DeviceCapacity, rules: Rules) -> Quantity:
    """Give what a request consumes of one capacity: its amount rounded up to what the policy allows, the default, or all of it."""
    policy = has.request_policy
    if requested is None:
        return has.value if policy is None or policy.default is None else policy.default
    if policy is None:
        return requested
    if policy.valid_range is not None and policy.valid_range.min is not None:
        return _rounded(name, requested, policy.valid_range, policy.valid_range.min, rules)
    if policy.valid_values is not None:
        return next((value for value in policy.valid_values if requested <= value), requested)
    return requested


def _rounded(name: str, requested: Quantity, allowed: CapacityRequestPolicyRange, least: Quantity, rules: Rules) -> Quantity:
    """Round up to the least amount of a range, or to the next of its steps."""
    if requested < least:
        return least
    if allowed.step is None:
        return requested
    checked = rules.allocator.capacity_errors
    # Comparing with a slow quantity has made it slow, too.
    amount = requested if least.scale is None else requested.promoted()
    if _in_thousandths(allowed, rules):
        thousandths = _thousandths(amount)
        if thousandths is None:
            raise _unrepresentable(name, f"request {requested} is not a representable milli value")
        start, step = _scaled(least, 3), _scaled(allowed.step, 3)
        steps = _steps(thousandths, start, step)
        if steps > _quotient(_wrapped(_MAX - start), step)[0]:
            raise _unrepresentable(name, f"rounding request {requested} up to the next step passes the milli-value range")
        total = _wrapped(start + step * steps)
        return Quantity(Decimal(total // 1000) if total % 1000 == 0 else _EXACT.scaleb(Decimal(total), -3), allowed.step.format)
    if checked and requested.number > _MAX:
        raise _unrepresentable(name, f"request {requested} exceeds MaxInt64")
    start, step = _scaled(least), _scaled(allowed.step)
    steps = _steps(_scaled(amount), start, step)
    if checked and start >= 0 and steps > _quotient(_MAX - start, step)[0]:
        raise _unrepresentable(name, f"rounding request {requested} up to the next step passes MaxInt64")
    return Quantity(Decimal(_wrapped(start + step * steps)), allowed.step.format if checked else Format.BINARY_SI)


def _unrepresentable(name: str, reason: str) -> NotRepresentable:
    """Say that an amount cannot be computed with."""
    return NotRepresentable(f'capacity "{name}": {_NOT_REPRESENTABLE}: {reason}')


def _steps(amount: int, start: int, step: int) -> int:
    """Give how many steps from the start reach an amount."""
    steps, rest = _quotient(_wrapped(amount - start), step)
    return steps + (rest != 0)


def _quotient(number: int, by: int) -> tuple[int, int]:
    """
    Divide towards zero, as Go does.

    Raises:
        NotRepresentable: Go crashes.
    """
    if by == 0:
        raise NotRepresentable("runtime error: integer divide by zero")
    whole, rest = divmod(abs(number), abs(by))
    return (whole, rest) if (number < 0) == (by < 0) else (-whole, rest)


def _scaled(quantity: Quantity, places: int = 0) -> int:
    """
    Give a number times a power of ten in 64 bits, as `Quantity.ScaledValue` does.

    What a fast quantity cannot hold is 0. A slow one wraps around, and rounds what is negative in ways of its own.
    """
    if quantity.scale is None:
        number = _EXACT.scaleb(quantity.number, places)
        whole = int(number)
        if whole != number:
            whole += 1 if number > 0 else -1
        return whole if _wrapped(whole) == whole else 0
    digits = int(_EXACT.scaleb(quantity.number, quantity.scale))
    dropped = quantity.scale - places
    if dropped <= 0:
        return _wrapped(_wrapped(digits) * (10**-dropped if dropped > -_FACTORS else -_MAX - 1))
    if digits < _MAX and dropped < _FACTORS:
        whole, rest = _quotient(_wrapped(digits), 10**dropped)
        return whole + (rest != 0)
    whole, rest = divmod(digits, 10**dropped)
    return _wrapped(_wrapped(whole) + (rest != 0))


def _wrapped(number: int) -> int:
    """Wrap around as 64 bits do."""
    return (number + 2**63) % 2**64 - 2**63


def _thousandths(quantity: Quantity) -> int | None:
    """Give a number in thousandths; `None` when they do not hold it."""
    amount = _scaled(quantity, 3)
    return amount if _EXACT.scaleb(Decimal(amount), -3) == quantity.number else None


def _in_thousandths(allowed: CapacityRequestPolicyRange, rules: Rules) -> bool:
    """Tell whether a range is computed with in thousandths."""
    if "FractionalCapacityRange" not in rules.features:
        return False
    if any(each is not None and _thousandths(each) is None for each in (allowed.min, allowed.max, allowed.step)):
        return False
    return allowed.step is None or _scaled(allowed.step, 3) >= 1


def _violation(amount: Quantity, policy: CapacityRequestPolicy | None, rules: Rules) -> str | None:
    """Say in what an amount is against a policy; `None` when it is not."""
    if policy is None or (policy.default is not None and _identical(amount, policy.default)):
        return None
    if policy.valid_range is not None:
        return _beyond(amount, policy.valid_range, rules)
    if policy.valid_values and amount not in policy.valid_values:
        return f"{amount} is none of the valid values"
    return None


def _identical(amount: Quantity, default: Quantity) -> bool:
    """Tell whether Go finds two quantities identical: the same number held in the same way, and not in the slow one."""
    return (
        amount.scale is None
        and default.scale is None
        and (amount.number.as_tuple(), amount.format, amount.text) == (default.number.as_tuple(), default.format, default.text)
    )


def _beyond(amount: Quantity, allowed: CapacityRequestPolicyRange, rules: Rules) -> str | None:
    """Say in what an amount is not in a range."""
    if allowed.max is not None:
        if amount > allowed.max:
            return f"{amount} is above the largest valid amount, {allowed.max}"
        amount = amount if allowed.max.scale is None else amount.promoted()
    if allowed.step is None:
        return None
    places = 3 if _in_thousandths(allowed, rules) else 0
    if places and _thousandths(amount) is None:
        return f"{amount} is finer than one thousandth"
    start = 0 if allowed.min is None else _scaled(allowed.min, places)
    _, rest = _quotient(_wrapped(_scaled(amount, places) - start), _scaled(allowed.step, places))
    return f"{amount} is no whole number of steps of {allowed.step}" if rest else None
