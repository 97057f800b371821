"""
Room: objects from texts, lists and clients.

May touch: `resources.manifests`, `resources.clients`.
"""

from __future__ import annotations

import json
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar

import pytest

from rbln_dra import DeviceClass, ResourceClaim, ResourceSlice
from rbln_dra.errors import DecodeError
from rbln_dra.resources import KINDS, ObjectMeta, RawJSON, from_dict, read
from rbln_dra.resources.clients import plain

from .examples import full

CLASS_TEXT = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: npu
spec:
  selectors:
  - cel:
      expression: device.driver == "npu.rebellions.ai"
"""
VM_TEXT = "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: {name: vm}\n"


def listed(kind: str, *items: object) -> dict[str, Any]:
    """Make a list."""
    return {"apiVersion": "v1" if kind == "List" else "resource.k8s.io/v1", "kind": kind, "metadata": {}, "items": list(items)}


ALL = [full(kind) for kind in KINDS]


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(ALL, id="a list"),
        pytest.param(tuple(MappingProxyType(each) for each in ALL), id="mappings of any class"),
        pytest.param(listed("List", *ALL), id="a List"),
        pytest.param([listed("List", *ALL[:2]), listed("List", listed("List", *ALL[2:]))], id="lists of Lists"),
        pytest.param(json.dumps(listed("List", *ALL)), id="JSON"),
        pytest.param(json.dumps(listed("List", *ALL), indent="\t").encode(), id="bytes, with tabs"),
        pytest.param("\n---\n".join(["", *(json.dumps(each) for each in ALL), ""]), id="documents"),
    ],
)
def test_objects_come_in_many_forms(source: object) -> None:
    """Every form gives the same objects, in order."""
    assert read(source, strict=True) == tuple(from_dict(each) for each in ALL)


def test_items_of_a_list_of_one_kind_need_not_say_it() -> None:
    """The API server gives items of a list without version and kind."""
    bare = {key: value for key, value in full("ResourceClaim").items() if key not in {"apiVersion", "kind"}}
    assert read(listed("ResourceClaimList", bare, full("ResourceClaim"))) == (ResourceClaim.from_dict(full("ResourceClaim")),) * 2
    assert read(json.dumps(listed("ResourceSliceList"))) == ()
    assert read({**listed("ResourceSliceList"), "items": None}) == ()
    with pytest.raises(DecodeError, match=r"items\[0\]: expected a ResourceSlice"):
        read(listed("ResourceClaimList", 1))


def test_a_text_may_hold_nothing() -> None:
    """Empty documents are none."""
    assert read("") == read("---\n---\n") == read("# nothing\n") == ()


def test_objects_of_others_are_passed_over_where_asked() -> None:
    """A file for a VM has a VirtualMachine beside its claim template."""
    text = f"{VM_TEXT}---\n{CLASS_TEXT}"
    assert [type(each) for each in read(text, others=True)] == [DeviceClass]
    with pytest.raises(DecodeError, match="line 2, column 1: kind: expected one of ResourceSlice, .*, got 'VirtualMachine'"):
        read(text)


@pytest.mark.parametrize(
    "change",
    [("resource.k8s.io/v1", "resource.k8s.io/v2"), ("DeviceClass", "DeviceClasses"), ("resource.k8s.io/v1", "v1"), ("kind: DeviceClass", "kind: 1")],
)
def test_a_slip_is_no_object_of_others(change: tuple[str, str]) -> None:
    """A kind of ours in another group, or of our group but unknown, is an error in any case."""
    with pytest.raises(DecodeError):
        read(CLASS_TEXT.replace(*change), others=True)
    with pytest.raises(DecodeError):
        read([1], others=True)


@pytest.mark.parametrize(
    ("text", "strict", "message"),
    [
        pytest.param(CLASS_TEXT.replace("selectors:", "selector:"), True, "line 6, column 3: spec.selector: expected one of ", id="an unknown key"),
        pytest.param(
            CLASS_TEXT.replace("  name: npu", "  name: 5"), False, "line 4, column 3: metadata.name: expected a string, got 5", id="a number"
        ),
        pytest.param(
            CLASS_TEXT + "---\n" + CLASS_TEXT.partition("  - cel")[0] + "  - 1\n",
            False,
            "line 16, column 5: spec.selectors[0]: expected",
            id="the second document",
        ),
        pytest.param(CLASS_TEXT + "kind: X\n", True, "line 9, column 1: kind: expected a key that the object does not have yet", id="a repeated key"),
        pytest.param(
            '{"kind": "List", "items": [{"kind": "DeviceClass",\n\t"apiVersion": "x"}]}',
            False,
            "line 2, column 2: items[0].apiVersion: expected one of",
            id="JSON",
        ),
        pytest.param('[{"a": 1, "a": 2}]', True, "line 1, column 2: [0].kind: expected one of ", id="no kind, and a repeated key in JSON"),
        pytest.param('[{"a": "\\ud800"}]', True, "[0].kind: expected one of", id="JSON that is no YAML"),
        pytest.param("kind: List\nitems: 1\n", False, "line 2, column 1: items: expected a ResourceSlice, ", id="items that are a number"),
        pytest.param("a: [1\n", False, "line 2, column 1: expected YAML", id="no YAML"),
        pytest.param("expression: device.attributes['x'] == 'a': b", False, "line 1, column 42: expected YAML", id="a colon in an expression"),
        pytest.param(b"\xff", False, "byte 0: expected UTF-8", id="no UTF-8"),
    ],
)
def test_an_error_in_a_text_has_line_and_column(text: str | bytes, strict: bool, message: str) -> None:
    """The place in the text, the place in the object, what was expected and what came."""
    with pytest.raises(DecodeError) as caught:
        read(text, strict=strict)
    assert str(caught.value).startswith(message)


SLIPS = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: npu
  label: {a: b}
spec:
  selector: []
  config:
  - opaque: {driver: a, parameter: {}, parameters: {free: {of: schema}}}
  - opaque: {driver: a, driver: b, parameters: {}}
    source: FromClass
---
apiVersion: resource.k8s.io/v1
kind: List
items:
- apiVersion: resource.k8s.io/v1
  kind: ResourceSlice
  spec:
    driver: npu.rebellions.ai
    devices:
    - {name: a, attributes: {type: {stringValue: vfio}}}
    - {name: b, capacity: {memory: {size: 1Gi}}, attribute: {}}
- apiVersion: resource.k8s.io/v1
  kind: DeviceClass
  spec: {selectors: 1}
  state: {}
"""


def test_strict_reading_tells_everything_at_once() -> None:
    """Unknown and repeated keys and values that cannot be read, each with its place and what was meant, in one error of one line."""
    with pytest.raises(DecodeError) as caught:
        read(SLIPS, strict=True)
    assert [(each.path, each.line, each.column, each.hint) for each in caught.value.every] == [
        ("metadata.label", 5, 3, "did you mean labels?"),
        ("spec.selector", 7, 3, "did you mean selectors?"),
        ("spec.config[0].opaque.parameter", 9, 25, "did you mean parameters?"),
        ("spec.config[1].opaque.driver", 10, 25, None),
        ("spec.config[1].source", 11, 5, None),
        ("items[0].spec.devices[0].attributes[type].stringValue", 21, 37, "did you mean string?"),
        ("items[0].spec.devices[1].capacity[memory].size", 22, 37, None),
        ("items[0].spec.devices[1].attribute", 22, 50, "did you mean attributes?"),
        ("items[1].spec.selectors", 25, 10, "did you mean [1]?"),
    ]
    assert str(caught.value).endswith("; also 6 more")
    assert "\n" not in str(caught.value)


def test_slips_of_mappings_have_paths() -> None:
    """What comes from no text has no lines; objects in a sequence are told apart."""
    wrong = {**full("DeviceClass"), "extra": 1}
    with pytest.raises(DecodeError) as caught:
        read([wrong, full("DeviceClass"), wrong], strict=True)
    assert [(each.path, each.line) for each in caught.value.every] == [("[0].extra", None), ("[2].extra", None)]


def test_without_strict_the_first_error_is_all() -> None:
    """As the API server reads one object at a time."""
    wrong = {**full("DeviceClass"), "spec": 1}
    for source in ([wrong, wrong], f"{json.dumps(wrong)}\n---\n{json.dumps(wrong)}"):
        with pytest.raises(DecodeError) as caught:
            read(source)
        assert len(caught.value.every) == 1


def test_repeated_keys_of_yaml() -> None:
    """The last one counts: tools make JSON of it."""
    (made,) = read(CLASS_TEXT + "kind: DeviceClass\nmetadata: {name: b}\n")
    assert made.metadata.name == "b"


def test_repeated_keys_of_json() -> None:
    """What stands there several times is put together, in lists of one kind too; version and kind are those that are said last."""
    text = (
        '{"kind": "X", "apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "apiVersion": null,'
        ' "metadata": {"name": "a"}, "metadata": {"labels": {"b": "c"}}}'
    )
    item = '{"metadata": {"name": "a"}, "metadata": {"labels": {"b": "c"}}}'
    for source in (text, f'{{"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClassList", "items": [{item}]}}'):
        (made,) = read(source)
        assert made == DeviceClass(ObjectMeta("a", labels={"b": "c"}))


def test_json_of_others_is_kept_as_it_came() -> None:
    """Parameters have all their keys and their numbers as they were written."""
    text = json.dumps(full("DeviceClass"))
    parameters = '{"b":1e3,"a":[1.0,true,null,"\\u00e9"],"b":{}}'
    (made,) = read(
        json.dumps({**json.loads(text), "spec": {"config": [{"opaque": {"driver": "a", "parameters": "HERE"}}]}}).replace('"HERE"', parameters)
    )
    assert isinstance(made, DeviceClass)
    assert made.spec.config[0].opaque is not None
    assert made.spec.config[0].opaque.parameters == RawJSON(parameters.replace("\\u00e9", "é"))


def test_a_number_counts_as_it_is_written() -> None:
    """A quantity may be a JSON number, with the format of its text."""
    text = json.dumps(full("ResourceSlice")).replace('"16Gi"', "1e3")
    (made,) = read(text)
    assert isinstance(made, ResourceSlice)
    assert str(made.spec.devices[0].capacity["memory"].value) == "1e3"


def test_what_contains_itself_is_refused() -> None:
    """And what nests too deep."""
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(DecodeError, match="at most 100 levels"):
        read(loop)
    with pytest.raises(DecodeError, match="expected a ResourceSlice, a DeviceClass, .*, got 1"):
        read(1)


class V1ObjectMeta:
    """A model of the client `kubernetes`."""

    attribute_map: ClassVar = {"name": "name", "labels": "labels", "generate_name": "generateName"}

    def __init__(self, name: str) -> None:
        """Take the name."""
        self.name, self.labels, self.generate_name = name, {"a": "b"}, None


class V1beta1DeviceClass:
    """A model of the client `kubernetes`, as in a list: without version and kind."""

    attribute_map: ClassVar = {"api_version": "apiVersion", "kind": "kind", "metadata": "metadata", "spec": "spec"}

    def __init__(self) -> None:
        """Take no version and no kind."""
        self.api_version = self.kind = None
        self.metadata = V1ObjectMeta("npu")
        self.spec = SimpleNamespace(attribute_map={"selectors": "selectors"}, selectors=[{"cel": {"expression": "true"}}])


class Lightkube:
    """An object of `lightkube`."""

    _api_info: ClassVar = SimpleNamespace(resource=SimpleNamespace(group="resource.k8s.io", version="v1", kind="DeviceClass"))

    def to_dict(self) -> dict[str, object]:
        """Give the mapping, without version and kind."""
        return {"metadata": {"name": "npu"}, "kind": None}


NPU = DeviceClass.from_dict({"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "npu"}})


def test_objects_of_clients_are_read() -> None:
    """They are known by what they have; no client is imported."""
    assert [each.metadata.name for each in read([V1beta1DeviceClass(), Lightkube(), SimpleNamespace(raw=NPU.to_dict())])] == ["npu"] * 3
    assert read(SimpleNamespace(raw=listed("DeviceClassList", SimpleNamespace(to_dict=NPU.to_dict)))) == (NPU,)
    assert DeviceClass.from_dict(V1beta1DeviceClass()).spec.selectors[0].expression == "true"


def test_what_is_no_object_of_a_client_stays() -> None:
    """A class, and what cannot be told, is refused by who reads it."""
    core = SimpleNamespace(_api_info=SimpleNamespace(resource=SimpleNamespace(group="", version="v1", kind="Pod")), to_dict=dict)
    assert plain(core) == {"apiVersion": "v1", "kind": "Pod"}
    assert plain(SimpleNamespace(to_dict=lambda: 1)) == 1
    pod = type("V1Pod", (), {"attribute_map": {}})()
    assert plain(pod) == {}
    for value in (1, ResourceClaim, SimpleNamespace(), None):
        assert plain(value) is value
