"""What a configuration says, read from real files."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.files import write

from opcheck.config import load, nearest_configuration, unconfigured
from opcheck.config.settings import Listed
from opcheck_rules.model.finding import Span

WHOLE = """\
[project]
name = "demo"
dependencies = ["numpy"]

[tool.opcheck]
include = ["src", "tools"]
exclude = ["src/gen"]
entries = ["demo"]
select = ["OPC1", "unknown-op"]
ignore = ["OPC104"]

[tool.opcheck.per-file-ignores]
"src/old/*" = ["OPC101"]

[tool.opcheck.per-op-ignores]
"ns::*" = ["OPC201", "backend-gated-off"]

[tool.opcheck.unsupported]
"ns::op" = ["cuda"]

[tool.opcheck.targets.serve]
backends = ["cupy", "numpy", "cupy"]
features = ["gpu"]

[tool.opcheck.targets.train]
backends = ["cuda"]
autodiff = true
compile = true
vmap = true
platform = "linux"
python = "3.12"
torch = "2.13"
ops = ["ns::*"]

[tool.opcheck.targets.train.assume]
"torch.__version__" = "2.13"
"demo.FAST" = true
"demo.LANES" = 4
"""


@pytest.mark.smoke
def test_every_key_is_read(tmp_path: Path) -> None:
    settings = load(write(tmp_path / "pyproject.toml", WHOLE))

    assert settings.root == tmp_path
    assert settings.source == tmp_path / "pyproject.toml"
    assert settings.include == ("src", "tools")
    assert settings.exclude == ("src/gen",)
    assert settings.entries == ("demo",)
    assert settings.select == ("OPC1", "unknown-op")
    assert settings.ignore == ("OPC104",)
    assert _listed(settings.per_file_ignores) == {"src/old/*": ["OPC101"]}
    assert _listed(settings.per_op_ignores) == {"ns::*": ["OPC201", "backend-gated-off"]}
    assert _listed(settings.unsupported) == {"ns::op": ["cuda"]}
    assert settings.environment.required == {"numpy"}


def _listed(table: Listed) -> dict[str, list[str]]:
    return {pattern: list(items) for pattern, items in table.items()}


def test_targets_are_read_with_their_contexts_and_facts(tmp_path: Path) -> None:
    serve, train = load(write(tmp_path / "pyproject.toml", WHOLE)).targets

    assert (serve.name, serve.backends, serve.features) == ("serve", ("cupy", "numpy"), ("gpu",))
    assert serve.contexts == ("forward",)
    assert train.contexts == ("forward", "autodiff", "compile", "vmap")
    assert (train.platform, train.python, train.torch) == ("linux", "3.12", "2.13")
    assert train.assume == {"torch.__version__": "2.13", "demo.FAST": True, "demo.LANES": 4}
    assert train.ops == ("ns::*",)


def test_each_setting_knows_where_it_is_written(tmp_path: Path) -> None:
    path = write(tmp_path / "pyproject.toml", WHOLE)
    settings = load(path)
    serve, train = settings.targets

    assert _slice(path, serve.origin["backends.numpy"]) == '"numpy"'
    assert _slice(path, serve.origin["features.gpu"]) == '"gpu"'
    assert _slice(path, train.origin["autodiff"]) == "autodiff = true"
    assert _slice(path, train.origin["assume.demo.FAST"]) == '"demo.FAST" = true'
    assert _slice(path, settings.origin["include.tools"]) == '"tools"'
    assert _slice(path, settings.per_op_ignores["ns::*"]["backend-gated-off"]) == '"backend-gated-off"'
    assert _slice(path, settings.unsupported["ns::op"]["cuda"]) == '"cuda"'


def _slice(path: Path, span: Span) -> str:
    assert span.path == str(path)
    assert span.line == span.end_line
    return path.read_text().splitlines()[span.line - 1][span.column - 1 : span.end_column - 1]


@pytest.mark.parametrize("text", ["", "include = []\n", "[targets]\n"])
def test_an_own_file_has_the_same_keys_at_its_top(tmp_path: Path, text: str) -> None:
    settings = load(write(tmp_path / "opcheck.toml", text))

    assert settings.source == tmp_path / "opcheck.toml"
    assert settings.targets == ()


def test_an_own_file_speaks_before_a_shared_one(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[project]\nname = "x"\ndependencies = ["torch"]\n[tool.opcheck]\n')
    own = write(tmp_path / "opcheck.toml", "[targets.a]\nbackends = ['numpy']\n")

    assert nearest_configuration(tmp_path) == own
    assert load(own).environment.required == {"torch"}


def test_carriage_returns_do_not_shift_places(tmp_path: Path) -> None:
    path = tmp_path / "opcheck.toml"
    path.write_bytes(b"exclude = [\r\n  'a',\r\n  'b',\r\n]\r\n")

    span = load(path).origin["exclude.b"]

    assert (span.line, span.column, span.end_column) == (3, 3, 6)


def test_the_nearest_configuration_above_a_path_is_found(tmp_path: Path) -> None:
    outer = write(tmp_path / "pyproject.toml", "[tool.opcheck]\n")
    inner = write(tmp_path / "a" / "b" / "opcheck.toml", "")
    deep = write(tmp_path / "a" / "b" / "c" / "ops.py", "")

    assert nearest_configuration(deep) == inner
    assert nearest_configuration(tmp_path / "a") == outer


def test_what_is_installed_in_a_projects_environment_is_no_part_of_it(tmp_path: Path) -> None:
    (tmp_path / "opcheck.toml").touch()
    installed = tmp_path / ".venv" / "lib" / "site-packages" / "other"
    installed.mkdir(parents=True)
    (installed.parent / "other-1.0.dist-info").mkdir()

    assert nearest_configuration(installed) is None
    assert nearest_configuration(tmp_path / ".venv") == tmp_path / "opcheck.toml"


@pytest.mark.parametrize("text", ["", "[tool.ruff]\n", "[project]\nname = 'opcheck'\n", "tool = 1 # opcheck\n"])
def test_a_pyproject_without_the_table_configures_nothing(tmp_path: Path, text: str) -> None:
    write(tmp_path / "pyproject.toml", text)

    assert nearest_configuration(tmp_path) is None


def test_what_other_tools_broke_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[tool.opcheck]\n")
    write(tmp_path / "vendored" / "pyproject.toml", "[tool.black\n")

    assert nearest_configuration(tmp_path / "vendored") == tmp_path / "pyproject.toml"


def test_without_a_configuration_the_metadata_above_still_counts(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[project]\ndependencies = ["torch>=2"]\n')
    folder = tmp_path / "src"
    folder.mkdir()

    settings = unconfigured(folder)

    assert settings.source is None
    assert settings.environment.required == {"torch"}
