"""Parts of declarations that could not be read: which are told of, by which expression, and where."""

from __future__ import annotations

import pytest

from opcheck.adapters.torch.gathered import gather
from opcheck.adapters.torch.records import Defined, Filled
from opcheck.adapters.torch.unresolved import unresolved
from opcheck.symbolic.collect import Reached
from opcheck.symbolic.values import Unknown
from opcheck_rules.model.condition import Conditions
from opcheck_rules.model.finding import Span

from .conftest import Read, Reader

HEAD = """\
import torch
from torch.library import Library, custom_op, define, impl, register_autograd, register_fake, register_vmap
from vendor import BACKENDS, FEATURE, KEYS, NAME, SPACE, SPECS, TRAINS, platform
from opcheck_runtime import FloatArray, gated, op

define("shop::op", "(Tensor x) -> Tensor")

def f(x): return x

"""
FIRST = HEAD.count("\n") + 1


def told(read: Read) -> list[tuple[str, str | None, str | None, int]]:
    """The parts that are open: what, of which op, by which expression, and on which line after the head."""
    found = read.reading.project.unresolved
    return [(str(u.part), u.op, u.expression, u.span.line - FIRST + 1) for u in found]


NAMES = {
    "a definition": ("define(NAME, '(Tensor x) -> Tensor')", [("definition", None, "vendor.NAME", 1)]),
    "a kernel": ("impl(NAME, 'cpu', f)", [("kernel", None, "vendor.NAME", 1)]),
    "a fake kernel": ("register_fake(f'shop::{NAME}', f)", [("fake", None, "f'shop::{vendor.NAME}'", 1)]),
    "a derivative": ("register_autograd(NAME, f)", [("derivative", None, "vendor.NAME", 1)]),
    "half a derivative": (
        "torch._custom_ops.impl_backward(NAME, func=f)",
        [("derivative", None, "vendor.NAME", 1)],
    ),
    "a batching rule": ("register_vmap(NAME, f)", [("vmap", None, "vendor.NAME", 1)]),
    "a custom op and its fake": (
        "@custom_op(NAME, mutates_args=(), schema='() -> Tensor')\ndef g(): ...\ng.register_fake(f)",
        [
            ("definition", None, "vendor.NAME", 1),
            ("kernel", None, "vendor.NAME", 1),
            ("fake", None, "vendor.NAME", 3),
        ],
    ),
    "the name of a library's kernel": (
        "Library('shop', 'IMPL').impl(NAME, f, 'CPU')",
        [("kernel", None, "vendor.NAME", 1)],
    ),
    "a library's definition": (
        "Library('shop', 'FRAGMENT').define(SPECS.text)",
        [("definition", None, "vendor.SPECS.text", 1)],
    ),
    "a library's older definition": (
        "@define(Library('shop', 'FRAGMENT'), SPECS.text)\ndef g(x): ...",
        [("definition", None, "vendor.SPECS.text", 1), ("kernel", None, "vendor.SPECS.text", 1)],
    ),
    "a library's namespace": (
        "Library(SPACE, 'DEF').define('op(Tensor x) -> Tensor')",
        [("definition", None, "vendor.SPACE", 1)],
    ),
    "an item of something unread": (
        "for spec in SPECS:\n    define(spec.name, '() -> Tensor')",
        [("definition", None, None, 2)],
    ),
    "no name at all": ("define('op', '(Tensor x) -> Tensor')\nimpl(None, 'cpu', f)", []),
    "no definition at all": ("Library('shop', 'FRAGMENT').define('op')", []),
}


@pytest.mark.parametrize("name", NAMES)
def test_names_that_were_not_read(reader: Reader, name: str) -> None:
    text, expected = NAMES[name]

    assert told(reader(HEAD + text)) == expected


KEY = "vendor.platform.key"
BACKENDS = {
    "a key": ("impl('shop::op', platform.key, f)", [("backend", "shop::op", KEY, 1)]),
    "a list of keys": ("impl('shop::op', KEYS, f)", [("backend", "shop::op", "vendor.KEYS", 1)]),
    "a library's key": ("Library('shop', 'IMPL', platform.key).impl('op', f)", [("backend", "shop::op", KEY, 1)]),
    "the key of a library's kernel": (
        "Library('shop', 'IMPL').impl('op', f, platform.key)",
        [("backend", "shop::op", KEY, 1)],
    ),
    "a key that is one of two": ("impl('shop::op', 'cuda' if platform.fast else 'cpu', f)", []),
    "a key that is misspelt": ("impl('shop::op', 'cdua', f)", []),
}


@pytest.mark.parametrize("name", BACKENDS)
def test_keys_that_were_not_read(reader: Reader, name: str) -> None:
    text, expected = BACKENDS[name]

    assert told(reader(HEAD + text)) == expected


def test_a_key_is_no_longer_open_where_a_target_says_what_it_is(reader: Reader) -> None:
    (found,) = reader(HEAD + "impl('shop::op', platform.key, f)").reading.project.unresolved

    assert found.assumed is not None
    assert found.assumed.under(lambda atom: atom.settled).fails
    assert found.assumed.under(lambda atom: atom.subject == KEY).holds
    assert found.names["cuda"] == "CUDA"


FUNCTIONS = {
    "a parameter": ("def r(name, key):\n    define(name, '() -> Tensor')\n    impl('shop::op', key, f)", []),
    "a part of a name": ("def r(name):\n    impl(f'shop::{name}', 'cpu', f)", []),
    "a decorator's parameter": (
        "def r(name):\n    def decorate(g):\n        impl(f'shop::{name}', 'cpu', g)\n    return decorate",
        [],
    ),
    "an attribute of an object": (
        "class R:\n    def add(self, g):\n        impl('shop::op', self.key, g)\n        impl(self.name, 'cpu', g)",
        [],
    ),
    "what a function finds for itself": (
        "def r():\n    impl('shop::op', platform.key, f)",
        [("backend", "shop::op", KEY, 2)],
    ),
    "a parameter of a declaration": (
        "def r(listed):\n    @op(backends=listed)\n    def g(x: FloatArray): return x",
        [],
    ),
    "a call with what was not read": (
        "def r(name):\n    impl(name, 'cpu', f)\nr('shop::op')\nr(NAME)",
        [("kernel", None, "vendor.NAME", 4)],
    ),
    "a call that declares": (
        "def r(listed):\n    @op(backends=listed)\n    def g(x: FloatArray): return x\nr(['numpy'])\nr(BACKENDS)",
        [("backends", "pkg.r.<locals>.g", "vendor.BACKENDS", 5)],
    ),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_a_caller_is_to_say_is_told_at_the_call(reader: Reader, name: str) -> None:
    text, expected = FUNCTIONS[name]

    assert told(reader(HEAD + text)) == expected


BODY = "def g(x: FloatArray) -> FloatArray: return x\n"
NATIVE = {
    "a list": ("@op(backends=BACKENDS)\n" + BODY, [("backends", "pkg.g", "vendor.BACKENDS", 1)]),
    "an entry": ("@op(backends=['numpy', NAME])\n" + BODY, [("listed", "pkg.g", "vendor.NAME", 1)]),
    "a feature": (
        "@op(backends=['numpy', gated('cupy', feature=FEATURE)])\n" + BODY,
        [("feature", "pkg.g", "vendor.FEATURE", 1)],
    ),
    "the feature of a derivative": (
        "@op(backends=['numpy'], autodiff=gated(feature=FEATURE))\n" + BODY,
        [("autodiff", "pkg.g", "vendor.FEATURE", 1)],
    ),
    "a derivative": ("@op(backends=['numpy'], autodiff=TRAINS)\n" + BODY, [("autodiff", "pkg.g", "vendor.TRAINS", 1)]),
    "a kernel": (
        "@op(backends=['numpy'])\n" + BODY + "@g.kernel(NAME)\ndef _(x): return x",
        [("backend", "pkg.g", "vendor.NAME", 3)],
    ),
    "a kernel of somebody else's": (
        "@op(backends=['numpy'])\n" + BODY + "g.kernel(NAME)(platform.kernel)",
        [("backend", "pkg.g", "vendor.NAME", 3)],
    ),
    "no list at all": ("@op(backends='numpy')\n" + BODY, []),
    "no answer at all": ("@op(backends=['numpy'], autodiff=1)\n" + BODY, []),
}


@pytest.mark.parametrize("name", NATIVE)
def test_native_declarations(reader: Reader, name: str) -> None:
    text, expected = NATIVE[name]

    assert told(reader(HEAD + text)) == expected


def test_a_gate_whose_feature_was_not_read_is_neither_open_nor_shut(reader: Reader) -> None:
    read = reader(HEAD + "@op(backends=['numpy', gated('cupy', feature=FEATURE)])\n" + BODY)

    assert read.status("pkg.g", "numpy", backends=("numpy", "cupy")) == "covered:body"
    assert read.status("pkg.g", "cupy", backends=("numpy", "cupy")) == "unknown"
    assert "the feature of its gate" in read.reason("pkg.g", "cupy")


def test_a_feature_that_is_one_of_two_is_read(reader: Reader) -> None:
    feature = "'gpu' if platform.fast else 'slow'"
    read = reader(
        HEAD + f"@op(backends=[gated('cupy', feature={feature})], autodiff=gated(feature={feature}))\n" + BODY
    )

    assert not told(read)
    assert {gate.feature for gate in read.reading.project.gates} == {"gpu", "slow"}


def test_sources_in_another_language_are_left_to_their_readers() -> None:
    space, place = Conditions(), Span("ops.cpp", 1, 1, 1, 2)
    records = [
        Defined(None, "ns", "define", None, place, "NAME"),
        Filled(None, "ns", "kernel", Unknown("f"), place, "CPU", "CPU", "NAME"),
        Filled("ns::op", "ns", "kernel", Unknown("f"), place, None, None, "KEY"),
    ]
    effects = [Reached(r, space.true, place, i, "", frozenset(), hypothetical=False) for i, r in enumerate(records)]

    assert not list(unresolved(gather(space, effects)))
