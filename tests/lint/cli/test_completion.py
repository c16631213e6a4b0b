"""What a shell offers, asked for as its script does."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from opcheck.cli import main


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "opcheck.toml").write_text(
        '[targets.serve]\nbackends = ["cupy"]\n[targets.train]\nbackends = ["cpu"]\n'
    )
    return tmp_path


def _offered(*words: str) -> list[str]:
    environment = {
        "_OPCHECK_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(["opcheck", *words]),
        "COMP_CWORD": str(len(words)),
    }
    return CliRunner().invoke(main, prog_name="opcheck", env=environment).stdout.split()


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["ch"], ["plain,check"]),
        (["check", "--sel"], ["plain,--select"]),
        (["check", "--select", "OPC60"], ["plain,OPC601", "plain,OPC602", "plain,OPC603"]),
        (["check", "--format", "s"], ["plain,sarif"]),
        (["check", "--backend", "cu"], ["plain,cupy", "plain,cuda"]),
        (["table", "--target", "t"], ["plain,train"]),
        (["check", "src/o"], ["file,src/o"]),
        (["baseline", ""], ["file,"]),
        (["init", "s"], ["dir,s"]),
        (["explain", "OPC60"], ["plain,OPC601", "plain,OPC602", "plain,OPC603"]),
    ],
)
def test_a_word_that_was_begun_is_completed(words: list[str], offered: list[str]) -> None:
    assert _offered(*words) == offered


def test_a_configuration_that_cannot_be_read_offers_no_targets(project: Path) -> None:
    (project / "opcheck.toml").write_text("[targets\n")

    assert _offered("check", "--target", "s") == []


def test_a_command_that_is_misspelt_is_answered_with_those_there_are() -> None:
    assert _offered("chekc", "")[0] == "plain,check"


def test_without_a_configuration_there_are_no_targets(project: Path) -> None:
    (project / "opcheck.toml").unlink()

    assert _offered("check", "--target", "s") == []
