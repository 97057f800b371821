"""
Room: the objects of the real clients of Kubernetes: `nox -s clients` installs them and runs this.

It is no part of the usual tests, which import no client.

May touch: `kubernetes`, `lightkube`, `kr8s`, `kopf`; no cluster.
"""
# mypy: disable-error-code="import-not-found, import-untyped, no-untyped-call"
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import copy
import importlib
import json
from types import SimpleNamespace
from typing import Any

import pytest

from rbln_dra.resources import KINDS, VERSIONS, from_dict, read

from ..resources.examples import full

EVERY = [(kind, version) for kind in KINDS for version in VERSIONS]


def known(kind: str, version: str) -> dict[str, Any]:
    """Give an object with every field that a client of 1.37 knows."""
    made = copy.deepcopy(full(kind, version))
    if kind == "ResourceSlice":
        device = made["spec"]["devices"][0]
        del device.get("basic", device)["nodeAllocatableResourceMappings"]
    return made


def model(kind: str, version: str, obj: dict[str, Any]) -> Any:
    """Make a model of the client `kubernetes`, as a response makes it."""
    from kubernetes import client

    prefix = version.capitalize()
    name = f"Resource{prefix}{kind}" if hasattr(client, f"Resource{prefix}{kind}") else f"{prefix}{kind}"
    return client.ApiClient().deserialize(json.dumps(obj), name, "application/json")


@pytest.mark.parametrize(("kind", "version"), EVERY)
def test_kubernetes(kind: str, version: str) -> None:
    """The models of the official client are read, those of lists too, which say neither version nor kind."""
    obj = known(kind, version)
    assert from_dict(model(kind, version, obj)) == from_dict(obj)
    bare = {key: value for key, value in obj.items() if key not in {"apiVersion", "kind"}}
    listing = {"apiVersion": obj["apiVersion"], "kind": f"{kind}List", "metadata": {}, "items": [bare]}
    made = model(f"{kind}List", version, listing)
    assert read(made) == read(made.items) == (from_dict(obj),)


@pytest.mark.parametrize(("kind", "version"), EVERY)
def test_lightkube(kind: str, version: str) -> None:
    """The objects of lightkube are read, with version and kind and without."""
    cls = getattr(importlib.import_module(f"lightkube.resources.resource_{version}"), kind)
    obj = known(kind, version)
    bare = {key: value for key, value in obj.items() if key not in {"apiVersion", "kind"}}
    assert from_dict(cls.from_dict(obj)) == from_dict(cls.from_dict(bare)) == from_dict(obj)


@pytest.mark.parametrize("kind", KINDS)
def test_kr8s(kind: str) -> None:
    """The objects of kr8s are read; those of classes that it makes for a kind too."""
    from kr8s.objects import new_class

    obj = known(kind, "v1")
    made = new_class(kind, version="resource.k8s.io/v1", namespaced=kind.startswith("ResourceClaim"))(obj, api=SimpleNamespace(namespace="ns"))
    assert from_dict(made) == from_dict(obj)


@pytest.mark.parametrize("kind", KINDS)
def test_kopf(kind: str) -> None:
    """The body that kopf hands to a handler is a mapping, and so is what is in it."""
    from kopf import Body

    obj = known(kind, "v1")
    assert from_dict(Body(obj)) == from_dict(obj)
    assert read([Body(obj)]) == (from_dict(obj),)
