"""
Room: who else can judge a selector in Python: cel-python in both its ways, and the bindings of Rust's and C++'s engines where they are installed.

None of them knows quantities, default maps or the `device` type of Kubernetes: they are given plain nested dicts. On what one of them cannot judge,
or judges otherwise, it is not measured.

May touch: `selectors`, the engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module
from typing import Any

import attrs

from .selectors import plain_values

Job = Callable[[], object]


@attrs.frozen
class Engine:
    """
    Another engine.

    Args:
        name: As a line of the table.
        evaluator: Gives what judges the device of the benchmarks by a selector, compiled before.
        compiler: Gives what compiles a selector.
    """

    name: str
    evaluator: Callable[[str], Job]
    compiler: Callable[[str], Job]


def activation() -> Mapping[str, Any]:
    """Give the device as plain values, without the capacity, which has no type there."""
    values = plain_values()
    return {"device": {"driver": values["driver"], "attributes": values["attributes"]}}


def cel_python(name: str, runner: str) -> Engine:
    """Give cel-python with one of its runners."""
    celpy: Any = import_module("celpy")
    environment = celpy.Environment(runner_class=getattr(celpy, runner))
    bound = {name: celpy.json_to_cel(value) for name, value in activation().items()}

    def evaluator(selector: str) -> Job:
        return partial(environment.program(environment.compile(selector)).evaluate, bound)

    return Engine(name, evaluator, lambda selector: lambda: environment.program(environment.compile(selector)))


def rust() -> Engine:
    """Give the package `common-expression-language`."""
    cel: Any = import_module("cel")
    context = cel.Context(variables=dict(activation()))
    return Engine(
        "Rust, prepared context", lambda selector: partial(cel.compile(selector).execute, context), lambda selector: partial(cel.compile, selector)
    )


def cplusplus() -> Engine:
    """Give the package `cel-expr-python`."""
    cel: Any = import_module("cel_expr_python.cel")
    optional: Any = import_module("cel_expr_python.ext.ext_optional")
    bindings: Any = import_module("cel_expr_python.ext.ext_bindings")
    environment = cel.NewEnv(variables={"device": cel.Type.DYN}, extensions=[optional.ExtOptional(), bindings.ExtBindings()])
    prepared = environment.Activation(dict(activation()))

    def evaluator(selector: str) -> Job:
        expression = environment.compile(selector)
        return lambda: expression.eval(prepared).value()

    return Engine("C++, prepared activation", evaluator, lambda selector: partial(environment.compile, selector))


@cache
def engines() -> tuple[Engine, ...]:
    """Give the engines that are installed."""
    makers: tuple[Callable[[], Engine], ...] = (
        # First: cel-python's parser is one for the process, and makes the trees of whoever comes first; those of this runner serve both.
        partial(cel_python, "cel-python, compiled", "CompiledRunner"),
        partial(cel_python, "cel-python, interpreted", "InterpretedRunner"),
        rust,
        cplusplus,
    )
    found: list[Engine] = []
    for make in makers:
        try:
            found.append(make())
        except (ImportError, AttributeError) as error:
            print(f"not measured: {error}")
    return tuple(found)


def able(selector: str) -> Iterator[tuple[Engine, Job]]:
    """Give the engines that find that a selector matches, with what judges it."""
    for engine in engines():
        try:
            job = engine.evaluator(selector)
            right = job() is True or bool(job())
        except Exception:  # noqa: BLE001, S112 - each engine has errors of its own, and it does not matter which
            continue
        if right:
            yield engine, job
