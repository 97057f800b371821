"""
Room: how a sysfs is read: three reads, the values that may stand at a path, and the disk as a place to read from.

Everything that `discovery` knows about a host comes through `Sysfs`, so a fixture is read by the code that will run on the host, and a fault
is one more entry. Paths are relative to the root and use slashes ("bus/pci/devices"); links are followed as the kernel follows them.

May touch: `errors`, the standard library and attrs. Opens files below the root it is given and nothing else; never writes.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from typing import Protocol, TypeAlias, runtime_checkable

import attrs

from ..errors import InvalidValue

PAGE = 4096
"""The most that one sysfs attribute can hold, in bytes; what is longer is no attribute and is not read (errno EFBIG)."""

_NUMBERS: tuple[tuple[type[OSError], int], ...] = (
    (FileNotFoundError, errno.ENOENT),
    (PermissionError, errno.EACCES),
    (NotADirectoryError, errno.ENOTDIR),
    (IsADirectoryError, errno.EISDIR),
    (InterruptedError, errno.EINTR),
    (TimeoutError, errno.ETIMEDOUT),
)


@runtime_checkable
class Sysfs(Protocol):
    """
    A place that answers the three reads of a sysfs.

    A read that fails raises `OSError` with the errno that the kernel gives: ENOENT for what is not there, EINVAL for a link that is none,
    EACCES, EIO, ELOOP and so on. Any other exception is a bug of the place. Reads are independent of each other: what was there may be gone.
    """

    def read_text(self, path: str, /) -> str:
        """
        Read a file of at most `PAGE` bytes, as it is, newline included; bytes that are not UTF-8 come as U+FFFD.

        Raises:
            OSError: What the kernel says; EFBIG for a file that is longer than a page.
        """
        ...

    def read_link(self, path: str, /) -> str:
        """
        Read the target of a symbolic link, as it is stored, without following it.

        Raises:
            OSError: What the kernel says; EINVAL for what is no link.
        """
        ...

    def list_dir(self, path: str, /) -> tuple[str, ...]:
        """
        List the names in a directory, sorted as texts of bytes are, without `.` and `..`.

        Raises:
            OSError: What the kernel says; ENOTDIR for what is no directory.
        """
        ...


@attrs.frozen
class Link:
    """
    A symbolic link as a value.

    Args:
        target: Where it points, as stored: relative to the directory that holds the link.
    """

    target: str


@attrs.frozen
class Fault:
    """
    A read that fails, as a value.

    Args:
        number: The errno, as this machine numbers it.

    >>> str(Fault.of(PermissionError())), Fault.parse("EIO") == Fault.of(OSError(5, "Input/output error"))
    ('EACCES', True)
    """

    number: int

    @classmethod
    def of(cls, error: OSError) -> Fault:
        """
        Take the number of an error; one that was built without a number has that of its class, or else EIO.

        Raises:
            InvalidValue: That is no such error.
        """
        InvalidValue.unless(error, OSError, "an OSError")
        number = error.errno if error.errno is not None else next((number for kind, number in _NUMBERS if isinstance(error, kind)), errno.EIO)
        return cls(number)

    @classmethod
    def parse(cls, symbol: str) -> Fault:
        """
        Parse a symbol as `errno(3)` lists them, such as `EACCES`.

        Raises:
            InvalidValue: It is none.
        """
        number = getattr(errno, symbol, None) if symbol in errno.errorcode.values() else None
        if number is None:
            raise InvalidValue(symbol, "an error's symbol such as EACCES")
        return cls(number)

    def __str__(self) -> str:
        """Give the symbol."""
        return errno.errorcode.get(self.number, f"errno {self.number}")

    @property
    def prose(self) -> str:
        """Say what the C library says of it, such as "Permission denied"."""
        return os.strerror(self.number)

    def error(self, path: str) -> OSError:
        """Build the exception that a read of this path raises; its class follows from the number."""
        return OSError(self.number, self.prose, path)


Entry: TypeAlias = str | Link | Fault
"""What may stand at a path: a file's text, a link, or the fault that each read of it has."""

Entries: TypeAlias = Mapping[str, Entry]
"""Path → what stands there; where such a mapping is taken, an `OSError` may stand for its `Fault`."""


def path_text(path: str | os.PathLike[str]) -> str:
    """
    Give a path as a text.

    Raises:
        InvalidValue: It is no path, or one of bytes.
    """
    InvalidValue.unless(path, (str, os.PathLike), "a path such as /sys")
    return os.fspath(path)


@attrs.frozen
class HostSysfs:
    """
    A sysfs on a disk: the host's own, one mounted elsewhere, or a folder of the same shape.

    Args:
        root: The directory that stands for `/sys`.

    >>> HostSysfs("/nowhere").list_dir("bus/pci/devices")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: '/nowhere/bus/pci/devices'
    """

    root: str = attrs.field(converter=path_text)

    def read_text(self, path: str, /) -> str:
        """Read a file; see `Sysfs`."""
        try:
            # Not blocking: a named pipe in a fixture folder reads as empty instead of holding the scan.
            handle = os.open(f"{self.root}/{path}", os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except ValueError as error:
            raise Fault(errno.EINVAL).error(path) from error
        try:
            data = os.read(handle, PAGE + 1)
        finally:
            os.close(handle)
        if len(data) > PAGE:
            raise Fault(errno.EFBIG).error(path)
        return data.decode(errors="replace")

    def read_link(self, path: str, /) -> str:
        """Read a link; see `Sysfs`."""
        try:
            return os.readlink(f"{self.root}/{path}")  # noqa: PTH115 (a Path costs more than the read)
        except ValueError as error:
            raise Fault(errno.EINVAL).error(path) from error

    def list_dir(self, path: str, /) -> tuple[str, ...]:
        """List a directory; see `Sysfs`."""
        try:
            return tuple(sorted(os.listdir(f"{self.root}/{path}")))  # noqa: PTH208
        except ValueError as error:
            raise Fault(errno.EINVAL).error(path) from error
