"""Tables of keywords: which function is for which backend, for which op."""

from __future__ import annotations

import pytest

from .conftest import Describes, row

DESCRIBED = """
shape = "keywords"
callable = "lib.Mapper"
keywords = { np_func = "numpy", cp_func = "cupy" }
op = "function"
stubs = ["lib.missing"]
"""
HEAD = """
class Mapper:
    def __init__(self, np_func=None, cp_func=None):
        self.np_func, self.cp_func = np_func, cp_func
    def __call__(self, x):
        return self.np_func
def missing(x, *args, message="not yet"):
    raise NotImplementedError(message)
def f(x): return x
"""
FORMS = {
    "both": ("def op(x):\n    return Mapper(np_func=f, cp_func=f)(x)", "covered covered"),
    "by position": ("def op(x):\n    return Mapper(f, missing)(x)", "covered hole"),
    "one left out": ("def op(x):\n    return Mapper(np_func=f)(x)", "covered hole"),
    "None": ("def op(x):\n    return Mapper(np_func=f, cp_func=None)(x)", "covered hole"),
    "a stub": ("def op(x):\n    return Mapper(np_func=f, cp_func=missing)(x)", "covered hole"),
    "a partial of a stub": (
        "from functools import partial\ndef op(x):\n"
        "    return Mapper(np_func=f, cp_func=partial(missing, message='op on cupy'))(x)",
        "covered hole",
    ),
    "a lambda that calls a stub": (
        "def op(x):\n    return Mapper(np_func=f, cp_func=lambda *a: missing(*a, message='op on cupy'))(x)",
        "covered hole",
    ),
    "what a factory makes": (
        "def unsupported(name):\n    def stub(*args):\n        raise NotImplementedError(name)\n    return stub\n"
        "def op(x):\n    return Mapper(np_func=f, cp_func=unsupported('op'))(x)",
        "covered hole",
    ),
    "a function that only raises": (
        "def g(x):\n    message = 'no'\n    raise ValueError(message)\ndef op(x):\n"
        "    return Mapper(np_func=f, cp_func=g)(x)",
        "covered hole",
    ),
    "a function that may raise": (
        "def g(x):\n    if x:\n        return x\n    raise ValueError\ndef op(x):\n"
        "    return Mapper(np_func=f, cp_func=g)(x)",
        "covered covered",
    ),
    "a table": (
        "FUNCS = {'np_func': f, 'cp_func': missing}\ndef op(x):\n    return Mapper(**FUNCS)(x)",
        "covered hole",
    ),
    "a nested function": (
        "def op(x):\n    def inner(y): return y\n    mapper = Mapper(np_func=inner, cp_func=inner)\n"
        "    return mapper(x)",
        "covered covered",
    ),
    "after many checks": (
        "def op(x, *a):\n"
        + "".join(f"    if check{i}(x):\n        raise ValueError('{i}')\n" for i in range(20))
        + "    return Mapper(np_func=f, cp_func=missing)(x)",
        "covered hole",
    ),
    "after a call that is too much": (
        "".join(f"def f{i}(): return f{i + 1}()\n" for i in range(40))
        + "def f40(): pass\ndef op(x):\n    y = f0()\n    return Mapper(np_func=f, cp_func=missing)(y)",
        "covered hole",
    ),
    "in a helper that is handed the functions": (
        "def choose(x, a, b):\n    return Mapper(np_func=a, cp_func=b)(x)\ndef op(x):\n"
        "    return choose(x, f, missing)",
        "covered hole",
    ),
    "what is not read": (
        "import vendor\ndef op(x):\n    return Mapper(np_func=f, cp_func=vendor.find())(x)",
        "covered unknown",
    ),
    "what comes from another package": (
        "import vendor\ndef op(x):\n    return Mapper(np_func=f, cp_func=vendor.g)(x)",
        "covered covered",
    ),
    "one of two tables": (
        "def op(x, fast):\n    if fast:\n        return Mapper(np_func=f, cp_func=missing)(x)\n"
        "    return Mapper(np_func=f, cp_func=f)(x)",
        "covered conditional",
    ),
    "a subclass": (
        "class Other(Mapper):\n    pass\ndef op(x):\n    return Other(np_func=f)(x)",
        "covered hole",
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_functions_that_make_tables(described: Describes, form: str) -> None:
    source, statuses = FORMS[form]
    found = described(DESCRIBED, HEAD + source)
    assert found.names == ["lib.op"]
    assert row(found, "lib.op") == statuses, [found.reason("lib.op", b) for b in ("numpy", "cupy")]


@pytest.mark.parametrize("form", ["a partial of a stub", "a lambda that calls a stub"])
def test_what_a_stub_says_is_quoted(described: Describes, form: str) -> None:
    found = described(DESCRIBED, HEAD + FORMS[form][0])
    (live,) = found.cell("lib.op", "cupy", backends=("cupy",)).outcomes
    assert live.outcome.error is not None
    assert live.outcome.error.message == "op on cupy"


ASSIGNED = {
    "a name": ("op = Mapper(f, missing)", "lib.op"),
    "an annotated name": ("op: Mapper = Mapper(f, missing)", "lib.op"),
    "an item": ("OPS = {}\nOPS['op'] = Mapper(f, missing)", "op"),
    "an item in a loop": ("OPS = {}\nfor name in ['op']:\n    OPS[name] = Mapper(f, missing)", "op"),
    "a display": ("OPS = {'op': Mapper(f, missing)}", "op"),
    "what is handed on": ("print(Mapper(f, f))\nop = Mapper(f, missing)", "lib.op"),
    "a class attribute": ("class Ops:\n    op = Mapper(f, missing)", "lib.Ops.op"),
}


@pytest.mark.parametrize("form", ASSIGNED)
def test_what_tables_are_assigned_to(described: Describes, form: str) -> None:
    source, name = ASSIGNED[form]
    found = described(DESCRIBED.replace('"function"', '"assignment"'), HEAD + source)
    assert row(found, name) == "covered hole"


def test_ops_named_by_an_argument(described: Describes) -> None:
    head = HEAD.replace("self, np_func", "self, name, np_func")
    found = described(DESCRIBED.replace('"function"', "0"), head + "for n in 'ab':\n    Mapper(n, f, cp_func=missing)")
    assert (row(found, "a"), row(found, "b")) == ("covered hole", "covered hole")


def test_functions_that_are_made_again_and_again(described: Describes) -> None:
    source = (
        "def make():\n    def op(x):\n        return Mapper(f, f)\n    return op\nmade = [make() for _ in range(40)]\n"
    )
    found = described(DESCRIBED, HEAD + source)
    assert found.names == ["lib.make.op"]


def test_a_table_that_no_function_makes_is_not_known_by_one(described: Describes) -> None:
    found = described(DESCRIBED, HEAD + "Mapper(f, missing)\ndef op(x):\n    return Mapper(f, f)")
    assert found.names == ["lib.op"]
    assert [one.op for one in found.reading.project.unresolved] == [None, None]


def test_a_table_without_the_argument_that_names_the_op_is_none(described: Describes) -> None:
    head = HEAD.replace("self, np_func", "self, name, np_func")
    assert described(DESCRIBED.replace('"function"', '"title"'), head + "Mapper('a', f, f)").names == []


def test_a_stub_whose_arguments_are_no_texts_cannot_be_called_for(described: Describes) -> None:
    source = "from functools import partial\ndef op(x):\n    return Mapper(f, partial(missing, x, message=[x]))\n"
    (live,) = described(DESCRIBED, HEAD + source).cell("lib.op", "cupy", backends=("cupy",)).outcomes
    assert (live.outcome.status, live.outcome.meeting) == ("hole", None)


def test_a_table_in_another_module_under_another_name(described: Describes) -> None:
    sources = {
        "lib.py": HEAD,
        "pkg/__init__.py": "from lib import Mapper as Chooser, missing as no",
        "pkg/ops.py": "from . import Chooser as C, no\nfrom lib import f\ndef op(x):\n    return C(f, cp_func=no)(x)",
    }
    assert row(described(DESCRIBED.replace("lib.Mapper", "pkg.Chooser"), sources), "pkg.ops.op") == "covered hole"
