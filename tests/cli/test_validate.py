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
