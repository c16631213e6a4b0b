"""The names of dispatch keys and devices are those that torch itself takes."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from opcheck.adapters.torch.keys import DEVICE_KEYS, device_key, parsed_key, refused_device

_DEVICES = (
    "cpu",
    "cuda",
    "xpu",
    "mps",
    "hpu",
    "mtia",
    "xla",
    "ipu",
    "maia",
    "ve",
    "lazy",
    "meta",
    "privateuseone",
    "hip",
)
_OTHER = ("gpu", "CUDA", "cuda:0", "default", "gpu:0", "mps:1", "", "cuda:", "cuda:x", " cuda", "cpu:1:2")
_ASK = """
import json, sys, torch

def key_of(device):
    try:
        return torch._C._dispatch_key_for_device(device), None
    except RuntimeError as error:
        return None, str(error)

names = [name for name in dir(torch._C.DispatchKey) if name[0].isupper()] + json.loads(sys.argv[2])
print(json.dumps({
    "keys": {name: bool(torch._C._parse_dispatch_key(name)) for name in names},
    "devices": {name: key_of(name) for name in json.loads(sys.argv[1])},
}))
"""


def test_names_are_those_that_torch_takes() -> None:
    if find_spec("torch") is None:
        pytest.skip("torch is not installed")
    more = [f"{prefix}{key}" for prefix in ("", "Autograd", "Autocast", "Sparse") for key in DEVICE_KEYS.values()]
    command = [sys.executable, "-c", _ASK, json.dumps([*_DEVICES, *_OTHER]), json.dumps(more)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    torch = json.loads(done.stdout)

    assert {name: parsed_key(name) is not None for name in torch["keys"]} == torch["keys"]
    assert {name: device_key(name) for name in torch["devices"]} == {n: key for n, (key, _) in torch["devices"].items()}
    refused = {name: said for name, (key, said) in torch["devices"].items() if key is None}
    assert [name for name, said in refused.items() if refused_device(name) not in said] == []
