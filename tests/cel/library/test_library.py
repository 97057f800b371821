"""All rows together: what holds of each."""

from __future__ import annotations

import itertools

import pytest

from rbln_dra.cel.library import LIBRARIES
from rbln_dra.cel.library.rows import Estimate, Estimator, Function
from rbln_dra.cel.values import CELError

ROWS = [row for library in LIBRARIES for row in library.functions]
ESTIMATORS = {
    estimator
    for library in LIBRARIES
    if library.name != "standard"
    for row in library.functions
    for estimator in (row.estimate, *(o.estimate for o in row.overloads))
    if estimator
}


@pytest.mark.parametrize("estimator", sorted(ESTIMATORS, key=repr))
def test_estimates_of_nothing(estimator: Estimator) -> None:
    """A call without a receiver and arguments is none that an estimator must know; it then says nothing, or a constant."""
    assert isinstance(estimator(None, ()), Estimate | None)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.name}-{row.overloads[0].id}-{row.since}")
def test_rows(row: Function) -> None:
    """A row has a summary, and its overloads are its own."""
    assert row.summary.endswith((".", ";")) or row.summary
    assert len({overload.id for overload in row.overloads}) == len(row.overloads)
    assert all(overload.parameters for overload in row.overloads if overload.member)


def test_overloads_exist_once() -> None:
    """An overload id means one signature, whichever minor it is in."""
    signatures: dict[str, set[object]] = {}
    for row, overload in itertools.chain.from_iterable(((row, overload) for overload in row.overloads) for row in ROWS):
        signatures.setdefault(overload.id, set()).add((row.name, overload.parameters, overload.result, overload.member))
    assert [name for name, found in signatures.items() if len(found) > 1] == []


def test_authorizer_is_out_of_reach() -> None:
    """No argument has the types of the authorizer, and what stands behind its functions refuses all."""
    path = next(row for row in ROWS if row.name == "path")
    implementation = path.overloads[0].implementation
    assert implementation is not None
    with pytest.raises(CELError, match="no such overload"):
        implementation(None, "x")
