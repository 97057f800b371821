"""
Room: what the API server says of an object of resource.k8s.io, before it is sent there.

`validating` is the way in. One module for each kind of object checks as Kubernetes does by hand; `declarations` has what Kubernetes 1.37 declares
of the API's types beside; `limits` has every limit, by minor. `advice` is on what the API server admits.

May touch: `cel`, `resources` and the values below them.
"""

from __future__ import annotations

from .advice import Advice, advise
from .findings import FieldError
from .limits import LIMITS, Limit
from .validating import validate

__all__ = ["LIMITS", "Advice", "FieldError", "Limit", "advise", "validate"]
