"""What is wrong with a configuration: the place, the fault, and the nearest right name."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from opcheck.config import ConfigError, configuration_in, load, nearest_configuration, unconfigured

TARGET = "[targets.t]\nbackends = ['cuda']\n"


def _error(tmp_path: Path, text: str) -> ConfigError:
    path = tmp_path / "opcheck.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    return caught.value


@pytest.mark.parametrize(
    ("text", "message", "place", "help"),
    [
        ("excluded = []", "unknown key `excluded` in the top level", (1, 1), "did you mean `exclude`?"),
        ("\nzzz.a = 1", "unknown key `zzz` in the top level", (2, 1), "the keys here are include, exclude"),
        ("[targets.t]\nbackend = ['cuda']", "unknown key `backend` in [targets.t]", (2, 1), "did you mean `backends`?"),
        ("[targets.t]\nbackends = ['cpu', 'cuba']", "unknown backend `cuba`", (2, 20), "did you mean `cuda`?"),
        ("[targets.t]\nbackends = ['CUDA']", "unknown backend `CUDA`", (2, 13), "did you mean `cuda`?"),
        ("[targets.t]\nbackends = ['abacus']", "unknown backend `abacus`", (2, 13), "known backends are numpy, cupy"),
        ("[targets.t]", "target `t` lists no backend", (1, 10), "list what it runs on"),
        ("targets.t = 3", "`t` in [targets] must be a table, not an integer", (1, 13), None),
        ("[[targets]]", "`targets` in the top level must be a table, not a list", (1, 3), None),
        ("include = 'src'", "`include` in the top level must be a list of strings, not a string", (1, 11), None),
        (
            "include = ['a', 2]",
            "item 2 of `include` in the top level must be a string, not an integer",
            (1, 17),
            "quotes",
        ),
        ("[[include]]\na = 1", "item 1 of `include` in the top level must be a string, not a table", (1, 3), None),
        (f"{TARGET}vmap = 1", "`vmap` in [targets.t] must be a boolean, not an integer", (3, 8), None),
        (
            f"{TARGET}python = 3.12",
            "`python` in [targets.t] must be a string, not a float",
            (3, 10),
            "write it in quotes",
        ),
        (f"{TARGET}python = 2024-01-01", "`python` in [targets.t] must be a string, not a date or time", (3, 10), None),
        (f"{TARGET}torch = 'newest'", "`newest` is not a version of torch", (3, 9), 'write it as in "3.12"'),
        (f"{TARGET}platform = 'macos'", "unknown platform `macos`", (3, 12), "it is one of linux, darwin, win32"),
        (
            f"{TARGET}assume = {{torch.__version__ = '2'}}",
            "must be a string, a number or a boolean",
            (3, 11),
            '"torch.name"',
        ),
        (f"{TARGET}assume = {{x = []}}", "must be a string, a number or a boolean, not a list", (3, 15), None),
        ("select = ['OPC11']", "unknown rule `OPC11`", (1, 11), "did you mean `OPC101`?"),
        ("ignore = ['unknown-opp']", "unknown rule `unknown-opp`", (1, 11), "did you mean `unknown-op`?"),
        ("per-file-ignores = {'a.py' = ['X']}", "unknown rule `X`", (1, 31), "`opcheck rules` lists them"),
        ("per-op-ignores = {'ns::op' = ['OPC2', 'OPC11']}", "unknown rule `OPC11`", (1, 39), "mean `OPC101`?"),
        ("unsupported = {'ns::op' = ['cud']}", "unknown backend `cud`", (1, 28), "did you mean `cuda`?"),
        ("include = [", "malformed TOML: Invalid value", (1, 12), None),
        ("a = 1\nb = = 2", "malformed TOML: Invalid value", (2, 5), None),
        ("a = 1\na = 2", "malformed TOML: Cannot overwrite a value", (2, 6), None),
    ],
)
def test_a_fault_is_reported_at_its_place(
    tmp_path: Path, text: str, message: str, place: tuple[int, int], help: str | None
) -> None:
    error = _error(tmp_path, text)

    assert message in error.message
    assert error.span is not None
    assert (error.span.line, error.span.column) == place
    assert error.help == help if help is None else help in (error.help or "")


def test_nesting_without_end_is_an_error_like_any_other(tmp_path: Path) -> None:
    error = _error(tmp_path, "include = " + "[" * 20_000)

    assert error.message == "malformed TOML: values are nested too deeply"


@pytest.mark.parametrize(
    ("extra", "help"), [("gpus", "did you mean `gpu`?"), ("x", "the extras of this project are gpu")]
)
def test_an_extra_that_the_metadata_lacks_is_a_slip(tmp_path: Path, extra: str, help: str) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text(
        "[project.optional-dependencies]\ngpu = ['torch']\n"
        f"[tool.opcheck.targets.t]\nbackends = ['cuda']\nextras = ['{extra}']"
    )

    with pytest.raises(ConfigError, match=f"unknown extra `{extra}`") as caught:
        load(path)

    assert caught.value.help == help


def test_an_extra_of_computed_metadata_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "opcheck.toml"
    path.write_text("[targets.t]\nbackends = ['cuda']\nextras = ['GPU_x']")

    assert load(path).targets[0].extras == ("gpu-x",)


def test_a_table_for_opcheck_that_is_no_table_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("tool.opcheck = 3\n")

    with pytest.raises(ConfigError, match=r"`opcheck` in \[tool\] must be a table, not an integer"):
        load(path)


def test_text_that_is_not_utf8_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_bytes(b"[tool.opcheck]\n# caf\xe9\n")

    with pytest.raises(ConfigError, match=r"`pyproject.toml` is not UTF-8"):
        nearest_configuration(tmp_path)


@pytest.mark.parametrize("name", ["pyproject.toml", "opcheck.toml"])
def test_a_folder_in_the_place_of_a_configuration_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()

    with pytest.raises(ConfigError, match=f"`{name}` is not a file"):
        load(nearest_configuration(tmp_path) or tmp_path)


def test_a_pipe_in_the_place_of_a_configuration_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "opcheck.toml")

    with pytest.raises(ConfigError, match="is not a file"):
        load(tmp_path / "opcheck.toml")


def test_a_configuration_that_may_not_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_text("[tool.opcheck]\n")
    _forbid_reading(monkeypatch)

    with pytest.raises(ConfigError, match=r"cannot read `pyproject.toml`: Permission denied"):
        load(path)
    with pytest.raises(ConfigError, match=r"cannot look for a configuration at `.*pyproject.toml`: Permission"):
        configuration_in(tmp_path)


def test_broken_metadata_of_a_project_without_configuration_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project\n")

    with pytest.raises(ConfigError, match="malformed TOML"):
        unconfigured(tmp_path)


def _forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a file's mode does to anyone but root."""

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
