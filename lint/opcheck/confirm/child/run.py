"""Run a script and write down how it ended: `python run.py SCRIPT RESULT`.

RESULT becomes a JSON document: the exception and those it was raised from, the line of the script it came through (None
where none was raised), the files it came through, and the warnings.
"""

from __future__ import annotations

import json
import sys
import traceback
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def outcome(script: str) -> dict[str, Any]:
    """Run a script as a program; gives how it ended."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        error = _run(script)
    frames = traceback.extract_tb(error.__traceback__ if error else None)
    return {
        "errors": [_described(type(e), e) for e in _chain(error)],
        "line": next((frame.lineno for frame in frames if frame.filename == script), None),
        "files": list(dict.fromkeys(frame.filename for frame in frames)),
        "warnings": [_described(warning.category, warning.message) for warning in caught],
    }


def _run(script: str) -> BaseException | None:
    try:
        code = compile(Path(script).read_bytes(), script, "exec")
        exec(code, {"__name__": "__main__", "__file__": script})
    except BaseException as error:
        return error
    return None


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An exception and what it was raised from, each once."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def _described(cls: type, value: object) -> dict[str, Any]:
    return {"types": [base.__name__ for base in cls.__mro__], "message": str(value)}


def main(script: str, result: str) -> None:
    """Run SCRIPT as if it had been started itself."""
    sys.path[0], sys.argv = str(Path(script).parent), [script]
    Path(result).write_text(json.dumps(outcome(script)), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
