"""Random allocations: nodes' slices, classes and claims, with everything that allocators look at, and some of it wrong on purpose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rbln_dra import Kubernetes
from rbln_dra.errors import Error

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

NODE = "n1"
DRIVERS = ("npu.rebellions.ai", "npu.rebellions.ai", "npu.rebellions.ai", "gpu.example.com")
PRODUCTS = ("RBLN-CA22", "RBLN-CA25", "RBLN-CR13")
NPU = 'device.attributes["npu.rebellions.ai"]'
STANDARD = 'device.attributes["resource.kubernetes.io"]'
MEMORY = 'device.capacity["npu.rebellions.ai"].memory'
CLASSES = (
    ("vfio", ('device.driver == "npu.rebellions.ai"', f'{NPU}.type == "vfio"')),
    ("npu", ('device.driver == "npu.rebellions.ai"',)),
    ("any", ()),
    ("broken", (f"{NPU}.type ==", "true")),
)
SELECTORS = (
    f'{NPU}.productName == "RBLN-CA25"',
    f'{NPU}.productName in ["RBLN-CA22", "RBLN-CR13"]',
    f"!{NPU}.vf",
    f"{STANDARD}.numaNode == 0",
    f"has({STANDARD}.numaNode) && {STANDARD}.numaNode == 1",
    f'{MEMORY}.compareTo(quantity("32Gi")) >= 0',
    f'{NPU}.?driverVersion.orValue(semver("0.0.1")).isGreaterThan(semver("1.0.0"))',
    f"{NPU}.productName",
    "device.allowMultipleAllocations",
    'device.driver == "gpu.example.com"',
)
ATTRIBUTES = (
    "resource.kubernetes.io/pcieRoot",
    "resource.kubernetes.io/numaNode",
    "npu.rebellions.ai/productName",
    "npu.rebellions.ai/driverVersion",
    "npu.rebellions.ai/vf",
    "example.com/absent",
)
#: Names that requests compute; some of them are published, too.
COMPUTED = ("example.com/a", "example.com/b", "npu.rebellions.ai/productName", "resource.kubernetes.io/numaNode", "example.com/a.b/c")
#: What computes them, and how often: values of all types, then what is an error on some devices, then what is always one.
EXPRESSIONS: dict[str, float] = {
    "device.driver": 4,
    f"{STANDARD}.?numaNode.orValue(-1)": 6,
    f"{STANDARD}.?numaNode.orValue(0) / 2": 6,
    f'{STANDARD}.?pcieRoot.orValue("none")': 6,
    f'{STANDARD}.?pcieRoot.orValue("none") == "pci0000:20"': 3,
    f'{NPU}.?productName.orValue("x").startsWith("RBLN-CA")': 5,
    f'{NPU}.?productName.orValue("a-b").split("-")': 4,
    f'{NPU}.?driverVersion.orValue(semver("0.0.1"))': 4,
    f'[{NPU}.?driverVersion.orValue(semver("1.2.3"))]': 3,
    f"[{STANDARD}.?numaNode.orValue(0), dyn(7)]": 3,
    f"[{STANDARD}.?numaNode.orValue(0)]": 4,
    f'[dyn(device.driver), {NPU}.?type.orValue("?")]': 3,
    f"[{NPU}.?vf.orValue(true)]": 3,
    f'{STANDARD}.?numaNode.orValue(0) == 0 ? dyn(1) : dyn("a")': 3,
    f'cel.bind(npu, {NPU}, npu.?type.orValue("") + "/" + npu.?productName.orValue(""))': 4,
    "device.allowMultipleAllocations": 3,
    "[]": 1,
    "true": 1,
    '"same"': 2,
    "7": 2,
    "dyn(optional.of(3))": 1,
    "google.protobuf.Int64Value{value: 7}": 0.5,
    f"dyn({NPU}.?vf)": 1,
    f"{STANDARD}.numaNode": 1.5,
    f"{STANDARD}.pcieRoot": 1.5,
    f"{NPU}.vf": 1.5,
    f'{MEMORY}.isGreaterThan(quantity("20Gi"))': 3,
    f"[{STANDARD}.pcieRoot]": 1,
    f'{STANDARD}.?numaNode.orValue(0) == 0 ? dyn(1u) : dyn("a")': 0.5,
    f"[dyn(7), {NPU}.vf ? dyn(true) : dyn(1)]": 1,
    f"{NPU}.type ==": 0.3,
    "device": 0.2,
    "1.5": 0.2,
    MEMORY: 0.3,
    f"dyn({MEMORY})": 0.3,
    "dyn(device.capacity)": 0.2,
    f"dyn({NPU})": 0.2,
    f"{NPU}.?type": 0.2,
    "dyn([null])": 0.2,
    "[[1]]": 0.2,
    "dyn([[1] + [2]])": 0.2,
    '"a".matches("(")': 0.2,
    "lists.range(2000).all(x, lists.range(2000).all(y, x + y >= 0))": 0.2,
    "": 0.1,
}
GATES = (
    "DRAAdminAccess",
    "DRAPrioritizedList",
    "DRAPartitionableDevices",
    "DRADeviceTaints",
    "DRAConsumableCapacity",
    "DRADeviceBindingConditions",
    "DRAListTypeAttributes",
    "DRAFractionalCapacityRange",
    "DRADeviceCompatibilityGroups",
    "DRAOptionalNodeOperations",
    "DRADerivedAttributes",
)


def release(minor: str, random: Random) -> Kubernetes:
    """Choose gates: more often than not the defaults."""
    if random.random() < 0.5:
        return Kubernetes(minor)
    gates: dict[str, bool] = {}
    for gate in random.sample(GATES, random.randint(1, 4)):
        value = random.random() < 0.75
        try:
            Kubernetes(minor, gates={**gates, gate: value})
        except Error:
            continue
        gates[gate] = value
    return Kubernetes(minor, gates=gates)


class Scenario:
    """
    Makes one scenario.

    Args:
        random: Where it is chosen from.
        release: For which Kubernetes.
    """

    def __init__(self, random: Random, release: Kubernetes) -> None:
        self.random = random
        self.release = release
        self.ids: list[list[str]] = []
        #: Those that several claims may share.
        self.shared: list[list[str]] = []
        #: What the requests of the claim that is being made compute.
        self.computed: dict[str, str] = {}

    def chance(self, share: float) -> bool:
        """Tell whether something rare happens."""
        return self.random.random() < share

    def make(self) -> dict[str, Any]:
        """Give the objects."""
        random = self.random
        slices = [item for index in range(random.choice((1, 1, 2, 2, 3, 4))) for item in self.pool(index)]
        random.shuffle(slices)
        claims = [self.claim(index) for index in range(random.choice((1, 1, 1, 2, 3)))]
        in_use = [each for each in self.ids if self.chance(0.12)]
        labels = {"zone": random.choice(("a", "b")), "rank": str(random.randint(0, 5))}
        node: dict[str, Any] = {"metadata": {"name": NODE, "labels": labels}}
        if self.chance(0.5):
            node["status"] = {"declaredFeatures": ["DRAOptionalNodeOperations"]}
        classes = [self.device_class(*each) for each in CLASSES]
        return {"node": node, "slices": slices, "classes": classes, "claims": claims, "inUse": in_use, "shares": list(self.shares())}

    def shares(self) -> Iterator[dict[str, Any]]:
        """Make what other claims have of devices that are shared."""
        if self.release.enabled("DRAConsumableCapacity"):
            for number, device in enumerate(each for each in self.shared if self.chance(0.3)):
                share: dict[str, Any] = {"device": device, "id": f"7a1e3a4c-3f07-4d43-8a5f-{number:012}"}
                if self.chance(0.8):
                    share["consumed"] = {"memory": self.random.choice(("1Gi", "4Gi", "8Gi", "16Gi"))}
                yield share

    def device_class(self, name: str, selectors: tuple[str, ...]) -> dict[str, Any]:
        """Make a class."""
        spec: dict[str, Any] = {"selectors": [{"cel": {"expression": each}} for each in selectors]} if selectors else {}
        if name == "vfio":
            spec["config"] = [{"opaque": {"driver": "npu.rebellions.ai", "parameters": {"a": 1}}}]
        return {"metadata": {"name": name}, "spec": spec}

    # --- Slices -----------------------------------------------------------------------------------------------------------------------------

    def pool(self, index: int) -> list[dict[str, Any]]:
        """Make the slices of one pool."""
        random = self.random
        driver, name = random.choice(DRIVERS), random.choice(("a", "b", "c", "n1")) + str(random.randint(0, index))
        count, generation = random.choice((1, 1, 1, 2, 3)), random.randint(1, 2)
        counters = self.chance(0.25)
        where = self.where()
        slices: list[dict[str, Any]] = []
        for number in range(count):
            spec: dict[str, Any] = {
                "driver": driver,
                "pool": {
                    "name": name,
                    "generation": generation if not self.chance(0.03) else random.randint(1, 3),
                    "resourceSliceCount": count + counters if not self.chance(0.04) else random.randint(1, 3),
                },
                **(self.where() if self.chance(0.15) else where),
            }
            per_device = bool(spec.get("perDeviceNodeSelection"))
            devices = [self.device(number, each, per_device=per_device, counters=counters) for each in range(random.choice((1, 2, 3, 4, 6, 9, 12)))]
            spec["devices"] = devices
            if self.chance(0.06):
                spec["skipNodeOperations"] = ["NodePrepareResources"]
            self.ids += [[driver, name, each["name"]] for each in devices]
            self.shared += [[driver, name, each["name"]] for each in devices if "allowMultipleAllocations" in each]
            slices.append({"metadata": {"name": f"{random.choice('xyz')}{index}{number}"}, "spec": spec})
        if counters:
            amounts = {"slots": {"value": str(random.randint(1, 6))}, "memory": {"value": random.choice(("64Gi", "16Gi", "0"))}}
            spec = {"driver": driver, "pool": {"name": name, "generation": generation, "resourceSliceCount": count + 1}, **where}
            spec["sharedCounters"] = [{"name": each, "counters": amounts} for each in ("set0", "set1")]
            slices.append({"metadata": {"name": f"{random.choice('wxyz')}{index}-counters"}, "spec": spec})
        return slices

    def where(self) -> dict[str, Any]:
        """Say which nodes reach a slice."""
        random = self.random
        kind = random.random()
        if kind < 0.6:
            return {"nodeName": NODE}
        if kind < 0.7:
            return {"allNodes": True}
        if kind < 0.8:
            return {"nodeName": "n2"}
        if kind < 0.92:
            return {"nodeSelector": self.selector(broken=self.chance(0.03))}
        return {"perDeviceNodeSelection": True}

    def selector(self, *, broken: bool = False) -> dict[str, Any]:
        """Make a node selector."""
        random = self.random
        conditions: tuple[dict[str, Any], ...] = (
            {"key": "zone", "operator": "In", "values": ["a"]},
            {"key": "zone", "operator": "NotIn", "values": ["b"]},
            {"key": "zone", "operator": "Exists"},
            {"key": "other", "operator": "DoesNotExist"},
            {"key": "rank", "operator": "Gt", "values": ["1"]},
            {"key": "rank", "operator": "Lt", "values": ["4"]},
        )
        fields = [{"key": "metadata.name", "operator": random.choice(("In", "NotIn")), "values": [random.choice((NODE, "n2"))]}]
        if broken:
            conditions = ({"key": "rank", "operator": "Gt", "values": ["x"]}, {"key": "-", "operator": "In"}, {"key": "zone", "operator": "Is"})
        term: dict[str, Any] = {}
        if self.chance(0.8):
            term["matchExpressions"] = random.sample(conditions, random.randint(1, 2))
        if self.chance(0.2):
            term["matchFields"] = fields
        return {"nodeSelectorTerms": [term]}

    def device(self, slice_: int, number: int, *, per_device: bool, counters: bool) -> dict[str, Any]:
        """Make a device."""
        random = self.random
        name = f"dev-{slice_}-{number}" if not self.chance(0.01) else "dev-0-0"
        attributes: dict[str, Any] = {
            "type": {"string": random.choice(("vfio", "vfio", "vfio", "npu"))},
            "productName": {"string": random.choice(PRODUCTS)},
            "vf": {"bool": self.chance(0.2)},
        }
        if self.chance(0.96):
            attributes["resource.kubernetes.io/pcieRoot"] = {"string": random.choice(("pci0000:00", "pci0000:20", "pci0000:80"))}
        if self.chance(0.85):
            attributes["resource.kubernetes.io/numaNode"] = {"int": random.randint(0, 2)}
        if self.chance(0.3):
            attributes["driverVersion"] = {"version": random.choice(("1.2.3", "2.0.0", "1.2.3+b"))}
        if self.release.enabled("DRAListTypeAttributes") and self.chance(0.3):
            attributes["resource.kubernetes.io/pcieRoot"] = {"strings": random.sample(("pci0000:00", "pci0000:20", "pci0000:80"), 2)}
        device: dict[str, Any] = {"name": name, "attributes": attributes}
        if self.chance(0.6):
            device["capacity"] = {"memory": self.capacity()}
        if self.chance(0.12):
            effect = random.choice(("NoSchedule", "NoExecute", "None"))
            device["taints"] = [{"key": random.choice(("maint", "bad.example.com/x")), "value": random.choice(("", "v")), "effect": effect}]
        if self.chance(0.3 if self.release.enabled("DRAConsumableCapacity") else 0.15):
            device["allowMultipleAllocations"] = True
            if "capacity" in device and self.chance(0.5):
                device["capacity"]["memory"]["requestPolicy"] = self.policy()
        if self.chance(0.05):
            device |= {"bindingConditions": ["ready"], "bindingFailureConditions": ["failed"], "bindsToNode": self.chance(0.5)}
        if counters and self.chance(0.7):
            device["consumesCounters"] = [self.consumption()]
        if per_device:
            device |= random.choice(({"nodeName": NODE}, {"nodeName": "n2"}, {"allNodes": True}, {"nodeSelector": self.selector()}))
        return device

    def capacity(self) -> dict[str, Any]:
        """Make an amount."""
        return {"value": self.random.choice(("16Gi", "32Gi", "140Gi", "40Gi"))}

    def policy(self) -> dict[str, Any]:
        """Make a policy."""
        return self.random.choice(
            (
                {"default": "4Gi", "validValues": ["4Gi", "8Gi", "16Gi"]},
                {"default": "2Gi", "validRange": {"min": "2Gi", "max": "16Gi", "step": "2Gi"}},
                {"default": "1Gi", "validRange": {"min": "1Gi"}},
                {"default": "1Gi", "validRange": {"min": "500Mi", "step": "1500Mi"}},
                {"default": "500m", "validRange": {"min": "500m", "max": "100Gi", "step": "250m"}},
            )
        )

    def consumption(self) -> dict[str, Any]:
        """Make what a device takes from counters."""
        counters = {"slots": {"value": str(self.random.randint(1, 2))}}
        if self.chance(0.3):
            counters["memory" if not self.chance(0.03) else "unknown"] = {"value": "8Gi"}
        consumption: dict[str, Any] = {"counterSet": self.random.choice(("set0", "set1")) if not self.chance(0.02) else "set2", "counters": counters}
        if self.chance(0.3):
            consumption["compatibilityGroups"] = self.random.sample(("g0", "g1", "g2"), self.random.randint(1, 2))
        return consumption

    # --- Claims -----------------------------------------------------------------------------------------------------------------------------

    def claim(self, index: int) -> dict[str, Any]:
        """Make a claim."""
        random = self.random
        computing = self.chance(0.7 if self.release.enabled("DRADerivedAttributes") else 0.005) and self.release.minor.minor >= 37
        names = random.sample(COMPUTED, random.choice((1, 1, 2))) if computing else []
        self.computed = {name: self.expression() for name in names}
        requests = [self.request(f"r{number}") for number in range(random.choice((1, 1, 2, 2, 3)))]
        devices: dict[str, Any] = {"requests": requests}
        names = [each["name"] for each in requests]
        names += [f"{each['name']}/{sub['name']}" for each in requests for sub in each.get("firstAvailable", ())]
        if self.chance(0.9 if self.computed else 0.5):
            devices["constraints"] = [self.constraint(names) for _ in range(random.choice((1, 1, 2)))]
        if self.chance(0.3):
            opaque = {"driver": "npu.rebellions.ai", "parameters": {"b": 2}}
            chosen = random.sample(names, random.randint(0, min(2, len(names))))
            devices["config"] = [{"opaque": opaque, **({"requests": chosen} if chosen else {})}]
        metadata = {"name": f"claim{index}", **({"namespace": "ns"} if self.chance(0.95) else {})}
        return {"metadata": metadata, "spec": {"devices": devices}}

    def constraint(self, names: list[str]) -> dict[str, Any]:
        """Make a constraint."""
        random = self.random
        kind = "distinctAttribute" if self.chance(0.25) else "matchAttribute"
        constraint: dict[str, Any] = {kind: random.choice(ATTRIBUTES) if self.chance(0.25) else random.choice(ATTRIBUTES[:2])}
        if self.computed and self.chance(0.8):
            constraint[kind] = random.choice(list(self.computed))
        if self.chance(0.5):
            constraint["requests"] = random.sample(names, random.randint(1, min(2, len(names))))
        return constraint

    def request(self, name: str) -> dict[str, Any]:
        """Make a request."""
        if self.chance(0.2):
            return {"name": name, "firstAvailable": [{"name": f"s{each}", **self.wish()} for each in range(self.random.randint(1, 3))]}
        wish = self.wish()
        if self.chance(0.06):
            wish["adminAccess"] = self.chance(0.8)
        return {"name": name, "exactly": wish}

    def wish(self) -> dict[str, Any]:
        """Make what a request wants."""
        random = self.random
        name = random.choices(("vfio", "npu", "any", "broken", "missing"), (50, 40, 10, 0.2, 0.4))[0]
        wish: dict[str, Any] = {"deviceClassName": name, "allocationMode": "ExactCount", "count": random.choice((1, 1, 1, 2, 2, 3, 4))}
        if self.chance(0.01):
            wish["count"] = random.choice((17, 33, 2**40))
        if self.chance(0.12):
            wish["allocationMode"] = "All"
            del wish["count"]
        if self.chance(0.5):
            picked = random.choices(SELECTORS, (8, 6, 6, 1.5, 6, 1, 4, 0.1, 1, 0.5), k=random.choice((1, 1, 2)))
            wish["selectors"] = [{"cel": {"expression": each}} for each in picked]
        if self.chance(0.15):
            wish["tolerations"] = [
                random.choice(
                    (
                        {"operator": "Exists"},
                        {"key": "maint", "operator": "Exists"},
                        {"key": "maint", "operator": "Equal", "value": "v", "effect": "NoSchedule"},
                        {"key": "bad.example.com/x", "operator": "Exists", "effect": "NoExecute"},
                    )
                )
            ]
        if self.chance(0.12):
            capacity = "memory" if not self.chance(0.1) else "npu.rebellions.ai/memory"
            wish["capacity"] = {"requests": {capacity: random.choice(("4Gi", "5Gi", "20Gi", "1", "1500m", "1.5Gi", "0.75Gi", "9Ei", "64Gi"))}}
        names = [name for name in self.computed if self.chance(0.9)]
        if names and self.chance(0.02):
            names.append(names[0])
        if names:
            computed = [{"name": name, "expression": self.computed[name] if self.chance(0.7) else self.expression()} for name in names]
            wish["derivedAttributes"] = computed
        return wish

    def expression(self) -> str:
        """Choose what computes an attribute."""
        return self.random.choices(list(EXPRESSIONS), list(EXPRESSIONS.values()))[0]
