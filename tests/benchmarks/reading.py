"""What checking a tree costs, beside the peers: CPU seconds, wall seconds and memory, in one run.

Run it where opcheck is installed. The tree is made of wheels that pip finds; the peers live in an environment of their
own:

    python -m venv peers && peers/bin/python -m pip install ruff flake8 fixit torchfix
    PATH=$PATH:peers/bin python tests/benchmarks/reading.py [--rounds 5] [--tree FOLDER]

A peer that is not on the path is skipped, and said so. Each round runs every command once, in turn, each in a process
of its own; what is shown are medians over the rounds, and ratios of medians. The linters that work on concrete trees
take minutes for what the others read in a second: they are given a sample of the files, and so are the others there.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Final

WHEELS: Final = ("torchao==0.18.0", "fla-core==0.6.0", "helion==1.5.1", "bitsandbytes==0.50.2", "quack-kernels==0.6.5")
SAMPLE: Final = 60
COPIES: Final = (1, 2, 4, 8, 16)
OPCHECK: Final = (sys.executable, "-m", "opcheck", "check", "--backend", "cpu", "--backend", "cuda", "--exit-zero")
COLD: Final = (*OPCHECK, "--no-cache")
RUFF: Final = ("ruff", "check", "--isolated", "--no-cache", "--quiet", "--exit-zero", "--select", "F")
PEERS: Final[Mapping[str, Sequence[str]]] = {
    "flake8": ("flake8", "--isolated", "--exit-zero", "--select", "F"),
    "fixit": ("fixit", "--quiet", "lint"),
    "TorchFix": ("torchfix", "--select", "ALL"),
}


@dataclass(frozen=True)
class Cost:
    """What one process took, with those it started: CPU and wall seconds, and its peak memory in MB."""

    cpu: float
    wall: float
    peak: float


def run(command: Sequence[str], path: Path) -> Cost:
    """Run a command on a path, and wait for it as the shell does."""
    start = perf_counter()
    environment = os.environ | {"NO_COLOR": "1"}
    process = subprocess.Popen(
        [*command, str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(used.ru_utime + used.ru_stime, perf_counter() - start, used.ru_maxrss / 1024)


def median(costs: Sequence[Cost]) -> Cost:
    """The median of each."""
    return Cost(*(statistics.median(getattr(c, name) for c in costs) for name in ("cpu", "wall", "peak")))


def measured(commands: Mapping[str, Sequence[str]], path: Path, rounds: int) -> dict[str, Cost]:
    """The cost of each command, every round in turn."""
    costs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            costs[name].append(run(command, path))
    return {name: median(found) for name, found in costs.items()}


def make_tree(folder: Path) -> Path:
    """Unpack the Python files of the wheels."""
    wheels, tree = folder / "wheels", folder / "tree"
    download = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(wheels), *WHEELS]
    subprocess.run(download, check=True)
    for wheel in sorted(wheels.iterdir()):
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(tree, [name for name in archive.namelist() if name.endswith((".py", "METADATA"))])
    return tree


def sample(tree: Path, folder: Path) -> Path:
    """A folder with some of the tree's files, the same in every run."""
    folder.mkdir()
    files = sorted(path for path in tree.rglob("*.py") if path.stat().st_size > 0)
    for number, path in enumerate(random.Random(0).sample(files, SAMPLE)):
        shutil.copy(path, folder / f"file_{number}.py")
    return folder


def copies(tree: Path, folder: Path, count: int) -> Path:
    """A folder with so many copies of the tree, each a package folder of its own."""
    for number in range(count):
        shutil.copytree(tree, folder / f"copy_{number}")
    return folder


def table(costs: Mapping[str, Cost], over: str) -> Iterator[str]:
    """The costs as a table, with each one's ratio over one of them."""
    yield f"| command | CPU s | over {over} | wall s | peak MB |"
    yield "|---|---|---|---|---|"
    for name, cost in costs.items():
        ratio = cost.cpu / costs[over].cpu
        yield f"| {name} | {cost.cpu:.3f} | {ratio:.2f}x | {cost.wall:.3f} | {cost.peak:.0f} |"


def growth(tree: Path, folder: Path, rounds: int) -> Iterator[str]:
    """How cold and warm cost grow with the tree."""
    yield "| copies | cold CPU s | cold per copy | cold peak MB | warm CPU s | warm wall s | warm peak MB |"
    yield "|---|---|---|---|---|---|---|"
    for count in COPIES:
        path = copies(tree, folder / f"copies_{count}", count)
        cold = measured({"cold": COLD}, path, rounds)["cold"]
        run(OPCHECK, path)
        warm = measured({"warm": OPCHECK}, path, rounds)["warm"]
        shutil.rmtree(path)
        each = cold.cpu / count
        yield (
            f"| {count} | {cold.cpu:.2f} | {each:.2f} | {cold.peak:.0f} | {warm.cpu:.3f} | {warm.wall:.3f}"
            f" | {warm.peak:.0f} |"
        )


def main() -> None:
    """Print the tables, and what was left out."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tree", type=Path)
    asked = parser.parse_args()
    there = {name: command for name, command in PEERS.items() if shutil.which(command[0])}
    with tempfile.TemporaryDirectory(prefix="opcheck-benchmark-") as name:
        folder = Path(name)
        tree = asked.tree or make_tree(folder)
        for line in report(tree, folder, there, asked.rounds):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()


def report(tree: Path, folder: Path, peers: Mapping[str, Sequence[str]], rounds: int) -> Iterator[str]:
    """The whole of it, line by line as it is found."""
    files = list(tree.rglob("*.py"))
    size = sum(path.stat().st_size for path in files) / 1e6
    yield f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {os.cpu_count()} cores,"
    yield f"{len(files)} files, {size:.1f} MB, medians of {rounds} rounds\n"
    run(OPCHECK, tree)
    whole: dict[str, Sequence[str]] = {"ruff": RUFF, "opcheck, cold": COLD, "opcheck, warm": OPCHECK}
    whole |= {"flake8": peers["flake8"]} if "flake8" in peers else {}
    yield from table(measured(whole, tree, rounds), "ruff")
    yield f"\n{SAMPLE} of the files:\n"
    yield from table(
        measured({"opcheck, cold": COLD, "ruff": RUFF, **peers}, sample(tree, folder / "sample"), 3), "opcheck, cold"
    )
    yield "\nGrowth:\n"
    yield from growth(tree, folder, 3)
    yield f"\nnot on the path, skipped: {', '.join(sorted(PEERS.keys() - peers.keys())) or 'none'}"


if __name__ == "__main__":
    main()
