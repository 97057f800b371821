"""What would fill the memory or never end: refused, or answered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rbln_dra.cel.interpreter import Outcome

LIMIT = "operation cancelled: actual cost limit exceeded"
LONG = '"' + "a" * 5_000 + '"'


def nested(levels: int, wrap: str, start: str) -> str:
    """Wrap an expression into names, each used several times."""
    for _ in range(levels):
        start = f"cel.bind(x, {start}, {wrap})"
    return start


@pytest.mark.parametrize(
    ("expression", "minor", "message"),
    [
        pytest.param("lists.range(9223372036854775807)", "1.36", LIMIT, id="range"),
        pytest.param(
            "lists.range(9223372036854775807)", "1.37", "lists.range: size 9223372036854775807 exceeds maximum allowed (1000000)", id="range-1.37"
        ),
        pytest.param("lists.range(9223372036854775807) == [] || true", "1.36", LIMIT, id="range-is-not-absorbed"),
        pytest.param(nested(4, 'x.replace("", x)', '"aa"'), "1.37", None, id="small-tower"),
        pytest.param(nested(5, 'x.replace("", x)', LONG), "1.37", LIMIT, id="replace-tower"),
        pytest.param(nested(2, 'x.replace("", x)', LONG) + '.split("").size()', "1.37", LIMIT, id="split"),
        pytest.param(nested(1, 'x.replace("", x)', '"' + "é" * 1_200 + '"') + '.split("").size()', "1.37", LIMIT, id="split-into-objects"),
        pytest.param(nested(8, "[x, x, x, x, x, x, x, x, x, x].flatten()", "[1]"), "1.37", LIMIT, id="flatten"),
        pytest.param(nested(30, "[x, x]", "[1]") + ".flatten(30)", "1.37", LIMIT, id="flatten-shared"),
        pytest.param(f"lists.range(50000).map(x, {LONG}).join()", "1.37", LIMIT, id="join"),
        pytest.param(f"lists.range(10000).map(x, 'a').join({LONG})", "1.37", LIMIT, id="join-separator"),
        pytest.param("lists.range(2000).distinct().size()", "1.37", LIMIT, id="distinct"),
        pytest.param("sets.contains(lists.range(2000), lists.range(2000))", "1.37", LIMIT, id="sets"),
        pytest.param('"%.1000000f".format([1e300])', "1.37", None, id="large-precision"),
        pytest.param('"%.1000000e".format([1e300])', "1.37", None, id="large-width"),
        pytest.param(f'quantity("{"1" * 10_000}").isInteger()', "1.37", None, id="quantity"),
        pytest.param('quantity("1e2147483647").add(quantity("1"))', "1.37", "", id="quantity-sum"),
        pytest.param(f'semver("{"1" * 10_000}.0.0")', "1.37", "", id="semver"),
        pytest.param(f'isSemver("1.0.0-{"1" * 10_000}")', "1.37", None, id="semver-prerelease"),
        pytest.param(f'{LONG}.matches("(a*)*b")', "1.37", None, id="regex"),
        pytest.param(nested(1, 'x.replace("", "b")', LONG) + '.findAll("").size()', "1.37", None, id="matches"),
        pytest.param(nested(2, 'x.replace("", x)', '"' + "a" * 90 + '"') + '.findAll("").size()', "1.37", LIMIT, id="too-many-matches"),
        pytest.param("dyn(" + nested(30, "[x, x]", "[1]") + ").indexOf(dyn(2))", "1.37", LIMIT, id="shared-list-is-charged"),
        pytest.param(nested(12, '{"a": x, "b": x}', '{"a": 1}') + ".includes(1)", "1.37", None, id="shared-map"),
    ],
)
def test_bounds(evaluate: Callable[..., Outcome], spend: Callable[..., tuple[int, int]], expression: str, minor: str, message: str | None) -> None:
    """Every call ends soon and in little memory; `None` means that it has an answer, an empty text that any error will do."""
    evaluate('"a".matches("a")')
    outcomes: list[Outcome] = []
    steps, peak = spend(lambda: outcomes.append(evaluate(expression, minor)))
    assert steps < 10_000_000
    assert peak < 50 << 20
    (outcome,) = outcomes
    if message is None:
        assert outcome.error is None or outcome.error.message == LIMIT
    elif message:
        assert outcome.error is not None
        assert outcome.error.message == message
    else:
        assert outcome.error is not None
