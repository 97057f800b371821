"""
Room: expressions that compute an attribute of a device, from Kubernetes 1.37: what their result may be, and the attribute that it is.

May touch: everything in `cel`, `attributes`, `devices`, `quantity`, `semver`, `errors`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from ..attributes import DeviceAttribute
from ..errors import CompileError, EvaluationError
from ..quantity import Quantity
from ..semver import Semver
from . import binding, cost, interpreter, syntax
from .accounting import Account, account
from .cache import Cache
from .checker import Checked, check
from .environment import LIST_ATTRIBUTES, Environment
from .program import COST_LIMIT
from .runtime import Irregular
from .types import ANY, BOOL, DYN, INT, SEMVER, STRING, Type
from .unification import exact
from .values import CELError, Concatenation, NativeMap, Optional, Value, elements, is_list, type_of

if TYPE_CHECKING:
    from ..devices import Device

#: What an evaluation may cost in the interpreter; what costs more gets a function.
_MUCH: Final = 2000
_SCALARS: Final = (BOOL, INT, STRING, ANY, DYN, SEMVER)


class Derivation:
    """
    A compiled expression that computes an attribute. Any number of threads may evaluate one at a time: derivations share nothing that counts.

    Args:
        expression: The text.
        environment: What it may name.

    Raises:
        CompileError: Kubernetes refuses it; `message` is its text.

    >>> from rbln_dra import Device
    >>> device = Device.from_dict({"name": "npu", "attributes": {"numa": {"int": 3}}}, driver="npu.rebellions.ai")
    >>> Derivation('device.attributes["npu.rebellions.ai"].numa / 2', Environment("1.37")).evaluate(device)
    DeviceAttribute(int_value=1)
    """

    def __init__(self, expression: str, environment: Environment) -> None:
        """Compile."""
        self.expression = expression
        self.environment = environment
        self.checked = _check(expression, environment)
        self._plan = interpreter.plan(self.checked)

    @cached_property
    def max_cost(self) -> int:
        """The most that it is estimated to cost; 2**64 - 1 means: no bound."""
        return cost.estimate(self.checked).high

    def evaluate(self, device: Device) -> DeviceAttribute:
        """
        Compute the attribute of a device.

        Raises:
            EvaluationError: There is none; Kubernetes then aborts the allocation.
        """
        found = self._evaluated(device, _MUCH) or self._counted(device) or self._evaluated(device, COST_LIMIT)
        # The last one gives an answer in any case.
        value, variables = cast("tuple[Value, Mapping[str, Value]]", found)
        if isinstance(value, CELError):
            raise EvaluationError(value.message)
        try:
            return attribute_of(value, variables)
        except CELError as error:
            raise EvaluationError(error.message) from None

    # Each evaluation has variables of its own: comparing quantities changes them.

    def _evaluated(self, device: Device, granted: int) -> tuple[Value, Mapping[str, Value]] | None:
        """Interpret; `None` when that costs more than is granted."""
        variables = binding.bind(device, self.environment)
        outcome = self._plan.evaluate(variables, granted)
        if outcome.error is not None and granted < outcome.cost and granted < COST_LIMIT:
            return None
        return outcome.value if outcome.error is None else outcome.error, variables

    def _counted(self, device: Device) -> tuple[Value, Mapping[str, Value]] | None:
        """Evaluate by a function that is written for it; `None` where that cannot be."""
        if self._account.judge is None:
            return None
        variables = binding.bind(device, self.environment)
        with suppress(Irregular):
            return self._account.judge(variables["device"], device, COST_LIMIT)[0], variables
        return None

    @cached_property
    def _account(self) -> Account:
        return account(self._plan, whole=True, lists=self.environment.list_attributes)


def derivation(text: str, environment: Environment) -> Derivation:
    """
    Compile an expression, or give what was made of it before.

    Raises:
        CompileError: Kubernetes refuses it.
    """
    found = _DERIVATIONS.get(text, environment.key)
    if found is None:
        found = Derivation(text, environment)
        _DERIVATIONS.put(text, environment.key, found)
    return found


_DERIVATIONS: Final[Cache[Derivation]] = Cache(maximum=256, longest=10_240)


def _check(text: str, environment: Environment) -> Checked:
    """Parse an expression, check its types and that its result can be an attribute."""
    checked = check(syntax.parse(text, backticks=environment.backticks, macros=environment.macros), text, environment)
    found = checked.output_type
    # What is stored may be from a time when the gate was on.
    lists = environment.expressions == "stored" or environment.release.enabled(LIST_ATTRIBUTES)
    if not (_scalar(found) or (lists and found.kind == "list" and _scalar(found.parameters[0]))):
        also = " or a list of these scalars" if lists else ""
        raise CompileError(f"must evaluate to a primitive scalar (string, integer, boolean, semver){also}, not {found}", (), text)
    return checked


def _scalar(type_: Type) -> bool:
    """Tell whether a type is one of those of attributes, or is not known before the evaluation."""
    return any(exact(type_, each) for each in _SCALARS)


# --- From a value to an attribute -----------------------------------------------------------------------------------------------------------------

#: Class of a value → the attribute's part of a field name, and the type as cel-go's errors name it.
_KINDS: Final[Mapping[type, tuple[str, str]]] = {
    bool: ("bool", "bool"),
    int: ("int", "int"),
    str: ("string", "string"),
    Semver: ("version", "semver"),
}


def attribute_of(value: Value, variables: Mapping[str, Value] = MappingProxyType({})) -> DeviceAttribute:
    """
    Give the attribute that a value stands for.

    Args:
        value: What an expression came to.
        variables: What it was evaluated with: an error names a list of the device otherwise than a list of the expression.

    Raises:
        CELError: It stands for none.

    >>> attribute_of((1, 2)), attribute_of(())
    (DeviceAttribute(int_values=(1, 2)), DeviceAttribute(string_values=()))
    >>> attribute_of(1.5)
    Traceback (most recent call last):
    rbln_dra.cel.values.CELError: unsupported CEL return type: float64
    """
    if is_list(value):
        return _list_of(tuple(map(_plain, elements(value))), variables)
    held = _plain(value)
    kind = _KINDS.get(type(held))
    if kind is None:
        raise CELError(f"unsupported CEL return type: {_go_type(held, variables)}")
    return _attribute(f"{kind[0]}_value", str(held) if isinstance(held, Semver) else held)


def _list_of(held: tuple[Value, ...], variables: Mapping[str, Value]) -> DeviceAttribute:
    """Give the attribute that a list stands for: all elements must be of the first one's type, and no elements are no texts."""
    if not held:
        return DeviceAttribute(string_values=())
    first = type(held[0])
    if first not in _KINDS:
        raise CELError(f"unsupported list element type: {_go_type(held[0], variables)}")
    field, name = _KINDS[first]
    for index, each in enumerate(held):
        if type(each) is not first:
            raise CELError(f"expected list element at index {index} to be {name}, got {_go_type(each, variables)}")
    return _attribute(f"{field}_values", tuple(map(str, held)) if first is Semver else held)


def _attribute(field: str, value: Value) -> DeviceAttribute:
    """Make an attribute of one field."""
    fields: dict[str, Value] = {field: value}
    return DeviceAttribute(**fields)


def _plain(value: Value) -> Value:
    """Give what Go has for a value: an optional is what it holds, a type is its name."""
    while isinstance(value, Optional) and value.present:
        value = value.value
    return value.name if isinstance(value, Type) else value


#: The Go type of what is no attribute, by the name of its CEL type; a message has no type of its own.
_GO_TYPES: Final[Mapping[str, str]] = {
    "bool": "bool",
    "int": "int64",
    "string": "string",
    "kubernetes.Semver": "semver.Version",
    "null_type": "structpb.NullValue",
    "uint": "uint64",
    "double": "float64",
    "bytes": "[]uint8",
    "list": "[]ref.Val",
    "map": "map[ref.Val]ref.Val",
    "google.protobuf.Duration": "time.Duration",
    "google.protobuf.Timestamp": "time.Time",
    "kubernetes.Quantity": "*resource.Quantity",
    "kubernetes.URL": "*url.URL",
    "kubernetes.NamedFormat": "cel.Format",
    "net.IP": "netip.Addr",
    "net.CIDR": "netip.Prefix",
}


#: Class of the elements of a device's list → its Go type.
_GO_LISTS: Final[Mapping[type, str]] = {bool: "[]bool", int: "[]int64", str: "[]string", Semver: "[]cel.Semver"}


def _go_type(value: Value, variables: Mapping[str, Value]) -> str:
    """Name the Go type of a value; of a list as if the expression or the device had it, which is not so of those that `split` and `findAll` make."""
    if isinstance(value, Optional):
        return "<nil>"
    if isinstance(value, Concatenation):
        return "[]interface {}"
    if isinstance(value, NativeMap):
        amounts = any(isinstance(each, Quantity) for _, each in value.items())
        return "map[string]cel.Quantity" if amounts else "map[string]interface {}"
    if isinstance(value, tuple) and value and any(each is value for each in _lists(variables.get("device"))):
        return _GO_LISTS[type(value[0])]
    return _GO_TYPES.get(type_of(value).name, "*dynamicpb.Message")


def _lists(value: Value) -> Iterator[Value]:
    """Give the lists of a device."""
    if isinstance(value, NativeMap):
        for key in value:
            yield from _lists(value.held(key))
    elif is_list(value):
        yield value
