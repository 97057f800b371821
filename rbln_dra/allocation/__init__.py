"""
Room: allocation: claims, classes and slices in, the devices of each claim out, as the scheduler's allocator decides; and why nothing fits.

May touch: `cel`, `resources`, `devices` and the values below them.
"""

from __future__ import annotations

from ..errors import AllocationError, SearchLimitExceeded
from .allocator import allocate, explain
from .cluster import Cluster
from .explanation import AllocationExplanation, Reason, RequestExplanation, Ruling
from .nodes import Node
from .results import ClaimAllocation
from .rules import ALLOCATORS, Allocator

__all__ = [
    "ALLOCATORS",
    "AllocationError",
    "AllocationExplanation",
    "Allocator",
    "ClaimAllocation",
    "Cluster",
    "Node",
    "Reason",
    "RequestExplanation",
    "Ruling",
    "SearchLimitExceeded",
    "allocate",
    "explain",
]
