"""A revision of a repository, laid out in a folder of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec import Struct

from opcheck.config import ConfigError
from opcheck.config.load import OWN_FILE, SHARED_FILE
from opcheck.discovery.files import is_source

# What a hook of git's sets for its own commands would send ours astray.
_OF_HOOKS: Final = frozenset({"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"})
_RUNS_NOTHING: Final = ("-c", f"core.hooksPath={os.devnull}", "-c", "core.fsmonitor=false")
_SUBMODULE: Final = b"160000 "
_TELLS_HOW_TO_READ: Final = frozenset({OWN_FILE, SHARED_FILE, ".gitignore", "pyvenv.cfg"})


class Revision(Struct, frozen=True):
    """A commit of the repository at `top`, and what it was called when it was asked for."""

    top: Path
    called: str
    commit: str


def repository(folder: Path) -> Path:
    """The top folder of the repository around `folder`. Raises ConfigError where there is none, or no git."""
    done = _git(folder, "rev-parse", "--show-toplevel")
    if done.returncode:
        raise ConfigError(f"`{folder}` is not in a git repository", help=_said(done))
    return Path(os.fsdecode(done.stdout).removesuffix("\n"))


def revision(top: Path, called: str) -> Revision:
    """The commit of that name. Raises ConfigError where there is none."""
    done = _git(top, "rev-parse", "--verify", "--quiet", f"{called}^{{commit}}")
    if called.startswith("-") or done.returncode:
        raise ConfigError(f"no such revision: `{called}`", help="name a commit, a branch or a tag that git has here")
    return Revision(top, called, done.stdout.decode().strip())


def lay_out(wanted: Revision, folder: Path) -> list[Path]:
    """Write the sources and configurations of a revision below `folder`, each where its path leads from there.

    The submodules are returned: a revision knows them by name alone. Only an index of its own is written.
    Raises ConfigError where git cannot do it.
    """
    laid_out = moved(wanted.top, folder)
    # The mark of a repository's top: ignore files count up to there.
    (laid_out / ".git").mkdir(parents=True)
    index = laid_out / ".git" / "index"
    _done(wanted, "read-tree", wanted.commit, index=index)
    listed = _done(wanted, "ls-files", "-z", "--stage", index=index).removesuffix(b"\0").split(b"\0")
    names = b"\0".join(_wanted(line.partition(b"\t")[2] for line in listed))
    _done(wanted, "checkout-index", "-z", "--stdin", f"--prefix={laid_out}{os.sep}", index=index, given=names)
    return [wanted.top / os.fsdecode(line.partition(b"\t")[2]) for line in listed if line.startswith(_SUBMODULE)]


def moved(path: Path, folder: Path) -> Path:
    """Where an absolute path lies once it is laid out below `folder`."""
    return folder.joinpath(*path.parts[1:])


def _wanted(names: Iterable[bytes]) -> Iterator[bytes]:
    for name in names:
        last = os.fsdecode(name.rpartition(b"/")[2])
        if is_source(last) or last in _TELLS_HOW_TO_READ:
            yield name


def _done(wanted: Revision, *arguments: str, index: Path, given: bytes = b"") -> bytes:
    done = _git(wanted.top, *arguments, index=index, given=given)
    if done.returncode:
        raise ConfigError(f"git cannot lay out `{wanted.called}`", help=_said(done))
    return done.stdout


def _git(
    folder: Path, *arguments: str, index: Path | None = None, given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_LFS_SKIP_SMUDGE": "1", "GIT_TERMINAL_PROMPT": "0"}
    environment |= {"GIT_INDEX_FILE": str(index)} if index else {}
    command = ["git", "-C", str(folder), *_RUNS_NOTHING, *arguments]
    try:
        return subprocess.run(command, env=environment, input=given, capture_output=True, check=False)
    except OSError as error:
        raise ConfigError(f"--since asks git, which cannot be run: {error.strerror}") from None


def _said(done: subprocess.CompletedProcess[bytes]) -> str:
    """The first line of what git had to say."""
    return os.fsdecode(done.stderr).partition("\n")[0].removeprefix("fatal: ")
