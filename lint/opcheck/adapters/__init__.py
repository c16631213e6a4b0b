"""What a call, decorator or method means, framework by framework."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from opcheck_rules.model.project import Framework

from .native.framework import NATIVE
from .torch.keys import TORCH

FRAMEWORKS: Final[Mapping[str, Framework]] = {NATIVE.name: NATIVE, TORCH.name: TORCH}
