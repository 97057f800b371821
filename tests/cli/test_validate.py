"""`rbln-dra validate`: a line for each error, with file, document, path and reason; exit codes; other forms."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

#: Run a command: exit code, standard output, standard error.
Invoke = Callable[..., tuple[int, str, str]]

GOOD = """\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: npu}
spec: {selectors: [{cel: {expression: "device.driver == 'npu.rebellions.ai'"}}]}
"""
BAD = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: npu}
spec:
  devices:
    requests:
    - name: A_b
      exactly: {deviceClassName: npu, selectors: [{cel: {expression: "device.attributes["}}]}
"""
UNREADABLE = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nspec: {selectors: {}}\n"
OTHER = "apiVersion: v1\nkind: Pod\nmetadata: {name: vm}\n"


def test_what_is_admitted_is_silent(invoke: Invoke) -> None:
    """Nothing is printed for objects that are admitted."""
    assert invoke("validate", "-", stdin=GOOD) == (0, "", "")


def test_lines(invoke: Invoke, tmp_path: Path) -> None:
    """Each error is one line with file, document, path, reason and message, whatever line breaks the message has."""
    file = tmp_path / "objects.yaml"
    file.write_text(f"{GOOD}---\n---\n{BAD}---\n{UNREADABLE}", encoding="utf-8")
    code, out, err = invoke("validate", str(file))
    lines = out.splitlines()
    assert (code, err, len(lines)) == (1, "", 3)
    assert lines[0].startswith(
        f'{file}: document 3: spec.devices.requests[0].name: FieldValueInvalid: Invalid value: "A_b": a lowercase RFC 1123 label'
    )
    assert ".cel.expression: FieldValueInvalid: Invalid value: " in lines[1]
    assert "Syntax error: mismatched input '<EOF>'" in lines[1]
    assert lines[2] == f"{file}: document 4: spec.selectors: Unreadable: expected a list, got {{}}"


def test_lists_and_foreign_objects(invoke: Invoke) -> None:
    """The items of a list are judged one by one; objects of other APIs are passed over with a remark."""
    items = [yaml.safe_load(text) for text in (GOOD, BAD, OTHER, "1")]
    code, out, err = invoke("validate", "-", stdin=json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    assert code == 1
    assert out.startswith("standard input: document 1, item 2: spec.devices.requests[0].name: ")
    assert out.splitlines()[-1].startswith("standard input: document 1, item 4: Unreadable: expected an object")
    assert err == "rbln-dra: note: standard input: document 1, item 3: Pod is no object of resource.k8s.io, not looked at\n"


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_reports(invoke: Invoke, form: str) -> None:
    """The other forms say the same of each object, admitted ones too."""
    code, out, _ = invoke("validate", "-", "-o", form, stdin=f"{GOOD}---\n{UNREADABLE}---\n{{}}\n")
    first, second, third = yaml.safe_load(out)
    assert code == 1
    assert first == {"file": "standard input", "document": 1, "kind": "DeviceClass", "name": "npu", "admitted": True, "errors": []}
    assert second["errors"] == [{"field": "spec.selectors", "reason": "Unreadable", "message": "expected a list, got {}"}]
    assert (third["kind"], third["name"], third["admitted"]) == (None, None, False)


def test_minors_gates_and_labels(invoke: Invoke) -> None:
    """The options say which API server judges, and what the namespace is."""
    admin = BAD.replace("A_b", "npu").replace("device.attributes[", "true").replace("{deviceClassName", "{adminAccess: true, deviceClassName")
    assert invoke("validate", "-", stdin=admin)[0] == 1
    assert invoke("validate", "-", "--admin-access", stdin=admin) == (0, "", "")
    lists = GOOD.replace("device.driver == 'npu.rebellions.ai'", "device.attributes['a'].b.includes('c')")
    assert invoke("validate", "-", "--kubernetes", "1.36", "--feature-gates", "DRAListTypeAttributes=true", stdin=lists) == (0, "", "")
    assert invoke("validate", "-", "--kubernetes", "1.36", stdin=lists)[0] == 1


def test_strict(invoke: Invoke) -> None:
    """Unknown fields are errors when that is asked for."""
    slip = GOOD.replace("selectors", "selector")
    assert invoke("validate", "-", stdin=slip) == (0, "", "")
    code, out, _ = invoke("validate", "--strict", "-", stdin=slip)
    assert (code, "did you mean selectors?" in out) == (1, True)


SLIPS = """\
apiVersion: v1
kind: List
kind: List
items:
- apiVersion: resource.k8s.io/v1
  kind: DeviceClass
  metadata: {name: a, name: b, label: {}}
  spec: {selectors: 1, selector: []}
- apiVersion: resource.k8s.io/v1
  kind: DeviceClass
  metadata: {name: C}
  spec: {}
  spec: {config: [{opaque: {driver: a, params: {}}}]}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: npu}
spec: {}
spec: {}
"""


def test_strict_says_everything_with_its_place(invoke: Invoke) -> None:
    """Every key that is unknown or stands twice, and what the API server says besides."""
    code, out, _ = invoke("validate", "--strict", "-", stdin=SLIPS)
    known = "expected one of annotations, creationTimestamp"
    lines = [line.partition(known)[0] + (known if known in line else "") for line in out.splitlines()]
    assert code == 1
    assert lines[:4] == [
        "standard input: document 1, item 1: kind: DuplicateField: line 3, column 1: the key stands twice",
        "standard input: document 1, item 1: metadata.name: DuplicateField: line 7, column 23: the key stands twice",
        f"standard input: document 1, item 1: metadata.label: UnknownField: line 7, column 32: {known}",
        "standard input: document 1, item 1: spec.selectors: Unreadable: expected a list, got 1; did you mean [1]?",
    ]
    assert lines[4] == "standard input: document 1, item 2: spec: DuplicateField: line 13, column 3: the key stands twice"
    assert lines[5].startswith("standard input: document 1, item 2: spec.config[0].opaque.params: UnknownField: line 13, column 40: expected one of")
    assert lines[6].startswith("standard input: document 1, item 2: metadata.name: FieldValueInvalid: ")
    assert lines[7:] == [
        "standard input: document 1, item 2: spec.config[0].opaque.parameters: FieldValueRequired: Required value",
        "standard input: document 2: spec: DuplicateField: line 19, column 1: the key stands twice",
    ]


def test_strict_without_places(invoke: Invoke) -> None:
    """JSON that YAML cannot read has no lines."""
    text = json.dumps({**yaml.safe_load(GOOD), "extra": "\ud800"})
    assert invoke("validate", "--strict", "-", stdin=text)[1].startswith("standard input: document 1: extra: UnknownField: expected one of ")


def test_items_of_a_list_of_one_kind(invoke: Invoke) -> None:
    """They need not say their version and kind, as the API server leaves them out."""
    item = {key: value for key, value in yaml.safe_load(BAD).items() if key not in {"apiVersion", "kind"}}
    code, out, _ = invoke("validate", "-", stdin=json.dumps({"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimList", "items": [item]}))
    assert (code, out.splitlines()[0].startswith("standard input: document 1, item 1: spec.devices.requests[0].name: ")) == (1, True)


def test_advice(invoke: Invoke) -> None:
    """What is admitted and odd is a note on standard error, of all objects together, and part of the other forms; it is no error."""
    made = """\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: %s}
spec: {driver: npu.rebellions.ai, nodeName: %s, pool: {name: p, generation: 1, resourceSliceCount: 1}, devices: [{name: d, attributes: {%s}}]}
"""
    first, second = made % ("a", "node-a", "a: {int: 1}"), made % ("b", "node-b", "npu.rebellions.ai/a: {int: 1}")
    code, out, err = invoke("validate", "-", stdin=f"{UNREADABLE}---\n{first}---\n{second}")
    assert (code, out.count("\n")) == (1, 1)
    assert [line.partition(": document ")[2] for line in err.splitlines()] == [
        "3: spec.devices[0].attributes[npu.rebellions.ai/a]: the domain is the driver's own, which Kubernetes means to refuse; call it a",
        "3: spec.pool.name: the pool p of npu.rebellions.ai is on the node node-a already; name the pool of a node after the node",
    ]
    code, out, err = invoke("validate", "-", "-o", "json", stdin=f"{first}---\n{second}")
    reports = json.loads(out)
    assert (code, err, "advice" in reports[0]) == (0, "", False)
    assert [(each["code"], each["field"]) for each in reports[1]["advice"]] == [
        ("own-domain", "spec.devices[0].attributes[npu.rebellions.ai/a]"),
        ("shared-pool", "spec.pool.name"),
    ]


STORED = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: npu, namespace: default, resourceVersion: "7", uid: u}
spec: {devices: {requests: [{name: npu, exactly: {deviceClassName: npu}}]}}
"""
UPDATE = STORED.replace(', namespace: default, resourceVersion: "7", uid: u', "")


def written(folder: Path, *texts: str) -> str:
    """Write documents to a file and give its path."""
    file = folder / "stored.yaml"
    file.write_text("---\n".join(texts), encoding="utf-8")
    return str(file)


def test_updates(invoke: Invoke, tmp_path: Path) -> None:
    """Objects are held to what is stored: what cannot change is an error, and the request need not say its resource version."""
    old = written(tmp_path, STORED, GOOD, OTHER, STORED.replace("name: npu,", "name: other,", 1).replace("default", "elsewhere"))
    assert invoke("validate", "-", "--old", old, stdin=f"{UPDATE}---\n{GOOD}---\n{STORED}") == (0, "", "")
    assert invoke("validate", "-", "--old", old, stdin=UPDATE.replace("{name: npu}", "{name: other}")) == (0, "", "")
    code, out, err = invoke("validate", "-", "--old", old, stdin=UPDATE.replace("deviceClassName: npu", "deviceClassName: b"))
    assert (code, err) == (1, "")
    assert out.startswith("standard input: document 1: spec: FieldValueInvalid: Invalid value: ")
    assert out.endswith("field is immutable\n")


def test_updates_with_repeated_keys(invoke: Invoke, tmp_path: Path) -> None:
    """They are put together before they are compared."""
    value = yaml.safe_load(UPDATE)
    text = json.dumps(value).replace('"spec": ', '"metadata": {"labels": {"a": "b"}}, "spec": {"devices": {"requests": [{"name": "old"}]}}, "spec": ')
    assert invoke("validate", "-", "--old", written(tmp_path, STORED), stdin=text) == (0, "", "")


def test_what_is_stored_may_come_from_several_files(invoke: Invoke, tmp_path: Path) -> None:
    """And from standard input, if the objects do not."""
    new = tmp_path / "new.yaml"
    new.write_text(f"{UPDATE}---\n{GOOD}", encoding="utf-8")
    assert invoke("validate", str(new), "--old", written(tmp_path, STORED), "--old", "-", stdin=GOOD) == (0, "", "")


def test_updates_that_cannot_be_read(invoke: Invoke, tmp_path: Path) -> None:
    """What is no object is said to be so, whatever is stored."""
    code, out, _ = invoke("validate", "-", "--old", written(tmp_path, GOOD), stdin=UNREADABLE)
    assert (code, out) == (1, "standard input: document 1: spec.selectors: Unreadable: expected a list, got {}\n")


TWICE = STORED.replace("default", "a"), STORED.replace("default", "b")


@pytest.mark.parametrize(
    ("stored", "new", "said"),
    [
        ((GOOD,), UPDATE, "standard input: document 1: ResourceClaim default/npu is not in {old}, so it is no update; leave --old out"),
        ((STORED,), GOOD, "standard input: document 1: DeviceClass npu is not in {old}"),
        ((STORED,), UPDATE.replace("{name: npu}", "{name: npu, namespace: b}"), "document 1: ResourceClaim b/npu is not in {old}"),
        ((STORED,), UPDATE.replace("{name: npu}", "{generateName: npu-}"), "document 1: this ResourceClaim has no name, by which --old could"),
        (TWICE, UPDATE, "standard input: document 1: ResourceClaim npu says no namespace, and stands in several in {old}"),
        ((STORED, STORED), UPDATE, "{old}: document 2: ResourceClaim default/npu stands in {old}: document 1 already"),
        ((GOOD.replace("{name: npu}", "{}"),), GOOD, "{old}: document 1: a stored object has a name; this DeviceClass has none"),
        ((UNREADABLE,), GOOD, "{old}: document 1: spec.selectors: expected a list, got {{}}"),
        (("{",), GOOD, "{old}: line 1, column 2: expected JSON"),
    ],
    ids=["missing", "another kind", "another namespace", "no name", "two namespaces", "twice", "stored without name", "unreadable", "no text"],
)
def test_what_is_no_update(invoke: Invoke, tmp_path: Path, stored: tuple[str, ...], new: str, said: str) -> None:
    """One line of error that names the object and the file."""
    old = written(tmp_path, *stored)
    code, out, err = invoke("validate", "-", "--old", old, stdin=new)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said.format(old=old) in err


def test_updates_of_a_status(invoke: Invoke, tmp_path: Path) -> None:
    """Only the status of claims counts, which no other object has."""
    old = written(tmp_path, STORED, GOOD)
    result = "{request: npu, driver: npu.rebellions.ai, pool: node-atom, device: vfio-0000-27-00-0}"
    update = f"{UPDATE.replace('deviceClassName: npu', 'deviceClassName: B_')}status: {{allocation: {{devices: {{results: [{result}]}}}}}}\n"
    code, out, err = invoke("validate", "-", "--old", old, "--subresource", "status", stdin=f"{update}---\n{GOOD}")
    assert (code, out) == (0, "")
    assert err == "rbln-dra: note: standard input: document 2: DeviceClass has no status, not looked at\n"
    code, out, _ = invoke("validate", "-", "--old", old, "--subresource", "status", stdin=update.replace("request: npu", "request: other"))
    assert (code, out.startswith("standard input: document 1: status.allocation.devices.results[0].request: FieldValueInvalid: ")) == (1, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-", "--subresource", "status"], "--subresource status needs --old FILE: a status is only ever updated"),
        (["-", "--old", "-"], "standard input can be read once; give one of the files a name"),
        (["-", "--old", "x", "--subresource", "scale"], "argument --subresource: invalid choice: 'scale'"),
    ],
)
def test_options_that_do_not_go_together(invoke: Invoke, options: list[str], said: str) -> None:
    """One line of error."""
    code, out, err = invoke("validate", *options, stdin=GOOD)
    assert (code, out, err.startswith(f"rbln-dra: error: {said}")) == (2, "", True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "rbln-dra: error: standard input: is empty\n"),
        ("---\n---\n", "rbln-dra: error: standard input: is empty\n"),
        ('name: "a\n', "standard input: line 2"),
    ],
    ids=["empty", "nothing", "unclosed quote"],
)
def test_files_that_cannot_be_read(invoke: Invoke, text: str, said: str) -> None:
    """A file without objects is one line of error, with the line in the file."""
    code, out, err = invoke("validate", "-", stdin=text)
    assert (code, out, said in err, err.count("\n")) == (2, "", True, 1)


def test_a_file_that_is_not_there(invoke: Invoke) -> None:
    """So is one that is not there."""
    code, out, err = invoke("validate", "/nowhere.yaml")
    assert (code, out, err) == (2, "", "rbln-dra: error: /nowhere.yaml: cannot be read: No such file or directory\n")
