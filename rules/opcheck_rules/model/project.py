"""What a project declares, before any target is applied: ops, the outcomes of their cells, registrations, uses."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from .condition import Condition
from .finding import PredictedError, Span
from .suppression import UnusedSuppression
from .unresolved import Unresolved


class Framework(Struct, frozen=True):
    """A dispatcher's own words: its name, the backends it knows, and which of them never share a machine.

    `warn_unused` says that an op which nothing calls is still worth a warning where it lacks a derivative.
    """

    name: str
    backends: tuple[str, ...]
    accelerators: frozenset[str] = frozenset()
    warn_unused: bool = False


class Status(StrEnum):
    """What a cell of the dispatch table says."""

    COVERED = "covered"
    HOLE = "hole"
    CONDITIONAL = "conditional"
    UNKNOWN = "unknown"
    EXCLUDED = "excluded"


class Cause(StrEnum):
    """Why nothing fills a cell."""

    NOT_LISTED = "not listed"
    FEATURE_OFF = "feature off"
    NO_KERNEL = "no kernel"
    AUTODIFF_NOT_LISTED = "autodiff not listed"
    AUTODIFF_FEATURE_OFF = "autodiff feature off"
    NO_RULE = "no derivative rule"
    SHADOWED = "gradient shadowed"


class Stub(Struct, frozen=True):
    """A function's body that does nothing but raise: where it does, and what.

    `refuses` marks one that serves other backends, and raises because of where its input lies.
    """

    span: Span
    raises: PredictedError
    refuses: bool = False


class Outcome(Struct, frozen=True):
    """What one cell holds in the worlds where `condition` does.

    `via` names what supplies a covered cell (a dispatch key; `kernel` or `body` for native ops), `reason` says it in
    words, `span` points at what decides it, and `error` is what a call would raise in a hole. `named` marks one that
    was registered for this very backend, rather than for every backend at once. `stub` marks a covered cell whose
    kernel only raises there, or is what says in its place that there is none. `survivable` marks a hole that a call may
    pass with the right result all the same, and `meeting` is an expression that runs into a hole.
    """

    condition: Condition
    status: Status
    reason: str
    via: str | None = None
    cause: Cause | None = None
    feature: str | None = None
    span: Span | None = None
    error: PredictedError | None = None
    named: bool = False
    stub: Stub | None = None
    survivable: bool = False
    meeting: str | None = None


class Cell(Struct, frozen=True):
    """One op on one backend in one context: outcomes that part the worlds between them."""

    backend: str
    context: str
    outcomes: tuple[Outcome, ...]


class RoutingFault(Struct, frozen=True):
    """An op whose inputs cannot select a backend, under `condition`; `detail` says what is declared instead."""

    condition: Condition
    detail: str
    help: str
    error: PredictedError


class Op(Struct, frozen=True):
    """A row of the dispatch table.

    `name` is qualified, `own_name` is what the framework's messages use. `span` is the definition, `listing` where its
    backends are written. `defined` is the condition under which it exists (`has_definition` is False for a name that
    only has registrations). `external` ops are defined in code that was not read, where `defined` holds. `listed` names
    the backends that the declaration lists under any condition, None where a framework has no such list.
    """

    name: str
    own_name: str
    framework: str
    span: Span
    listing: Span
    defined: Condition
    cells: Mapping[tuple[str, str], Cell]
    has_definition: bool = True
    external: bool = False
    listed: tuple[str, ...] | None = None
    routing_faults: tuple[RoutingFault, ...] = ()


class Mismatch(Struct, frozen=True):
    """How a function that completes an op, at `span`, fails to take what the op passes on to it.

    `expected` is how its parameters are to be written. `always` is False where only calls that pass an optional
    argument fail; `by_default` marks a parameter that lacks the op's default.
    """

    span: Span
    detail: str
    expected: str
    error: PredictedError
    always: bool = True
    by_default: bool = False


class Redundant(Struct, frozen=True):
    """A fake kernel that the kernel at `span` makes an error under `condition`, as it serves fake tensors itself."""

    condition: Condition
    span: Span
    error: PredictedError


class Registration(Struct, frozen=True):
    """One statement's effect on one slot of one op.

    `kind` is `define`, `kernel`, `listing`, `derivative`, `fake` or `vmap`; `key` is the backend or dispatch key as
    written, None where the kind has none. `op` is None where the name could not be read. `known` is False for a key
    that no framework knows. `order` counts statements in the order an import runs them, and `entries` are the entry
    modules that reach it. `silent` marks one that replaces another on purpose. The errors are what it raises when its
    op is not defined, when it is the second of its kind, when its key is unknown, when its key was not declared;
    `mismatch` says that its function cannot take what the op passes on, `redundant` that another kernel makes it an
    error. `handled` marks one whose errors are caught.
    """

    framework: str
    op: str | None
    kind: str
    key: str | None
    condition: Condition
    span: Span
    order: int
    entries: frozenset[str] = frozenset()
    known: bool = True
    silent: bool = False
    needs_definition: bool = True
    undefined_error: PredictedError | None = None
    duplicate_error: PredictedError | None = None
    unknown_error: PredictedError | None = None
    undeclared_error: PredictedError | None = None
    mismatch: Mismatch | None = None
    redundant: Redundant | None = None
    handled: bool = False


class Gate(Struct, frozen=True):
    """A part of an op that is there only with a feature: a backend, or the derivative where `backend` is None.

    `order` and `entries` are those of the declaration, which is when the gate is opened or not. `error` is what a call
    raises where it was not.
    """

    framework: str
    op: str
    feature: str
    backend: str | None
    condition: Condition
    span: Span
    order: int
    entries: frozenset[str]
    error: PredictedError


class Enabling(Struct, frozen=True):
    """A statement that enables a feature for what is declared after it."""

    feature: str
    condition: Condition
    span: Span
    order: int
    entries: frozenset[str]


class Use(Struct, frozen=True):
    """A call of, or reference to, an op: where, under which guard, and whether the call can be a tracked one.

    `derivative_of` names the ops whose derivative rule makes the call. `undefined_error` is what it raises where the op
    is not defined, None where a guard of its own sees to that. `within` is the function it stands in, and `function`
    the qualified name of that, or of the module; `at_import` says that importing the module gets there.

    The rest is what is evident: the `backend` that the inputs of the call lie on, the error of inputs that do not go
    together, and that one of them `wants_gradient`. `handled` names the errors that a `try` takes there.
    """

    op: str
    span: Span
    condition: Condition
    tracked: bool
    derivative_of: frozenset[str] = frozenset()
    undefined_error: PredictedError | None = None
    is_call: bool = True
    within: Span | None = None
    function: str = ""
    at_import: bool = False
    backend: str | None = None
    mixed_error: PredictedError | None = None
    wants_gradient: bool = False
    handled: frozenset[str] = frozenset()


class Unreadable(Struct, frozen=True):
    """A file whose declarations are not known: it could not be decoded or parsed, for `reason`, at `span`."""

    span: Span
    reason: str


class Project(Struct, frozen=True):
    """All that was read: the join of every file, made once, which no target has entered yet.

    `open_namespaces` are those that code which was not read may fill: an op in one of them is never called undefined.
    Some are `foreign_namespaces`, which only packages beside the project may fill.
    `features` are those that something enables: the project's own code, or a target of its configuration.
    `unresolved` are the parts of declarations that could not be read.
    `unused_suppressions` are written in the project or its configuration, and suppress nothing under any target.
    """

    frameworks: Mapping[str, Framework]
    ops: tuple[Op, ...] = ()
    registrations: tuple[Registration, ...] = ()
    uses: tuple[Use, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    open_namespaces: frozenset[str] = frozenset()
    foreign_namespaces: frozenset[str] = frozenset()
    features: frozenset[str] = field(default_factory=frozenset[str])
    gates: tuple[Gate, ...] = ()
    enablings: tuple[Enabling, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    unused_suppressions: tuple[UnusedSuppression, ...] = ()
