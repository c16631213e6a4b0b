"""opcheck's runtime: declare ops for NumPy and CuPy arrays, dispatch them by the arrays they are called with."""

from .arrays import Array, BoolArray, FloatArray, IntArray
from .backward import backward
from .declare import Op, gated, op
from .errors import (
    AutodiffNotSupportedError,
    BackendNotSupportedError,
    DeclarationError,
    GradientError,
    MixedBackendsError,
    NoDeviceError,
    NoRoutingInputError,
    OpError,
    TrackedError,
)
from .features import enable_features
from .grad_mode import no_grad
from .gradcheck import gradcheck
from .table import dispatch_table
from .tracked import Tracked, track

__all__ = [
    "Array",
    "AutodiffNotSupportedError",
    "BackendNotSupportedError",
    "BoolArray",
    "DeclarationError",
    "FloatArray",
    "GradientError",
    "IntArray",
    "MixedBackendsError",
    "NoDeviceError",
    "NoRoutingInputError",
    "Op",
    "OpError",
    "Tracked",
    "TrackedError",
    "backward",
    "dispatch_table",
    "enable_features",
    "gated",
    "gradcheck",
    "no_grad",
    "op",
    "track",
]
