"""Objects with every field that a release has, as the API server would hand them out."""

from __future__ import annotations

from typing import Any

METADATA: dict[str, Any] = {
    "name": "node-a",
    "generateName": "node-",
    "selfLink": "/x",
    "uid": "u-1",
    "resourceVersion": "5",
    "generation": 3,
    "creationTimestamp": "2026-01-31T09:30:00Z",
    "deletionTimestamp": "2026-01-31T09:31:00Z",
    "deletionGracePeriodSeconds": 30,
    "labels": {"a": "b"},
    "annotations": {"c": "d"},
    "ownerReferences": [{"apiVersion": "v1", "kind": "Node", "name": "node-a", "uid": "x", "controller": True, "blockOwnerDeletion": False}],
    "finalizers": ["example.com/f"],
    "managedFields": [
        {
            "manager": "kubectl",
            "operation": "Update",
            "apiVersion": "resource.k8s.io/v1",
            "time": "2026-01-31T09:30:00Z",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:spec": {}},
            "subresource": "status",
        }
    ],
}
OPAQUE: dict[str, Any] = {
    "opaque": {"driver": "npu.rebellions.ai", "parameters": {"kind": "NPUConfig", "apiVersion": "x/v1", "list": [1, 2.5, None]}}
}
TOLERATIONS: list[dict[str, Any]] = [
    {"key": "example.com/broken", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 5},
    {"key": "example.com/slow", "operator": "Equal", "value": "v"},
]
WISH: dict[str, Any] = {
    "deviceClassName": "vfio-npu.rebellions.ai",
    "selectors": [{"cel": {"expression": "true"}}],
    "allocationMode": "ExactCount",
    "count": 2,
    "tolerations": TOLERATIONS,
    "capacity": {"requests": {"memory": "16Gi"}},
    "derivedAttributes": [{"name": "example.com/a", "expression": "1"}],
}
CLAIM_SPEC: dict[str, Any] = {
    "devices": {
        "requests": [
            {"name": "npu", "exactly": {**WISH, "adminAccess": True}},
            {"name": "any", "firstAvailable": [{"name": "large", **WISH}]},
        ],
        "constraints": [
            {"requests": ["npu"], "matchAttribute": "resource.kubernetes.io/pcieRoot"},
            {"distinctAttribute": "example.com/b"},
        ],
        "config": [{"requests": ["npu"], **OPAQUE}],
    }
}
NODES: dict[str, Any] = {
    "nodeSelectorTerms": [
        {
            "matchExpressions": [{"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-a"]}],
            "matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}],
        }
    ]
}
STATUS: dict[str, Any] = {
    "allocation": {
        "devices": {
            "results": [
                {
                    "request": "npu",
                    "driver": "npu.rebellions.ai",
                    "pool": "node-a",
                    "device": "vfio-0000-27-00-0",
                    "adminAccess": True,
                    "tolerations": TOLERATIONS,
                    "bindingConditions": ["ready"],
                    "bindingFailureConditions": ["failed"],
                    "shareID": "s-1",
                    "consumedCapacity": {"memory": "1Gi"},
                    "skipNodeOperations": ["*"],
                }
            ],
            "config": [{"source": "FromClass", "requests": ["npu"], **OPAQUE}],
        },
        "nodeSelector": NODES,
        "allocationTimestamp": "2026-01-31T09:30:00Z",
    },
    "reservedFor": [{"apiGroup": "example.com", "resource": "pods", "name": "vm", "uid": "u-2"}],
    "devices": [
        {
            "driver": "npu.rebellions.ai",
            "pool": "node-a",
            "device": "vfio-0000-27-00-0",
            "shareID": "s-1",
            "conditions": [
                {
                    "type": "Ready",
                    "status": "True",
                    "observedGeneration": 1,
                    "lastTransitionTime": "2026-01-31T09:30:00Z",
                    "reason": "Bound",
                    "message": "vfio-pci",
                }
            ],
            "data": {"x": [1, {"y": None}]},
            "networkData": {"interfaceName": "net1", "ips": ["10.0.0.1/8"], "hardwareAddress": "aa:bb"},
        }
    ],
}
DEVICE: dict[str, Any] = {
    "attributes": {"type": {"string": "vfio"}, "roots": {"strings": ["a", "b"]}},
    "capacity": {"memory": {"value": "16Gi", "requestPolicy": {"default": "1Gi", "validRange": {"min": "1Gi", "max": "4Gi", "step": "1Gi"}}}},
    "consumesCounters": [{"counterSet": "card", "counters": {"slots": {"value": "1"}}, "compatibilityGroups": ["g"]}],
    "nodeName": "node-a",
    "nodeSelector": NODES,
    "allNodes": True,
    "taints": [{"key": "example.com/broken", "value": "v", "effect": "NoSchedule", "timeAdded": "2026-01-31T09:30:00Z"}],
    "bindsToNode": True,
    "bindingConditions": ["ready"],
    "bindingFailureConditions": ["failed"],
    "allowMultipleAllocations": True,
    "nodeAllocatableResources": {"cpu": {"mapping": {"deviceMultiplier": "8"}, "overhead": {"perPod": "1"}}},
    "nodeAllocatableResourceMappings": {"cpu": {"allocationMultiplier": "8"}},
}
SLICE_SPEC: dict[str, Any] = {
    "driver": "npu.rebellions.ai",
    "pool": {"name": "node-a", "generation": 2, "resourceSliceCount": 1},
    "nodeName": "node-a",
    "nodeSelector": NODES,
    "allNodes": True,
    "devices": [{"name": "vfio-0000-27-00-0", **DEVICE}],
    "perDeviceNodeSelection": True,
    "sharedCounters": [{"name": "card", "counters": {"slots": {"value": "4"}}}],
    "partitionTypeAttribute": "example.com/partition",
    "skipNodeOperations": ["*"],
}


def flat(request: dict[str, Any]) -> dict[str, Any]:
    """Give a request the form that it has in v1beta1, where every request has a class, if an empty one."""
    return {"deviceClassName": "", **{key: value for key, value in request.items() if key != "exactly"}, **request.get("exactly", {})}


def spec_of(kind: str, version: str) -> dict[str, Any]:
    """Give a spec with every field, in the form of a version."""
    claim = CLAIM_SPEC
    if version == "v1beta1":
        claim = {"devices": {**CLAIM_SPEC["devices"], "requests": [flat(request) for request in CLAIM_SPEC["devices"]["requests"]]}}
    boxed = {**SLICE_SPEC, "devices": [{"name": "vfio-0000-27-00-0", "basic": DEVICE}]}
    specs: dict[str, dict[str, Any]] = {
        "ResourceSlice": boxed if version == "v1beta1" else SLICE_SPEC,
        "DeviceClass": {"selectors": [{"cel": {"expression": "true"}}], "config": [OPAQUE], "extendedResourceName": "example.com/npu"},
        "ResourceClaim": claim,
        "ResourceClaimTemplate": {"metadata": METADATA, "spec": claim},
    }
    return specs[kind]


def full(kind: str, version: str = "v1") -> dict[str, Any]:
    """Give an object with every field, in the form of a version."""
    made = {"apiVersion": f"resource.k8s.io/{version}", "kind": kind, "metadata": METADATA, "spec": spec_of(kind, version)}
    return {**made, "status": STATUS} if kind == "ResourceClaim" else made
