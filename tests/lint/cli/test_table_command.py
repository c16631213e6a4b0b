"""`opcheck table`: what each op serves, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.lint.report.samples import schema, validate

from opcheck.cli import main

SHOWCASE = Path(__file__).parents[3] / "fixtures" / "showcase"
OPS = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy", "cupy"])
def both(x: FloatArray) -> FloatArray:
    return x


@op(backends=["numpy"])
def one(x: FloatArray) -> FloatArray:
    return x
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "opcheck.toml").write_text('[targets.serve]\nbackends = ["cupy"]\n')
    (tmp_path / "ops.py").write_text(OPS)
    return tmp_path


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["table", *arguments])


def _json(*arguments: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(_run("--format", "json", *arguments).stdout)
    validate(document, schema("table"))
    return document


@pytest.mark.smoke
def test_the_table_is_readable(project: Path) -> None:
    result = _run()

    assert result.exit_code == 0
    assert [line.split() for line in result.stdout.splitlines()[:4]] == [
        ["serve"],
        ["numpy", "cupy"],
        ["ops.both", "ok", "ok"],
        ["ops.one", "ok", "HOLE"],
    ]


def test_columns_narrow_the_backends(project: Path) -> None:
    assert _run("--columns", "cupy").stdout.splitlines()[1].split() == ["cupy"]
    assert _run("--columns", "cupy", "--columns", "numpy").stdout.splitlines()[1].split() == ["numpy", "cupy"]
    cells = [cell for op in _json("--columns", "numpy, cupy")["ops"] for cell in op["cells"]]
    assert {cell["backend"] for cell in cells if cell["context"] == "forward"} == {"numpy", "cupy"}


def test_reasons_stand_below_the_table(project: Path) -> None:
    assert "ops.one (cupy forward, serve): HOLE: " in _run("--reasons").stdout


def test_the_document_has_every_op_and_target(project: Path) -> None:
    document = _json()

    assert document["targets"] == ["serve"]
    assert [(op["op"], op["path"], op["line"], op["defined"]) for op in document["ops"]] == [
        ("ops.both", "ops.py", 5, True),
        ("ops.one", "ops.py", 10, True),
    ]
    forward = {cell["backend"]: cell for cell in document["ops"][1]["cells"] if cell["context"] == "forward"}
    assert (forward["numpy"]["status"], forward["numpy"]["via"]) == ("covered", "body")
    assert (forward["cupy"]["status"], forward["cupy"]["via"]) == ("hole", None)


def test_the_document_of_a_real_project_is_as_its_schema_says() -> None:
    cells = [cell for op in _json(str(SHOWCASE))["ops"] for cell in op["cells"]]

    assert {cell["status"] for cell in cells} >= {"covered", "hole", "conditional"}
    assert {cell["context"] for cell in cells} == {"forward", "autodiff"}


def test_no_reason_names_an_absolute_path(project: Path) -> None:
    (project / "ops.py").write_text(OPS + "\n\n@one.kernel('numpy')\ndef _(x):\n    return x\n")

    assert str(project) not in json.dumps(_json())


def test_only_ops_of_the_files_that_were_asked_for_are_listed(project: Path) -> None:
    (project / "more.py").write_text(OPS)

    assert [op["path"] for op in _json("more.py")["ops"]] == ["more.py", "more.py"]


def test_a_project_without_ops_says_so(project: Path) -> None:
    (project / "ops.py").write_text("")

    result = _run()

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "No custom ops found.\n"


def test_a_table_with_unread_files_is_not_passed_off_as_whole(project: Path) -> None:
    (project / "broken.py").write_text("def (:\n")

    result = _run()

    assert result.exit_code == 1
    assert "ops.both" in result.stdout
    assert result.stderr == "1 file could not be read, and may declare more: `opcheck check` shows which.\n"


def test_an_assumed_target_is_said(project: Path) -> None:
    (project / "opcheck.toml").write_text("")

    assert "No target is configured: assuming `inferred-native` (numpy, cupy)." in _run().stderr


def test_an_unknown_column_is_an_error(project: Path) -> None:
    result = _run("--columns", "numpi")

    assert result.exit_code == 2
    assert result.stderr == "error: unknown backend `numpi`\n  = help: did you mean `numpy`?\n"


@pytest.mark.smoke
def test_a_page_is_written_for_a_browser(project: Path) -> None:
    page = _run("--format", "html").stdout

    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    assert "<code>ops.one</code>" in page
    assert '<pre><code>@op(backends=["numpy"])</code></pre>' in page


def test_a_page_shows_where_a_kernel_does_nothing_but_raise(project: Path) -> None:
    refusing = "\n\n@both.kernel('cupy')\ndef _(x):\n    raise NotImplementedError('no GPU')\n"
    (project / "ops.py").write_text(OPS + refusing)

    assert "<pre><code>raise NotImplementedError('no GPU')</code></pre>" in _run("--format", "html").stdout


@pytest.mark.parametrize("form", ["markdown", "csv"])
def test_other_forms_list_every_op(project: Path, form: str) -> None:
    text = _run("--format", form).stdout

    assert "ops.both" in text
    assert "ops.one" in text
    assert "\x1b" not in text


def test_reasons_stand_below_a_markdown_table(project: Path) -> None:
    text = _run("--format", "markdown", "--reasons").stdout

    assert "- `ops.one` (cupy forward, `serve`): **HOLE**: not listed" in text


def test_tables_are_written_to_files_in_other_forms(project: Path) -> None:
    result = _run("--output", "html=table.html", "--output", "csv=table.csv")

    assert "ops.one" in result.stdout
    assert (project / "table.html").read_text().endswith("</html>\n")
    assert (project / "table.csv").read_text().splitlines()[0].startswith("op,framework,")


def test_a_form_of_findings_is_none_of_tables(project: Path) -> None:
    result = _run("--output", "sarif=out.sarif")

    assert result.exit_code == 2
    assert "write FORMAT=PATH, with one of text, json, markdown, csv, html" in result.stderr
