"""`opcheck explain` and `opcheck rules`."""

from __future__ import annotations

import io
import json
import runpy
import sys
from importlib.metadata import version

import pytest
from click.testing import CliRunner, Result

from opcheck.cli import explain, main
from opcheck_rules import ALL_RULES


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


@pytest.mark.smoke
@pytest.mark.parametrize("name", ["OPC101", "opc101", "backend-not-supported"])
def test_a_rule_is_explained_by_its_code_and_by_its_name(name: str) -> None:
    result = _run("explain", name)

    assert result.exit_code == 0
    assert result.stdout.startswith("# OPC101 backend-not-supported\n\nA backend the project runs on has no kernel.\n")
    assert "## Use instead" in result.stdout


def test_on_a_terminal_the_documentation_is_typeset(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    explain.command.main(["OPC101"], standalone_mode=False)

    assert "\x1b[" in terminal.getvalue()
    assert "## " not in terminal.getvalue()


@pytest.mark.parametrize(
    ("name", "help"), [("OPC1O1", "did you mean `OPC101`?"), ("colour", "`opcheck rules` lists them")]
)
def test_an_unknown_rule_is_an_error_with_the_nearest_name(name: str, help: str) -> None:
    result = _run("explain", name)

    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"error: unknown rule `{name}`\n  = help: {help}\n"


def test_rules_are_listed_a_line_each() -> None:
    lines = _run("rules").stdout.splitlines()

    assert [line.split()[:2] for line in lines] == [[rule.code, rule.name] for rule in ALL_RULES]


def test_rules_are_listed_for_programs() -> None:
    document = json.loads(_run("rules", "--format", "json").stdout)

    assert document["schema_version"] == 1
    assert document["rules"][0] == {
        "code": "OPC001",
        "name": "unreadable-file",
        "summary": "A file that can't be decoded or parsed",
    }


def test_every_command_is_listed_by_the_help() -> None:
    result = _run("--help")

    assert result.exit_code == 0
    commands, exit_codes = result.stdout.split("Commands:\n")[1].split("\n\n")
    assert [line.split()[0] for line in commands.splitlines()] == [
        "check", "table", "confirm", "explain", "init", "baseline", "rules",
    ]  # fmt: skip
    assert "..." not in commands
    assert exit_codes.split()[:4] == ["Exit", "codes:", "0", "nothing"]


def test_output_may_go_where_there_is_no_encoding(monkeypatch: pytest.MonkeyPatch) -> None:
    output = io.StringIO()
    monkeypatch.setattr(sys, "stdout", output)
    main.main(["rules"], standalone_mode=False)

    assert output.getvalue().startswith("OPC001")


def test_the_package_runs_as_a_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["anything", "--version"])
    # This process goes on.
    monkeypatch.setattr("gc.disable", lambda: None)
    monkeypatch.setattr("atexit.register", lambda _: None)

    with pytest.raises(SystemExit) as ended:
        runpy.run_module("opcheck", run_name="__main__")

    assert ended.value.code == 0
    assert capsys.readouterr().out == f"opcheck {version('opcheck')}\n"
