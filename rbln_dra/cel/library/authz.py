"""
Room: the functions of Kubernetes' authorizer, as far as an expression can name them.

A selector has no `authorizer` variable, so no value ever has one of these types: calls can be compiled, with a receiver of type `dyn`, and then fail.

May touch: `types`, `ranges`, `values`, `rows`, `costs`.
"""

from __future__ import annotations

from ..ranges import STRING_TRAVERSAL, Range
from ..types import BOOL, STRING, Type
from ..values import NO_SUCH_OVERLOAD, CELError
from .costs import size, unit, unit_cost
from .rows import Estimate, Function, Library, Operand, Overload, Value, alike

AUTHORIZER = Type("kubernetes.authorization.Authorizer", kind="object")
PATH_CHECK = Type("kubernetes.authorization.PathCheck", kind="object")
GROUP_CHECK = Type("kubernetes.authorization.GroupCheck", kind="object")
RESOURCE_CHECK = Type("kubernetes.authorization.ResourceCheck", kind="object")
DECISION = Type("kubernetes.authorization.Decision", kind="object")
#: The types that an expression can name; none of their values exists.
TYPES = (AUTHORIZER, PATH_CHECK, GROUP_CHECK, RESOURCE_CHECK, DECISION)

#: Charged for a check, so that an expression can afford two.
CHECK = 350_000
#: A requirement of a selector takes two characters at least, and a struct and a list to hold it.
_REQUIREMENTS, _REQUIREMENT, _SELECTOR = 0.5, 50.0, 10


def _refuse(*_args: Value) -> Value:
    """Refuse every call: the types of the arguments have refused it before."""
    raise CELError(NO_SUCH_OVERLOAD)


def _step(name: str, id_: str, receiver: Type, result: Type, summary: str, *, arguments: int = 1) -> Function:
    """Give the row of one step from the authorizer to a decision, or of a part of a decision."""
    return Function(
        name,
        (Overload(id_, (receiver, *(STRING,) * arguments), result, member=True, implementation=_refuse),),
        estimate=unit,
        cost=unit_cost,
        summary=summary,
    )


def _estimate_check(_target: Operand | None, _args: tuple[Operand, ...]) -> Estimate:
    return Estimate(Range.exactly(CHECK))


def _check_cost(_args: tuple[Value, ...], _result: Value) -> int:
    return CHECK


def _estimate_selector(_target: Operand | None, args: tuple[Operand, ...]) -> Estimate | None:
    """Estimate the parsing of a selector into requirements."""
    return Estimate(_selector(args[0].size)) if len(args) == 1 else None


def _selector_cost(args: tuple[Value, ...], _result: Value) -> int | None:
    return _selector(Range.exactly(size(args[1]))).high if len(args) >= 2 else None


def _selector(length: Range) -> Range:
    return Range.exactly(_SELECTOR) + length.scaled(STRING_TRAVERSAL) + length.scaled(_REQUIREMENTS).scaled(_REQUIREMENT)


def _narrowing(name: str, id_: str, summary: str) -> Function:
    """Give the row of a selector that narrows a check."""
    return Function(
        name,
        (Overload(id_, (RESOURCE_CHECK, STRING), RESOURCE_CHECK, member=True, implementation=_refuse),),
        estimate=_estimate_selector,
        cost=_selector_cost,
        summary=summary,
    )


FUNCTIONS = (
    _step("path", "authorizer_path", AUTHORIZER, PATH_CHECK, "A check of a path."),
    _step("group", "authorizer_group", AUTHORIZER, GROUP_CHECK, "A check of an API group."),
    _step("serviceAccount", "authorizer_serviceaccount", AUTHORIZER, AUTHORIZER, "The authorizer of a service account.", arguments=2),
    _step("resource", "groupcheck_resource", GROUP_CHECK, RESOURCE_CHECK, "A check of a resource."),
    _step("subresource", "resourcecheck_subresource", RESOURCE_CHECK, RESOURCE_CHECK, "The check of a subresource."),
    _step("namespace", "resourcecheck_namespace", RESOURCE_CHECK, RESOURCE_CHECK, "The check in a namespace."),
    _step("name", "resourcecheck_name", RESOURCE_CHECK, RESOURCE_CHECK, "The check of one object."),
    Function(
        "check",
        alike(
            _refuse,
            Overload("pathcheck_check", (PATH_CHECK, STRING), DECISION, member=True),
            Overload("resourcecheck_check", (RESOURCE_CHECK, STRING), DECISION, member=True),
        ),
        estimate=_estimate_check,
        cost=_check_cost,
        summary="The decision on a verb.",
    ),
    _step("errored", "decision_errored", DECISION, BOOL, "Whether the check failed.", arguments=0),
    _step("error", "decision_error", DECISION, STRING, "Why the check failed.", arguments=0),
    _step("allowed", "decision_allowed", DECISION, BOOL, "Whether the verb is allowed.", arguments=0),
    _step("reason", "decision_reason", DECISION, STRING, "Why it is, or is not.", arguments=0),
)
AUTHZ = Library("authz", "Kubernetes authz", FUNCTIONS)
AUTHZ_SELECTORS = Library(
    "authz selectors",
    "Kubernetes authzSelectors",
    (
        _narrowing("fieldSelector", "authorizer_fieldselector", "The check of objects by their fields."),
        _narrowing("labelSelector", "authorizer_labelselector", "The check of objects by their labels."),
    ),
)
