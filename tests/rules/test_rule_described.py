"""What the rules say of ops that a description tells of: by the table's words, as of any other."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from opcheck.config import load
from opcheck.discovery import discover
from opcheck.engine import check
from opcheck.read import read
from opcheck_rules import ALL_RULES
from opcheck_rules.model.finding import Finding

CONFIGURATION = """
[[dispatchers]]
name = "own"
shape = "registration"
callable = "lib.register"
backend = 1
backends = ["cpu", "cuda"]
error = { type = "KeyError", message = "('{op}', '{backend}')" }

[targets.gpu]
backends = ["cuda"]
"""
HEAD = """
import torch

def register(op, backend):
    return lambda function: function

@register("blur", "cpu")
def blur(x):
    return x
"""


CLASSES = 'shape = "classes"\nbase = "lib.Base"\nbackend = "name"\n'


def _findings(folder: Path, source: str, configuration: str = CONFIGURATION) -> list[Finding]:
    (folder / "opcheck.toml").write_text(configuration)
    (folder / "lib.py").write_text(HEAD + textwrap.dedent(source))
    settings = load(folder / "opcheck.toml")
    reading = read(settings, discover(settings, [folder]))
    return check(reading, settings.targets, ALL_RULES)


CASES = {
    "OPC101": ("", "`blur` has no kernel for backend `cuda`, which target `gpu` runs on"),
    "OPC102": (
        """
        if torch.cuda.device_count() > 8:
            @register("blur", "cuda")
            def on_cuda(x): return x
        """,
        "`blur` has its kernel for backend `cuda` behind a guard that fails under target `gpu`",
    ),
    "OPC105": (
        """
        @register("blur", "cuda")
        def on_cuda(x):
            if x.is_cuda:
                raise RuntimeError("not on this device")
            return x
        """,
        "`blur` has a kernel that refuses backend `cuda`, which target `gpu` runs on",
    ),
    "OPC401": (
        """
        @register("blur", "cuds")
        def on_cuda(x): return x
        """,
        "`blur` is declared for backend `cuds`, which its framework does not know",
    ),
    "OPC403": (
        """
        @register("blur", "cuda")
        def on_cuda(x): return x
        @register("blur", "cuda")
        def again(x): return x
        """,
        "`blur` has two kernels for `cuda`",
    ),
    "OPC407": (
        """
        import vendor
        @register("blur", vendor.backend())
        def on_cuda(x): return x
        """,
        "`blur` has a kernel for the backend in `vendor.backend()`, which can't be read",
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_rules_speak_of_described_ops(tmp_path: Path, code: str) -> None:
    source, message = CASES[code]
    (finding,) = _findings(tmp_path, source)
    assert (finding.code, finding.message, finding.framework) == (code, message, "own")


def test_what_a_call_raises_is_what_the_description_says(tmp_path: Path) -> None:
    (finding,) = _findings(tmp_path, "")
    assert finding.error is not None
    assert (finding.error.type, finding.error.message) == ("KeyError", "('blur', 'cuda')")


def test_what_stands_in_the_place_of_a_kernel_is_shown(tmp_path: Path) -> None:
    (finding,) = _findings(tmp_path, "@register('blur', 'cuda')\ndef later(x): raise TypeError('later')\n")
    assert finding.code == "OPC101"
    assert finding.error is not None
    assert finding.error.message == "later"
    assert [label.text for label in finding.labels] == [
        "not declared for `cuda`",
        "always raises `TypeError`",
        "required here",
    ]


def test_a_class_of_which_the_backend_is_not_read_is_told(tmp_path: Path) -> None:
    configuration = CONFIGURATION.replace('shape = "registration"\ncallable = "lib.register"\nbackend = 1\n', CLASSES)
    source = """
        import vendor
        class Base:
            def sum(self, x): raise NotImplementedError
            def prod(self, x): raise NotImplementedError
        class Some(Base):
            name = vendor.choose()
            def sum(self, x): return x
        """
    (finding,) = _findings(tmp_path, source, configuration)
    assert (finding.code, finding.op) == ("OPC407", "prod")
    assert "has a kernel for the backend in `vendor.choose()`, which can't be read" in finding.message
