"""Every test of the CEL specification about what Kubernetes has: the specification's value, or a known difference of Kubernetes'."""

from __future__ import annotations

import re
from collections import Counter
from fnmatch import fnmatch

import attrs
import pytest

from rbln_dra import cel

from .specification import Case, difference, load


@attrs.frozen
class Reason:
    """
    Why Kubernetes says something else than the specification; the recorded verdicts in cel-topics show that it does.

    Args:
        text: The reason.
        names: A pattern for the names of the cases.
        says: A pattern for what Kubernetes says instead.
        unchecked: Of cases that are meant to be evaluated without a check of their types, or of others.
        count: So many cases.
        later: So many with 1.37.
    """

    text: str
    names: str
    says: str
    unchecked: bool
    count: int
    later: int

    def explains(self, case: Case, says: str) -> bool:
        """Tell whether a difference has this reason."""
        return case.unchecked is self.unchecked and fnmatch(case.id, self.names) and re.fullmatch(self.says, says, re.DOTALL) is not None


REASONS = [
    Reason("types are always checked", "*", "refused: .*", True, 29, 29),
    Reason("the elements of a literal have to be of one type", "*", "refused: expected type '.*' but found '.*'", False, 46, 48),
    Reason("field names in backticks came with 1.37", "fields/quoted_map_fields/*", "refused: unsupported syntax: '`'", False, 6, 0),
    Reason("format is that of the second version of cel-go's strings", "string_ext/format/*", ".*", False, 18, 18),
    Reason(
        "as are indexOf and lastIndexOf, which find nothing behind the end", "string_ext/value_errors/*indexof_out_of_range", "no error", False, 2, 2
    ),
    Reason("a constant index that can be none fails the program", "fields/map_fields/map_bad_key_type_*", "refused: .*types.Bytes", False, 2, 2),
    Reason("cel-go takes the last of equal keys", "fields/qualified_identifier_resolution/map_value_repeat_key", "no error", False, 1, 1),
    Reason("asked optionally, cel-go finds nothing below null", "optionals/optionals/map_null_entry_no_such_key", "no error", False, 1, 1),
    Reason("asked optionally, cel-go finds nothing below a number", "optionals/optionals/map_present_key_invalid_field", "no error", False, 1, 1),
]
#: How many cases a topic has.
TOPICS = {
    "basic": 43,
    "bindings_ext": 5,
    "comparisons": 362,
    "conversions": 109,
    "dynamic": 53,
    "fields": 60,
    "fp_math": 30,
    "integer_math": 64,
    "lists": 39,
    "logic": 30,
    "macros": 44,
    "macros2": 46,
    "namespace": 1,
    "optionals": 59,
    "parse": 193,
    "plumbing": 5,
    "string": 51,
    "string_ext": 206,
    "timestamps": 75,
    "type_deduction": 21,
}


@pytest.mark.parametrize("minor", ["1.34", "1.35", "1.36", "1.37"])
def test_specification(minor: str) -> None:
    """Each case has the specification's value, or differs for exactly one reason, so and so many for each."""
    environment = cel.Environment(minor)
    said = [(case, text) for case in load() if (text := difference(case, environment))]
    explained = [(case, [reason for reason in REASONS if reason.explains(case, text)]) for case, text in said]
    assert [case.id for case, reasons in explained if len(reasons) != 1] == []
    counts = Counter(reason for _, reasons in explained for reason in reasons)
    assert {reason.text: counts[reason] for reason in REASONS} == {
        reason.text: reason.later if minor == "1.37" else reason.count for reason in REASONS
    }


def test_the_cases() -> None:
    """Nothing was lost on the way: so many of each topic."""
    assert Counter(case.topic for case in load()) == TOPICS
