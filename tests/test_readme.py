"""The README's examples do what it says."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CupyArray = type("ndarray", (), {"__module__": "cupy"})


@pytest.mark.smoke
def test_the_python_examples_run_as_shown() -> None:
    transcript = "".join(re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL))
    namespace: dict[str, Any] = {"__name__": "readme", "cupy_array": CupyArray()}
    test = doctest.DocTestParser().get_doctest(transcript, namespace, "README.md", "README.md", 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=report.append)
    assert runner.summarize(verbose=False) == (0, len(test.examples)), "".join(report)


@pytest.mark.smoke
def test_the_finding_shown_is_the_one_reported() -> None:
    shown = re.search(r"```text\n(error.*?)```", README, flags=re.DOTALL)
    assert shown is not None
    command = [sys.executable, "-m", "opcheck", "check", "fixtures/showcase", "--exit-zero"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert shown.group(1) in printed


def test_the_findings_make_the_exit_code_one() -> None:
    command = [sys.executable, "-m", "opcheck", "check", "fixtures/showcase"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode == 1
