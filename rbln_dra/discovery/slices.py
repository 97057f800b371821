"""
Room: devices from ResourceSlices, as `kubectl get resourceslices -o json` or `-o yaml` prints them.

May touch: `documents`, `inventory`, `diagnostics`, `devices`, `wire`. Reads the file that it is given.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import attrs

from .. import wire
from ..devices import Device
from ..errors import DecodeError
from .diagnostics import Diagnostic
from .documents import check_depth, decoded, documents, read_file
from .inventory import Inventory, Pool

KIND: Final = "ResourceSlice"
GROUP: Final = "resource.k8s.io"


@attrs.frozen
class _Pool:
    """What a slice says about its pool."""

    name: str
    generation: int
    slice_count: int


@attrs.frozen
class _Slice:
    """What discovery needs of a slice; the devices as they came."""

    driver: str
    pool: _Pool
    node: str | None
    devices: tuple[Any, ...]
    name: str = ""
    path: str = ""


_ANYTHING: Final = wire.Codec[Any](None, lambda value, _reading: value, lambda value: value)
_NAME: Final = wire.member("name", wire.STRING, expected='metadata such as {"name": "node-atom-x7"}')
_POOL: Final = wire.struct(
    _Pool,
    wire.Field("name", "name", wire.STRING),
    wire.Field("generation", "generation", wire.INTEGER),
    wire.Field("resourceSliceCount", "slice_count", wire.INTEGER),
    expected='a pool such as {"name": "node-atom", "generation": 1, "resourceSliceCount": 1}',
)
_SPEC: Final = wire.struct(
    _Slice,
    wire.Field("driver", "driver", wire.STRING),
    wire.Field("pool", "pool", _POOL),
    wire.Field("nodeName", "node", wire.optional(wire.STRING)),
    wire.Field("devices", "devices", wire.list_of(_ANYTHING)),
    expected='a spec such as {"driver": "npu.rebellions.ai", "pool": {…}, "devices": […]}',
)


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
        slices = [each for each in _slices(self._objects()) if self.driver is None or each.driver == self.driver]
        pools: dict[tuple[str, str], list[_Slice]] = {}
        for each in slices:
            pools.setdefault((each.driver, each.pool.name), []).append(each)
        newest = {key: max(each.pool.generation for each in members) for key, members in pools.items()}
        current = [each for each in slices if each.pool.generation == newest[each.driver, each.pool.name]]
        seen = tuple(_pool(members, newest[key]) for key, members in pools.items())
        nodes = {each.node for each in current}
        return Inventory(
            devices=tuple(device for each in current for device in _devices(each)),
            diagnostics=(
                *(Diagnostic(each.name, "old-slice", found=str(each.pool.generation)) for each in slices if each not in current),
                *(
                    Diagnostic(str(pool.name), "incomplete-pool", found=f"{len(pool.slices)} of {pool.slice_count}")
                    for pool in seen
                    if not pool.complete
                ),
            ),
            node=nodes.pop() if len(nodes) == 1 else None,
            pools=seen,
        )

    def _objects(self) -> list[tuple[str, object]]:
        """Give the objects of the source, with their paths."""
        source = self.source
        if isinstance(source, bytes):
            return _numbered(documents(decoded(source)))
        if isinstance(source, str) and _text(source):
            return _numbered(documents(source))
        if not isinstance(source, str | os.PathLike):
            check_depth(source)
            return [("", source)]
        place = os.fspath(source)
        text = read_file(place)
        try:
            return _numbered(documents(text))
        except DecodeError as error:
            raise attrs.evolve(error, path=f"{place}: {error.path}" if error.path else place) from error


def _text(source: str) -> bool:
    """Tell a text of slices from a path."""
    return "\n" in source or source.lstrip()[:1] in {"", "{", "["}


def _numbered(parsed: tuple[object, ...]) -> list[tuple[str, object]]:
    """Give the documents of a text with their paths; empty ones, as between two `---`, are none."""
    return [("" if len(parsed) == 1 else f"document {number}", document) for number, document in enumerate(parsed, 1) if document is not None]


def _slices(objects: list[tuple[str, object]]) -> Iterator[_Slice]:
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
            found = found or not items
            prefix = path if mapping is None else f"{path}.items" if path else "items"
            pending.extend((f"{prefix}[{index}]", item) for index, item in reversed(list(enumerate(cast("Sequence[object]", items)))))
        elif mapping is None:
            raise DecodeError(path, value, "a ResourceSlice, or a list of them")
        elif _is_slice(mapping):
            found = True
            yield _slice(path, mapping)
        else:
            other = mapping.get("kind", mapping)
    if not found:
        raise DecodeError("", other, "a ResourceSlice, or a list of them", "kubectl get resourceslices -o json prints them")


def _mapping(value: object) -> Mapping[str, object] | None:
    """Give a value that is an object; `None` for any other."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def _is_slice(value: Mapping[str, object]) -> bool:
    """Tell a slice from an object of another kind; a bare mapping with a spec counts as one."""
    kind, version = value.get("kind"), value.get("apiVersion")
    of_group = version is None or (isinstance(version, str) and version.partition("/")[0] == GROUP)
    return of_group and (kind == KIND or (kind is None and "spec" in value))


def _slice(path: str, value: Mapping[str, object]) -> _Slice:
    """Read a slice, without its devices."""
    inside = f"{path}." if path else ""
    name = _NAME.from_json(value.get("metadata"), path=f"{inside}metadata")
    spec = _SPEC.from_json(value.get("spec"), path=f"{inside}spec")
    return attrs.evolve(spec, name=name, path=f"{inside}spec")


def _devices(each: _Slice) -> Iterator[Device]:
    """Read the devices of a slice, in v1 form or in that of v1beta1."""
    for index, value in enumerate(each.devices):
        path = f"{each.path}.devices[{index}]"
        device = _mapping(value)
        flat: object = value
        if device is not None and device.get("basic") is not None:
            basic = _mapping(device["basic"])
            if basic is None:
                raise DecodeError(f"{path}.basic", device["basic"], 'a device such as {"attributes": {}}')
            flat = {"name": device.get("name"), **basic}
        yield Device.from_dict({} if flat is None else flat, driver=each.driver, pool=each.pool.name, path=path)


def _pool(members: list[_Slice], generation: int) -> Pool:
    """Sum up the slices of one pool."""
    current = [each for each in members if each.pool.generation == generation]
    nodes = {each.node for each in current}
    counts = {each.pool.slice_count for each in current}
    return Pool(
        driver=current[0].driver,
        name=current[0].pool.name,
        node=nodes.pop() if len(nodes) == 1 else None,
        generation=generation,
        slice_count=max(counts),
        slices=tuple(each.name for each in current),
    )
