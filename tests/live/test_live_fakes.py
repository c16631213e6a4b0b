"""What is said of a fake kernel beside a composite one is what PyTorch says."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from .fake_kernels import HEAD, PROGRAMS

_RUN = """
import json, sys, warnings
warnings.simplefilter("ignore")

def said(program):
    try:
        exec(program, {})
    except RuntimeError as error:
        return str(error)

print(json.dumps({name: said(program) for name, program in json.load(sys.stdin).items()}))
"""


def test_a_fake_is_refused_where_it_is_said_to_be() -> None:
    if find_spec("torch") is None:
        pytest.skip("torch is not installed")
    texts = [(HEAD + text).replace("NS", f"fakes{i}") for i, (text, _) in enumerate(PROGRAMS.values())]
    programs = json.dumps(dict(zip(PROGRAMS, texts, strict=True)))
    command = [sys.executable, "-c", _RUN]
    done = subprocess.run(command, input=programs, capture_output=True, text=True, timeout=120, check=True)

    for (i, (name, (_, beginning))), said in zip(
        enumerate(PROGRAMS.items()), json.loads(done.stdout).values(), strict=True
    ):
        expected = None if beginning is None else beginning.replace("NS", f"fakes{i}")
        assert (said or "").startswith(expected or "") and (said is None) == (expected is None), (name, said)
