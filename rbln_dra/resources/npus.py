"""
Room: the DeviceClasses of Rebellions NPUs, and claims for NPUs: so many of this product, on one PCIe root, on one NUMA node.

May touch: `claims`, `classes`, `conditions`, `metadata`, `requests`, `names`, `products`, `errors`.
"""

from __future__ import annotations

import json
from typing import Final, Literal, TypeAlias

from ..errors import InvalidValue
from ..names import DRIVER_NAME, RESOURCE_DOMAIN, DeviceClassName, DriverName, Name, RequestName, device_class_name
from ..products import Product, lookup, near
from .claims import DeviceClaim, DeviceConstraint, ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate, ResourceClaimTemplateSpec
from .classes import DeviceClass, DeviceClassSpec
from .conditions import DeviceSelector
from .metadata import ObjectMeta
from .requests import ALL, EXACT_COUNT, DeviceRequest, ExactDeviceRequest

#: What the devices of a claim can be made to share.
Shared: TypeAlias = Literal["pcieRoot", "numaNode"]

#: The extended resource by which containers can ask for an NPU.
EXTENDED_RESOURCE: Final = "rebellions.ai/npu"
#: How many devices a claim can get.
MOST_DEVICES: Final = 32


def device_classes(*, driver: str = DRIVER_NAME) -> tuple[DeviceClass, DeviceClass]:
    """
    Make the two classes of a cluster with NPUs: for containers, named like the driver, and for passthrough to VMs, named `vfio-` and the driver.

    Only the class for containers has an extended resource: a VM's devices must be claimed.

    Args:
        driver: The name of the driver.

    Raises:
        InvalidName: The name is none, or one that no class can be named after: a class has no capitals.

    Source: the chart of rbln-k8s-dra-driver; the documentation's VM passthrough.

    >>> [each.metadata.name for each in device_classes()]
    ['npu.rebellions.ai', 'vfio-npu.rebellions.ai']
    >>> device_classes()[1].spec.selectors[0].expression
    'device.driver == "npu.rebellions.ai" && device.attributes["npu.rebellions.ai"].type == "vfio"'
    """
    DriverName.parse(driver)

    def made(name: str, type_: str, resource: str | None) -> DeviceClass:
        expression = f'device.driver == "{driver}" && device.attributes["{driver}"].type == "{type_}"'
        DeviceClassName.parse(name)
        return DeviceClass(ObjectMeta(name), DeviceClassSpec((DeviceSelector(expression),), extended_resource_name=resource))

    return made(driver, "npu", EXTENDED_RESOURCE), made(device_class_name(driver), "vfio", None)


def product_selector(product: str | Product, *, driver: str = DRIVER_NAME) -> DeviceSelector:
    """
    Make the selector for one product. It is never an error, on a device without the attribute too.

    A product whose name some drivers do not publish is also known by its PCI device ids; one that no driver names, by these alone.

    Args:
        product: A product, or any of its names: SKU, PCI device id, marketing name, resource name.
        driver: The name of the driver.

    Raises:
        InvalidValue: There is no such product.

    >>> product_selector("ATOM-Max").expression
    'device.attributes["npu.rebellions.ai"].?productName.orValue("") == "RBLN-CA25"'
    """
    InvalidValue.unless(product, (str, Product), "a product such as RBLN-CR13")
    found = lookup(product) if isinstance(product, str) else product
    if found is None:
        guesses = near(str(product))
        raise InvalidValue(product, "a product such as RBLN-CR13", hint=f"did you mean {' or '.join(guesses)}?" if guesses else None)
    attributes = f'device.attributes["{driver}"]'
    named = f'{attributes}.?productName.orValue("") == {json.dumps(found.sku)}'
    numbered = f'{attributes}.?pciDeviceID.orValue("") in {json.dumps([found.pf_id, found.vf_id])}'
    if found.status != "active":
        return DeviceSelector(numbered)
    return DeviceSelector(f"{named} || {numbered}" if any(conflict.subject == "product_name" for conflict in found.conflicts) else named)


def npu_devices(
    count: int | None = 1,
    *,
    product: str | Product | None = None,
    same: Shared | None = None,
    request: str = "npu",
    device_class: str | None = None,
    driver: str = DRIVER_NAME,
) -> DeviceClaim:
    """
    Make what a claim says of its devices: so many NPUs, of one product, that share their PCIe root or their NUMA node.

    Args:
        count: How many, 1 to 32; `None` means all of a node that match.
        product: The product, or any of its names; `None` means any.
        same: What they share: `pcieRoot` or `numaNode`. A device that does not say which it has is then not taken.
        request: The name of the request.
        device_class: The class; `None` means the class for passthrough to VMs.
        driver: The name of the driver.

    Raises:
        InvalidValue: The number is none, there is no such product, or nothing of that kind that they could share.
        InvalidName: The request or the class has a name that the API server refuses.

    >>> npu_devices(4, product="RBLN-CA25", same="numaNode").constraints
    (DeviceConstraint(requests=(), match_attribute='resource.kubernetes.io/numaNode', distinct_attribute=None),)
    """
    if count is not None:
        InvalidValue.unless(count, int, f"a number of devices from 1 to {MOST_DEVICES}")
    if count is not None and not 1 <= count <= MOST_DEVICES:
        raise InvalidValue(count, f"a number of devices from 1 to {MOST_DEVICES}")
    if same not in (None, "pcieRoot", "numaNode"):
        raise InvalidValue(same, "pcieRoot or numaNode")
    wish = ExactDeviceRequest(
        str(DeviceClassName.parse(device_class_name(driver) if device_class is None else device_class)),
        selectors=() if product is None else (product_selector(product, driver=driver),),
        allocation_mode=ALL if count is None else EXACT_COUNT,
        count=count or 0,
    )
    return DeviceClaim(
        (DeviceRequest(str(RequestName.parse(request)), wish),),
        () if same is None else (DeviceConstraint(match_attribute=f"{RESOURCE_DOMAIN}/{same}"),),
    )


def claim(name: str, devices: DeviceClaim, *, namespace: str = "") -> ResourceClaim:
    """
    Make a claim, which the pods that name it share.

    Args:
        name: Its name.
        devices: What it asks for: see `npu_devices`.
        namespace: Its namespace; empty means that of the request.

    Raises:
        InvalidName: The name is none.

    >>> claim("npu", npu_devices()).to_dict()["spec"]["devices"]["requests"]
    [{'name': 'npu', 'exactly': {'deviceClassName': 'vfio-npu.rebellions.ai', 'allocationMode': 'ExactCount', 'count': 1}}]
    """
    return ResourceClaim(ObjectMeta(str(Name.parse(name)), namespace=namespace), ResourceClaimSpec(devices))


def claim_template(name: str, devices: DeviceClaim, *, namespace: str = "") -> ResourceClaimTemplate:
    """
    Make a template, of which each pod that names it gets a claim of its own.

    Args:
        name: Its name.
        devices: What the claims ask for: see `npu_devices`.
        namespace: Its namespace; empty means that of the request.

    Raises:
        InvalidName: The name is none.

    >>> claim_template("npu", npu_devices(2)).to_dict("v1beta1")["spec"]["spec"]["devices"]["requests"][0]["count"]
    2
    """
    return ResourceClaimTemplate(ObjectMeta(str(Name.parse(name)), namespace=namespace), ResourceClaimTemplateSpec(spec=ResourceClaimSpec(devices)))
