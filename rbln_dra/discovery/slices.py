"""
Room: devices from ResourceSlices, as `kubectl get resourceslices -o json` or `-o yaml` prints them.

May touch: `inventory`, `diagnostics`, `resources`, `documents`, `wire`, `errors`. Reads the file that it is given.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import attrs

from .. import wire
from ..documents import check_depth, decoded, documents, read_file
from ..errors import DecodeError, DiscoveryError
from ..resources import GROUP, ResourceSlice
from ..resources.slices import SLICE
from .diagnostics import Diagnostic
from .inventory import Inventory, Pool


@attrs.frozen
class SliceBackend:
    """
    The devices that a cluster publishes, from the text or the objects of its ResourceSlices.

    All drivers' devices are there unless one driver is asked for, since Kubernetes evaluates a selector on all of them. Of each pool the newest
    generation counts, as in the scheduler; slices of older ones are named in the diagnostics, and so are pools of which slices are missing.
    All versions of the API are read: v1, v1beta2, and v1beta1 with its `basic` devices.

    Args:
        source: What `kubectl get resourceslices -o json` or `-o yaml` prints (a text with a line break, or one that begins with a brace or a
            bracket; bytes too), the path of a file that holds it (any other text, or a `Path`), a slice or a list of slices as a plain mapping, or a
            sequence of such mappings. YAML may have several documents. Objects of other kinds are passed over.
        driver: The driver whose devices are wanted; absent means all.

    >>> backend = SliceBackend({"kind": "ResourceSlice", "metadata": {"name": "a"}, "spec": {
    ...     "driver": "npu.rebellions.ai", "nodeName": "node-a", "pool": {"name": "node-a", "generation": 1, "resourceSliceCount": 1},
    ...     "devices": [{"name": "vfio-0000-27-00-0", "attributes": {"type": {"string": "vfio"}}}]}})
    >>> [device.id for device in backend.scan().devices]
    [('npu.rebellions.ai', 'node-a', 'vfio-0000-27-00-0')]
    """

    source: str | bytes | os.PathLike[str] | Mapping[str, Any] | Sequence[Mapping[str, Any]]
    driver: str | None = attrs.field(default=None, kw_only=True)

    def scan(self) -> Inventory:
        """
        Read the slices; see `Backend`.

        Raises:
            DiscoveryError: There is no such file, or it cannot be read.
            DecodeError: The text is neither JSON nor YAML, has no ResourceSlice, or has one that the API server could not read.
            MissingPackage: The text is YAML, and PyYAML is not installed.
        """
        slices = [each for each in self._read() if self.driver is None or each.spec.driver == self.driver]
        pools: dict[tuple[str, str], list[ResourceSlice]] = {}
        for each in slices:
            pools.setdefault((each.spec.driver, each.spec.pool.name), []).append(each)
        newest = {key: max(each.spec.pool.generation for each in members) for key, members in pools.items()}
        old = [each.spec.pool.generation < newest[each.spec.driver, each.spec.pool.name] for each in slices]
        current = [each for each, passed in zip(slices, old, strict=True) if not passed]
        seen = tuple(_pool(members, newest[key]) for key, members in pools.items())
        nodes = {each.spec.node_name for each in current}
        return Inventory(
            devices=tuple(device for each in current for device in each.spec.devices),
            diagnostics=(
                *(
                    Diagnostic(each.metadata.name, "old-slice", found=str(each.spec.pool.generation))
                    for each, passed in zip(slices, old, strict=True)
                    if passed
                ),
                *(
                    Diagnostic(str(pool.name), "incomplete-pool", found=f"{len(pool.slices)} of {pool.slice_count}")
                    for pool in seen
                    if not pool.complete
                ),
            ),
            node=nodes.pop() if len(nodes) == 1 else None,
            pools=seen,
        )

    def _read(self) -> list[ResourceSlice]:
        """Read the slices; an error of a file names it."""
        source = self.source
        if not isinstance(source, str | os.PathLike) or (isinstance(source, str) and _text(source)):
            return list(_slices(self._objects()))
        place = os.fspath(source)
        text = read_file(place)
        if not text.strip():
            raise DiscoveryError(place, "is empty", _GIVE)
        try:
            return list(_slices(_numbered(documents(text))))
        except DecodeError as error:
            raise attrs.evolve(error, source=place) from error

    def _objects(self) -> list[tuple[str, object]]:
        """Give the objects of a source that is no file, with their paths."""
        source = self.source
        if isinstance(source, bytes):
            return _numbered(documents(decoded(source)))
        if isinstance(source, str):
            return _numbered(documents(source))
        check_depth(source)
        return [("", source)]


def _text(source: str) -> bool:
    """Tell a text of slices from a path."""
    return "\n" in source or source.lstrip()[:1] in {"", "{", "["}


def _numbered(parsed: tuple[object, ...]) -> list[tuple[str, object]]:
    """Give the documents of a text with their paths; empty ones, as between two `---`, are none."""
    return [("" if len(parsed) == 1 else f"document {number}", document) for number, document in enumerate(parsed, 1) if document is not None]


def _slices(objects: list[tuple[str, object]]) -> Iterator[ResourceSlice]:
    """
    Find the slices among objects, lists of objects and `List`s.

    Raises:
        DecodeError: There is no slice and no empty list of slices, or a slice that the API server could not read.
    """
    pending = objects[::-1]
    other: object = None
    found = False
    while pending:
        path, value = pending.pop()
        mapping = _mapping(value)
        items = mapping.get("items") if mapping is not None and str(mapping.get("kind", "List")).endswith("List") else value
        if isinstance(items, Sequence) and not isinstance(items, str | bytes):
            if mapping is not None and mapping.get("kind", "List") not in _LISTS:
                other = mapping["kind"]
            elif not items:
                found = True
            prefix = path if mapping is None else f"{path}.items" if path else "items"
            pending.extend((f"{prefix}[{index}]", item) for index, item in reversed(list(enumerate(cast("Sequence[object]", items)))))
        elif mapping is None:
            raise DecodeError(path, value, "a ResourceSlice, or a list of them", _ADVICE)
        elif _is_slice(mapping):
            found = True
            yield _slice(path, mapping)
        else:
            other = _called(mapping)
    if not found:
        raise DecodeError("", other, "a ResourceSlice, or a list of them", _ADVICE)


def _called(value: Mapping[str, object]) -> object:
    """Say what an object is that is no slice: its kind, with its group where the kind is a slice's, or else all of it."""
    kind = value.get("kind", value)
    return {"apiVersion": value.get("apiVersion"), "kind": kind} if kind == SLICE.name else kind


#: Lists in which there may be slices, though now there are none.
_LISTS: Final = ("List", "ResourceSliceList")

_GIVE: Final = "give it what kubectl get resourceslices -o json prints"
_ADVICE: Final = "kubectl get resourceslices -o json prints them"


def _mapping(value: object) -> Mapping[str, object] | None:
    """Give a value that is an object; `None` for any other."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def _is_slice(value: Mapping[str, object]) -> bool:
    """Tell a slice from an object of another kind; a bare mapping with a spec counts as one."""
    kind, version = value.get("kind"), value.get("apiVersion")
    of_group = version is None or (isinstance(version, str) and version.partition("/")[0] == GROUP)
    return of_group and (kind == SLICE.name or (kind is None and "spec" in value))


def _slice(path: str, value: Mapping[str, object]) -> ResourceSlice:
    """Read a slice; one that does not say its version is of v1beta1 if its devices are, and else of v1."""
    version = value.get("apiVersion") or f"{GROUP}/{'v1beta1' if _boxed(value) else 'v1'}"
    try:
        return ResourceSlice.from_dict({**value, "apiVersion": version, "kind": SLICE.name})
    except DecodeError as error:
        raise wire.within(error, path) from None


def _boxed(value: Mapping[str, object]) -> bool:
    """Tell whether devices have their fields under `basic`."""
    spec = _mapping(value.get("spec")) or {}
    devices = spec.get("devices")
    return isinstance(devices, list | tuple) and any("basic" in (_mapping(device) or {}) for device in cast("list[object]", devices))


def _pool(members: list[ResourceSlice], generation: int) -> Pool:
    """Sum up the slices of one pool."""
    current = [each for each in members if each.spec.pool.generation == generation]
    nodes = {each.spec.node_name for each in current}
    return Pool(
        driver=current[0].spec.driver,
        name=current[0].spec.pool.name,
        node=nodes.pop() if len(nodes) == 1 else None,
        generation=generation,
        slice_count=max(each.spec.pool.resource_slice_count for each in current),
        slices=tuple(each.metadata.name for each in current),
    )
