"""
Room: the function libraries, one module each, in the order in which Kubernetes adds them to its environment.

May touch: `values`, `types`, `ranges`, `rows`, and the value types of the package.
"""

from __future__ import annotations

from .authz import AUTHZ, AUTHZ_SELECTORS
from .cidr import CIDRS
from .ext_lists import EXT_LISTS
from .ip import IPS
from .lists import INCLUDES, LISTS, LISTS_V1
from .named_formats import FORMATS
from .optionals import LIBRARY as OPTIONALS
from .quantity import QUANTITIES
from .regex import REGEX
from .rows import Library
from .semver import SEMVERS
from .sets import SETS
from .standard import LIBRARY as STANDARD
from .strings import STRINGS
from .two_variables import TWO_VARIABLES
from .urls import URLS

#: Every library, in the order in which functions of one name get their overloads.
LIBRARIES: tuple[Library, ...] = (
    STANDARD,
    URLS,
    REGEX,
    LISTS,
    AUTHZ,
    OPTIONALS,
    QUANTITIES,
    STRINGS,
    SETS,
    IPS,
    CIDRS,
    FORMATS,
    AUTHZ_SELECTORS,
    TWO_VARIABLES,
    SEMVERS,
    EXT_LISTS,
    LISTS_V1,
    INCLUDES,
)

__all__ = ["LIBRARIES"]
