"""What a rule reports."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    """How sure a finding is: an error holds in every world of the target, a warning in some."""

    ERROR = "error"
    WARNING = "warning"

    @property
    def rank(self) -> int:
        """Larger is more severe."""
        return 1 if self is Severity.ERROR else 0


class Span(Struct, frozen=True, order=True):
    """A stretch of one file: 1-based lines and columns (in characters), the end exclusive. `path` is absolute."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def holds(self, inner: Span) -> bool:
        """Whether another stretch is part of this one."""
        starts, ends = (self.line, self.column), (self.end_line, self.end_column)
        within = starts <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= ends
        return within and inner.path == self.path


class Label(Struct, frozen=True):
    """A span with what is to be said of it; the primary one is where the fault is mended."""

    span: Span
    text: str
    primary: bool = False


class Applicability(StrEnum):
    """Whether a fix may be applied unseen: one is safe that changes nothing of what a program which runs does."""

    SAFE = "safe"
    UNSAFE = "unsafe"


class Edit(Struct, frozen=True, order=True):
    """A stretch of source and the text that takes its place, in the file's own line endings."""

    span: Span
    text: str


class Fix(Struct, frozen=True):
    """Edits that mend a finding together, none of which overlap."""

    applicability: Applicability
    edits: tuple[Edit, ...]


class Correction(Struct, frozen=True):
    """A name as it is written, and the one that was probably meant."""

    written: str
    meant: str


class PredictedError(Struct, frozen=True):
    """What running into the finding raises.

    `when` is `import`, `call`, `backward`, `compile` or `vmap`; `type` is the name of an exception or warning class,
    and `message` how its text begins.
    """

    when: str
    type: str
    message: str


class Finding(Struct, frozen=True):
    """One hole or fault, for one op on one backend, with the targets it was found under folded in.

    `condition` is the guard it hangs on where it is not certain. `context` is the kind of call that would meet it.
    `subject` tells it from other findings of its rule on the same op: the function that makes a call, the expression
    that can't be read. `required` marks a kernel for a backend that a target runs on and the list at the second label
    leaves out. `correction` is there where a name was misspelt, and `fix` where one was looked for and found.
    """

    code: str
    rule: str
    message: str
    labels: tuple[Label, ...]
    severity: Severity = Severity.ERROR
    op: str | None = None
    framework: str | None = None
    backend: str | None = None
    context: str | None = None
    targets: tuple[str, ...] = ()
    condition: str | None = None
    notes: tuple[str, ...] = ()
    help: str | None = None
    error: PredictedError | None = None
    subject: str | None = None
    required: bool = False
    correction: Correction | None = None
    fix: Fix | None = None

    @property
    def primary(self) -> Span:
        """The span the finding is reported at."""
        return next(label.span for label in self.labels if label.primary)

    @property
    def about(self) -> tuple[str, ...]:
        """What it is about, wherever that stands now."""
        return self.code, *(part or "" for part in (self.op, self.backend, self.context, self.subject))

    @property
    def identity(self) -> object:
        """What tells it from the other findings of one reading, under whichever facts it was found."""
        return self.code, self.op, self.backend, self.context, self.primary
