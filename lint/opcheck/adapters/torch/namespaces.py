"""What code that is not read may define, and which cells it may fill."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Final

from msgspec import Struct

from opcheck_rules.model.condition import Condition, Conditions

from ...symbolic.machine import Machine
from ...symbolic.reach import Reach
from ..given_up import GivenUp
from .gathered import Everything, Gathered
from .row import Gap, place

FRAMEWORK_OWN: Final = frozenset(
    {
        *("_", "aten", "prim", "prims", "prepacked", "debugprims", "rngprims", "higher_order", "profiler", "inductor"),
        *("quantized", "quantized_decomposed", "_quantized", "mkl", "mkldnn", "mkldnn_prepacked", "onednn", "xnnpack"),
        *("c10d", "c10d_functional", "_c10d_functional", "_c10d_functional_autograd", "_dtensor", "fsdp", "symm_mem"),
        *("sparse", "nested", "cuda", "streaming", "streams", "torch_attn", "flex_lib", "cplib", "dsl", "onnx"),
        *("onnx_symbolic", "inductor_prims", "_inductor_test", "_test"),
    }
)
"""The namespaces PyTorch itself defines ops in."""

_HARMLESS: Final = frozenset({"torch", "numpy", "cupy", "triton", "opcheck_runtime", "packaging", "typing_extensions"})
# Files that a build writes and that are no code to load.
_GENERATED: Final = re.compile(r"(.*\.)?(_?_?version(_\w+)?(__)?|\w+_pb2(_grpc)?)")


def of(op: str) -> str:
    """The namespace an op lies in."""
    return op.partition("::")[0]


class Load(Struct, frozen=True):
    """Compiled code that is loaded, and the entries that lead there.

    `is_compiled` is False for a module that is imported and not among the files: it may be compiled, or elsewhere.
    """

    gap: Gap
    entries: frozenset[str]
    is_compiled: bool


@dataclass(frozen=True)
class Unread:
    """All that is not read and may register ops: what the project loads, and whether it uses packages that could."""

    space: Conditions
    everything: Everything
    loads: tuple[Load, ...]
    has_packages: bool
    given_up: tuple[GivenUp, ...] = ()

    @cached_property
    def own(self) -> frozenset[str]:
        """The namespaces that the project itself defines ops in: packages that are not read leave them alone."""
        return frozenset(of(name) for name, gathered in self.everything.ops.items() if gathered.defined)

    @cached_property
    def opened(self) -> frozenset[str]:
        """The namespaces of which not every op is known."""
        ops = self.everything.ops
        return FRAMEWORK_OWN | {of(name) for name, gathered in ops.items() if any(self.gaps(gathered))}

    @property
    def foreign(self) -> frozenset[str]:
        """The opened namespaces that only packages which are not read may fill."""
        ops = self.everything.ops
        own = {of(name) for name, gathered in ops.items() if any(self._own_gaps(gathered))}
        return self.opened - own - FRAMEWORK_OWN

    def gaps(self, gathered: Gathered) -> Iterator[Gap]:
        """What may fill the empty cells of an op. Packages may only where nothing that was read defines it."""
        yield from self._own_gaps(gathered)
        namespace = of(gathered.name)
        if not gathered.defined and self.has_packages and namespace not in FRAMEWORK_OWN | self.own:
            yield Gap(self.space.true, "a package that is not read")

    def _own_gaps(self, gathered: Gathered) -> Iterator[Gap]:
        """What of the project's own may fill them, and PyTorch.

        What runs wherever the op is registered: no process has the one without the other. Compiled code is no gap for
        an op that its sources were found to register: what they say of it was read.
        """
        if not _is_in_sources(gathered):
            yield from (load.gap for load in self.loads if gathered.entries <= load.entries)
        yield from (_gap(call) for call in self.given_up if gathered.entries <= call.entries)
        if gathered.defined:
            return
        namespace = of(gathered.name)
        if namespace in FRAMEWORK_OWN:
            yield Gap(self.space.true, "PyTorch itself")
        for unnamed in self.everything.unnamed_definitions:
            if unnamed.record.namespace in (None, namespace):
                text = f"an op whose name was not read, defined at {place(unnamed.span)}"
                yield Gap(unnamed.condition, text, unnamed.span)

    def loaded(self, namespace: str) -> Condition | None:
        """Where compiled code may fill a namespace; None for one that packages may fill, or PyTorch."""
        if namespace in FRAMEWORK_OWN or (self.has_packages and namespace not in self.own):
            return None
        ops = [gathered.entries for name, gathered in self.everything.ops.items() if of(name) == namespace]
        code = [*((load.gap.condition, load.entries) for load in self.loads)]
        code += [(call.condition, call.entries) for call in self.given_up]
        return self.space.any(condition for condition, runs in code if not ops or any(op <= runs for op in ops))


def _is_in_sources(gathered: Gathered) -> bool:
    """Whether a C++ source registers anything for the op: that is a record which no Python module made."""
    return any(not record.module for record in (*gathered.defined, *gathered.filled))


def _gap(call: GivenUp) -> Gap:
    return Gap(call.condition, f"`{call.text}`, which was too much to evaluate", call.span)


def unread(machine: Machine, reach: Reach, everything: Everything, given_up: tuple[GivenUp, ...] = ()) -> Unread:
    """Gather what a project uses that is not read."""
    has_packages = any(map(_may_define, machine.external_modules))
    return Unread(machine.space, everything, tuple(_loads(machine, reach, everything)), has_packages, given_up)


def _loads(machine: Machine, reach: Reach, everything: Everything) -> Iterator[Load]:
    for opened in everything.opened:
        gap = Gap(opened.condition, f"what is loaded where {opened.record.text}")
        yield Load(gap, opened.entries, is_compiled=True)
    asked = _asked(machine)
    for runner, name, path in machine.loads:
        condition = path & reach.conditions[runner]
        if _GENERATED.fullmatch(name) or condition.fails:
            continue
        is_compiled = name in machine.layout.compiled
        subject = f"{'loaded' if is_compiled else 'installed'}:{name}"
        there = machine.space.atom(subject)
        # What no `try` ever handles is taken to succeed, unless a target assumes otherwise.
        there = there if there.atoms & asked else machine.space.atom(subject, settled=True)
        yield Load(Gap(condition & there, f"`{name}`"), reach.entries[runner], is_compiled)


def _asked(machine: Machine) -> int:
    """The atoms that anything the project does hangs on."""
    conditions = (*(effect.condition for effect in machine.effects), *(edge.condition for edge in machine.edges))
    return reduce(lambda atoms, condition: atoms | condition.atoms, conditions, 0)


def _may_define(module: str) -> bool:
    top = module.split(".", 1)[0]
    return top not in _HARMLESS and top not in sys.stdlib_module_names
