"""The table of real packages, computed without importing them, is the one that importing them makes."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

from .comparison import Installed, Package, installed

# Another package is one more line. The assumptions are lines that opcheck prints for what a wheel's own files decide.
PACKAGES = (
    Package("bitsandbytes"),
    Package("optimum.quanto"),
    Package("torchao", assume={"torch.ops.load_library(*) succeeds": False}),
)
MOST_UNKNOWN = 0.03
MOST_ASSUMED = 5


@pytest.fixture(scope="module", params=PACKAGES, ids=lambda package: package.name)
def package(request: pytest.FixtureRequest) -> Iterator[Installed]:
    """A package that is installed beside torch, read once."""
    wanted: Package = request.param
    if find_spec("torch") is None:
        pytest.skip("torch is not installed")
    folder = wanted.folder
    if folder is None:
        pytest.skip(f"{wanted.name} is not installed")
    yield installed(wanted, folder)


@pytest.mark.slow
@pytest.mark.parametrize("device", [None, "cuda", "mps"], ids=["as it is", "cuda", "mps"])
def test_the_table_is_the_live_one(package: Installed, device: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    score, assumed = package.compare(device)
    with capsys.disabled():
        sys.stdout.write(f"\n{package.package.name} ({device or 'as it is'}): {score}\n")

    assert score.cells > 0
    assert score.wrong == []
    assert score.missing == []
    assert len(assumed) <= MOST_ASSUMED
    assert score.unknown <= MOST_UNKNOWN * score.cells, score.hangs_on.most_common(5)
