"""What requests consume of devices that several may share."""

from __future__ import annotations

from typing import Any

import pytest

from rbln_dra import Kubernetes
from rbln_dra.allocation import AllocationError, allocate, explain
from tests.allocation.objects import CLASS, claim, device, published, request

SHARING = {"DRAConsumableCapacity": True}
WHOLE = {minor: Kubernetes(minor, gates=SHARING) for minor in ("1.34", "1.35", "1.36", "1.37")}
FRACTIONS = Kubernetes("1.37", gates={**SHARING, "DRAFractionalCapacityRange": True})
MOST = str(2**63 - 1)


def policy(minimum: str, step: str | None = None, maximum: str | None = None, default: str = "1Gi") -> dict[str, Any]:
    """Make a policy of a range."""
    fields = {"min": minimum, "step": step, "max": maximum}
    return {"default": default, "validRange": {name: value for name, value in fields.items() if value is not None}}


def amounts(wanted: str | None) -> dict[str, Any]:
    """Give the field of a request that names an amount of memory."""
    return {} if wanted is None else {"capacity": {"requests": {"memory": wanted}}}


def question(wanted: str | None, of: str, how: dict[str, Any] | None, release: Kubernetes) -> dict[str, Any]:
    """Ask for an amount of a device's memory."""
    capacity = {"value": of, **({} if how is None else {"requestPolicy": how})}
    slices = published(device("a", allowMultipleAllocations=True, capacity={"memory": capacity}))
    return {"claims": claim(request(**amounts(wanted))), "classes": CLASS, "slices": slices, "node": "n1", "kubernetes": release}


def consumed(wanted: str | None, of: str, how: dict[str, Any] | None, release: Kubernetes) -> str | None:
    """Give what is consumed; `None` when the device does not have it."""
    given = question(wanted, of, how, release)
    found = allocate(given.pop("claims"), **given)
    return None if found is None else str(found[0].devices[0].consumed_capacity["memory"])


@pytest.mark.parametrize("release", WHOLE.values(), ids=WHOLE)
@pytest.mark.parametrize(
    ("wanted", "how", "expected"),
    [
        (None, None, "16Gi"),
        (None, {"default": "4Gi"}, "4Gi"),
        ("3Gi", None, "3Gi"),
        ("17Gi", None, None),
        ("3Gi", {"default": "1Gi"}, "3Gi"),
        ("3Gi", {"default": "1Gi", "validValues": ["2Gi", "4Gi"]}, "4Gi"),
        ("5Gi", {"default": "1Gi", "validValues": ["2Gi", "4Gi"]}, None),
        ("1Gi", policy("2Gi"), "2Gi"),
        ("3Gi", policy("2Gi"), "3Gi"),
        ("3Gi", policy("2Gi", maximum="2Gi"), None),
        ("3Gi", policy("1Gi", "4Gi"), "5Gi"),
        ("5Gi", policy("1Gi", "4Gi"), "5Gi"),
        (None, policy("2Gi", "4Gi", default="3Gi"), "3Gi"),
        (None, {"validRange": {"min": "1Gi", "step": "2Gi"}}, None),
        ("4Gi", policy("1Gi", "2Gi", maximum="4Gi"), None),
    ],
    ids=[
        "everything",
        "the default",
        "the amount",
        "too much",
        "policy of a default",
        "next of the values",
        "above the values",
        "the least",
        "within",
        "above the largest",
        "next step",
        "a step",
        "default beside the steps",
        "everything beside the steps",
        "next step too large",
    ],
)
def test_whole_amounts(wanted: str | None, how: dict[str, Any] | None, expected: str | None, release: Kubernetes) -> None:
    """An amount is rounded up to what the policy allows, in all minors alike."""
    assert consumed(wanted, "16Gi", how, release) == expected


@pytest.mark.parametrize(
    ("wanted", "how", "release", "expected"),
    [
        ("1200m", policy("500m", "250m"), FRACTIONS, "1250m"),
        ("1800m", policy("500m", "500m"), FRACTIONS, "2"),
        ("1200m", policy("500m", "250m"), WHOLE["1.37"], "2"),
        ("1200m", policy("500m", "250m"), WHOLE["1.36"], "2"),
        ("2", policy("500u", "1"), FRACTIONS, "2"),
        ("2", policy("1", "500u"), FRACTIONS, "2"),
        ("5k", policy("1k", "3k"), WHOLE["1.36"], "7000"),
        ("5k", policy("1k", "3k"), WHOLE["1.37"], "7k"),
    ],
    ids=[
        "thousandths",
        "thousandths that are whole",
        "no thousandths",
        "none in 1.36",
        "least too fine",
        "step too fine",
        "format of the request",
        "format of the step",
    ],
)
def test_fractions(wanted: str | None, how: dict[str, Any], release: Kubernetes, expected: str | None) -> None:
    """Thousandths count from 1.37 on, behind their gate, where the range is made of them; else amounts are rounded up to whole ones."""
    assert consumed(wanted, "16Gi", how, release) == expected


UNREPRESENTABLE = 'capacity "memory": capacity request cannot be represented in the device\'s range arithmetic: '


@pytest.mark.parametrize(
    ("wanted", "of", "how", "release", "reason"),
    [
        ("9500P", "1e20", policy("1", "1Gi"), WHOLE["1.37"], f"{UNREPRESENTABLE}request 9500P exceeds MaxInt64"),
        (MOST, "1e20", policy("1", "1Gi"), WHOLE["1.37"], f"{UNREPRESENTABLE}rounding request {MOST} up to the next step passes MaxInt64"),
        ("1u", "16Gi", policy("0", "1m"), FRACTIONS, f"{UNREPRESENTABLE}request 1u is not a representable milli value"),
        ("9E", "1e20", policy("1m", "1m"), FRACTIONS, f"{UNREPRESENTABLE}request 9E is not a representable milli value"),
        (
            f"{MOST}m",
            "1e20",
            policy("0", "2300m"),
            FRACTIONS,
            f"{UNREPRESENTABLE}rounding request {MOST}m up to the next step passes the milli-value range",
        ),
        (None, "16Gi", {"default": "-1"}, WHOLE["1.37"], 'capacity "memory": capacity value is negative'),
    ],
    ids=["beyond 64 bits", "rounded beyond 64 bits", "finer than thousandths", "beyond thousandths", "rounded beyond thousandths", "negative"],
)
def test_what_kubernetes_cannot_compute_with(wanted: str | None, of: str, how: dict[str, Any], release: Kubernetes, reason: str) -> None:
    """From 1.37 on, such an amount is an error that names the device, for the devices of a count and for all devices."""
    given = question(wanted, of, how, release)
    with pytest.raises(AllocationError) as caught:
        allocate(given.pop("claims"), **given)
    assert caught.value.message == f"claim c, request r: checking capacity for device npu.rebellions.ai/n1/a: {reason}"
    with pytest.raises(AllocationError) as caught:
        allocate(claim(request(allocationMode="All", **amounts(wanted))), **given)
    assert caught.value.message == f"claim c, request r: checking capacity for device a: {reason}"


@pytest.mark.parametrize(
    ("wanted", "of", "how", "expected"),
    [
        ("9500P", "1e20", policy("1", "1Gi"), "1073741825"),
        ("9500P", "1e20", policy(MOST, "4Gi"), "-8946744072471576577"),
        ("9500P", "16Gi", {"default": "1", "validRange": {"min": "1", "max": "1e20", "step": "1Gi"}}, "1073741825"),
        (MOST, "16Gi", policy("16Gi", "1Ki"), "-9223372036854775808"),
        (MOST, "16Gi", policy("1", "12"), None),
        ("1e20", "1e21", policy("1e18", "1k"), "0"),
        ("10000000000000000000000000000000m", "1e33", policy("1", "3"), "4270542164224Mi"),
        ("3", "16Gi", policy("-3", "-2"), "3"),
        ("3", "16Gi", policy("-7", "5"), "3"),
        ("3", "16Gi", policy("-10000000000000000000001500m", "5"), "12"),
    ],
    ids=[
        "fast",
        "slow by comparison",
        "slow by comparison with the largest",
        "least of 64 bits",
        "wrapped to no step",
        "slow",
        "slow and finer",
        "negative step",
        "negative least",
        "negative and slow",
    ],
)
def test_wrapping_around(wanted: str, of: str, how: dict[str, Any], expected: str | None) -> None:
    """Up to 1.36, what does not fit into 64 bits wraps around, or is 0, as in Go."""
    assert consumed(wanted, of, how, WHOLE["1.36"]) == expected


def test_a_step_of_nothing() -> None:
    """The scheduler crashes over a step of zero, which the API server does not let in; here that is an error."""
    given = question("3", "16Gi", policy("1", "0"), WHOLE["1.36"])
    with pytest.raises(AllocationError, match="checking capacity for device npu.rebellions.ai/n1/a: runtime error: integer divide by zero"):
        allocate(given.pop("claims"), **given)


@pytest.mark.parametrize(
    ("wanted", "of", "how", "release", "detail"),
    [
        ("17Gi", "16Gi", None, WHOLE["1.36"], "memory: 17Gi is wanted, the device has 16Gi"),
        ("3Gi", "16Gi", policy("1Gi", maximum="2Gi"), WHOLE["1.36"], "memory: 3Gi is above the largest valid amount, 2Gi"),
        ("3Gi", "16Gi", {"default": "1Gi", "validValues": ["2Gi"]}, WHOLE["1.36"], "memory: 3Gi is none of the valid values"),
        (None, "16Gi", {"validRange": {"min": "1Gi", "step": "2Gi"}}, WHOLE["1.36"], "memory: 16Gi is no whole number of steps of 2Gi"),
        (None, "1250u", {"validRange": {"min": "0", "step": "500m"}}, FRACTIONS, "memory: 1250u is finer than one thousandth"),
    ],
    ids=["too much", "above the largest", "no valid value", "no step", "too fine"],
)
def test_why_a_device_has_not_enough(wanted: str | None, of: str, how: dict[str, Any] | None, release: Kubernetes, detail: str) -> None:
    """Nothing fits, and the reason names the capacity and the amounts."""
    given = question(wanted, of, how, release)
    claims = given.pop("claims")
    assert allocate(claims, **given) is None
    assert explain(claims, **given).requests[0].rulings[0].detail == detail


def test_a_capacity_that_is_not_there() -> None:
    """A device without the capacity is passed over, and the reason says so."""
    given = question(None, "16Gi", None, WHOLE["1.37"])
    del given["claims"]
    asked = claim(request(capacity={"requests": {"cores": "1"}}))
    assert allocate(asked, **given) is None
    assert explain(asked, **given).requests[0].rulings[0].detail == "cores: the device has no such capacity"


def test_amounts_add_up() -> None:
    """What the devices of a claim consume is added to what others have of the device, by the default where nothing is named."""
    given = question("6Gi", "16Gi", {"default": "5Gi"}, WHOLE["1.37"])
    first = allocate(given.pop("claims"), **given)
    assert first is not None
    both = allocate(claim(request("x"), request("y")), in_use=[first[0].allocated], **given)
    assert both is not None
    assert [str(each.consumed_capacity["memory"]) for each in both[0].devices] == ["5Gi", "5Gi"]
    three = claim(request("x", count=3))
    assert allocate(three, in_use=[first[0].allocated], **given) is None
    assert explain(claim(request(capacity={"requests": {"memory": "11Gi"}})), in_use=[first[0].allocated], **given).requests[0].rulings[0].detail == (
        "memory: 17Gi of 16Gi would be taken"
    )
