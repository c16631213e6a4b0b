"""How much of a source is read: no input may take more than bounded time and memory."""

from __future__ import annotations

from typing import Final

MOST_BYTES: Final = 4_000_000
"""A source beyond this is not read at all."""

MOST_STATEMENT: Final = 16_000
"""Characters of one statement that is parsed: what is no C++ takes the parser a thousand times as long as what is."""

MOST_PARSED: Final = 300_000
"""Characters of all statements of a source that are parsed; what follows them is not read."""

MOST_EXPANDED: Final = 300_000
"""Characters that expanding macros may write for one source."""

EXPANSION_COST: Final = 50
"""What expanding a macro counts for beside what it writes."""

MOST_EXPANSION_DEPTH: Final = 8
"""Macros inside macros."""

MOST_ALTERNATIVES: Final = 4
"""Definitions of one macro that are kept apart."""

STATEMENT_COST: Final = 20
"""What a statement that is parsed, or a macro, counts for beside its characters."""

MOST_HEADER: Final = 4_000
"""Characters before a brace that are looked at."""

MOST_GUARDS: Final = 32
"""Conditions around one place, of each kind."""

MOST_CALLERS: Final = 64
"""Blocks that lead to one function that registers ops."""
