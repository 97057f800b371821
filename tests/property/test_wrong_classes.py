"""Objects of a wrong class, given to every public function and method: they end in a typed error or in a result, never in an error of the inside."""

from __future__ import annotations

import enum
import inspect
import re
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from rbln_dra import cel, kubernetes
from rbln_dra.allocation import Cluster, Node, allocate, explain
from rbln_dra.devices import Device, NUMANode, publish
from rbln_dra.discovery import (
    Fault,
    HostSysfs,
    Inventory,
    Link,
    MemorySysfs,
    OverlaySysfs,
    SysfsBackend,
    Tree,
    TreeBackend,
    bundled,
    discover,
    tree,
)
from rbln_dra.discovery.access import Entry
from rbln_dra.errors import DecodeError, Error, InvalidValue
from rbln_dra.names import QualifiedName
from rbln_dra.quantity import Quantity
from rbln_dra.resources import DeviceClass, ResourceClaim, ResourceClaimTemplate, ResourceSlice, most_devices
from rbln_dra.selectors import Fleet, Selector, matrix
from rbln_dra.semver import Semver
from rbln_dra.topology import Topology
from rbln_dra.validation import LIMITS, validate

API = Path(__file__).parents[2] / "docs" / "api.md"
#: The documented modules, without the package itself, whose names are those of the others.
MODULES = re.findall(r"automodule:: rbln_dra\.(\S+)", API.read_text(encoding="utf-8"))
WRONG: tuple[Any, ...] = (None, 3, -2.5, "text", b"bytes", {}, {"a": 1}, [None], (3,), [[]], object(), int)

EXPRESSION = 'device.driver == "npu.rebellions.ai"'
INVENTORY = discover(TreeBackend("rebel100"))
(DEVICE,), (NPU_,), (POOL,) = INVENTORY.devices, INVENTORY.npus, INVENTORY.pools
SELECTOR = Selector(EXPRESSION)
CLAIM, CLASS, SLICE = (
    {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": {"name": "x"}, "spec": spec}
    for kind, spec in (
        ("ResourceClaim", {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "x"}}]}}),
        ("DeviceClass", {}),
        (
            "ResourceSlice",
            {"driver": "d", "nodeName": "n", "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1}, "devices": [{"name": "a"}]},
        ),
    )
)
FLEET = Fleet()
FLEET.put("n", INVENTORY.devices)
ALLOCATING: dict[str, Any] = {
    "claims": CLAIM,
    "classes": CLASS,
    "slices": SLICE,
    "node": "n",
    "in_use": (("d", "n", "b"),),
    "kubernetes": "1.36",
    "steps": 10,
}
CLAIM_, CLASS_, SLICE_ = ResourceClaim.from_dict(CLAIM), DeviceClass.from_dict(CLASS), ResourceSlice.from_dict(SLICE)
TEMPLATE: dict[str, Any] = {**CLAIM, "kind": "ResourceClaimTemplate", "spec": {"spec": CLAIM["spec"]}}
READING = {"strict": False, "kubernetes": "1.36"}
TEXT = {"text": "npu.rebellions.ai"}

ENTRIES: dict[str, Entry] = {"folder/file": "text", "link": Link("folder")}

#: Function or method → arguments that it takes. Methods are of the objects below.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "allocation.allocate": ALLOCATING,
    "allocation.explain": ALLOCATING,
    "allocation.Cluster": {key: ALLOCATING[key] for key in ("classes", "slices", "kubernetes")},
    "allocation.Cluster.allocate": {key: ALLOCATING[key] for key in ("claims", "node", "in_use", "steps")},
    "allocation.Cluster.explain": {key: ALLOCATING[key] for key in ("claims", "node", "in_use", "steps")},
    "allocation.Cluster.setting": {key: ALLOCATING[key] for key in ("claims", "node", "in_use")},
    "allocation.Node.of": {"given": "n"},
    "attributes.DeviceAttribute.from_dict": {"obj": {"int": 1}, "path": "", "strict": False},
    "attributes.DeviceAttribute.of": {"value": 1},
    "attributes.schema": {"name": "type", "device": "vfio"},
    "cel.admit": {"expression": EXPRESSION, "kubernetes": "1.36"},
    "cel.compile": {"text": EXPRESSION, "environment": cel.Environment()},
    "cel.support": {"expression": EXPRESSION, "gates": {"1.36": {"DRAListTypeAttributes": True}}},
    "cel.celpy.runner_class": {"environment": cel.Environment(), "cost_limit": 1},
    "cel.Environment": {"kubernetes": "1.36", "expressions": "new"},
    "cel.Environment.with_names": {"variables": {}, "functions": ()},
    "cel.Program": {"expression": EXPRESSION, "environment": cel.Environment()},
    "cel.Program.evaluate": {"device": DEVICE, "cost_limit": 1},
    "cel.Program.trace": {"device": DEVICE},
    "devices.Device.from_dict": {"obj": {"name": "a"}, "driver": "d", "pool": "n", "path": "", "strict": False},
    "devices.publish": {"npu": NPU_, "pool": "n", "driver": "d", "profile": None},
    "devices.vfio_driver": {"name": "vfio-pci"},
    "discovery.bundled": {"name": "atom"},
    "discovery.discover": {"backend": TreeBackend("atom")},
    "discovery.make_backend": {"name": "tree", "arguments": "atom"},
    "discovery.tree": {"inventory": INVENTORY},
    "discovery.Fault.error": {"path": "a"},
    "discovery.Fault.of": {"error": OSError(2, "text")},
    "discovery.Fault.parse": {"symbol": "ENOENT"},
    "discovery.Inventory.devices_of": {"pool": POOL},
    "discovery.Tree.write": {"folder": "folder"},
    "discovery.Tree.parse": {"text": str(bundled("atom")), "source": "tree"},
    "kubernetes.format_feature_gates": {"gates": {"DRAAdminAccess": True}},
    "kubernetes.parse_feature_gates": {"text": "DRAAdminAccess=true"},
    "kubernetes.Gate.setting": {"minor": "1.36"},
    "kubernetes.Kubernetes": {"minor": "1.36", "gates": {"DRAListTypeAttributes": True}},
    "kubernetes.Kubernetes.enabled": {"gate": "DRAAdminAccess"},
    "kubernetes.Kubernetes.of": {"release": "1.36"},
    "kubernetes.Kubernetes.parse": {"text": "1.36"},
    "names.device_class_name": {"driver": "d"},
    **{f"names.{name}": TEXT for name in ("identifier_complaints", "label_complaints", "subdomain_complaints")},
    "names.QualifiedName.within": {"driver": "d"},
    "pci.PCIAddress": {"domain": 0, "bus": 0, "device": 0, "function": 0},
    "pci.PCIAddress.from_device_name": {"name": "vfio-0000-27-00-0"},
    "pci.PCIAddress.parse": {"text": "0000:27:00.0"},
    **{f"products.{name}": {"name": "RBLN-CA22"} for name in ("by_marketing_name", "by_resource_name", "lookup", "near")},
    "products.by_pci_id": {"pci_device_id": "1220"},
    "products.by_sku": {"sku": "RBLN-CA22"},
    "quantity.Quantity.add": {"other": Quantity.parse("1")},
    "quantity.Quantity.compare": {"other": Quantity.parse("1")},
    "quantity.Quantity.parse": {"text": "1"},
    "quantity.Quantity.sub": {"other": Quantity.parse("1")},
    **{
        f"resources.{kind}.{method}": arguments
        for kind, obj in (("ResourceClaim", CLAIM), ("ResourceClaimTemplate", TEMPLATE), ("DeviceClass", CLASS), ("ResourceSlice", SLICE))
        for method, arguments in (("from_dict", {"obj": obj, **READING}), ("to_dict", {"version": "v1"}))
    },
    "resources.ResourceSlice.from_dict": {"obj": SLICE, **READING, "now": None},
    "resources.ResourceSlice.to_dict": {"version": "v1", "kubernetes": "1.36"},
    "resources.ResourceSlice.defaulted": {"now": None},
    "resources.RawJSON.of": {"value": {"a": 1}},
    "resources.claim": {"name": "x", "devices": CLAIM_.spec.devices, "namespace": "n"},
    "resources.claim_template": {"name": "x", "devices": CLAIM_.spec.devices, "namespace": "n"},
    "resources.device_classes": {"driver": "d"},
    "resources.drop_disabled": {"obj": CLAIM_, "kubernetes": "1.36", "old": CLAIM_},
    "resources.from_dict": {"obj": CLAIM, **READING},
    "resources.most_devices": {"devices": (DEVICE,), "kubernetes": "1.36"},
    "resources.npu_devices": {"count": 1, "product": "RBLN-CA22", "same": None, "request": "npu", "device_class": None, "driver": "d"},
    "resources.pool_slices": {
        "devices": (DEVICE,),
        "node": "n",
        "driver": "d",
        "pool": "n",
        "previous": (SLICE_,),
        "owner": None,
        "kubernetes": "1.36",
    },
    "resources.product_selector": {"product": "RBLN-CA22", "driver": "d"},
    "resources.read": {"source": CLAIM, **READING, "others": False},
    "resources.stored": {"obj": CLAIM_, "kubernetes": "1.36", "old": CLAIM_, "namespace": "n"},
    "resources.stored_status": {"claim": CLAIM_, "old": CLAIM_, "kubernetes": "1.36"},
    **{f"selectors.Fleet.{name}": {"selector": SELECTOR} for name in ("count", "select", "tally")},
    "selectors.Fleet.__contains__": {"key": "n"},
    "selectors.Fleet.drop": {"key": "other"},
    "selectors.Fleet.put": {"key": "m", "devices": ()},
    "selectors.matrix": {"selectors": (SELECTOR,), "devices": (DEVICE,)},
    "selectors.Selector": {"expression": EXPRESSION, "environment": cel.Environment()},
    **{f"selectors.Selector.{name}": {"device": DEVICE} for name in ("verdict", "judge", "explain")},
    "selectors.Selector.select": {"devices": (DEVICE,)},
    "semver.Semver.compare": {"other": Semver(1, 2, 3)},
    "semver.Semver.equivalent": {"other": Semver(1, 2, 3)},
    "semver.Semver.parse": {"text": "1.2.3"},
    "semver.Semver.parse_tolerant": {"text": "1.2.3"},
    "resources.fit": {"text": "a-name"},
    "validation.advise": {"objects": CLAIM, "kubernetes": "1.36"},
    "validation.validate": {
        "obj": CLAIM,
        "kubernetes": "1.36",
        "old": CLAIM,
        "admin_access": False,
        "version": None,
        "namespace": "n",
        "subresource": "",
    },
    "topology.Topology": {"npus": (NPU_,), "numa_nodes": (NUMANode(0),)},
    "topology.Topology.nearest_with_cpus": {"number": 0},
    "topology.Topology.same_socket": {"number": 0},
    "topology.common_ancestor": {"first": NPU_, "others": NPU_},
    "topology.path": {"npu": NPU_},
    "validation.Limit.most": {"minor": 36},
}
#: Class → an object whose methods are called.
OBJECTS: dict[str, Any] = {
    "allocation.Cluster": Cluster(classes=CLASS, slices=SLICE),
    "cel.Environment": cel.Environment(),
    "cel.Program": cel.compile(EXPRESSION),
    "discovery.Fault": Fault.of(OSError(2, "text")),
    "discovery.HostSysfs": HostSysfs("."),
    "discovery.Inventory": INVENTORY,
    "discovery.MemorySysfs": MemorySysfs(ENTRIES),
    "discovery.OverlaySysfs": OverlaySysfs(MemorySysfs(ENTRIES), {}),
    "discovery.Tree": Tree(ENTRIES),
    "kubernetes.Gate": kubernetes.GATES["DRAAdminAccess"],
    "kubernetes.Kubernetes": kubernetes.Kubernetes("1.36"),
    "names.QualifiedName": QualifiedName(None, "type"),
    "quantity.Quantity": Quantity.parse("1"),
    "resources.ResourceClaim": CLAIM_,
    "resources.ResourceClaimTemplate": ResourceClaimTemplate.from_dict(TEMPLATE),
    "resources.DeviceClass": CLASS_,
    "resources.ResourceSlice": SLICE_,
    "selectors.Fleet": FLEET,
    "selectors.Selector": SELECTOR,
    "semver.Semver": Semver(1, 2, 3),
    "topology.Topology": Topology((NPU_,), (NUMANode(0),)),
    "validation.Limit": LIMITS["devices"],
}


#: Method of a `Sysfs` → a path that it can read.
_READS = {"read_text": "folder/file", "read_link": "link", "list_dir": "folder"}


def public() -> Iterator[tuple[str, Any]]:
    """Give the public functions, classes and methods that take arguments, by the names under which the API page has them."""
    for module in MODULES:
        room = import_module(f"rbln_dra.{module}")
        defined = [name for name, value in vars(room).items() if not name.startswith("_") and getattr(value, "__module__", None) == room.__name__]
        for name in getattr(room, "__all__", defined):
            value = getattr(room, name)
            if not inspect.isclass(value):
                if inspect.isroutine(value):
                    yield f"{module}.{name}", value
            elif not issubclass(value, Exception | enum.Enum) and not getattr(value, "_is_protocol", False):
                yield f"{module}.{name}", value
                for method in dir(value):
                    if (not method.startswith("_") or method == "__contains__") and _ours(inspect.getattr_static(value, method)):
                        yield f"{module}.{name}.{method}", getattr(value, method)


def _ours(method: object) -> bool:
    """Tell whether a method is written in this package."""
    function = getattr(method, "__func__", method)
    return inspect.isfunction(function) and function.__module__.startswith("rbln_dra")


PUBLIC = dict(public())


_BY_PLACE = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL}


def _arguments(name: str) -> dict[str, Any]:
    """Give the arguments that a function takes; a class that only holds what it is given takes anything."""
    if name in ARGUMENTS:
        return ARGUMENTS[name]
    *_, owner, last = name.split(".")
    if last in _READS:
        return {"path": _READS[last]}
    if last in {"parse", "complaints"} and owner.endswith("Name"):
        return {"text": "npu.rebellions.ai/type" if owner == "FullyQualifiedName" else "npu"}
    return {}


def _called(name: str, arguments: dict[str, Any]) -> Any:
    """Call a function, or a method of the class's object."""
    owner, _, method = name.rpartition(".")
    function = PUBLIC[name]
    if owner in OBJECTS and inspect.isfunction(function):
        function = getattr(OBJECTS[owner], method)
    kinds = {each.name: each.kind for each in inspect.signature(function).parameters.values()}
    # Behind a list of further arguments nothing before it can be given by name.
    by_place = {*_BY_PLACE, inspect.Parameter.POSITIONAL_OR_KEYWORD} if inspect.Parameter.VAR_POSITIONAL in kinds.values() else _BY_PLACE
    placed = [value for key, value in arguments.items() if kinds[key] in by_place]
    return function(*placed, **{key: value for key, value in arguments.items() if kinds[key] not in by_place})


def _parameters(name: str) -> list[str]:
    """Name the parameters of a function, without `self`."""
    named = [each.name for each in inspect.signature(PUBLIC[name]).parameters.values() if each.kind is not inspect.Parameter.VAR_KEYWORD]
    owner = name.rpartition(".")[0]
    return named[1:] if owner in PUBLIC and inspect.isfunction(PUBLIC[name]) and not _static(PUBLIC[owner], name) else named


def _static(owner: Any, name: str) -> bool:
    """Tell whether a method is static."""
    return isinstance(inspect.getattr_static(owner, name.rpartition(".")[2]), staticmethod)


RECORDS = sorted(name for name, value in PUBLIC.items() if inspect.isclass(value) and name not in ARGUMENTS)
FUNCTIONS = sorted(name for name in PUBLIC if name not in RECORDS and _parameters(name))


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder of one's own: a wrong path could be one that is there."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_table_has_every_function(name: str) -> None:
    """The arguments of every public function stand in the table above, and it takes them."""
    assert sorted(_arguments(name)) == sorted(_parameters(name)), f"give {name} arguments in this file's table"
    if name.endswith("HostSysfs.read_text"):
        Path("folder/file").write_text("text", encoding="utf-8")
    _called(name, _arguments(name))


def _outcome(call: Callable[[], Any]) -> BaseException | None:
    """Give the error of a call that is none of those which may be; `None` when there is none."""
    try:
        found = call()
        if isinstance(found, Iterator):
            list(found)
    except (Error, OSError):
        pass
    except Exception as error:  # noqa: BLE001 - whatever it is
        return error
    return None


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_of_a_wrong_class(name: str) -> None:
    """Whatever stands in the place of one argument, beside others that are right, it is taken or refused with a typed error."""
    given = _arguments(name)
    found = [(key, wrong, _outcome(partial(_called, name, {**given, key: wrong}))) for key in given for wrong in WRONG]
    assert [each for each in found if each[2] is not None] == []


@pytest.mark.parametrize("name", RECORDS)
def test_fields_of_a_wrong_class(name: str) -> None:
    """A value that is made of anything holds it, or refuses it with a typed error."""
    parameters = inspect.signature(PUBLIC[name]).parameters.values()
    needed = [each.name for each in parameters if each.default is inspect.Parameter.empty]
    for wrong in WRONG:
        for each in parameters:
            error = _outcome(partial(PUBLIC[name], **dict.fromkeys((*needed, each.name), wrong)))
            assert error is None, (name, each.name, wrong)


def _allocating(function: Any, wrong: Any) -> None:
    """Call one of the two functions with a claim that is none."""
    function(**{**ALLOCATING, "claims": [wrong]})


#: What a function of devices, selectors or objects refuses: name → what is given, the class of the error.
REFUSED: dict[str, tuple[Callable[[Any], Any], type[Error]]] = {
    "verdict": (SELECTOR.verdict, InvalidValue),
    "judge": (SELECTOR.judge, InvalidValue),
    "explain a device": (SELECTOR.explain, InvalidValue),
    "select": (SELECTOR.select, InvalidValue),
    "select one": (lambda wrong: SELECTOR.select([DEVICE, wrong]), InvalidValue),
    "matches": (SELECTOR.program.matches, InvalidValue),
    "evaluate": (SELECTOR.program.evaluate, InvalidValue),
    "matrix of selectors": (lambda wrong: matrix([wrong], [DEVICE]), InvalidValue),
    "matrix of devices": (lambda wrong: matrix([SELECTOR], [wrong]), InvalidValue),
    "fleet of devices": (lambda wrong: Fleet().put("n", [wrong]), InvalidValue),
    "fleet and selector": (FLEET.select, InvalidValue),
    "count": (FLEET.count, InvalidValue),
    "tally": (FLEET.tally, InvalidValue),
    "publish": (publish, InvalidValue),
    "tree": (tree, InvalidValue),
    "discover": (discover, InvalidValue),
    "devices of a pool": (INVENTORY.devices_of, InvalidValue),
    "node": (Node.of, DecodeError),
    "claims": (partial(_allocating, allocate), DecodeError),
    "explain claims": (partial(_allocating, explain), DecodeError),
    "validate": (validate, DecodeError),
    "pool": (lambda wrong: most_devices([wrong]), InvalidValue),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("wrong", [None, 3, b"bytes", object(), [None]], ids=["none", "number", "bytes", "object", "list"])
def test_what_is_refused(name: str, wrong: Any) -> None:
    """What is no device, selector, hardware, inventory or object is refused with what came and what was expected."""
    call, kind = REFUSED[name]
    with pytest.raises(kind) as caught:
        call(wrong)
    assert isinstance(caught.value, InvalidValue | DecodeError)
    assert caught.value.expected


@pytest.mark.parametrize("field", ["attributes", "capacity"])
def test_devices_that_hold_something_else(field: str) -> None:
    """A device that was made of anything is refused when it is read."""
    made: Any = {field: {"a": 3}}
    device = Device("a", "npu.rebellions.ai", **made)
    for judge in (SELECTOR.verdict, SELECTOR.judge, SELECTOR.explain, SELECTOR.program.trace):
        with pytest.raises(InvalidValue, match="what it holds is no DeviceAttribute or DeviceCapacity"):
            judge(device)


def _scanned(backend: Any, folder: Path, **fields: Any) -> Inventory:
    """Make a backend, and let it look."""
    made: Inventory = backend(folder, **fields).scan()
    return made


@pytest.mark.parametrize("backend", [TreeBackend, SysfsBackend], ids=["tree", "sysfs"])
@pytest.mark.parametrize("field", ["node", "driver", "profile", "pcie_root"])
def test_backends_of_wrong_fields(backend: Any, field: str, tmp_path: Path) -> None:
    """A backend that is made with a field of a wrong class refuses it, at the latest when it looks."""
    (tmp_path / "bus/pci/devices").mkdir(parents=True)
    for wrong in WRONG:
        assert _outcome(partial(_scanned, backend, tmp_path, **{field: wrong})) is None, (field, wrong)
