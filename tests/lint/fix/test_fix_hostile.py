"""Files that fixes can't be made in, and edits that are not to be made."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.lint.fix.conftest import CONFIG, Project

import opcheck.fix.rounds
from opcheck.config import load
from opcheck.discovery import discover
from opcheck.fix.code import code_of, codes
from opcheck.fix.document import Document, document_of, documents
from opcheck.fix.trial import trial_of
from opcheck.reading import Statements
from opcheck_rules.model.finding import Edit, Span

NATIVE = """\
from opcheck_runtime import FloatArray, op


@op(backends=["numpy", "cuppy"]){comment}
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by
"""
DEFINITION = 'import torch\n\ntorch.library.define("ns::scale_\N{GREEK SMALL LETTER ALPHA}", "(Tensor x) -> Tensor")\n'
KERNEL = '# coding: latin-1\nimport torch\n\ntorch.library.impl("ns::scale_a", "cpu")(abs)  # \xe9\n'


def test_a_name_that_a_file_cannot_hold_is_not_written(project: Project) -> None:
    project.write(CONFIG.replace(', "cpu", "cuda"', ""), "pyproject.toml")
    project.write(DEFINITION, "define.py")
    project.write(KERNEL.encode("latin-1"), "kernel.py")
    for n in range(3):
        project.write(NATIVE.format(comment=""), f"ops_{n}.py")

    result = project.run("--fix", "--unsafe-fixes")

    assert "not fixed: OPC402 at kernel.py:4, as the file would be broken\n" in result.stderr
    assert "Fixed 3 findings in 3 files.\n" in result.stderr
    assert (project.root / "kernel.py").read_bytes() == KERNEL.encode("latin-1")
    assert project.codes() == ["OPC402"]


def test_a_source_that_is_no_text_is_left(project: Project) -> None:
    project.write("import torch\ntorch.ops.load_library('ops.so')\n")
    project.write(b"", "ops.so")
    source = b'#include <torch/library.h>\nTORCH_LIBRARY(ns, m) {\n  m.def("shift(Tensor x) -> Tensor", &f);\n}\n'
    source += b'TORCH_LIBRARY_IMPL(ns, CUDA, m) {\n  m.impl("shfit", f);  // \xff\n}\n'
    project.write(source, "ops.cpp")

    project.run("--fix", "--unsafe-fixes")

    assert (project.root / "ops.cpp").read_bytes() == source
    assert [(finding["code"], finding["fix"]) for finding in project.findings()] == [("OPC402", None)]


def test_rounds_are_bounded(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    text = NATIVE.replace("cuppy", "cupy").format(comment="  # opcheck: ignore[OPC101, OPC102, OPC103]")
    project.write(text)
    monkeypatch.setattr(opcheck.fix.rounds, "_ROUNDS", 1)

    result = project.run("--fix")

    assert "Fixed 2 findings in 1 file.\n" in result.stderr
    assert "# opcheck: ignore[OPC102]\n" in project.read()


def test_an_edit_elsewhere_is_not_made(project: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    project.write(NATIVE.format(comment=""))
    outside = tmp_path_factory.mktemp("outside") / "ops.py"
    outside.write_text("kept = True\n")
    settings = load(project.root / "pyproject.toml")
    trial = trial_of(settings, discover(settings, [project.root]), settings.targets, tmp_path_factory.mktemp("copy"))
    inside = trial.files.paths[0]

    edits = [Edit(Span(str(path), 1, 1, 1, 2), "x") for path in (inside, outside)]

    assert trial.edit(edits) is None
    assert outside.read_text() == "kept = True\n"
    assert inside.read_text() == NATIVE.format(comment="")


def test_an_edit_that_leaves_no_python_is_not_made(project: Project, tmp_path_factory: pytest.TempPathFactory) -> None:
    project.write(NATIVE.format(comment=""))
    settings = load(project.root / "pyproject.toml")
    trial = trial_of(settings, discover(settings, [project.root]), settings.targets, tmp_path_factory.mktemp("copy"))
    (path,) = trial.files.paths

    assert trial.edit([Edit(Span(str(path), 1, 1, 1, 1), "(")]) is None
    assert path.read_text() == NATIVE.format(comment="")


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("ops.py", b"\xff"),
        ("ops.py", b"# coding: no-such-thing\n"),
        ("ops.py", b"# coding: hex\n"),
        ("ops.py", b"\xef\xbb\xbf# coding: latin-1\n"),
        ("ops.cpp", b"// \xff\n"),
    ],
)
def test_bytes_that_are_no_text_are_no_document(name: str, data: bytes) -> None:
    assert document_of(Path(name), data) is None


def test_text_that_would_be_written_otherwise_is_no_document() -> None:
    assert document_of(Path("ops.py"), b"# coding: utf-7\n+AGE-\n") is None


def test_a_file_that_is_gone_is_no_document(tmp_path: Path) -> None:
    assert documents()(str(tmp_path / "gone.py")) is None


def test_only_python_is_code_and_only_a_whole_node_is_one() -> None:
    path = Path("ops.py")
    code = code_of(Document(path, "name = 1\n", "utf-8"))

    assert code is not None
    assert code.node(Span(str(path), 1, 1, 1, 5)) is not None
    assert code.node(Span(str(path), 1, 2, 1, 5)) is None
    assert code.around(None) == []
    assert code_of(Document(Path("ops.cpp"), "", "utf-8")) is None
    assert code_of(None) is None


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("begun", "statements"), [({"ops.py": (1, 3)}, 1), ({}, 2)], ids=["in parts", "whole"])
def test_a_place_is_looked_up_in_its_own_statement(newline: str, begun: Statements, statements: int) -> None:
    path = Path("ops.py")
    document = Document(path, newline.join(("name = 1", "", "other = call(", '    "\N{SNOWMAN}", 2)')), "utf-8")
    place = Span(str(path), 4, 10, 4, 11)

    at = codes({str(path): document}.get, begun)
    code = at(place)

    assert code is not None
    node = code.node(place)
    assert isinstance(node, ast.Constant)
    assert node.value == 2
    assert [type(around) for around in code.around(node)] == [ast.Call, ast.Assign, ast.Module]
    assert code.extent(node) == document.extent(place)
    assert len(code.tree.body) == statements
    assert at(Span(str(path), 3, 1, 3, 6)) is code


@pytest.mark.parametrize(
    ("begun", "line", "statements"), [((3, 4), 1, 2), ((3, 4), 3, 0), ((3, 4), 9, None), ((1, 9), 2, 2)]
)
def test_a_file_that_is_shorter_than_it_was_read_is_no_harm(
    begun: tuple[int, ...], line: int, statements: int | None
) -> None:
    document = Document(Path("ops.py"), "name = 1\nother = 2\n", "utf-8")

    code = codes({"ops.py": document}.get, {"ops.py": begun})(Span("ops.py", line, 1, line, 6))

    assert (None if code is None else len(code.tree.body)) == statements


def test_there_is_no_code_where_there_is_no_python() -> None:
    texts = {"gone.py": None, "ops.cpp": Document(Path("ops.cpp"), "int x;", "utf-8")}

    assert [codes(texts.get, {})(Span(name, 1, 1, 1, 2)) for name in texts] == [None, None]


@pytest.mark.parametrize("text", ["def f(:", "x = " + "(" * 10_000, "\0", "x = '\\d'\ndef f(:"])
def test_what_this_interpreter_cannot_parse_is_no_code(text: str) -> None:
    assert code_of(Document(Path("ops.py"), text, "utf-8")) is None
