"""All that the package keeps between calls: the ops declared in this process, and the features enabled by call.

Both only grow, in one step each: every use is one atomic operation on a dict or set, except the check-then-add of
a declaration, which takes the lock.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .declared import DeclaredOp

OPS: Final[dict[str, DeclaredOp]] = {}
"""Every op by its qualified name (`module.function`), in the order declared."""

OPS_LOCK: Final = threading.Lock()

ENABLED_FEATURES: Final[set[str]] = set()
"""What `enable_features` was called with."""
