"""The command line as a whole: errors are one line, and it ends well however it ends."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rbln_dra import __version__
from rbln_dra.cli import main
from rbln_dra.cli.sources import host_node
from rbln_dra.cli.table import shortened, table

NODE = ("--tree", "rebel100")


#: Run a command: exit code, standard output, standard error.
Invoke = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "the following arguments are required: COMMAND (see rbln-dra --help)"),
        (("device",), "argument COMMAND: invalid choice: 'device'"),
        (("devices", "--bad"), "unrecognized arguments: --bad (see rbln-dra"),
        (("devices", "-o", "xml"), "argument -o/--output: invalid choice: 'xml'"),
        (("devices", "--tree", "atom", "--sysfs", "/x"), "argument --sysfs: not allowed with argument --tree (see rbln-dra devices --help)"),
        (("devices", "--sysfs", "/nowhere"), "/nowhere: no bus/pci/devices there"),
        (("devices", "--sysfs", "/no\x00where"), r"/no\x00where: "),
        (("devices", "--tree", "reble100"), "reble100: no such tree"),
        (("devices", "--tree", "atom", "--profile", "0.0.1"), "expected a generation of the NPU DRA driver"),
        (("devices", "--slices", "/nowhere"), "/nowhere: cannot be read: No such file or directory"),
        (("devices", "--slices", "-"), "standard input: is empty; give it what kubectl get resourceslices -o json prints"),
        (("devices", "--sysfs", ""), "argument --sysfs: is empty"),
        (("devices", "--tree", ""), "argument --tree: is empty"),
        (("devices", "--slices", ""), "argument --slices: is empty"),
        (("devices", *NODE, "--node", ""), "argument --node: expected an object name such as node-1, got '': Required value"),
        (("devices", *NODE, "--node", "Node A"), "argument --node: expected an object name such as node-1, got 'Node A': a lowercase RFC 1123"),
        (("devices", *NODE, "--node", "a\nb"), r"argument --node: expected an object name such as node-1, got 'a\nb': "),
        (("devices", *NODE, "--driver", "vfio_pci"), "argument --driver: expected a driver name such as npu.rebellions.ai, got 'vfio_pci': "),
        (("devices", "--slices", "-", "--node", "a"), "--node says nothing about --slices"),
        (("devices", "--slices", "-", "--profile", "0.1.0"), "--profile says nothing about --slices"),
        (("select", "--tree", "atom"), "the following arguments are required: EXPR"),
        (("select", "device.vendor == 1", *NODE), "the selector does not compile: line 1, column 7: undefined field 'vendor'"),
        (("select", "(" * 300 + "1", *NODE), "the selector does not compile: expression recursion limit exceeded: 250"),
        (("select", "'a'", *NODE), "must evaluate to bool or the unknown type, not string"),
        (("select", "true", *NODE, "--kubernetes", "1.2"), "expected a Kubernetes minor from 1.34 to 1.37, got '1.2'"),
        (("select", "true", *NODE, "--feature-gates", "Foo=true"), "expected "),
        (("select", "true", *NODE, "--feature-gates", "DRAListTypeAttributes"), "expected feature gates such as"),
        (("select", "true", *NODE, "--expressions", "old"), "argument --expressions: invalid choice: 'old'"),
    ],
    ids=lambda value: ascii(value)[:50],
)
def test_errors(invoke: Invoke, arguments: tuple[str, ...], message: str) -> None:
    """Whatever is wrong with the arguments or the source is one line on standard error, exit code 2, and nothing on standard output."""
    code, out, err = invoke(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"rbln-dra: error: {message}")
    assert err.endswith("\n")
    assert err[:-1].isprintable()


BEHIND = "; what begins with a minus and is no option comes last, after --: -- "


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("devices", "-o", "jsn"), "did you mean json?"),
        (("devics",), "did you mean devices?"),
        (("select", "true", "--expressions", "nw"), "did you mean new?"),
        (("publish", "-o", "jason"), "did you mean json?"),
        (("allocate", "claim.yaml", "-o", "tables"), "did you mean table?"),
        (("devices", *NODE, "--profile", "document"), "did you mean documented?"),
        (("devices", *NODE, "--profile", "b5e360"), "did you mean b5e360f?"),
        (("select", "true", *NODE, "--feature-gates", "DRAListTypeAttribute=true"), "did you mean DRAListTypeAttributes?"),
        (("devices", "--outptu=json"), "unrecognized arguments: --outptu=json; did you mean --output?"),
        (("select", "--kube-rnetes", "1.36", "true"), "unrecognized arguments: --kube-rnetes true; did you mean --kubernetes?"),
        (("devices", "-o", "x"), "'yaml') (see rbln-dra devices --help)"),
        (("select", "true", "-x"), "unrecognized arguments: -x (see rbln-dra select --help)"),
        (("select", *NODE, "-1==-1"), f"required: EXPR{BEHIND}-1==-1 (see"),
        (("select", "-(1)==-1", *NODE), f"required: EXPR{BEHIND}'-(1)==-1' (see"),
        (("select", *NODE, "--1==1"), f"required: EXPR{BEHIND}--1==1 (see"),
        (("select", "-1==-1", "-o", "x"), f"{BEHIND}-1==-1 (see"),
        (("devices", "-1==-1"), "unrecognized arguments: -1==-1 (see"),
        (("select", "-o", "x", "--", "-1==-1"), "'yaml') (see"),
    ],
    ids=" ".join,
)
def test_what_was_meant(invoke: Invoke, arguments: tuple[str, ...], said: str) -> None:
    """A slip in a choice, an option or a name gives the near one; a selector that begins with a minus, how to pass it."""
    code, out, err = invoke(*arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err.replace("choose from table, wide, name, json, yaml", "choose from 'table', 'wide', 'name', 'json', 'yaml'")


@pytest.mark.parametrize("text", ["", " \n"], ids=["empty", "blank"])
def test_an_empty_file(invoke: Invoke, tmp_path: Path, text: str) -> None:
    """An empty file of slices is named."""
    path = tmp_path / "slices.json"
    path.write_text(text)
    assert invoke("devices", "--slices", f"{path}") == (
        2,
        "",
        f"rbln-dra: error: {path}: is empty; give it what kubectl get resourceslices -o json prints\n",
    )


def test_a_file_without_slices(invoke: Invoke, tmp_path: Path) -> None:
    """A file that holds something else is named, too."""
    path = tmp_path / "pods.yaml"
    path.write_text("kind: Pod\n")
    code, _, err = invoke("devices", "--slices", f"{path}")
    assert (code, err) == (
        2,
        f"rbln-dra: error: {path}: expected a ResourceSlice, or a list of them, got 'Pod'; kubectl get resourceslices -o json prints them\n",
    )


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "a: [",
        "null",
        "{}",
        "5",
        '"text"',
        "{}\n{}",
        "\ufeff{",
        "kind: Pod",
        '{"kind": "ResourceSlice", "spec": {"driver": "npu.rebellions.ai", "devices": [{"name": 5}]}}',
    ],
    ids=repr,
)
def test_no_slices(invoke: Invoke, text: str) -> None:
    """What is no ResourceSlice, or none that can be read, is one line as well."""
    for command in (("devices",), ("inventory",), ("select", "true")):
        code, out, err = invoke(*command, "--slices", "-", stdin=text)
        assert (code, out) == (2, "")
        assert err.startswith("rbln-dra: error: ")
        assert err[:-1].isprintable()


def test_file(invoke: Invoke, tmp_path: Path) -> None:
    """A file is a file, whatever its name looks like."""
    _, text, _ = invoke("devices", *NODE, "-o", "yaml")
    file = tmp_path / "{odd}\nname"
    file.write_text(text)
    assert invoke("inventory", "--slices", str(file)) == (0, "node-rebel100   1   vfio-0000-27-00-0\n", "")
    file.write_bytes(b"\xff\xfe\x00")
    assert invoke("inventory", "--slices", str(file))[0] == 2


def python(*arguments: str, encoding: str = "utf-8") -> subprocess.Popen[bytes]:
    """Start `python -m rbln_dra` on a terminal of some encoding."""
    pipe = subprocess.PIPE
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.Popen([sys.executable, "-m", "rbln_dra", *arguments], stdin=pipe, stdout=pipe, stderr=pipe, env=environment)


def test_module() -> None:
    """`python -m rbln_dra` is the command, with its exit code."""
    process = python("inventory", "--tree", "rebel100")
    out, err = process.communicate()
    assert (process.returncode, out, err) == (0, b"node-rebel100   1   vfio-0000-27-00-0\n", b"")


def test_bytes_that_are_no_text() -> None:
    """Input that is no UTF-8 is an error like any other."""
    process = python("devices", "--slices", "-")
    out, err = process.communicate(b"\xff\xfe\xff")
    assert (process.returncode, out) == (2, b"")
    assert err.startswith(b"rbln-dra: error: ")


def test_output_that_the_terminal_has_not() -> None:
    """An argument or a value that the output's encoding has not is escaped, not a traceback."""
    process = python("select", "--tree", "rebel100", "'™' == '\udcff'", encoding="ascii")
    out, err = process.communicate()
    assert process.returncode in {1, 2}
    assert b"Traceback" not in err
    assert out + err


def test_broken_pipe() -> None:
    """A reader that has enough ends the command quietly, as the shell's own signal would."""
    process = python("devices", "--tree", "atom")
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate()
    assert (process.returncode, err) == (141, b"")


def test_interrupt(tmp_path: Path) -> None:
    """Ctrl-C ends the command without a traceback, with the shell's code for it."""
    queue = tmp_path / "slices"
    os.mkfifo(queue)
    process = python("devices", "--slices", str(queue))
    with queue.open("wb"):  # opens as soon as the command reads
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
    assert (process.returncode, err) == (130, b"")


def test_broken_pipe_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same in this process: what is still buffered goes nowhere."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        assert main(["devices", "--tree", "atom"]) == 141
        stdout.write("more")


class Full(io.StringIO):
    """A stream without a file whose device has no room left."""

    def write(self, text: str, /) -> int:
        """Fail as the kernel does."""
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), text)


@pytest.mark.parametrize("command", [("devices", "--tree", "atom"), ("select", "--tree", "atom", "false")], ids=" ".join)
def test_output_that_cannot_be_written(command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A full disk, or no standard output at all, is an error, told apart from "no device matches"."""
    for stdout, reason in ((Full(), "No space left on device"), (None, "it is closed")):
        monkeypatch.setattr(sys, "stdout", stdout)
        assert main(command) == 2
        assert capsys.readouterr().err == f"rbln-dra: error: standard output: cannot be written: {reason}\n"


@pytest.mark.parametrize("stream", [Full(), None], ids=["full", "closed"])
def test_remarks_that_cannot_be_written(stream: io.StringIO | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where remarks and errors cannot be printed, results and exit codes are what they are."""
    monkeypatch.setattr(sys, "stderr", stream)
    assert main(["inventory", "--tree", "mixed"]) == 0
    assert capsys.readouterr().out == "node-mixed   22   rbln0\n"
    assert main(["inventory", "--tree", "nowhere"]) == 2


def test_no_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A process that was started without a standard input says so when it is to read it."""
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["devices", "--slices", "-"]) == 2
    assert capsys.readouterr() == ("", "rbln-dra: error: standard input: cannot be read: it is closed\n")


def test_full_disk() -> None:
    """The same from outside: one line, no traceback at the interpreter's end either."""
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run([sys.executable, "-m", "rbln_dra", "inventory", "--tree", "atom"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (process.returncode, process.stderr) == (2, b"rbln-dra: error: standard output: cannot be written: No space left on device\n")


class Interrupted(io.StringIO):
    """A terminal at which Ctrl-C is pressed."""

    def read(self, size: int | None = -1, /) -> str:
        """Be interrupted."""
        raise KeyboardInterrupt(size)


def test_interrupt_here(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The same in this process."""
    monkeypatch.setattr(sys, "stdin", Interrupted())
    assert main(["devices", "--slices", "-"]) == 130
    assert capsys.readouterr() == ("", "")


def test_streams_of_another_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Streams that are no files are left as they are."""
    stdout = io.StringIO()
    monkeypatch.setattr(sys, "stdout", stdout)
    assert main(["inventory", "--tree", "rebel100"]) == 0
    assert stdout.getvalue() == "node-rebel100   1   vfio-0000-27-00-0\n"


def test_no_yaml(invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without PyYAML the YAML form says what to install."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    assert invoke("devices", *NODE, "-o", "yaml") == (2, "", "rbln-dra: error: -o yaml needs the package PyYAML: pip install PyYAML\n")


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    """Every command describes itself, with its exit codes and examples."""
    for command in ("devices", "inventory", "select"):
        with pytest.raises(SystemExit) as caught:
            main([command, "--help"])
        assert caught.value.code == 0
        out = capsys.readouterr().out
        assert "exit codes:" in out
        assert "examples:" in out
        assert "--slices" in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """The version is the package's."""
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"rbln-dra {__version__}\n"


def test_main_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """`main` prints to the process's own streams and gives the exit code."""
    assert main(["inventory", "--tree", "rebel100"]) == 0
    assert capsys.readouterr().out == "node-rebel100   1   vfio-0000-27-00-0\n"
    assert main(["inventory", "--tree", "nowhere"]) == 2
    assert capsys.readouterr().err.startswith("rbln-dra: error: nowhere: ")


def test_node_of_this_host() -> None:
    """This host's node has its host name, as the kubelet registers it; another sysfs is another host's."""
    assert host_node("/sys", "Node-1") == host_node("/sys/", "node-1") == "node-1"
    assert host_node("/sys", "") is None
    assert host_node("/host/sys", "pod") is None


@pytest.mark.parametrize(
    ("length", "most", "expected"),
    [(7, 7, "abcdefg"), (8, 7, "abcd…gh"), (26, 10, "abcdef…xyz"), (0, 7, "")],
    ids=["fits", "one more", "long", "nothing"],
)
def test_long_cells(length: int, most: int, expected: str) -> None:
    """Of what is too long for a cell, the middle is left out."""
    assert shortened("abcdefghijklmnopqrstuvwxyz"[:length], most) == expected


def test_table_without_rows() -> None:
    """A table without rows is its headers, or nothing."""
    assert table([], ["A", "B"]) == ["A   B"]
    assert table([]) == []
