"""
Room: a sysfs in a dictionary and one laid over another.

May touch: `memory`, and a folder to compare with.
"""

from __future__ import annotations

import errno
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from rbln_dra.discovery.access import PAGE, Entry, Fault, HostSysfs, Link, Sysfs
from rbln_dra.discovery.memory import MemorySysfs, OverlaySysfs
from rbln_dra.discovery.trees import Tree
from rbln_dra.errors import DiscoveryError

ENTRIES: dict[str, Entry] = {
    "devices/a/file": "text\n",
    "devices/a/up": Link("../b"),
    "devices/b/": "",
    "bus/a": Link("../devices/a"),
    "bus/dangling": Link("../nowhere"),
    "bus/self": Link("self"),
    "bus/ping": Link("pong"),
    "bus/pong": Link("ping"),
    "bus/dots": Link("./../bus/../devices/./a/"),
}

READS = [
    "devices/a/file",
    "bus/a/file",
    "bus/dots/file",
    "bus/a",
    "bus/a/up",
    "bus/a/up/file",
    "bus/dangling",
    "bus/dangling/file",
    "bus/self",
    "bus/self/file",
    "bus/ping",
    "devices/a/file/below",
    "devices/absent",
    "devices/b",
    "",
    ".",
    "devices/a/../b",
]


def outcome(read: Callable[[str], object], path: str) -> object:
    """Give what a read gives: its value, or its errno."""
    try:
        return read(path)
    except OSError as error:
        return Fault.of(error)


@pytest.mark.parametrize("path", READS)
@pytest.mark.parametrize("kind", ["read_text", "read_link", "list_dir"])
def test_memory_reads_as_a_disk_does(tmp_path: Path, kind: str, path: str) -> None:
    """Values and errors are those that the kernel gives for a folder with the same in it."""
    tree = Tree(ENTRIES)
    tree.write(tmp_path / "sys")
    assert outcome(getattr(tree, kind), path) == outcome(getattr(HostSysfs(tmp_path / "sys"), kind), path)


@pytest.mark.parametrize("path", ["../x", "devices/../../x", "absolute"])
def test_nothing_leads_out_of_a_tree(path: str) -> None:
    """A path above the root, and an absolute link, find nothing."""
    sysfs = MemorySysfs({"absolute": Link("/etc/passwd"), "x": "in\n"})
    assert outcome(sysfs.read_text, path) == Fault.parse("ENOENT")


def test_a_file_beyond_a_page_is_not_read() -> None:
    """The bound of a file holds for values too, in bytes."""
    sysfs = MemorySysfs({"fits": "x" * PAGE, "long": "x" * (PAGE + 1), "wide": "é" * PAGE})
    assert len(sysfs.read_text("fits")) == PAGE
    assert outcome(sysfs.read_text, "long") == outcome(sysfs.read_text, "wide") == Fault(errno.EFBIG)


def test_a_fault_is_raised_anew_each_time() -> None:
    """An exception given as an entry is kept as a value, so that its traceback does not grow."""
    original = PermissionError("mine")
    sysfs = MemorySysfs({"x": original})
    assert sysfs.entries == {"x": Fault(errno.EACCES)}
    with pytest.raises(PermissionError) as caught:
        sysfs.read_text("x")
    assert caught.value is not original


@pytest.mark.parametrize(
    "entries",
    [
        pytest.param({"a": "", "a/b": ""}, id="a file on the way"),
        pytest.param({"a/b": "", "a": ""}, id="a directory where a file should be"),
        pytest.param({"a": "", "/a": ""}, id="the same path twice"),
        pytest.param({"": ""}, id="a file in place of the root"),
        pytest.param({"a": Link("b"), "a/c/": ""}, id="a link on the way"),
        pytest.param({"../x": ""}, id="a way out"),
        pytest.param({"a/./x": ""}, id="a path that is not plain"),
        pytest.param({"/": ""}, id="the root"),
    ],
)
def test_entries_that_cannot_stand_together_are_refused(entries: dict[str, Entry]) -> None:
    """A tree that no disk can hold is an error at once."""
    with pytest.raises(DiscoveryError):
        MemorySysfs(entries)


BASE = MemorySysfs(ENTRIES)


@pytest.mark.parametrize(
    ("entries", "path", "text"),
    [
        pytest.param({}, "bus/a/file", "text\n", id="nothing replaced"),
        pytest.param({"devices/a/file": "new\n"}, "bus/a/file", "new\n", id="replaced by its place, read by a link"),
        pytest.param({"bus/a/file": "new\n"}, "devices/a/file", "new\n", id="replaced by a link, read by its place"),
        pytest.param({"bus/a/added": "new\n"}, "devices/a/added", "new\n", id="added"),
        pytest.param({"bus/a": Link("../other"), "other/file": "new\n"}, "bus/a/file", "new\n", id="a link replaced"),
        pytest.param({"devices/a/file": Link("../c"), "devices/c": "new\n"}, "bus/a/file", "new\n", id="a file replaced by a link"),
        pytest.param({"bus/a": Link("../devices/../devices/./a")}, "bus/a/file", "text\n", id="a link with dots"),
        pytest.param({"bus/a/file": FileNotFoundError()}, "bus/a/file", Fault(errno.ENOENT), id="taken away"),
        pytest.param({"bus/a": OSError(errno.EIO, "")}, "bus/a/file", Fault(errno.EIO), id="a fault above"),
        pytest.param({"devices/a": PermissionError()}, "bus/a/file", Fault(errno.EACCES), id="a fault at the place of a link"),
        pytest.param({"bus/a": Link("a")}, "bus/a/file", Fault(errno.ELOOP), id="a loop laid over"),
        pytest.param({"x": "y" * (PAGE + 1)}, "x", Fault(errno.EFBIG), id="beyond a page"),
        pytest.param({}, "bus/self/x", Fault(errno.ELOOP), id="a loop below"),
    ],
)
def test_an_overlay_replaces_entries(entries: dict[str, Entry | OSError], path: str, text: object) -> None:
    """An entry of the overlay counts on every way to its place, and what it does not name is as below."""
    assert outcome(OverlaySysfs(BASE, entries).read_text, path) == text


def test_an_overlay_has_links() -> None:
    """A link is read from the overlay, or from below; a file laid over is no link."""
    sysfs: Sysfs = OverlaySysfs(BASE, {"bus/new": Link("target"), "bus/dangling": "a file now\n"})
    assert sysfs.read_link("bus/new") == "target"
    assert sysfs.read_link("bus/a") == "../devices/a"
    assert outcome(sysfs.read_link, "bus/dangling") == Fault(errno.EINVAL)


@pytest.mark.parametrize(
    ("entries", "path", "names"),
    [
        pytest.param({"bus/b": "x"}, "bus", ("a", "b", "dangling", "dots", "ping", "pong", "self"), id="a name added"),
        pytest.param({"bus/a": FileNotFoundError()}, "bus", ("a", "dangling", "dots", "ping", "pong", "self"), id="a faulty name is listed still"),
        pytest.param({"bus/gone": FileNotFoundError()}, "bus", ("a", "dangling", "dots", "ping", "pong", "self"), id="a fault adds no name"),
        pytest.param({"new/x": "x"}, "new", ("x",), id="a directory that only the overlay has"),
        pytest.param({"new/x/y": "x", "newer/z": "x"}, "new", ("x",), id="a directory in one that only the overlay has"),
        pytest.param({"bus/new/x": "x"}, "bus", ("a", "dangling", "dots", "new", "ping", "pong", "self"), id="a directory added"),
        pytest.param({"devices/a/x": "x"}, "bus/a", ("file", "up", "x"), id="through a link"),
        pytest.param({"bus": "a file now"}, "bus", Fault(errno.ENOTDIR), id="a file in its place"),
        pytest.param({}, "absent", Fault(errno.ENOENT), id="not there"),
    ],
)
def test_an_overlay_lists(entries: dict[str, Entry | OSError], path: str, names: object) -> None:
    """A directory lists what is below and what is laid over; what vanished in between stays listed."""
    assert outcome(OverlaySysfs(BASE, entries).list_dir, path) == names


def test_a_file_of_binary_garbage_is_kept_as_it_was_read(tmp_path: Path) -> None:
    """What a disk gives for bytes that are no text fits into a page as a value as well."""
    (tmp_path / "class").write_bytes(b"\xff" * PAGE)
    text = HostSysfs(tmp_path).read_text("class")
    assert MemorySysfs({"class": text}).read_text("class") == text


def test_a_tree_is_a_value() -> None:
    """Trees with equal entries are equal, hash alike, survive a pickle, and cannot be changed."""
    entries: dict[str, Entry] = {"a": "1\n", "b": Link("a"), "c": Fault.of(PermissionError())}
    one, other = MemorySysfs(entries), MemorySysfs(dict(reversed(entries.items())))
    assert one == other
    assert hash(one) == hash(other)
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(TypeError):
        one.entries["d"] = ""  # type: ignore[index]  # pyright: ignore[reportIndexIssue]
