"""What registers by being called: functions, methods of classes and objects, what is made of them."""

from __future__ import annotations

import pytest

from .conftest import Describes, row

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
