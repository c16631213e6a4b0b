"""The dispatch table, its words, and the rules: one file each, listed in `ALL_RULES`."""

from typing import Final

from . import (
    autodiff_gated_off,
    autodiff_not_supported,
    backend_gated_off,
    backend_not_supported,
    backward_backend_missing,
    batching_rule_missing,
    derivative_rule_missing,
    duplicate_declaration,
    fake_kernel_missing,
    feature_enabled_late,
    gradient_shadowed,
    kernel_always_raises,
    kernel_missing,
    kernel_refuses_backend,
    no_routing_input,
    redundant_fake_kernel,
    signature_mismatch,
    undeclared_kernel,
    unguarded_use,
    unknown_backend,
    unknown_feature,
    unknown_op,
    unreadable_file,
)
from .base import Rule

ALL_RULES: Final[tuple[Rule, ...]] = (
    unreadable_file.RULE,
    backend_not_supported.RULE,
    backend_gated_off.RULE,
    kernel_missing.RULE,
    kernel_always_raises.RULE,
    kernel_refuses_backend.RULE,
    autodiff_not_supported.RULE,
    autodiff_gated_off.RULE,
    derivative_rule_missing.RULE,
    backward_backend_missing.RULE,
    gradient_shadowed.RULE,
    fake_kernel_missing.RULE,
    batching_rule_missing.RULE,
    unknown_backend.RULE,
    unknown_op.RULE,
    duplicate_declaration.RULE,
    undeclared_kernel.RULE,
    no_routing_input.RULE,
    signature_mismatch.RULE,
    redundant_fake_kernel.RULE,
    unguarded_use.RULE,
    unknown_feature.RULE,
    feature_enabled_late.RULE,
)
"""Every rule, in the order of its code: the only registry."""
