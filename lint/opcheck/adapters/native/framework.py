"""The runtime's own words."""

from __future__ import annotations

from typing import Final

from opcheck_rules.model.project import Framework

NATIVE: Final = Framework("native", ("numpy", "cupy"), warn_unused=True)
"""Written out: the runtime's own list of backends comes with all of the runtime, which a warm run has no use for."""
