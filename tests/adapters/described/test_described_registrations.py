"""Calls, decorators and dictionaries that register: which op, which backend, which function."""

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


ITEMS = {
    "a pair": ("REG = {}\nREG['a', 'cuda'] = f", "hole covered"),
    "nested": ("REG = {'a': {}}\nREG['a']['cuda'] = f", "hole covered"),
    "made with pairs": ("REG = {('a', 'cuda'): f, ('a', 'cpu'): None}", "hole covered"),
    "made nested": ("REG = {'a': {'cuda': f}}", "hole covered"),
    "setdefault": (
        "REG = {}\nREG.setdefault('a', {})['cuda'] = f\nREG.setdefault('a', {})['cpu'] = f",
        "covered covered",
    ),
    "a default dictionary": (
        "from collections import defaultdict\nREG = defaultdict(dict)\nREG['a']['cuda'] = f\nREG['a']['cpu'] = f",
        "covered covered",
    ),
    "update": ("REG = {}\nREG.update({('a', 'cuda'): f})", "hole covered"),
    "spread": ("OLD = {('a', 'cpu'): f}\nREG = {**OLD, ('a', 'cuda'): f}", "covered covered"),
    "a comprehension": ("REG = {('a', d): f for d in ('cpu', 'cuda')}", "covered covered"),
    "joined": ("REG = {('a', 'cpu'): f} | {('a', 'cuda'): f}", "covered covered"),
    "deleted": ("REG = {('a', 'cpu'): f, ('a', 'cuda'): f}\ndel REG['a', 'cuda']", "covered hole"),
    "a row that a call makes": ("REG = {'a': dict(cuda=f)}", "hole covered"),
    "ops and devices that are texts": (
        "import enum\nclass Ops(str, enum.Enum):\n    A = 'a'\nREG = {(Ops.A, 'cuda'): f}",
        "hole covered",
    ),
    "dict of pairs": ("REG = dict([(('a', 'cuda'), f)])", "hole covered"),
    "a key that is not read": (
        "import vendor\nREG = {('a', 'cpu'): f}\nREG['a', vendor.device()] = f",
        "covered unknown",
    ),
    "under a guard, each its own": (
        "import os\nREG = {}\nif os.name == 'nt':\n    REG.setdefault('a', {})['cpu'] = f\n"
        "else:\n    REG.setdefault('a', {})['cuda'] = f",
        "hole covered",
    ),
}


@pytest.mark.parametrize("form", ITEMS)
def test_dictionaries(described: Describes, form: str) -> None:
    source, statuses = ITEMS[form]
    table = 'shape = "registration"\ntable = "lib.REG"\nbackends = ["cpu", "cuda"]\n'
    found = described(table, "def f(x): return x\n" + source)
    assert row(found, "a") == statuses, [found.reason("a", b) for b in ("cpu", "cuda")]


OBJECTS = {
    "a method of a class": (
        'callable = "lib.Op.impl"\n',
        "class Op:\n    def __init__(self, name): self.name = name\n"
        "    def impl(self, device): return lambda f: f\n"
        "one = Op('a')\n@one.impl('cuda')\ndef g(x): return x\none.impl('cpu')(g)",
        "a",
        "covered covered",
    ),
    "an object without a name": (
        'callable = "lib.Op.impl"\n',
        "class Op:\n    def impl(self, device): return lambda f: f\none = Op()\none.impl('cuda')(abs)",
        "lib.one",
        "hole covered",
    ),
    "an object of a class that is not read": (
        'callable = "vendor.Op.impl"\n',
        "import vendor\none = vendor.Op('a')\n@one.impl('cuda')\ndef g(x): return x",
        "lib.one",
        "hole covered",
    ),
    "a generic function": (
        'callable = "functools.singledispatch.register"\nvalues = { "cupy.ndarray" = "cuda" }\n',
        "import cupy\nfrom functools import singledispatch\n@singledispatch\ndef one(x): raise TypeError\n"
        "@one.register(cupy.ndarray)\ndef _(x): return x",
        "lib.one",
        "hole covered",
    ),
}


@pytest.mark.parametrize("form", OBJECTS)
def test_ops_that_are_objects(described: Describes, form: str) -> None:
    told, source, op, statuses = OBJECTS[form]
    own = f'shape = "registration"\nop = "object"\nbackend = 0\nbackends = ["cpu", "cuda"]\n{told}'
    found = described(own, source)
    assert found.names == [op]
    assert row(found, op) == statuses


OTHERS = {
    "a method of an object": (
        'callable = "lib.registry.add"\nbackend = 1\n',
        "class Registry:\n    def add(self, op, device): return lambda f: f\n"
        "registry, other = Registry(), Registry()\nregistry.add('a', 'cuda')(f)\nother.add('a', 'cpu')(f)",
        "hole covered",
    ),
    "what a function made": (
        'callable = "lib.add"\nbackend = 1\n',
        "def make():\n    def add(op, device): return lambda f: f\n    return add\n"
        "add, other = make(), make()\nadd('a', 'cuda')(f)\nother('a', 'cpu')(f)",
        "hole covered",
    ),
    "a decorator for one backend": (
        'callable = "lib.on_cuda"\nop = "function"\ndefault = "cuda"\n',
        "def on_cuda(f): return f\n@on_cuda\ndef a(x): return x",
        "hole covered",
    ),
    "a decorator of a class": (
        'callable = "lib.on_cuda"\nop = "function"\ndefault = "cuda"\n',
        "def on_cuda(f): return f\n@on_cuda\nclass a: pass",
        "hole covered",
    ),
    "a decorator for several": (
        'callable = "lib.put"\nbackend = "on"\ndefault = ["cpu", "cuda"]\n',
        "def put(op, on=None): return lambda f: f\n@put('a')\ndef g(x): return x",
        "covered covered",
    ),
    "for all": (
        'callable = "lib.put"\n',
        "def put(op): return lambda f: f\n@put('a')\ndef g(x): return x",
        "covered covered",
    ),
    "backends as the rest of the arguments": (
        'callable = "lib.put"\nbackend = 1\n',
        "def put(op, *devices): return lambda f: f\n@put('a', 'cpu', 'cuda')\ndef g(x): return x",
        "covered covered",
    ),
    "a name for several backends": (
        'callable = "lib.put"\nbackend = 1\nvalues = { all = ["cpu", "cuda"] }\n',
        "def put(op, device): return lambda f: f\nput('a', 'all')(f)",
        "covered covered",
    ),
    "keywords alone": (
        'callable = "lib.put"\nop = "name"\nbackend = "device"\nfunction = "fn"\n',
        "def put(*, name, device='cuda', fn=None): return fn\nput(name='a', fn=f)",
        "hole covered",
    ),
    "arguments that are not read": (
        'callable = "lib.put"\nbackend = 1\n',
        "import vendor\ndef put(op, device): return lambda f: f\nput('a', 'cpu')(f)\nput('a', *vendor.rest())(f)",
        "covered unknown",
    ),
    "a class that is called": (
        'callable = "lib.Register"\nbackend = 1\n',
        "class Register:\n    def __init__(self, op, device): pass\n    def __call__(self, f): return f\n"
        "@Register('a', device='cuda')\ndef g(x): return x",
        "hole covered",
    ),
    "a record that is made": (
        'callable = "lib.Register"\nbackend = 1\nfunction = 2\n',
        "import dataclasses\n@dataclasses.dataclass\nclass Register:\n    op: str\n    device: str\n    fn: object\n"
        "Register('a', device='cuda', fn=f)",
        "hole covered",
    ),
    "an object that is called": (
        'callable = "lib.register"\nbackend = 1\n',
        "class Register:\n    def __call__(self, op, device): return lambda f: f\n"
        "register = Register()\n@register('a', device='cuda')\ndef g(x): return x",
        "hole covered",
    ),
    "another package's": (
        'callable = "vendor.put"\nbackend = 1\n',
        "from vendor import put\n@put('a', 'cuda')\ndef g(x): return x",
        "hole covered",
    ),
    "another package's, for all": (
        'callable = "vendor.put"\nbackend = 1\n',
        "from vendor import put\n@put('a')\ndef g(x): return x",
        "covered covered",
    ),
    "what is no function": (
        'callable = "lib.put"\nop = "function"\nbackend = 0\n',
        "import vendor\ndef put(device): return lambda f: f\n@put('cuda')\ndef a(x): return x\nput('cpu')(vendor.g())",
        "unknown covered",
    ),
    "a call that names no op": (
        'callable = "lib.put"\nop = "name"\nbackend = "device"\n',
        "def put(**given): return lambda f: f\nput(device='cpu')(f)\nput(name='a', device='cuda')(f)",
        "hole covered",
    ),
    "a backend that is left out": (
        'callable = "lib.put"\nbackend = "device"\n',
        "def put(op, device): return lambda f: f\nput('a')(f)",
        "covered covered",
    ),
    "a class that a backend is named after": (
        'callable = "lib.put"\nbackend = 1\n',
        "class Cuda: pass\ndef put(op, device): return lambda f: f\nput('a', Cuda)(f)",
        "hole covered",
    ),
    "a list of which not all is read": (
        'callable = "lib.put"\nbackend = 1\n',
        "import vendor\ndef put(op, devices): return lambda f: f\nput('a', ['cuda', *vendor.rest()])(f)",
        "unknown unknown",
    ),
    "an enumeration of ops": (
        'callable = "lib.put"\nbackend = 1\nexclude = ["lib.*"]\n',
        "import enum\nclass Ops(enum.Enum):\n    A = 1\ndef put(op, device): return lambda f: f\n"
        "put(Ops.A, 'cuda')(f)\nput('a', 'cpu')(f)",
        "covered hole",
    ),
    "an object that stands for the op": (
        'callable = "lib.put"\nbackend = 1\n',
        "class Primitive:\n    def __init__(self, name): self.name = name\none = Primitive('a')\n"
        "def put(op, device): return lambda f: f\nput(one, 'cuda')(f)",
        "hole covered",
    ),
    "a bound method": (
        'callable = "lib.put"\nop = "function"\nbackend = 0\n',
        "def put(device): return lambda f: f\nclass K:\n    def a(self, x): return x\nput('cuda')(K().a)",
        "hole covered",
    ),
    "a function that is handed to another": (
        'callable = "lib.put"\nbackend = 1\nfunction = 2\n',
        "def put(op, device, fn): pass\ndef pair(op, one, other):\n    put(op, 'cpu', one)\n"
        "    put(op, 'cuda', other)\ndef no(x): raise TypeError\npair('a', f, no)",
        "covered hole",
    ),
}


@pytest.mark.parametrize("form", OTHERS)
def test_other_ways_to_register(described: Describes, form: str) -> None:
    told, source, statuses = OTHERS[form]
    found = described(f'shape = "registration"\nbackends = ["cpu", "cuda"]\n{told}', "def f(x): return x\n" + source)
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


def test_dictionaries_that_are_for_one_backend(described: Describes) -> None:
    table = 'shape = "registration"\ntable = "lib.REG"\ndefault = "cuda"\nbackends = ["cpu", "cuda"]\n'
    assert row(described(table, "def f(x): return x\nREG = {'a': f}"), "a") == "hole covered"


def test_dictionaries_that_are_not_as_deep_as_described(described: Describes) -> None:
    table = 'shape = "registration"\ntable = "lib.REG"\nbackends = ["cpu", "cuda"]\n'
    found = described(table, "import vendor\nREG = {('a', 'cpu'): abs, 'a': vendor.table(), 'b': vendor.table()}")
    assert (row(found, "a"), row(found, "b")) == ("covered unknown", "unknown unknown")


def test_dictionaries_by_backend_first(described: Describes) -> None:
    table = 'shape = "registration"\ntable = "lib.REG"\nop = 1\nbackend = 0\nbackends = ["cpu", "cuda"]\n'
    found = described(table, "import vendor\nREG = {'cuda': {'a': abs}, 'cpu': vendor.table()}")
    assert row(found, "a") == "hole covered"


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


def test_a_table_that_classes_enter_as_they_are_made(described: Describes) -> None:
    source = (
        "class Kernel:\n    registry = {}\n    def __init_subclass__(cls, op=None, device='cpu', **rest):\n"
        "        super().__init_subclass__(**rest)\n        Kernel.registry[op, device] = cls\n"
        "class AddCpu(Kernel, op='a'): pass\nclass AddCuda(Kernel, op='a', device='cuda'): pass\n"
        "class Sub(AddCpu, op='b', device='cuda', metaclass=type): pass\n"
    )
    table = 'shape = "registration"\ntable = "lib.Kernel.registry"\nbackends = ["cpu", "cuda"]\n'
    found = described(table, source)
    assert (row(found, "a"), row(found, "b")) == ("covered covered", "hole covered")
