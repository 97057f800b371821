"""
Room: a sysfs on a disk, and the values that may stand at a path.

May touch: `access`, temporary folders.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from rbln_dra.discovery.access import PAGE, Fault, HostSysfs, Sysfs
from rbln_dra.discovery.memory import MemorySysfs, OverlaySysfs
from rbln_dra.errors import InvalidValue


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with a file, a link, a loop, garbage, a page, more than a page, an empty file and a pipe."""
    (tmp_path / "file").write_text("0x1eff\n")
    (tmp_path / "garbage").write_bytes(b"\xff\x00\xfe")
    (tmp_path / "page").write_bytes(b"x" * PAGE)
    (tmp_path / "long").write_bytes(b"x" * (PAGE + 1))
    (tmp_path / "huge").write_bytes(b"\x00" * 10_000_000)
    (tmp_path / "empty").touch()
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("file", "0x1eff\n", id="a file, with its newline"),
        pytest.param("link", "0x1eff\n", id="through a link"),
        pytest.param("garbage", "\ufffd\x00\ufffd", id="bytes that are no UTF-8"),
        pytest.param("page", "x" * PAGE, id="a full page"),
        pytest.param("empty", "", id="an empty file"),
        pytest.param("pipe", "", id="a named pipe, which does not block"),
    ],
)
def test_a_file_is_read(folder: Path, name: str, text: str) -> None:
    """A file is read as it is, whatever its bytes are."""
    assert HostSysfs(folder).read_text(name) == text


@pytest.mark.parametrize(
    ("name", "number"),
    [
        pytest.param("absent", errno.ENOENT, id="not there"),
        pytest.param("loop", errno.ELOOP, id="a loop of links"),
        pytest.param(".", errno.EISDIR, id="a directory"),
        pytest.param("long", errno.EFBIG, id="more than a page"),
        pytest.param("huge", errno.EFBIG, id="ten megabytes"),
        pytest.param("a\0b", errno.EINVAL, id="a null byte"),
        pytest.param("\ud800", errno.EINVAL, id="a lone surrogate"),
    ],
)
def test_a_read_fails_as_the_kernel_says(folder: Path, name: str, number: int) -> None:
    """What cannot be read has an errno, and what is too long is not read."""
    with pytest.raises(OSError, match=r".") as caught:
        HostSysfs(folder).read_text(name)
    assert caught.value.errno == number


def test_links_and_folders_are_read(folder: Path) -> None:
    """A link gives its target as stored, a folder its names in order."""
    sysfs = HostSysfs(os.fspath(folder))
    assert sysfs.read_link("link") == "file"
    assert sysfs.read_link("loop") == "loop"
    assert sysfs.list_dir(".") == ("empty", "file", "garbage", "huge", "link", "long", "loop", "page", "pipe")


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_a_name_that_no_disk_has_is_an_invalid_argument(folder: Path, name: str) -> None:
    """A path that cannot be handed to the kernel fails like one that it refuses."""
    sysfs = HostSysfs(folder)
    with pytest.raises(OSError, match="Invalid argument"):
        sysfs.read_link(name)
    with pytest.raises(OSError, match="Invalid argument"):
        sysfs.list_dir(name)


@pytest.mark.parametrize(
    ("error", "symbol"),
    [
        pytest.param(OSError(errno.EIO, "x"), "EIO", id="a number"),
        pytest.param(PermissionError(), "EACCES", id="a class without a number"),
        pytest.param(FileNotFoundError(), "ENOENT", id="another class"),
        pytest.param(OSError("odd"), "EIO", id="neither"),
        pytest.param(OSError(9999, "odd"), "errno 9999", id="a number without a name"),
    ],
)
def test_a_fault_has_a_symbol(error: OSError, symbol: str) -> None:
    """An error becomes a value that is named as the manual pages name it."""
    assert str(Fault.of(error)) == symbol


def test_a_fault_raises_the_class_of_its_number() -> None:
    """What a fault raises is what the kernel's error would be in Python."""
    assert isinstance(Fault.parse("EACCES").error("x"), PermissionError)
    assert Fault.parse("EACCES").prose == "Permission denied"


@pytest.mark.parametrize("symbol", ["", "EACCESS", "errorcode", "13", "eacces"])
def test_what_is_no_symbol_is_refused(symbol: str) -> None:
    """Only the symbols of `errno(3)` are faults."""
    with pytest.raises(InvalidValue, match="EACCES"):
        Fault.parse(symbol)


@pytest.mark.parametrize("sysfs", [HostSysfs("/x"), MemorySysfs(), OverlaySysfs(MemorySysfs(), {})], ids=["disk", "memory", "overlay"])
def test_each_place_is_a_sysfs(sysfs: object) -> None:
    """All three places answer the three reads."""
    assert isinstance(sysfs, Sysfs)
