"""`rbln-dra select`: a verdict per device, why, and the exit code."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
import yaml

A = 'device.attributes["npu.rebellions.ai"]'
R = 'device.attributes["resource.kubernetes.io"]'


#: Run a command: exit code, standard output, standard error.
Invoke = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("expression", "code", "verdict", "why"),
    [
        (f'{A}.productName == "RBLN-CR13"', 0, "match", 'productName is "RBLN-CR13"'),
        (f'{A}.productName == "RBLN-CA25"', 1, "no match", 'productName is "RBLN-CR13"'),
        (f"{R}.numaNode == 1", 1, "no match", "resource.kubernetes.io/numaNode is 0"),
        (f"{A}.vf", 1, "no match", "vf is false"),
        ('device.driver == "gpu.example.com"', 1, "no match", 'device.driver is "npu.rebellions.ai"'),
        (f"{A}.numaNode == 0", 2, "ERROR", "no such key: numaNode; did you mean resource.kubernetes.io/numaNode or dra.net/numaNode?"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_verdicts(invoke: Invoke, expression: str, code: int, verdict: str, why: str) -> None:
    """One row per device says verdict and reason; the exit code says whether one matches."""
    got, out, err = invoke("select", "--tree", "rebel100", expression)
    assert (got, err) == (code, "")
    header, row = out.splitlines()
    assert header.split() == ["NAME", "POOL", "VERDICT", "WHY"]
    name, pool, given, reason = [cell.strip() for cell in row.split("   ") if cell.strip()]
    assert (name, pool, given) == ("vfio-0000-27-00-0", "node-rebel100", verdict)
    assert reason.startswith(why)


def test_slices_say_the_same(invoke: Invoke) -> None:
    """The verdicts on the fixture and on what kubectl prints for it are the same."""
    expression = f'{A}.productName == "RBLN-CA25" && {R}.pcieRoot == "pci0000:20"'
    scanned = invoke("select", "--tree", "atom", expression)
    _, slices, _ = invoke("devices", "--tree", "atom", "-o", "json")
    assert invoke("select", "--slices", "-", expression, stdin=slices) == scanned
    assert scanned[0] == 0
    assert scanned[1].count(" match ") == 16
    assert scanned[1].count(" no match ") == 8


def test_an_error_beside_matches(invoke: Invoke) -> None:
    """One ERROR makes the exit code 2, matches or not, since Kubernetes allocates nothing then."""
    text = json.dumps(
        [
            {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceSlice",
                "metadata": {"name": "a"},
                "spec": {
                    "driver": "npu.rebellions.ai",
                    "nodeName": "a",
                    "pool": {"name": "a", "generation": 1, "resourceSliceCount": 1},
                    "devices": [{"name": "d0", "attributes": {"x": {"int": 1}}}, {"name": "d1"}, {"name": "d2", "attributes": {"x": {"int": 2}}}],
                },
            }
        ]
    )
    code, out, _ = invoke("select", "--slices", "-", f"{A}.x == 1", stdin=text)
    assert code == 2
    assert [re.split(" {3,}", line)[2] for line in out.splitlines()[1:]] == ["match", "ERROR", "no match"]
    assert invoke("select", "--slices", "-", f"has({A}.x) && {A}.x == 1", "-o", "name", stdin=text) == (0, "npu.rebellions.ai/a/d0\n", "")


def test_wide(invoke: Invoke) -> None:
    """The wide form shows the value of every sub-expression."""
    code, out, _ = invoke("select", "--tree", "rebel100", f'{A}.type == "npu" && {A}.vf', "-o", "wide")
    assert code == 1
    assert [line.split("   ")[-1].strip() for line in out.splitlines()[2:]] == ["false", "false", '"vfio"', "not evaluated"]


@pytest.mark.parametrize("form", ["json", "yaml"])
def test_document(invoke: Invoke, form: str) -> None:
    """As a document each verdict has its reasons, cost, steps, and an error with its hint."""
    code, out, _ = invoke("select", "--tree", "rebel100", f"{A}.productname == 'x'", "-o", form)
    assert code == 2
    document: dict[str, Any] = json.loads(out) if form == "json" else yaml.safe_load(out)
    (device,) = document["devices"]
    assert device["verdict"] == "ERROR"
    assert device["error"] == "no such key: productname"
    assert device["hint"].startswith("did you mean productName?")
    assert device["steps"][0]["result"] == "ERROR no such key: productname"
    assert device["cost"] > 0


def test_environment(invoke: Invoke) -> None:
    """Minor, gates and environment decide what compiles."""
    sorting = "[2, 1].sort() == [1, 2]"
    assert invoke("select", "--tree", "rebel100", sorting, "--kubernetes", "1.34")[0] == 0
    assert invoke("select", "--tree", "rebel100", sorting, "--kubernetes", "1.34", "--expressions", "new")[0] == 2
    includes = f"{R}.numaNode.includes(0)"
    assert invoke("select", "--tree", "rebel100", includes, "--kubernetes", "v1.36.2", "--expressions", "new")[0] == 2
    gate = ("--feature-gates", "DRAListTypeAttributes=true")
    assert invoke("select", "--tree", "rebel100", includes, "--kubernetes", "1.36", "--expressions", "new", *gate)[0] == 0


def test_no_devices(invoke: Invoke) -> None:
    """Without a device nothing matches."""
    assert invoke("select", "true", "--tree", "rebel100", "--profile", "0.1.0") == (1, "", "No devices found.\n")


def test_the_selector_is_read_before_the_devices(invoke: Invoke) -> None:
    """A selector that does not compile is an error whatever the source."""
    code, _, err = invoke("select", "--sysfs", "/nowhere", "device.")
    assert code == 2
    assert "does not compile" in err


def test_names(invoke: Invoke) -> None:
    """The names of what matches, one a line; of several errors the first is told as a remark, unless it shall be quiet."""
    expression = f'{A}.productName == "RBLN-CA25" && {R}.pcieRoot == "pci0000:20"'
    code, out, err = invoke("select", "--tree", "atom", expression, "-o", "name")
    _, table, _ = invoke("select", "--tree", "atom", expression)
    matching = [line.split()[0] for line in table.splitlines() if re.search(" {3}match ", line)]
    assert (code, err, [line.rpartition("/")[2] for line in out.splitlines()]) == (0, "", matching)
    assert len(matching) == 8
    assert out.splitlines()[0].startswith("npu.rebellions.ai/node-atom/vfio-0000-")
    assert invoke("select", "--tree", "atom", "false", "-o", "name") == (1, "", "")
    said = "rbln-dra: note: npu.rebellions.ai/node-rebel100/vfio-0000-27-00-0: ERROR division by zero"
    code, out, err = invoke("select", "--tree", "rebel100", "1 / 0 == 1", "-o", "name")
    assert (code, out, err[: len(said)], err.count("\n")) == (2, "", said, 1)
    assert invoke("select", "--tree", "rebel100", "1 / 0 == 1", "-o", "name", "-q") == (2, "", "")


def test_a_selector_that_begins_with_a_minus(invoke: Invoke) -> None:
    """Behind two dashes, a selector may begin with a minus."""
    assert invoke("select", "--tree", "rebel100", "-o", "name", "--", "-1==-1")[0] == 0


@pytest.mark.parametrize("form", ["table", "wide"])
def test_huge_literals(invoke: Invoke, form: str) -> None:
    """A huge literal does not fill the lines; its beginning and the end of the sentence stand there."""
    huge = "a" * 3000
    expression = f"'{huge}'.size() == 3 || {A}.productName == '{huge}'"
    code, out, _ = invoke("select", "--tree", "rebel100", expression, "-o", form)
    assert code == 1
    assert max(map(len, out.splitlines())) < 500
    assert "…" in out
    assert 'productName is "RBLN-CR13"' in out
    assert huge in invoke("select", "--tree", "rebel100", expression, "-o", "json")[1]
