"""Files whose names are alike."""

from __future__ import annotations

from pathlib import Path

from opcheck.config import unconfigured
from opcheck.discovery import discover
from opcheck.read import read

OP = "from opcheck_runtime import FloatArray, op\n@op(backends=['numpy'])\ndef {}(x: FloatArray): ...\n"


def test_files_of_one_name_are_all_read(tmp_path: Path) -> None:
    for folder, name in (("a", "scale"), ("b", "turn"), ("pkg", "first"), ("other/pkg", "second")):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "ops.py").write_text(OP.format(name))
    for folder in ("pkg", "other/pkg"):
        (tmp_path / folder / "__init__.py").write_text("from . import ops\n")

    reading = read(unconfigured(tmp_path), discover(unconfigured(tmp_path), [tmp_path]))

    assert {op.name for op in reading.project.ops} == {
        "ops.scale",
        "b.ops.turn",
        "pkg.ops.first",
        "other.pkg.ops.second",
    }
