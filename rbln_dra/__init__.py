"""
Room: the names that a caller imports.

Rebellions NPUs and Kubernetes dynamic resource allocation: what a node publishes, and which of its devices a selector matches. A name's module is
loaded when the name is first used, so `import rbln_dra` costs next to nothing and a program pays only for the rooms that it enters.

May touch: every room, at first use.
"""

from __future__ import annotations

# Type checkers take this for theirs; importing `typing` for it would be most of what `import rbln_dra` costs.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import allocation as allocation, cel as cel, errors as errors
    from .allocation import ClaimAllocation as ClaimAllocation, allocate as allocate
    from .devices import NPU as NPU, Device as Device, publish as publish
    from .discovery import (
        Inventory as Inventory,
        SliceBackend as SliceBackend,
        SysfsBackend as SysfsBackend,
        TreeBackend as TreeBackend,
        discover as discover,
    )
    from .kubernetes import Kubernetes as Kubernetes
    from .names import QualifiedName as QualifiedName
    from .pci import PCIAddress as PCIAddress
    from .products import PRODUCTS as PRODUCTS, Product as Product
    from .quantity import Quantity as Quantity
    from .resources import (
        DeviceClass as DeviceClass,
        ResourceClaim as ResourceClaim,
        ResourceClaimTemplate as ResourceClaimTemplate,
        ResourceSlice as ResourceSlice,
    )
    from .selectors import Fleet as Fleet, Selector as Selector, Verdict as Verdict, matrix as matrix
    from .semver import Semver as Semver
    from .validation import FieldError as FieldError, validate as validate

__version__ = "0.1.0"

__all__ = [
    "NPU",
    "PRODUCTS",
    "ClaimAllocation",
    "Device",
    "DeviceClass",
    "FieldError",
    "Fleet",
    "Inventory",
    "Kubernetes",
    "PCIAddress",
    "Product",
    "QualifiedName",
    "Quantity",
    "ResourceClaim",
    "ResourceClaimTemplate",
    "ResourceSlice",
    "Selector",
    "Semver",
    "SliceBackend",
    "SysfsBackend",
    "TreeBackend",
    "Verdict",
    "allocate",
    "allocation",
    "cel",
    "discover",
    "errors",
    "matrix",
    "publish",
    "validate",
]

#: The module of each public name; a module that is itself public stands under its own name.
_HOMES = {
    "NPU": "devices",
    "PRODUCTS": "products",
    "ClaimAllocation": "allocation",
    "Device": "devices",
    "DeviceClass": "resources",
    "FieldError": "validation",
    "Fleet": "selectors",
    "Inventory": "discovery",
    "Kubernetes": "kubernetes",
    "PCIAddress": "pci",
    "Product": "products",
    "QualifiedName": "names",
    "Quantity": "quantity",
    "ResourceClaim": "resources",
    "ResourceClaimTemplate": "resources",
    "ResourceSlice": "resources",
    "Selector": "selectors",
    "Semver": "semver",
    "SliceBackend": "discovery",
    "SysfsBackend": "discovery",
    "TreeBackend": "discovery",
    "Verdict": "selectors",
    "allocate": "allocation",
    "allocation": "allocation",
    "cel": "cel",
    "discover": "discovery",
    "errors": "errors",
    "matrix": "selectors",
    "publish": "devices",
    "validate": "validation",
}


if not TYPE_CHECKING:  # A type checker that saw it would take any name for one of ours.

    def __getattr__(name: str) -> object:
        """Load a public name's module at its first use."""
        home = _HOMES.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        module = import_module(f".{home}", __name__)
        value = module if name == home else getattr(module, name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
