"""Where features come from, and that a gate is resolved once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from opcheck_runtime import (
    BackendNotSupportedError,
    DeclarationError,
    FloatArray,
    enable_features,
    gated,
    op,
)
from opcheck_runtime.features import TargetError, is_enabled
from opcheck_runtime.route import Reason


def _declare() -> Any:
    @op(backends=[gated("numpy", feature="fast")])
    def f(x: FloatArray) -> str:
        return "ran"

    return f


def test_an_arm_is_missing_while_its_feature_is_off() -> None:
    with pytest.raises(BackendNotSupportedError, match="feature `fast`, which was off when") as caught:
        _declare()(np.ones(1))

    assert (caught.value.reason, caught.value.feature) == (Reason.FEATURE_OFF, "fast")
    assert "OPCHECK_FEATURES=fast" in str(caught.value)


def test_a_feature_enabled_before_the_declaration_opens_the_arm() -> None:
    enable_features("other", "fast")

    assert _declare()(np.ones(1)) == "ran"


def test_a_feature_enabled_after_it_does_not_and_the_error_says_so() -> None:
    f = _declare()
    enable_features("fast")

    with pytest.raises(BackendNotSupportedError, match="enabled only after the op was declared") as caught:
        f(np.ones(1))
    assert "OPCHECK_FEATURES" not in str(caught.value)


def test_features_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPCHECK_FEATURES", "gpu, fast,")

    assert _declare()(np.ones(1)) == "ran"
    assert not is_enabled("slow")


def _target(monkeypatch: pytest.MonkeyPatch, folder: Path, name: str = "serve") -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("OPCHECK_TARGET", name)


TARGET = '[tool.opcheck.targets.serve]\nfeatures = ["fast", "gpu"]\n[tool.opcheck.targets.bare]\n'


def test_features_come_from_the_target_in_the_nearest_configuration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text(TARGET)
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\nname = 'no settings of ours'\n")
    _target(monkeypatch, below)

    assert _declare()(np.ones(1)) == "ran"
    assert not is_enabled("other")


def test_an_opcheck_toml_holds_the_same_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "opcheck.toml").write_text('[targets.serve]\nfeatures = ["fast"]\n')
    (tmp_path / "pyproject.toml").write_text("[tool.opcheck.targets.serve]\n")
    _target(monkeypatch, tmp_path)

    assert is_enabled("fast")


def test_a_target_may_have_no_features(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(TARGET)
    _target(monkeypatch, tmp_path, "bare")

    assert not is_enabled("fast")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (TARGET, "OPCHECK_TARGET=train is not a target of .*pyproject.toml, which has: bare, serve"),
        ("[tool.opcheck]\n", "which has: none"),
        ("[tool.opcheck]\ntargets = 3\n", "which has: none"),
        ("[tool.opcheck.targets.train]\nfeatures = 'fast'", "`features` of target `train` must be a list"),
        ("[tool", "pyproject.toml is not valid TOML"),
        ("tool = 1", "no pyproject.toml with .* is in .* or above it"),
    ],
)
def test_a_target_that_cannot_be_read_is_an_error(
    content: str, message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text(content)
    _target(monkeypatch, tmp_path, "train")

    with pytest.raises(TargetError, match=message):
        is_enabled("fast")


def test_at_a_declaration_it_is_a_declaration_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(TARGET)
    _target(monkeypatch, tmp_path, "train")

    with pytest.raises(DeclarationError, match=r"custom op `f`: OPCHECK_TARGET=train .*\(\S*test_features\.py:\d+\)"):
        _declare()


def test_the_target_is_not_read_where_nothing_is_gated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    _target(monkeypatch, tmp_path, "train")

    op(backends=["numpy"])(lambda: None)
