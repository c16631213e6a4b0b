"""A process of its own for code that is not ours: a time limit, nothing to read, and what it prints thrown away."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

_CHILD: Final = Path(__file__).parent / "child"


class Interpreter(Struct, frozen=True):
    """The Python that runs the project, and the seconds that each run may take."""

    python: str
    timeout: float


class Ended(Struct, frozen=True):
    """How a script ended: the exceptions (the first was raised, from those after it) and the warnings.

    `line` of the script and `files` are where the exception came through. `failure` says why nothing is known.
    """

    errors: Sequence[dict[str, Any]] = ()
    line: int | None = None
    files: Sequence[str] = ()
    warnings: Sequence[dict[str, Any]] = ()
    failure: str | None = None


def run_script(interpreter: Interpreter, text: str) -> Ended:
    """Run a script."""
    found, failure = _child(interpreter, "run.py", text)
    return Ended(**found) if found is not None else Ended(failure=failure)


def ask(interpreter: Interpreter, questions: Mapping[str, Any]) -> Mapping[str, Any]:
    """What this machine answers to what guards ask; nothing where that ends badly."""
    return _child(interpreter, "ask.py", json.dumps(questions))[0] or {}


def _child(interpreter: Interpreter, program: str, text: str) -> tuple[dict[str, Any] | None, str | None]:
    """Run one of the programs on a file with this text. Gives the document it writes, or why there is none."""
    with tempfile.TemporaryDirectory(prefix="opcheck-") as folder:
        given, result = Path(folder, "script.py"), Path(folder, "result.json")
        given.write_text(text, encoding="utf-8")
        failure = _wait(interpreter, [interpreter.python, str(_CHILD / program), str(given), str(result)])
        if failure is None and result.is_file():
            return json.loads(result.read_text(encoding="utf-8")), None
    return None, failure or "the process ended on its own"


def _wait(interpreter: Interpreter, command: Sequence[str]) -> str | None:
    """Run a command to its end; why it failed, where it did."""
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        command, stdin=quiet, stdout=quiet, stderr=quiet, env=environment, start_new_session=True
    ) as process:
        try:
            code = process.wait(interpreter.timeout)
        except BaseException as error:
            # Whatever it has started ends with it.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            return f"it took longer than {interpreter.timeout:g} s"
    return f"the process died of {signal.Signals(-code).name}" if code < 0 else None
