"""Every example of docs/runtime.md does what the page says."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = "docs/runtime.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", (ROOT / PAGE).read_text(encoding="utf-8"), flags=re.DOTALL)


def test_the_examples_of_the_page_run_as_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    namespace: dict[str, Any] = {"__name__": "declared_in_docs"}
    for example in EXAMPLES:
        if example.startswith(">>>"):
            _check(example, namespace)
        else:
            exec(compile(example, PAGE, "exec"), namespace)


def _check(example: str, namespace: dict[str, Any]) -> None:
    test = doctest.DocTestParser().get_doctest(example, namespace, PAGE, PAGE, 0)
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
    runner.run(test, out=report.append, clear_globs=False)
    namespace.update(test.globs)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)
