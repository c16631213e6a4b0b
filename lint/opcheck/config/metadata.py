"""What a project's metadata says is installed beside it, as import names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.utils import canonicalize_name

from opcheck.reading import Environment

from .shapes import as_list, as_table

# Distributions whose import name is not their own name with underscores.
_IMPORT_NAMES: Final = {
    "beautifulsoup4": ("bs4",),
    "attrs": ("attr", "attrs"),
    "faiss-cpu": ("faiss",),
    "faiss-gpu": ("faiss",),
    "gitpython": ("git",),
    "msgpack-python": ("msgpack",),
    "nvidia-ml-py": ("pynvml",),
    "onnxruntime-gpu": ("onnxruntime",),
    "opencv-python": ("cv2",),
    "opencv-python-headless": ("cv2",),
    "pillow": ("PIL",),
    "protobuf": ("google",),
    "python-dateutil": ("dateutil",),
    "pytorch-triton": ("triton",),
    "pytorch-triton-rocm": ("triton",),
    "pytorch-triton-xpu": ("triton",),
    "pyyaml": ("yaml",),
    "pyzmq": ("zmq",),
    "scikit-image": ("skimage",),
    "scikit-learn": ("sklearn",),
    "setuptools": ("setuptools", "pkg_resources"),
    "triton-windows": ("triton",),
}
_CUPY_BUILDS: Final = ("cupy-cuda", "cupy-rocm")
_MINOR_VERSIONS: Final = range(15, 7, -1)


def environment(project: Mapping[str, object]) -> Environment:
    """Read a `[project]` table. What it says wrongly, or leaves to be computed, is not known, and no error here."""
    name = canonicalize_name(str(project.get("name", "")))
    optional = as_table(project.get("optional-dependencies")) or {}
    extras = {str(canonicalize_name(extra)): list(_requirements(listed)) for extra, listed in optional.items()}
    return Environment(
        required=_imports(_requirements(project.get("dependencies"))),
        optional={extra: _imports(_expanded(extra, extras, name)) for extra in extras},
        python=_newest_python(project.get("requires-python")),
    )


def import_names(distribution: str) -> tuple[str, ...]:
    """The modules that installing `distribution` (a normalised name) makes importable."""
    if distribution == "cupy" or distribution.startswith(_CUPY_BUILDS):
        return ("cupy", "cupyx")
    return _IMPORT_NAMES.get(distribution) or (distribution.replace("-", "_"),)


def _imports(requirements: Iterable[Requirement]) -> frozenset[str]:
    """The import names of those that are required everywhere: under a marker, it depends on the machine."""
    return frozenset(name for r in requirements if r.marker is None for name in import_names(canonicalize_name(r.name)))


def _requirements(listed: object) -> Iterator[Requirement]:
    for text in as_list(listed) or ():
        try:
            yield Requirement(str(text))
        except InvalidRequirement:
            continue


def _expanded(extra: str, extras: Mapping[str, list[Requirement]], project: str) -> Iterator[Requirement]:
    """The requirements of an extra, and of the extras of the same project that it takes in."""
    waiting, seen = [extra], set[str]()
    while waiting:
        current = waiting.pop()
        if current in seen:
            continue
        seen.add(current)
        for requirement in extras.get(current, ()):
            if canonicalize_name(requirement.name) == project:
                waiting += map(canonicalize_name, requirement.extras)
            else:
                yield requirement


def _newest_python(requires: object) -> str | None:
    try:
        allowed = SpecifierSet(str(requires or ""))
    except InvalidSpecifier:
        return None
    if not allowed:
        return None
    for minor in _MINOR_VERSIONS:
        # Bounds on a patch release allow the minor version when they allow its first release or a late one.
        if f"3.{minor}" in allowed or f"3.{minor}.99" in allowed:
            return f"3.{minor}"
    return None
