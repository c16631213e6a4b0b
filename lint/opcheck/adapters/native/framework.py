"""The runtime's own words."""

from __future__ import annotations

from typing import Final

from opcheck_rules.model.project import Framework
from opcheck_runtime.spec import BACKENDS

NATIVE: Final = Framework("native", BACKENDS, warn_unused=True)
