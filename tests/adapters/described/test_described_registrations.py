"""Calls and decorators that register: which op, which backend, which function."""

from __future__ import annotations

import pytest

from .conftest import Describes, row

HEAD = """
REG = {}
def register(op, device="cpu", fn=None):
    def decorate(f):
        REG[(op, device)] = f
        return f
    return decorate if fn is None else decorate(fn)
def f(x): return x
"""
CALLS = """
shape = "registration"
callable = "lib.register"
op = 0
backend = 1
function = 2
backends = ["cpu", "cuda"]
"""
FORMS = {
    "a decorator": ("@register('a', 'cuda')\ndef g(x): return x", "hole covered"),
    "its default": ("@register('a')\ndef g(x): return x", "covered hole"),
    "by keywords": ("@register(device='cuda', op='a')\ndef g(x): return x", "hole covered"),
    "a call": ("register('a', 'cuda', f)", "hole covered"),
    "a call with the function by keyword": ("register('a', fn=f)", "covered hole"),
    "what a decorator gives, called": ("register('a', 'cuda')(f)", "hole covered"),
    "stacked": ("@register('a', 'cuda')\n@register('a', 'cpu')\ndef g(x): return x", "covered covered"),
    "a loop": ("for d in ('cpu', 'cuda'):\n    register('a', d, f)", "covered covered"),
    "a loop over pairs": ("for op, d in {'a': 'cuda'}.items():\n    register(op, d)(f)", "hole covered"),
    "a helper": (
        "def both(op):\n    for d in ('cpu', 'cuda'):\n        register(op, d, f)\nboth('a')",
        "covered covered",
    ),
    "another name": ("put = register\nput('a', 'cuda', f)", "hole covered"),
    "a partial": (
        "from functools import partial\non_cuda = partial(register, device='cuda')\n@on_cuda('a')\ndef g(x): return x",
        "hole covered",
    ),
    "a stub": ("register('a', 'cpu', f)\n@register('a', 'cuda')\ndef g(x): raise TypeError('later')", "covered hole"),
    "a lambda that only raises": (
        "def no(x): raise NotImplementedError('no')\nregister('a', 'cpu', f)\nregister('a', 'cuda', lambda x: no(x))",
        "covered hole",
    ),
    "a stub that is replaced": (
        "@register('a', 'cuda')\ndef g(x): raise NotImplementedError('later')\nregister('a', 'cuda', f)",
        "hole covered",
    ),
    "several backends at once": ("register('a', ['cpu', 'cuda'], f)", "covered covered"),
    "several ops at once": ("register(('a', 'b'), 'cuda', f)", "hole covered"),
    "a backend that is not read": ("import vendor\nregister('a', vendor.device(), f)", "unknown unknown"),
    "an op that is not read": (
        "import vendor\nregister('a', 'cpu', f)\nregister(vendor.name(), 'cuda', f)",
        "covered unknown",
    ),
    "behind a guard": (
        "import os\nregister('a', 'cpu', f)\nif os.name == 'nt':\n    register('a', 'cuda', f)",
        "covered hole",
    ),
    "in a function that nothing calls": ("def setup():\n    register('a', 'cuda', f)", "hole covered"),
    "an enumeration": (
        "import enum\nclass Device(str, enum.Enum):\n    CUDA = 'cuda'\nregister('a', Device.CUDA, f)",
        "hole covered",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_calls(described: Describes, form: str) -> None:
    source, statuses = FORMS[form]
    found = described(CALLS, HEAD + source)
    assert row(found, "a") == statuses, [found.reason("a", b) for b in ("cpu", "cuda")]


@pytest.mark.parametrize("form", [form for form in FORMS if "several" not in form])
def test_the_dictionary_behind_says_the_same(described: Describes, form: str) -> None:
    source, statuses = FORMS[form]
    table = 'shape = "registration"\ntable = "lib.REG"\nbackends = ["cpu", "cuda"]\n'
    found = described(table, HEAD + source)
    assert row(found, "a") == statuses, [found.reason("a", b) for b in ("cpu", "cuda")]


def test_an_alias_in_a_function_that_nothing_calls(described: Describes) -> None:
    sources = {
        "lib.py": HEAD,
        "pkg.py": "from lib import register as put, f\ndef setup():\n    put('a', 'cuda', f)\n",
    }
    assert row(described(CALLS, sources), "a") == "hole covered"


def test_ops_named_by_what_they_are(described: Describes) -> None:
    source = "import vendor\nclass Add: pass\nfor op in (Add, vendor.Sub, f):\n    register(op, 'cuda', f)"
    found = described(CALLS, HEAD + source)
    assert found.names == ["lib.Add", "vendor.Sub", "lib.f"]
    assert found.op("lib.Add").own_name == "Add"


def test_contexts_beside_the_forward_one(described: Describes) -> None:
    grad = 'name = "own"\nshape = "registration"\ncallable = "lib.grad"\ncontext = "autodiff"\n'
    two = f"{CALLS}[[dispatchers]]\n{grad}"
    source = "def grad(op):\n    return lambda f: f\nregister('a', 'cpu', f)\n@grad('a')\ndef da(x): return x"
    found = described(two + 'backends = ["cpu", "cuda"]\n', HEAD + source)
    assert row(found, "a") == "covered hole"
    assert found.status("a", "cuda", "autodiff") == "covered:kernel"


def test_ops_that_are_left_out(described: Describes) -> None:
    found = described(CALLS + 'exclude = ["_*"]\n', HEAD + "register('_a', 'cpu', f)\nregister('b', 'cpu', f)")
    assert found.names == ["b"]


def test_a_description_that_matches_nothing_is_told(described: Describes) -> None:
    found = described(CALLS.replace("register", "registre"), HEAD)
    (warning,) = found.reading.warnings
    assert warning == "nothing was read that the description of dispatcher `own` at opcheck.toml:1 is about"


def test_what_was_too_much_to_evaluate_may_have_registered_more(described: Describes) -> None:
    deep = "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(40)) + "def f40(): register('a', 'cuda', f)\n"
    assert row(described(CALLS, f"{HEAD}register('a', 'cpu', f)\n{deep}f0()\n"), "a") == "covered unknown"


def test_a_decorator_may_be_given_the_function_as_well(described: Describes) -> None:
    found = described(CALLS.replace("function = 2\n", ""), f"{HEAD}register('a', 'cpu', f)\nregister('a', 'cuda')(f)\n")

    assert row(found, "a") == "covered covered"


@pytest.mark.parametrize(("registers", "status"), [("kernels", "unknown"), ("atexit", "hole")])
def test_what_was_too_much_registers_by_a_method_of_the_object_it_mentions(
    described: Describes, registers: str, status: str
) -> None:
    registry = "class Registry:\n    def register(self, op, device, fn): pass\nkernels = Registry()\nimport atexit\n"
    deep = "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(40))
    deep += f"def f40(): {registers}.register('a', 'cuda', f)\n"
    described_by = CALLS.replace("lib.register", "lib.kernels.register")
    found = described(described_by, f"{registry}def f(x): return x\nkernels.register('a', 'cpu', f)\n{deep}f0()\n")

    assert row(found, "a") == f"covered {status}"


def test_a_dispatcher_that_calls_itself_registers_nothing_by_that(described: Describes) -> None:
    itself = """
    REG = {}
    def register(op, device="cpu", fn=None):
        if fn is None:
            return lambda f: register(op, device, f)
        REG[op, device] = fn
        return fn
    def f(x): return x
    register("a", "cuda", f)
    """
    found = described(CALLS, itself)

    assert [op.name for op in found.reading.project.ops] == ["a"]
    assert row(found, "a") == "hole covered"
    assert not found.reading.project.unresolved


def test_several_tables_of_one_decorator(described: Describes) -> None:
    again = CALLS.replace('shape = "registration"', 'name = "own"\nshape = "registration"\ncontext = "compile"')
    found = described(f"{CALLS}[[dispatchers]]{again}", HEAD + "@register('a', 'cuda')\ndef g(x): return x\n")
    assert row(found, "a") == "hole covered"
    assert found.status("a", "cuda", "compile") == "covered:kernel"
