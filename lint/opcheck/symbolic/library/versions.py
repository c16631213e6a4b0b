"""What parses a version, and what asks for one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..answers import version
from ..frame import Frame
from ..lift import lift
from ..values import Arguments, Value
from ..versions import RunningVersion, WrittenVersion
from .meaning import Meaning, undecided

_PARSERS: Final = (
    *("packaging.version.parse", "packaging.version.Version", "pkg_resources.parse_version"),
    *("distutils.version.LooseVersion", "distutils.version.StrictVersion", "looseversion.LooseVersion"),
    *("torch.torch_version.TorchVersion", "pkg_resources.packaging.version.parse"),
)


def _parse(frame: Frame, arguments: Arguments) -> Value:
    def one(values: list[Value]) -> Value:
        match values[0]:
            case RunningVersion():
                return values[0]
            case str() as text if version(text) is not None:
                return WrittenVersion(text)
            case _:
                return undecided(frame, "packaging.version.parse", Arguments(values, {}, arguments.node))

    return lift(frame, [arguments.get(0, "version")], one)


def _installed_version(frame: Frame, arguments: Arguments) -> Value:
    """`importlib.metadata.version("torch")`; of what may not be installed, a call that may fail."""
    name = arguments.get(0, "distribution_name")
    if name == "torch":
        return RunningVersion("torch.__version__")
    unknown = undecided(frame, "importlib.metadata.version", arguments)
    frame.machine.state.external_calls.append(unknown.text)
    return unknown


MEANINGS: Final[Mapping[str, Meaning]] = {
    **dict.fromkeys(_PARSERS, _parse),
    "importlib.metadata.version": _installed_version,
    "importlib_metadata.version": _installed_version,
}
