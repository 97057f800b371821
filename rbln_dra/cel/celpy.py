"""
Room: this engine as a runner of cel-python: `celpy.Environment(runner_class=runner_class())`.

Code that is written to cel-python goes on as it is, and gets the syntax, types, values and errors that Kubernetes has. cel-python parses; its tree
goes back to text (`transcript`) and through this engine. Variables come from annotations and context, as dynamic values. What is wrong with an
expression whatever the variables are is a `celpy.CELParseError` when the program is made; everything else is a `celpy.CELEvalError` when it is
evaluated. Both carry Kubernetes' text.

May touch: the stages of `cel` and its values, `devices`, `quantity`, `semver`, `errors`, and cel-python, which nothing else imports.
"""

from __future__ import annotations

import contextlib
import datetime as dt
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from ..devices import Device
from ..errors import CompileError, EvaluationError, InvalidValue, Unsupported
from ..quantity import Quantity
from ..semver import Semver
from . import binding, syntax, types
from .ast import Call, Ident, Node, Uint
from .checker import check
from .environment import Environment
from .interpreter import Plan, plan
from .library.rows import Function, Overload
from .nesting import children
from .program import COST_LIMIT
from .transcript import NotAnExpression, text_of
from .values import INT_MAX, INT_MIN, CELError, Duration, Map, Optional, Timestamp, Value, elements, is_list

if TYPE_CHECKING:
    from celpy import Environment as CelpyEnvironment, Runner

#: How deep lists and maps of a variable may be nested.
DEEPEST = 250
#: The macros of cel-python; under the name of any other, a function that is given by that name is meant.
_MACROS = frozenset(("has", "map", "filter", "all", "exists", "exists_one"))
#: For how many sets of variables an expression keeps plans.
_PLANS = 64
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND = dt.timedelta(microseconds=1)


def runner_class(environment: Environment | None = None, *, cost_limit: int = COST_LIMIT) -> type[Runner]:
    """
    Give the class of runners that evaluate as one Kubernetes minor does.

    An expression may name Kubernetes' functions, the functions of `program(ast, functions=…)`, and the variables of annotations and context. A
    context may hold values of cel-python, plain values of Python, and a `Device`, which as the variable `device` is what a selector sees. The value
    comes back as cel-python's; what it has no class for (quantities, versions, addresses) as ours, and of an optional, what is in it or `None`.

    A text that cel-python cannot parse (`.?`, `[?`, a comma at the end) may be handed to `program` as it is, in place of the tree.

    Runners share no state: any number of threads may evaluate one at a time.

    Args:
        environment: Whose functions and rules; the default is what kube-scheduler 1.35 evaluates.
        cost_limit: The most that an evaluation may cost, in Kubernetes' units.

    Raises:
        InvalidValue: That is no environment, or no limit.

    >>> import celpy
    >>> environment = celpy.Environment(runner_class=runner_class(Environment("1.36")))
    >>> program = environment.program(environment.compile('card.name.startsWith("CA") && semver(card.driver).isGreaterThan(semver("1.2.0"))'))
    >>> program.evaluate({"card": celpy.json_to_cel({"name": "CA25", "driver": "1.10.0"})})
    BoolType(True)
    """
    rules = Environment() if environment is None else environment
    InvalidValue.unless(rules, Environment, 'an environment such as cel.Environment(kubernetes="1.36")')
    InvalidValue.unless(cost_limit, int, "a limit of cost such as 1000000")
    return _runner_class(rules, cost_limit)


@lru_cache(maxsize=64)
def _runner_class(rules: Environment, cost_limit: int) -> type[Runner]:
    """Make the class of runners."""
    import celpy

    class KubernetesRunner(celpy.Runner):
        """A compiled expression of cel-python that evaluates as Kubernetes does."""

        def __init__(self, environment: CelpyEnvironment, ast: Any, functions: Any = None) -> None:
            super().__init__(environment, ast, functions)
            self._expression = _Expression(rules, ast, _variables(environment), environment.package, functions)

        def evaluate(self, activation: Mapping[str, Any] | None) -> Any:
            """Evaluate with the variables of a context."""
            return self._expression.evaluate(activation or {}, cost_limit)

    return KubernetesRunner


def _variables(environment: CelpyEnvironment) -> frozenset[str]:
    """Give the annotated names, without those that cel-python adds of itself."""
    from celpy import googleapis

    return frozenset(environment.annotations) - frozenset(googleapis)


class _Expression:
    """
    An expression with its functions, and the plans for the sets of variables that it has met.

    Args:
        rules: The environment without further names.
        ast: cel-python's tree, or a text.
        annotated: The names of variables that are known before there is a context.
        package: In front of the names of variables, it may be left out in the expression; `None` without one.
        functions: Functions by name, or a sequence of functions that have one.

    Raises:
        CELParseError: The expression is wrong.
    """

    def __init__(self, rules: Environment, ast: Any, annotated: frozenset[str], package: str | None, functions: Any) -> None:
        given = functions or {}
        if not isinstance(given, Mapping):
            given = {function.__name__: function for function in given}
        self._rules = rules
        self._annotated = annotated
        self._prefixes = tuple(_prefixes(package))
        self._plans: dict[frozenset[str], Plan] = {}
        try:
            self._text = ast if isinstance(ast, str) else text_of(ast)
            macros = {key: macro for key, macro in rules.macros.items() if key[0] in _MACROS or key[0] not in given}
            self._node = syntax.parse(self._text, backticks=rules.backticks, macros=macros)
            self._names = frozenset(node.name.removeprefix(".") for node in _nodes(self._node) if isinstance(node, Ident))
            self._functions = tuple(_rows(self._node, given))
            # Whatever the variables will be: nothing has fewer faults than an expression whose names are all dynamic.
            self._planned(frozenset(filter(str.isidentifier, self._names)))
        except (CompileError, NotAnExpression, Unsupported) as error:
            _refuse(error)

    def evaluate(self, context: Mapping[str, Any], cost_limit: int) -> Any:
        """
        Evaluate with the variables of a context.

        Raises:
            CELEvalError: There is no value.
        """
        visible = self._visible(context)
        # A device has a type, anything else is dynamic.
        device = context.get(visible.get("device", ""))
        declared = frozenset(visible) - {"device"} if isinstance(device, Device) else frozenset(visible)
        try:
            chosen = self._plans.get(declared) or self._planned(declared)
            held = {name: self._read(full, context[full]) for name, full in visible.items() if full in context}
        except (CompileError, EvaluationError, CELError) as error:
            _fail(error)
        outcome = chosen.evaluate(held, cost_limit)
        if outcome.error is not None:
            _fail(outcome.error)
        try:
            return _written(outcome.value)
        except CELError as error:
            _fail(error)

    def _visible(self, context: Mapping[str, Any]) -> dict[str, str]:
        """Give the names that the expression may mean by one of its own, with the variables that they are: those of the package come first."""
        names = {*self._annotated, *context}
        found = {name.removeprefix(prefix): name for prefix in self._prefixes for name in names if name.startswith(prefix)}
        return {name: full for name, full in found.items() if name.partition(".")[0] in self._names}

    def _read(self, name: str, value: Any) -> Value:
        try:
            return binding.bind(value, self._rules)["device"] if isinstance(value, Device) else _read(value)
        except CELError as error:
            raise CELError(f"variable {name}: {error.message}") from None

    def _planned(self, declared: frozenset[str]) -> Plan:
        """Check the expression and make a plan, for a set of variables."""
        environment = self._rules.with_names(variables=dict.fromkeys(declared, types.DYN), functions=self._functions)
        made = plan(check(self._node, self._text, environment))
        if len(self._plans) >= _PLANS:
            self._plans.clear()
        self._plans[declared] = made
        return made


def _prefixes(package: str | None) -> Iterator[str]:
    """Give what may stand before the name of a variable, the shortest first."""
    yield ""
    parts = package.split(".") if package else []
    for count in range(1, len(parts) + 1):
        yield ".".join(parts[:count]) + "."


def _nodes(root: Node) -> Iterator[Node]:
    """Give all nodes of an expression."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(children(node))


def _rows(root: Node, functions: Mapping[str, Callable[..., Any]]) -> Iterator[Function]:
    """Declare the given functions for the calls that there are of them; whether they take so many arguments, they say themselves."""
    calls = {(node.function, node.target is not None, len(node.args)) for node in _nodes(root) if isinstance(node, Call)}
    for name, function in functions.items():
        overloads = tuple(
            Overload(f"{name}/{count}{'/member' * member}", (types.DYN,) * (member + count), types.DYN, member=member)
            for called, member, count in sorted(calls)
            if called == name
        )
        if overloads:
            yield Function(name, overloads, implementation=_implementation(function), pure=False)


# Errors.


class _Raised(CELError):
    """An error that a given function raised or returned, as cel-python has it."""

    def __init__(self, error: Any) -> None:
        """Keep the error, which is raised again if nothing absorbs it."""
        super().__init__(str(error.args[0] if error.args else error))
        self.error = error


def _implementation(function: Callable[..., Any]) -> Callable[..., Value]:
    """Give what calls a function with cel-python's values, and takes its errors as cel-python does."""
    from celpy.evaluation import CELEvalError

    def call(*arguments: Value) -> Value:
        given = [_written(argument) for argument in arguments]
        try:
            result = function(*given)
        except CELEvalError as error:
            raise _Raised(error) from error
        except (ValueError, TypeError, AttributeError) as error:
            text = "return error for overflow" if isinstance(error, ValueError) else "no such overload"
            raised = CELEvalError(text, type(error), error.args)
            raised.__cause__ = error
            raise _Raised(raised) from error
        return _read(result)

    return call


def _refuse(error: CompileError | NotAnExpression | Unsupported) -> NoReturn:
    """Refuse an expression as cel-python does."""
    from celpy.celparser import CELParseError

    line, column = _place(error)
    raise CELParseError(str(error), line=line, column=column) from error


def _fail(error: CELError | CompileError | EvaluationError) -> NoReturn:
    """End an evaluation as cel-python does."""
    from celpy.evaluation import CELEvalError

    if isinstance(error, _Raised):
        raise error.error
    made = CELEvalError(str(error))
    made.line, made.column = _place(error)
    raise made from (EvaluationError(error.message) if isinstance(error, CELError) else error)


def _place(error: Exception) -> tuple[int, int] | tuple[None, None]:
    """Give line and column of the first issue, if there is one."""
    issue = error.issues[0] if isinstance(error, CompileError) and error.issues else None
    return (None, None) if issue is None else (issue.line, issue.column)


# Values of cel-python, and of Python, to ours.


def _read(value: Any) -> Value:
    """
    Give our value for one of cel-python's, or for a plain one of Python.

    Raises:
        CELError: There is none.
    """
    return _Reader().read(value, 0)


class _Reader:
    """Reads one value; what stands at several places of it is read once, since it may stand at very many."""

    def __init__(self) -> None:
        self._made: dict[int, Value] = {}

    def read(self, value: Any, depth: int) -> Value:
        """Read a value at some depth."""
        readers = _readers()
        for class_ in type(value).__mro__:
            reader = readers.get(class_)
            if reader is not None:
                return reader(value)
        if isinstance(value, (list, tuple)):
            return self._once(self._list, value, depth)
        if isinstance(value, Mapping):
            return self._once(self._map, value, depth)
        if hasattr(type(value), "cel_type"):
            return value
        raise CELError(f"unsupported conversion to CEL: {type(value).__name__}")

    def _once(self, read: Callable[[Any, int], Value], value: Any, depth: int) -> Value:
        if depth >= DEEPEST:
            raise CELError(f"a value is nested more than {DEEPEST} levels deep")
        made = self._made.get(id(value))
        if made is None:
            made = self._made[id(value)] = read(value, depth + 1)
        return made

    def _list(self, values: Any, depth: int) -> Value:
        return tuple([self.read(value, depth) for value in values])

    def _map(self, entries: Mapping[Any, Any], depth: int) -> Value:
        return Map([(self.read(key, depth), self.read(value, depth)) for key, value in entries.items()])


def _read_int(value: int) -> Value:
    if not INT_MIN <= value <= INT_MAX:
        raise CELError("integer out of range")
    return int(value)


def _read_time(value: dt.datetime) -> Value:
    moment = value if value.tzinfo is not None else value.replace(tzinfo=dt.UTC)
    offset = moment.utcoffset() or dt.timedelta()
    return Timestamp((moment - _EPOCH) // _MICROSECOND * 1000, int(offset.total_seconds()))


def _read_duration(value: dt.timedelta) -> Value:
    nanoseconds = value // _MICROSECOND * 1000
    if not INT_MIN <= nanoseconds <= INT_MAX:
        raise CELError("duration out of range")
    return Duration(nanoseconds)


def _read_type(value: type) -> Value:
    found = next((type_ for type_, class_ in _classes().items() if class_ is value), None)
    if found is None:
        raise CELError(f"unsupported conversion to CEL: the class {value.__name__}")
    return found


@cache
def _readers() -> Mapping[type, Callable[[Any], Value]]:
    """Give what reads the values of a class and of its subclasses, but for what holds others."""
    from celpy import celtypes
    from celpy.evaluation import CELEvalError

    return {
        type(None): lambda _: None,
        celtypes.NullType: lambda _: None,
        bool: bool,
        celtypes.BoolType: bool,
        celtypes.UintType: Uint,
        Uint: lambda value: value,
        int: _read_int,
        float: float,
        str: str.__str__,
        bytes: bytes,
        dt.datetime: _read_time,
        dt.timedelta: _read_duration,
        type: _read_type,
        CELEvalError: _Raised,
        **dict.fromkeys((Timestamp, Duration, Optional, Quantity, Semver, types.Type), lambda value: value),
    }


# Our values to those of cel-python.


def _written(value: Value) -> Any:
    """
    Give cel-python's value for one of ours, and ours where it has none.

    Raises:
        CELError: cel-python cannot hold it.
    """
    return _write(value, {})


def _write(value: Value, made: dict[int, Any]) -> Any:
    """Write a value; what stands at several places of it is made once, since it may stand at very many."""
    while isinstance(value, Optional) and value.present:
        value = value.value
    if isinstance(value, CELError):
        raise value
    writer = _writers().get(type(value))
    if writer is not None:
        return writer(value)
    if not (is_list(value) or isinstance(value, Map)):
        return value
    known = made.get(id(value))
    if known is None:
        known = made[id(value)] = _write_map(value, made) if isinstance(value, Map) else _write_list(value, made)
    return known


def _write_list(value: Value, made: dict[int, Any]) -> Any:
    from celpy import celtypes

    return celtypes.ListType([_write(element, made) for element in elements(value)])


def _write_map(value: Map, made: dict[int, Any]) -> Any:
    from celpy import celtypes

    written = celtypes.MapType()
    for key, held in value.items():
        try:
            written[_write(key, made)] = _write(held, made)
        except TypeError:
            # In cel-python, 1 and 1u cannot be compared, and as keys have to be.
            raise CELError("a map has keys that are equal as numbers") from None
    return written


def _write_time(value: Timestamp) -> Any:
    from celpy import celtypes

    moment = _EPOCH + value.nanoseconds // 1000 * _MICROSECOND
    # Near the ends of time, it may be before the year 1 or after 9999 in its own zone.
    with contextlib.suppress(OverflowError):
        moment = moment.astimezone(dt.timezone(dt.timedelta(seconds=value.offset)))
    return celtypes.TimestampType(moment)


@cache
def _writers() -> Mapping[type, Callable[[Any], Any]]:
    """Give what writes the values of exactly a class."""
    from celpy import celtypes

    return {
        bool: celtypes.BoolType,
        int: celtypes.IntType,
        Uint: celtypes.UintType,
        float: celtypes.DoubleType,
        str: celtypes.StringType,
        bytes: celtypes.BytesType,
        Optional: lambda _: None,
        Timestamp: _write_time,
        Duration: lambda value: celtypes.DurationType(value.nanoseconds // 1000 * _MICROSECOND),
        types.Type: lambda type_: next((class_ for known, class_ in _classes().items() if known.name == type_.name), type_),
    }


@cache
def _classes() -> Mapping[types.Type, type]:
    """Give cel-python's classes, which are its values of type `type`."""
    from celpy import celtypes

    return {
        types.BOOL: celtypes.BoolType,
        types.BYTES: celtypes.BytesType,
        types.DOUBLE: celtypes.DoubleType,
        types.DURATION: celtypes.DurationType,
        types.INT: celtypes.IntType,
        types.list_of(types.DYN): celtypes.ListType,
        types.map_of(types.DYN, types.DYN): celtypes.MapType,
        types.NULL: type(None),
        types.STRING: celtypes.StringType,
        types.TIMESTAMP: celtypes.TimestampType,
        types.TYPE: celtypes.TypeType,
        types.UINT: celtypes.UintType,
    }
