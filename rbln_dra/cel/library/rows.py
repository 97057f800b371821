"""
Room: the form of the rows that make up the function libraries.

Each function is one row: its name, overloads, where it exists, what it is estimated to cost, what it costs, and what it does. Checker, cost
estimate, interpreter and documentation read the rows; nothing else knows a function by name but the operators' own evaluation rules.

Costs stand at two places, as upstream: Kubernetes' estimator goes by function name (`Function.estimate`, `Function.cost`) and is asked first;
cel-go's own goes by overload id (`Overload.estimate`, `Overload.cost`) and is asked when the first gives `None`. A call that may be one of several
overloads at compile time is estimated as the union over them, and costs at run time what its function says, else 1. A function whose form changed
between minors has a row for each form, with `Since.until` on the earlier one.

May touch: `types`, `ranges`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import attrs

from ..ranges import Range
from ..types import Type

#: A value at run time; `values` says which Python class stands for which CEL type.
Value: TypeAlias = Any
#: What a function does: runtime values in (the receiver first), a runtime value out; raises `values.CELError`.
Implementation: TypeAlias = Callable[..., Value]
#: What a call costs at run time, from its arguments (the receiver first) and its result, which is an error when the call failed.
#: `None` means: what the overload says, else 1.
RuntimeCost: TypeAlias = Callable[[tuple[Value, ...], Value], "int | None"]


class Operand(Protocol):
    """An argument as the static estimate sees it."""

    @property
    def type(self) -> Type:
        """The checked type."""
        ...

    @property
    def size(self) -> Range:
        """The size in code points, bytes, elements or entries: computed, else declared, else unknown (Kubernetes' `sizeEstimate`)."""
        ...

    @property
    def computed_size(self) -> Range | None:
        """The size as far as the expression alone gives it; `None` without one."""
        ...

    @property
    def literal(self) -> Value | None:
        """The value of a literal; `None` of anything else."""
        ...

    def element(self) -> Operand | None:
        """The elements of a list, as Kubernetes' `listElementNode` finds them; `None` when this is no list."""
        ...


@attrs.frozen
class Estimate:
    """
    What a call is estimated to cost.

    Args:
        cost: The range of its cost.
        size: The range of its result's size; `None` when the result has none or nothing is known.
    """

    cost: Range
    size: Range | None = None


#: The estimate of a call from its operands, the receiver first (`None` in its place for a global call); `None` means: the default, one unit.
Estimator: TypeAlias = Callable[["Operand | None", tuple["Operand", ...]], "Estimate | None"]


@attrs.frozen
class Since:
    """
    Where a row exists.

    Args:
        new: First minor whose API server admits it in new expressions (`"1.34"` also means "earlier"); `None` means never.
        stored: First minor that evaluates it in stored expressions; `None` means never.
        gate: The feature gate that admits it in new expressions whatever `new` says; `None` without one.
        until: Last minor that has this row, where a later one has another form of it; `None` means: all.
    """

    new: str | None = "1.34"
    stored: str | None = "1.34"
    gate: str | None = None
    until: str | None = None


ALWAYS = Since()


@attrs.frozen
class Overload:
    """
    One signature of a function.

    Args:
        id: cel-go's overload id; runtime cost and error texts depend on it.
        parameters: The arguments' types, the receiver first when `member`.
        result: The result's type.
        member: Called as `receiver.function(…)`.
        implementation: What it does; `None` when the function's own implementation serves all overloads.
        strict: An error in an argument is the result; otherwise the implementation is handed the error.
        eager: With one or two arguments: all are evaluated before the first error among them counts. cel-go ends at the first error where the
            function is bound in the form for any number of arguments.
        estimate: Its static cost, where `Function.estimate` says nothing about the call; `None` for the default.
        cost: Its runtime cost, where `Function.cost` says nothing about the call; `None` for the default, 1.
        overrides: Its estimate and cost are asked before the function's: where Kubernetes, too, looks at the overload id of a call that is resolved.
    """

    id: str
    parameters: tuple[Type, ...]
    result: Type
    member: bool = False
    implementation: Implementation | None = None
    strict: bool = True
    eager: bool = True
    estimate: Estimator | None = None
    cost: RuntimeCost | None = None
    overrides: bool = False


def alike(implementation: Implementation, *overloads: Overload) -> tuple[Overload, ...]:
    """Give overloads that do the same."""
    return tuple(attrs.evolve(overload, implementation=implementation) for overload in overloads)


@attrs.frozen
class Function:
    """
    One function of a library.

    Args:
        name: As an expression names it; qualified for `ip.isCanonical`; `_==_` and the like for operators.
        overloads: Its signatures, in the order in which cel-go declares them (error texts list them so).
        since: Where it exists.
        estimate: Its static cost; `None` for the default.
        cost: Its runtime cost; `None` for the default, 1.
        implementation: What it does where no overload has an implementation of its own: it then judges its arguments itself, while overloads are
            chosen by the arguments' types at run time, in their order.
        precompile: For a call whose second argument is a constant string (a regular expression): gives the implementation that serves all overloads
            then, in place of the others and without their guards; raises `values.CELError` when the program cannot be made with it.
        views: Its implementations take lists that are not written out (`values.ListView`); others are handed tuples only.
        guarded: Whether a call of a single overload checks the arguments' types before it is handed them.
        pure: Whether it may be called before an evaluation, for constants: when an expression is checked or a program is made.
        summary: One line for the documentation.
    """

    name: str
    overloads: tuple[Overload, ...]
    since: Since = ALWAYS
    estimate: Estimator | None = None
    cost: RuntimeCost | None = None
    implementation: Implementation | None = None
    summary: str = ""
    guarded: bool = True
    precompile: Callable[[str], Implementation] | None = None
    views: bool = False
    pure: bool = True


@attrs.frozen
class Library:
    """
    One library of Kubernetes or cel-go.

    Args:
        name: The library's name in the documentation ("strings").
        source: Where upstream keeps it ("cel-go ext.Strings, version 2").
        functions: Its rows. A function that stands in two libraries (`indexOf`, `reverse`, `isGreaterThan`) has a row in each; the environment
            joins their overloads.
    """

    name: str
    source: str
    functions: tuple[Function, ...]
