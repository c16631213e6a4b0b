"""The process of its own, and the programs that run there."""

from __future__ import annotations

import json
import runpy
import sys
import warnings
from pathlib import Path

import pytest

from opcheck.confirm.child import ask as asking
from opcheck.confirm.child import run as running
from opcheck.confirm.process import Interpreter, ask, run_script

HERE = Interpreter(sys.executable, 60)


def ended(tmp_path: Path, text: str) -> dict[str, object]:
    script = tmp_path / "script.py"
    script.write_text(text)
    return running.outcome(str(script))


def test_an_exception_is_told_with_its_line_and_its_causes(tmp_path: Path) -> None:
    found = ended(tmp_path, "try:\n    {}['key']\nexcept KeyError as error:\n    raise ValueError('no') from error\n")

    assert found["line"] == 4
    errors = found["errors"]
    assert isinstance(errors, list)
    assert [(e["types"][0], e["message"]) for e in errors] == [("ValueError", "no"), ("KeyError", "'key'")]
    assert "Exception" in errors[0]["types"]


def test_exceptions_that_cause_each_other_are_told_once(tmp_path: Path) -> None:
    found = ended(tmp_path, "a, b = ValueError('a'), ValueError('b')\na.__cause__, b.__cause__ = b, a\nraise a\n")

    assert [e["message"] for e in found["errors"]] == ["a", "b"]  # type: ignore[attr-defined]


def test_a_script_that_ends_well_gives_its_warnings(tmp_path: Path) -> None:
    found = ended(tmp_path, "import warnings\nwarnings.warn('mind')\n")

    assert found["errors"] == []
    assert found["line"] is None
    assert [(w["types"][0], w["message"]) for w in found["warnings"]] == [("UserWarning", "mind")]  # type: ignore[attr-defined]


def test_what_a_script_raises_before_it_runs_is_told(tmp_path: Path) -> None:
    assert ended(tmp_path, "1 +\n")["errors"][0]["types"][0] == "SyntaxError"  # type: ignore[index]


def test_a_script_runs_as_a_program_in_its_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "beside.py").write_text("name = 'beside'\n")
    script, result = tmp_path / "script.py", tmp_path / "result.json"
    script.write_text(
        "import beside, sys\nassert __name__ == '__main__'\nraise LookupError(beside.name, len(sys.argv))\n"
    )
    monkeypatch.setattr(sys, "path", ["elsewhere", *sys.path[1:]])
    monkeypatch.setattr(sys, "argv", ["run.py", str(script), str(result)])
    runpy.run_path(running.__file__, run_name="__main__")

    assert json.loads(result.read_text())["errors"][0]["message"] == "('beside', 1)"


def test_the_guards_questions_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFIRM_HERE", "1")
    subjects = {
        "installed:json": True,
        "installed:no_such_module": False,
        "env:CONFIRM_HERE": True,
        "env:CONFIRM_NOT_HERE": False,
        "'CONFIRM_HERE' in os.environ": True,
        "sys.platform": sys.platform,
        "sys.version_info[:2]": list(sys.version_info[:2]),
        "email.message.Message": True,
        "xml.dom.minidom.xml": True,
        "json.loads('null')": None,
    }
    unanswerable = ["feature:gpu", "called:pkg.setup", "built:cuda", "no_such_module.flag", "f(..)", "json.none", "1 +"]

    assert asking.answers([*subjects, *unanswerable]) == subjects


def test_asking_reads_and_writes_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "flags_of_mine.py").write_text("FAST = 3\n")
    questions, result = tmp_path / "questions.json", tmp_path / "result.json"
    questions.write_text(json.dumps({"roots": [str(tmp_path)], "subjects": ["flags_of_mine.FAST"]}))
    monkeypatch.setattr(sys, "path", ["elsewhere", *sys.path[1:]])

    monkeypatch.setattr(sys, "argv", ["ask.py", str(questions), str(result)])
    runpy.run_path(asking.__file__, run_name="__main__")

    assert json.loads(result.read_text()) == {"flags_of_mine.FAST": 3}


def test_a_process_is_asked() -> None:
    assert ask(HERE, {"roots": [], "subjects": ["sys.platform"]}) == {"sys.platform": sys.platform}


def test_a_process_that_dies_while_it_is_asked_answers_nothing() -> None:
    assert ask(HERE, {"roots": [], "subjects": ["os.abort()"]}) == {}


@pytest.mark.parametrize(
    ("text", "failure"),
    [
        ("import os\nos.abort()\n", "the process died of SIGABRT"),
        ("import os\nos._exit(0)\n", "the process ended on its own"),
    ],
)
def test_a_process_that_dies_is_told(text: str, failure: str) -> None:
    assert run_script(HERE, text).failure == failure


def test_what_a_process_started_ends_with_it(tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    inner = f"import time; time.sleep(3); open({str(trace)!r}, 'w')"
    text = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {inner!r}])\ntime.sleep(60)\n"

    assert run_script(Interpreter(sys.executable, 1), text).failure == "it took longer than 1 s"
    with pytest.raises(KeyboardInterrupt), pytest.MonkeyPatch.context() as patch:
        patch.setattr("subprocess.Popen.wait", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt()))
        run_script(HERE, "")
    assert not trace.exists()


def test_printing_and_reading_disturb_nobody(capfd: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        found = run_script(HERE, "print('out')\ninput()\n")

    assert found.errors[0]["types"][0] == "EOFError"
    assert capfd.readouterr() == ("", "")
