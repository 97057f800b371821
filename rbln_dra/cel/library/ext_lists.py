"""
Room: cel-go's list library.

May touch: `types`, `ranges`, `values`, `texts`, `arithmetic`, `rows`, `costs`, `lists`, `sorting`.
"""

from __future__ import annotations

from ..arithmetic import lacking
from ..ranges import STRING_TRAVERSAL, UNBOUNDED, Range
from ..texts import go_type
from ..types import DYN, INT, Type, list_of, parameter
from ..values import NO_SUCH_OVERLOAD, CELError, CostLimitExceeded, Optional, Panic, elements, is_list, receiver_equality, type_of
from .costs import LIST_ALLOCATION, ONE, afford, size
from .lists import COMPARABLE, ORDERED
from .rows import Estimate, Estimator, Function, Implementation, Library, Operand, Overload, RuntimeCost, Since, Value, alike
from .sorting import sorted_by

_T = parameter("T")
_LIST = list_of(_T)
#: Added to the base environment of 1.34: so new expressions may use it from 1.35.
EARLIER = Since(new="1.35", stored="1.34", until="1.36")
LATER = Since(new="1.37", stored="1.37")
SINCE = Since(new="1.35", stored="1.34")


def _allocation(count: Range, *, factor: float = 1.0) -> Estimate:
    """Estimate a call that visits so many elements and makes a list of them."""
    return Estimate(count.scaled(factor) + ONE + Range.exactly(LIST_ALLOCATION), count)


def _literal(operand: Operand, otherwise: int) -> int:
    """Give the value of an integer literal, 0 for a negative one."""
    value = operand.literal
    return max(value, 0) if type(value) is int else otherwise


def _estimate_slice(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate by the literal ends; the difference wraps, as upstream's does."""
    if target is None or len(args) != 2:
        return None
    start, end = _literal(args[0], 0), _literal(args[1], target.size.high)
    return _allocation(Range.exactly((end - start) & UNBOUNDED))


def _estimate_range(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate by the literal length."""
    if target is not None or len(args) != 1:
        return None
    return _allocation(Range.exactly(_literal(args[0], UNBOUNDED)))


def _estimate_reverse(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    return None if target is None or args else _allocation(target.size)


def _estimate_flatten(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate one visit of each element per level."""
    if target is None or len(args) > 1:
        return None
    depth = _literal(args[0], UNBOUNDED) if args else 1
    return _allocation(target.size, factor=float(depth))


def _estimate_distinct(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    return None if target is None or args else _allocation(target.size * target.size, factor=2.0)


def _estimate_sort(key: str, *, by: bool) -> Estimator:
    """Estimate a comparison of each element with each other."""
    factor = 2.0 + STRING_TRAVERSAL if key in {"string", "bytes"} else 2.0

    def estimate(target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
        if target is None or len(args) != int(by):
            return None
        keys = args[0] if by else target
        return _allocation(keys.size * keys.size, factor=factor)

    return estimate


# Runtime costs: one unit for the call, ten for the list, and what is visited.

_CALL = 1 + LIST_ALLOCATION
#: Longest result of `lists.range` from cel-go 0.29 on.
_LONGEST_RANGE = 1_000_000
#: How many elements `flatten` looks at.
_MOST_VISITED = 500_000
#: What has an addition in Go: the first method that such a value lacks as a list is another.
_ADDERS = frozenset({"int", "uint", "double", "string", "bytes", "google.protobuf.Timestamp", "google.protobuf.Duration"})


def _result_cost(_args: tuple[Value, ...], result: Value) -> int:
    return size(result) + _CALL


def _unsigned(number: float) -> int:
    """Convert a double as Go does on the machines that Kubernetes runs on: what does not fit becomes 2⁶³."""
    if -(2.0**63) <= number < 2.0**63:
        return int(number) & UNBOUNDED
    return int(number) if 0 <= number < 2.0**64 else 2**63


def _depth(args: tuple[Value, ...]) -> int:
    if len(args) == 1:
        return 1
    if type(args[1]) is not int:
        raise Panic(f"interface conversion: ref.Val is {_go_type(args[1])}, not types.Int")
    return args[1]


def _flatten_cost_earlier(args: tuple[Value, ...], _result: Value) -> int:
    """Charge the elements times the depth, which may be negative: the sum wraps."""
    return (_unsigned(float(size(args[0])) * float(_depth(args))) + _CALL) & UNBOUNDED


def _flatten_cost(args: tuple[Value, ...], _result: Value) -> int:
    depth = float(_depth(args))
    return min(_unsigned(float(size(args[0])) * (depth if depth >= 0 else 1.0)) + _CALL, UNBOUNDED)


def _go_type(value: Value) -> str:
    return "*types.Err" if isinstance(value, CELError) else go_type(value)


def _self_comparison_cost(keys: int) -> RuntimeCost:
    """Charge a comparison of each element of an argument with each other."""

    def cost(args: tuple[Value, ...], _result: Value) -> int:
        values = args[keys]
        if not is_list(values):
            method = "Add" if isinstance(values, CELError) or type_of(values).name not in _ADDERS else "Contains"
            raise Panic(f"interface conversion: {_go_type(values)} is not traits.Lister: missing method {method}")
        return _self_comparison(values)

    return cost


def _self_comparison(values: Value) -> int:
    count = size(values)
    texts = bool(count) and isinstance(elements(values)[0], (str, bytes))
    factor = 2.0 + STRING_TRAVERSAL if texts else 2.0
    return int(float(count * count) * factor) + _CALL


# What the functions do.


def _slice(values: tuple[Value, ...], start: int, end: int) -> tuple[Value, ...]:
    if start < 0 or end < 0:
        raise CELError(f"cannot slice({start}, {end}), negative indexes not supported")
    if start > end:
        raise CELError(f"cannot slice({start}, {end}), start index must be less than or equal to end index")
    if len(values) < end:
        raise CELError(f"cannot slice({start}, {end}), list is length {len(values)}")
    return values[start:end]


def _flattening(optional: str) -> Implementation:
    """Give what flattens; the text of an optional value's type, which stands in an error, depends on the minor."""

    def flatten(values: Value, *depths: Value) -> tuple[Value, ...]:
        depth = depths[0] if depths else 1
        if not is_list(values) or type(depth) is not int:
            receiver, *others = (optional if isinstance(argument, Optional) else str(type_of(argument)) for argument in (values, *depths))
            raise CELError(f"{NO_SUCH_OVERLOAD}: {receiver}.flatten({', '.join(others)})")
        if depth < 0:
            raise CELError("level must be non-negative")
        flat: list[Value] = []
        _flatten_into(flat, values, depth, visited=0)
        return tuple(flat)

    return flatten


def _flatten_into(flat: list[Value], values: Value, depth: int, *, visited: int) -> int:
    """Append the elements of a list; a list that holds another many times over is given up."""
    for value in elements(values):
        visited += 1
        if visited > _MOST_VISITED:
            raise CostLimitExceeded(visited)
        if depth and is_list(value):
            visited = _flatten_into(flat, value, depth - 1, visited=visited)
        else:
            flat.append(value)
    return visited


def _sort(values: Value) -> tuple[Value, ...]:
    return _sorted(_listed(values, "sort"), values)


def _sort_by(values: Value, keys: Value) -> tuple[Value, ...]:
    return _sorted(_listed(values, "@sortByAssociatedKeys"), keys)


def _listed(value: Value, name: str) -> tuple[Value, ...]:
    """Refuse what is no list, as operators do."""
    if not is_list(value):
        raise lacking(name, value)
    return elements(value)


def _sorted(values: tuple[Value, ...], keys: tuple[Value, ...]) -> tuple[Value, ...]:
    if not values:
        return values
    if type(keys[0]) not in ORDERED:
        raise CELError("list elements must be comparable")
    if any(type(key) is not type(keys[0]) for key in keys):
        raise CELError("list elements must have the same type")
    return sorted_by(values, keys)


def _range_earlier(count: int) -> tuple[int, ...]:
    afford(count + _CALL)
    return tuple(range(count))


def _range(count: int) -> tuple[int, ...]:
    if count < 0:
        raise CELError(f"lists.range: size must be non-negative, got {count}")
    if count > _LONGEST_RANGE:
        raise CELError(f"lists.range: size {count} exceeds maximum allowed ({_LONGEST_RANGE})")
    return _range_earlier(count)


def _reverse(values: tuple[Value, ...]) -> tuple[Value, ...]:
    return values[::-1]


def _distinct(values: tuple[Value, ...]) -> tuple[Value, ...]:
    afford(_self_comparison(values))
    found: list[Value] = []
    for value in values:
        if not any(receiver_equality(value, other) is True for other in found):
            found.append(value)
    return tuple(found)


#: Types with an order, by the names that cel-go gives them in overload ids.
_KEYS: tuple[tuple[str, Type], ...] = tuple((type_.name, type_) for _, type_ in COMPARABLE)

FUNCTIONS = (
    Function(
        "slice",
        (
            Overload(
                "list_slice",
                (_LIST, INT, INT),
                _LIST,
                member=True,
                implementation=_slice,
                estimate=_estimate_slice,
                cost=_result_cost,
            ),
        ),
        since=SINCE,
        summary="The elements from one index up to another.",
    ),
    *(
        Function(
            "flatten",
            alike(
                _flattening(optional),
                Overload("list_flatten", (list_of(_LIST),), _LIST, member=True, estimate=_estimate_flatten, cost=cost),
                Overload("list_flatten_int", (list_of(DYN), INT), list_of(DYN), member=True, estimate=_estimate_flatten, cost=cost),
            ),
            since=since,
            guarded=False,
            summary="The elements of the lists in a list, down to a level.",
        )
        for since, cost, optional in ((EARLIER, _flatten_cost_earlier, "optional_type"), (LATER, _flatten_cost, "optional_type(dyn)"))
    ),
    Function(
        "sort",
        tuple(
            Overload(
                f"list_{name}_sort",
                (list_of(type_),),
                list_of(type_),
                member=True,
                estimate=_estimate_sort(name, by=False),
                cost=_self_comparison_cost(0),
            )
            for name, type_ in _KEYS
        ),
        since=SINCE,
        implementation=_sort,
        summary="The elements in order.",
    ),
    Function(
        "@sortByAssociatedKeys",
        tuple(
            Overload(
                f"list_{name}_sortByAssociatedKeys",
                (_LIST, list_of(type_)),
                _LIST,
                member=True,
                estimate=_estimate_sort(name, by=True),
                cost=_self_comparison_cost(1),
            )
            for name, type_ in _KEYS
        ),
        since=SINCE,
        implementation=_sort_by,
        summary="What the macro `sortBy` calls: the elements in the order of their keys.",
    ),
    *(
        Function(
            "lists.range",
            (Overload("lists_range", (INT,), list_of(INT), implementation=implementation, estimate=_estimate_range, cost=_result_cost),),
            since=since,
            summary="The numbers from 0 up to one below another.",
        )
        for since, implementation in ((EARLIER, _range_earlier), (LATER, _range))
    ),
    Function(
        "reverse",
        (Overload("list_reverse", (_LIST,), _LIST, member=True, implementation=_reverse, estimate=_estimate_reverse, cost=_result_cost),),
        since=SINCE,
        summary="The elements from the last to the first.",
    ),
    Function(
        "distinct",
        (
            Overload(
                "list_distinct",
                (_LIST,),
                _LIST,
                member=True,
                implementation=_distinct,
                estimate=_estimate_distinct,
                cost=_self_comparison_cost(0),
            ),
        ),
        since=SINCE,
        summary="The elements without those that equal an earlier one.",
    ),
)
EXT_LISTS = Library("ext lists", "cel-go ext.Lists, version 3", FUNCTIONS)
