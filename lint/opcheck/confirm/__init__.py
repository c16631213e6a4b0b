"""Running findings: each becomes a script, run in a process of its own and held against what was predicted."""

from .confirm import Confirmation, Run, confirm
from .verdict import Verdict

__all__ = ["Confirmation", "Run", "Verdict", "confirm"]
