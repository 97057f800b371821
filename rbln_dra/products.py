"""
Room: the product table: every card that Rebellions' PCI ids name, and what is known of it.

A name that nobody publishes is `None`, never a guess; where sources disagree, the row says so (`Product.conflicts`).

May touch: `errors`, and packaging.
"""

from __future__ import annotations

import difflib
import re
from typing import Final, Literal, TypeAlias

import attrs
from packaging.specifiers import SpecifierSet

from .errors import InvalidValue

#: PCI vendor id of Rebellions Inc.
VENDOR_ID: Final = "1eff"

Family: TypeAlias = Literal["ATOM", "REBEL"]
Status: TypeAlias = Literal["active", "end-of-life", "listed"]

_IDS: Final = "rebellions-pci.ids of rbln-npu-feature-discovery"
_MATRIX: Final = "docs.rbln.ai, version matrix"
_SEED: Final = "docs.rbln.ai, VM passthrough with the NPU DRA driver"


@attrs.frozen
class Conflict:
    """
    A place where published sources disagree about a card.

    Args:
        subject: What they disagree about: `"vf_id"`, `"sku"`, `"product_name"`, `"marketing_name"`, `"family"`.
        sources: What each source says, as (source, value); a value of `None` means that the source has none.
        note: What this package does.
    """

    subject: str
    sources: tuple[tuple[str, str | None], ...]
    note: str


@attrs.frozen
class Memory:
    """
    The memory of one NPU.

    Args:
        shown: As `rbln-smi` shows it, rounded: `"15.7GiB"`.
        bytes: Exactly; `None` when only the rounded amount is published.
    """

    shown: str
    bytes: int | None = None


@attrs.frozen
class Product:
    """
    One card model.

    Args:
        sku: Card model and, where the driver publishes one, the `productName`: `"RBLN-CR13"`.
        pf_id: PCI device id of the physical function, four hex digits: `"2130"`.
        vf_id: PCI device id of an SR-IOV virtual function: `"2131"`.
        family: Chip family.
        marketing_name: Name of the product, with its signs (`"ATOM™-Max"`); `None` when none is published.
        sdk: Releases of the RBLN SDK that support it; `None` when the matrix does not list it.
        memory: Memory of one NPU; `None` when it is not published.
        status: `"active"`, `"end-of-life"`, or `"listed"`: its ids are published, and nothing about its support.
        source: Where the row comes from.
        conflicts: Where sources disagree.

    >>> by_pci_id("2130").marketing_name
    'Rebel100™'
    """

    sku: str
    pf_id: str
    vf_id: str
    family: Family
    marketing_name: str | None = None
    sdk: SpecifierSet | None = None
    memory: Memory | None = None
    status: Status = "listed"
    source: str = _IDS
    conflicts: tuple[Conflict, ...] = ()


_FAMILY_LABEL: Final = Conflict(
    "family",
    (("NPU feature discovery v0.2.1", "REBEL"), ("NPU operator, NodeFeatureRule", "rebel100")),
    "the label rebellions.ai/npu.family has both; `family` is the chip family",
)
_ATOM_PLUS: Final = Conflict(
    "marketing_name",
    ((_MATRIX, "ATOM™+ is RBLN-CA12 and RBLN-CA22"), (_SEED, "ATOM™+ is RBLN-CA22")),
    "both rows carry the name; looked up by it, the active card is found",
)

#: All cards of the PCI id table, in the order of their ids.
PRODUCTS: Final = (
    Product(
        "RBLN-CA02",
        "1020",
        "1021",
        "ATOM",
        "ATOM™",
        SpecifierSet("<=0.8.0"),
        None,
        "end-of-life",
        _MATRIX,
        (Conflict("sku", ((_IDS, "RBLN-CA02"), ("pci-ids.ucw.cz", "RBLN-CA2")), "Rebellions' own name is used"),),
    ),
    Product("RBLN-CA11", "1110", "1111", "ATOM"),
    Product(
        "RBLN-CA12",
        "1120",
        "1121",
        "ATOM",
        "ATOM™+",
        SpecifierSet("<=0.9.4"),
        Memory("15.7GiB"),
        "end-of-life",
        _MATRIX,
        (
            Conflict("sku", ((_IDS, "RBLN-CA12"), ("NPU feature discovery v0.2.1, id 1121", "RBLN-CA02")), "the older name of 1121 is a slip"),
            _ATOM_PLUS,
        ),
    ),
    Product(
        "RBLN-CA15",
        "1150",
        "1151",
        "ATOM",
        conflicts=(
            Conflict(
                "vf_id",
                ((_IDS, None), ("device plugin before v0.4, resource ATOM", "1151")),
                "1151 is used, since every other card's virtual function is the next id",
            ),
        ),
    ),
    Product("RBLN-CA21", "1210", "1211", "ATOM"),
    Product(
        "RBLN-CA22",
        "1220",
        "1221",
        "ATOM",
        "ATOM™+",
        SpecifierSet(">=0.8.0"),
        Memory("15.7GiB"),
        "active",
        _SEED,
        (_ATOM_PLUS,),
    ),
    Product(
        "RBLN-CA25",
        "1250",
        "1251",
        "ATOM",
        "ATOM™-Max",
        SpecifierSet(">=0.8.0"),
        Memory("15.7GiB", 16_877_882_368),
        "active",
        _SEED,
    ),
    Product("RBLN-CR03", "2030", "2031", "REBEL", conflicts=(_FAMILY_LABEL,)),
    Product(
        "RBLN-CR13",
        "2130",
        "2131",
        "REBEL",
        "Rebel100™",
        SpecifierSet(">=0.12.0"),
        Memory("140.0GiB"),
        "active",
        _SEED,
        (
            Conflict(
                "product_name",
                ((_SEED, "RBLN-CR13"), ("rbln-k8s-dra-driver, 4051b26 to 0d204dd", None)),
                "published by default; `profile=` of a driver generation leaves it out as that driver does",
            ),
            _FAMILY_LABEL,
        ),
    ),
    Product("RBLN-CR23", "2230", "2231", "REBEL"),
)


@attrs.frozen
class ResourceName:
    """
    An extended resource that a device plugin offers, by which people know a card.

    Args:
        name: The whole name: `"rebellions.ai/RBLN-CR13_PF"`.
        sku: The card that it means; `None` when it means a whole family, or any NPU.
        family: The family that it means; `None` when it means any NPU.
        function: `"PF"` or `"VF"`; `None` when the name does not say.
        status: `"current"`, `"inferred"` (by the rule of the others, not seen in use) or `"replaced"`.
        source: Where it comes from.
    """

    name: str
    sku: str | None = None
    family: Family | None = None
    function: Literal["PF", "VF"] | None = None
    status: Literal["current", "inferred", "replaced"] = "current"
    source: str = ""


_SANDBOX: Final = "sandbox device plugin, docs.rbln.ai v0.12.0"
_BEFORE_0_11: Final = "sandbox device plugin, docs.rbln.ai up to v0.10"
_OPERATOR_0_3: Final = "NPU operator v0.3.0, sample values"
_CONTAINER: Final = "container device plugin"

#: Resource names of the sandbox device plugin (VMs) and of the container device plugin.
RESOURCE_NAMES: Final = (
    *(
        ResourceName(
            f"rebellions.ai/{product.sku}_{function}",
            product.sku,
            product.family,
            function,
            "current" if function == "PF" and product.status == "active" else "inferred",
            _SANDBOX,
        )
        for product in PRODUCTS
        for function in ("PF", "VF")
    ),
    ResourceName("rebellions.ai/ATOM_CA22_PT", "RBLN-CA22", "ATOM", None, "replaced", _BEFORE_0_11),
    ResourceName("rebellions.ai/ATOM_CA25_PT", "RBLN-CA25", "ATOM", None, "replaced", _BEFORE_0_11),
    ResourceName("rebellions.ai/ATOM_MAX_PT", "RBLN-CA25", "ATOM", None, "replaced", _OPERATOR_0_3),
    ResourceName("rebellions.ai/ATOM_PT", None, "ATOM", None, "replaced", _OPERATOR_0_3),
    ResourceName("rebellions.ai/REBEL_PT", None, "REBEL", None, "replaced", _OPERATOR_0_3),
    ResourceName("rebellions.ai/ATOM", None, "ATOM", None, "current", _CONTAINER),
    ResourceName("rebellions.ai/REBEL", None, "REBEL", None, "current", _CONTAINER),
    ResourceName("rebellions.ai/npu", None, None, None, "current", _CONTAINER),
)


def _folded(name: str) -> str:
    """Fold a name for comparison: no trademark signs, no blanks, no hyphens, no case."""
    return re.sub(r"™|®|\(tm\)|[\s_-]", "", _lower(name))


def _lower(name: str) -> str:
    """
    Fold the case of a name.

    Raises:
        InvalidValue: It is no text.
    """
    InvalidValue.unless_text(name, "a name or the PCI device id of a product, such as RBLN-CR13 or 2130")
    return name.casefold()


_BY_ID: Final = {id_: product for product in PRODUCTS for id_ in (product.pf_id, product.vf_id)}
_BY_SKU: Final = {product.sku.casefold(): product for product in PRODUCTS}
# Later rows win and the active card is the later one, so that ATOM™+ finds RBLN-CA22.
_BY_MARKETING_NAME: Final = {_folded(product.marketing_name): product for product in PRODUCTS if product.marketing_name is not None}
_BY_RESOURCE_NAME: Final = {row.name.casefold(): row for row in RESOURCE_NAMES}


def by_pci_id(pci_device_id: str) -> Product | None:
    """
    Find a card by the PCI device id of its physical or virtual function.

    Args:
        pci_device_id: Four hex digits of either case, with or without `0x`.

    >>> by_pci_id("0x1251").sku
    'RBLN-CA25'
    >>> by_pci_id("ffff") is None
    True
    """
    return _BY_ID.get(_lower(pci_device_id).removeprefix("0x"))


def by_sku(sku: str) -> Product | None:
    """
    Find a card by its model, in either case.

    >>> by_sku("rbln-ca22").pf_id
    '1220'
    """
    return _BY_SKU.get(_lower(sku))


def by_marketing_name(name: str) -> Product | None:
    """
    Find a card by the name of the product, with or without ™, blanks and hyphens. Of two cards with one name the active one is found.

    >>> by_marketing_name("ATOM+").sku
    'RBLN-CA22'
    """
    return _BY_MARKETING_NAME.get(_folded(name))


def by_resource_name(name: str) -> Product | None:
    """
    Find a card by the extended resource that a device plugin offers for it, with or without `rebellions.ai/`.

    `None` for names of a whole family (`rebellions.ai/ATOM`), which `RESOURCE_NAMES` has.

    >>> by_resource_name("rebellions.ai/RBLN-CR13_PF").pf_id
    '2130'
    """
    text = _lower(name)
    row = _BY_RESOURCE_NAME.get(text if "/" in text else f"rebellions.ai/{text}")
    return None if row is None or row.sku is None else by_sku(row.sku)


def lookup(name: str) -> Product | None:
    """
    Find a card by any name it has: PCI id, SKU, marketing name, resource name.

    >>> lookup("Rebel100").sku
    'RBLN-CR13'
    """
    for find in (by_pci_id, by_sku, by_marketing_name, by_resource_name):
        product = find(name)
        if product is not None:
            return product
    return None


def near(name: str) -> tuple[str, ...]:
    """
    Give the names that a mistyped one probably means, best first, at most three; `()` without a good guess.

    Known names are PCI ids, SKUs, marketing names and resource names.

    >>> near("RBLN-CR31")
    ('RBLN-CR13', 'RBLN-CR03', 'RBLN-CR23')
    """
    if len(typed := _folded(name)) > _LONGEST_TYPO:
        return ()
    # Of two equally alike, the one with the same characters is meant: swapped digits are the common slip.
    scored = [
        (difflib.SequenceMatcher(None, typed, folded).ratio(), sorted(typed) == sorted(folded), known) for folded, known in _KNOWN_NAMES.items()
    ]
    likely = sorted((row for row in scored if row[0] >= _ALIKE), key=lambda row: row[:2], reverse=True)
    return tuple(known for _, _, known in likely[:3])


#: How alike a typo and a name must be, as difflib measures; below it people see no likeness.
_ALIKE: Final = 0.75
#: A longer text is no typo of any name.
_LONGEST_TYPO: Final = 64

_KNOWN_NAMES: Final = {
    _folded(name): name
    for name in (
        *(product.sku for product in PRODUCTS),
        *(product.pf_id for product in PRODUCTS),
        *(product.vf_id for product in PRODUCTS),
        *(product.marketing_name for product in PRODUCTS if product.marketing_name is not None),
        *(row.name for row in RESOURCE_NAMES),
    )
}
