"""However a file is written, each kind of fix comes to the same: what it leaves is written as it was."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import Final

import pytest
from tests.lint.fix.conftest import CONFIG, Project

HEAD: Final = """\
from opcheck_runtime import FloatArray, op


"""
NATIVE: Final = (
    HEAD
    + """\
@op(backends=["numpy"]{more})  # \N{LATIN SMALL LETTER E WITH ACUTE}
def scale(x: FloatArray, by: float) -> FloatArray:
    return x * by


"""
)
AFTER: Final = """\
print("the \N{LATIN SMALL LETTER E WITH ACUTE}nd")
"""
RULE: Final = """\
@scale.vjp
def _(grad, out, x, by):
    raise NotImplementedError("the derivative of `scale`")


"""
LEFT_OUT: Final = ', unsupported={"cupy": "\N{LATIN SMALL LETTER E WITH ACUTE}"}'
TORCH: Final = """\
import torch


{before}torch.library.define("shop::twice", "(Tensor x) -> Tensor")
torch.library.impl("shop::twice", "CompositeImplicitAutograd", lambda x: x + x)
"""
FAKE: Final = """\


# Of the \N{LATIN SMALL LETTER E WITH ACUTE}ake.
@torch.library.register_fake("shop::twice")
def _(x):
    return torch.empty_like(x)


"""
KERNEL: Final = """\
# Of the kernel.
@scale.kernel("cupy")
def _(x, by):
    return x * by


"""
E_ACUTE: Final = 'E_ACUTE = "\N{LATIN SMALL LETTER E WITH ACUTE}"; '
KINDS: Final = {
    "a backend corrected": (
        NATIVE.replace('"numpy"', '"nunpy", "cupy"'),
        NATIVE.replace('"numpy"', '"numpy", "cupy"'),
        "",
    ),
    "an op corrected": (
        TORCH.format(before="") + E_ACUTE + 'torch.library.impl("shop::twise", "cpu", abs)\n',
        TORCH.format(before="") + E_ACUTE + 'torch.library.impl("shop::twice", "cpu", abs)\n',
        "",
    ),
    "a backend listed": (NATIVE, NATIVE.replace('"numpy"', '"numpy", "cupy"'), ""),
    "a derivative declared": (
        NATIVE.replace('"numpy"', '"numpy", "cupy"') + AFTER,
        NATIVE.replace('"numpy"]{more}', '"numpy", "cupy"], autodiff=True{more}') + RULE + AFTER,
        "autodiff = true\n",
    ),
    "a rule begun": (
        NATIVE.replace('"numpy"]{more}', '"numpy", "cupy"], autodiff=True') + AFTER,
        NATIVE.replace('"numpy"]{more}', '"numpy", "cupy"], autodiff=True') + RULE + AFTER,
        "autodiff = true\n",
    ),
    "a kernel removed": (
        NATIVE.replace("{more}", LEFT_OUT) + KERNEL + AFTER,
        NATIVE.replace("{more}", LEFT_OUT) + AFTER,
        "",
    ),
    "a fake removed": (TORCH.format(before="") + FAKE + AFTER, TORCH.format(before="") + "\n\n" + AFTER, ""),
    "a comment removed": (
        NATIVE.replace('"numpy"', '"numpy", "cupy"').replace("  #", "  # opcheck: ignore[OPC101] why  #"),
        NATIVE.replace('"numpy"', '"numpy", "cupy"'),
        "",
    ),
}


def _encoded(encoding: str) -> Callable[[str], bytes]:
    return lambda text: f"# -*- coding: {encoding} -*-\n{text}".encode(encoding)


def _below_a_guard(text: str) -> bytes:
    lines = ["    " + line if line.strip() else line for line in text.splitlines(keepends=True)]
    return ("if __debug__:\n" + "".join(lines).replace("\n\n\n", "\n\n")).encode()


DISGUISES: Final[dict[str, Callable[[str], bytes]]] = {
    "plain": str.encode,
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "BOM": lambda text: codecs.BOM_UTF8 + text.encode(),
    "latin-1": _encoded("latin-1"),
    "gbk": _encoded("gbk"),
    "tabs": lambda text: text.replace("    ", "\t").encode(),
    "two blanks": lambda text: text.replace("    ", "  ").encode(),
    "form feeds on lines": lambda text: text.replace("\n\n\n@op", "\n\f\n\n@op").encode(),
    "form feeds before code": lambda text: re.sub("(?<=\n\n\n)(?=@op|# Of|torch)", "\f", text).encode(),
    "below a guard": _below_a_guard,
    "continued": lambda text: text.replace("@op(", "@op \\\n    (").encode(),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_fix_is_the_same_however_the_file_is_written(project: Project, kind: str, disguise: str) -> None:
    before, after, config = KINDS[kind]
    as_written = DISGUISES[disguise]
    project.write(CONFIG + config, "pyproject.toml")
    path = project.write(as_written(before.replace("{more}", "")))

    project.run("--fix", "--unsafe-fixes")

    assert path.read_bytes() == as_written(after.replace("{more}", ""))
