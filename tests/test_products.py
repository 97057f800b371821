"""The product table: rows, look-ups, near names."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from packaging.version import Version

from rbln_dra.products import PRODUCTS, RESOURCE_NAMES, Product, by_marketing_name, by_pci_id, by_resource_name, by_sku, lookup, near


@pytest.mark.parametrize(
    ("sku", "pf_id", "vf_id", "family", "marketing_name", "sdk", "status"),
    [
        ("RBLN-CA02", "1020", "1021", "ATOM", "ATOM™", "<=0.8.0", "end-of-life"),
        ("RBLN-CA11", "1110", "1111", "ATOM", None, None, "listed"),
        ("RBLN-CA12", "1120", "1121", "ATOM", "ATOM™+", "<=0.9.4", "end-of-life"),
        ("RBLN-CA15", "1150", "1151", "ATOM", None, None, "listed"),
        ("RBLN-CA21", "1210", "1211", "ATOM", None, None, "listed"),
        ("RBLN-CA22", "1220", "1221", "ATOM", "ATOM™+", ">=0.8.0", "active"),
        ("RBLN-CA25", "1250", "1251", "ATOM", "ATOM™-Max", ">=0.8.0", "active"),
        ("RBLN-CR03", "2030", "2031", "REBEL", None, None, "listed"),
        ("RBLN-CR13", "2130", "2131", "REBEL", "Rebel100™", ">=0.12.0", "active"),
        ("RBLN-CR23", "2230", "2231", "REBEL", None, None, "listed"),
    ],
    ids=str,
)
def test_row(sku: str, pf_id: str, vf_id: str, family: str, marketing_name: str | None, sdk: str | None, status: str) -> None:
    """Every card of the PCI id table has its row, and every name in it finds the row."""
    product = by_sku(sku)
    assert product is not None
    assert (product.pf_id, product.vf_id, product.family, product.marketing_name, product.status) == (pf_id, vf_id, family, marketing_name, status)
    assert (None if product.sdk is None else str(product.sdk)) == sdk
    assert by_pci_id(pf_id) is by_pci_id(vf_id) is product
    for function in ("PF", "VF"):
        assert by_resource_name(f"rebellions.ai/{sku}_{function}") is product
    assert product.source


def test_table_is_complete() -> None:
    """There are ten cards, and no id stands twice."""
    ids = [id_ for product in PRODUCTS for id_ in (product.pf_id, product.vf_id)]
    assert len(PRODUCTS) == 10
    assert len(set(ids)) == 20
    assert len({row.name for row in RESOURCE_NAMES}) == len(RESOURCE_NAMES)


@pytest.mark.parametrize(
    ("find", "name", "sku"),
    [
        (by_pci_id, "0x2130", "RBLN-CR13"),
        (by_pci_id, "0X1251", "RBLN-CA25"),
        (by_pci_id, "130", None),
        (by_pci_id, "", None),
        (by_sku, "rbln-cr13", "RBLN-CR13"),
        (by_sku, "RBLN-CR22", None),
        (by_sku, "CR13", None),
        (by_marketing_name, "Rebel100™", "RBLN-CR13"),
        (by_marketing_name, "rebel100", "RBLN-CR13"),
        (by_marketing_name, "Rebel100(TM)", "RBLN-CR13"),
        (by_marketing_name, "ATOM", "RBLN-CA02"),
        (by_marketing_name, "ATOM+", "RBLN-CA22"),
        (by_marketing_name, "ATOM™+", "RBLN-CA22"),
        (by_marketing_name, "ATOM Max", "RBLN-CA25"),
        (by_marketing_name, "REBEL", None),
        (by_resource_name, "rebellions.ai/ATOM_CA25_PT", "RBLN-CA25"),
        (by_resource_name, "ATOM_CA22_PT", "RBLN-CA22"),
        (by_resource_name, "rebellions.ai/ATOM_MAX_PT", "RBLN-CA25"),
        (by_resource_name, "rebellions.ai/ATOM", None),
        (by_resource_name, "rebellions.ai/npu", None),
        (by_resource_name, "example.com/RBLN-CA25_PF", None),
        (lookup, "2131", "RBLN-CR13"),
        (lookup, "RBLN-CA25", "RBLN-CA25"),
        (lookup, "ATOM™-Max", "RBLN-CA25"),
        (lookup, "rebellions.ai/RBLN-CA22_VF", "RBLN-CA22"),
        (lookup, "H100", None),
    ],
    ids=lambda value: value if isinstance(value, str) else getattr(value, "__name__", "none"),
)
def test_lookup(find: Callable[[str], Product | None], name: str, sku: str | None) -> None:
    """A known name finds its card, an unknown one nothing."""
    product = find(name)
    assert (None if product is None else product.sku) == sku


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("RBLN-CA52", "RBLN-CA25"),
        ("RBLN_CA25", "RBLN-CA25"),
        ("RBLN-CR3", "RBLN-CR"),
        ("Rebel10", "Rebel100™"),
        ("ATOM-Mx", "ATOM™-Max"),
        ("rebellions.ai/RBLN-CR13_PG", "rebellions.ai/RBLN-CR13_PF"),
        ("2103", "2130"),
    ],
    ids=str,
)
def test_near(name: str, first: str) -> None:
    """A typo leads to what was probably meant, best first."""
    assert near(name)[0].startswith(first)


@pytest.mark.parametrize("name", ["", "Tesla", "x" * 10_000], ids=["empty", "foreign", "long"])
def test_near_of_something_else(name: str) -> None:
    """What is like no name has no near names."""
    assert near(name) == ()


def test_sdk_range() -> None:
    """The SDK range is a specifier that versions can be tested with."""
    product = by_sku("RBLN-CR13")
    assert product is not None
    assert product.sdk is not None
    assert Version("0.12.0") in product.sdk
    assert Version("0.11.9") not in product.sdk


def test_memory() -> None:
    """Memory is what rbln-smi shows, and exact only where a number of bytes is published."""
    exact = {product.sku: product.memory.bytes for product in PRODUCTS if product.memory is not None}
    assert exact == {"RBLN-CA12": None, "RBLN-CA22": None, "RBLN-CA25": 16_877_882_368, "RBLN-CR13": None}


def _conflicts(product: Product) -> set[str]:
    """Name what the sources disagree about."""
    return {conflict.subject for conflict in product.conflicts}


CONFLICTS: list[tuple[str, set[str]]] = [
    ("RBLN-CA02", {"sku"}),
    ("RBLN-CA12", {"sku", "marketing_name"}),
    ("RBLN-CA15", {"vf_id"}),
    ("RBLN-CA22", {"marketing_name"}),
    ("RBLN-CA25", set()),
    ("RBLN-CR13", {"product_name", "family"}),
]


@pytest.mark.parametrize(("sku", "subjects"), CONFLICTS, ids=[sku for sku, _ in CONFLICTS])
def test_conflicts(sku: str, subjects: set[str]) -> None:
    """Where published sources disagree, the row says so, with at least two sources and what is done about it."""
    product = by_sku(sku)
    assert product is not None
    assert _conflicts(product) == subjects
    assert all(len(conflict.sources) >= 2 and conflict.note for conflict in product.conflicts)
