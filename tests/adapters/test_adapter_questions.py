"""What a program learns when it asks the dispatcher what is there."""

from __future__ import annotations

import pytest

from .conftest import Reader

HEAD = """\
import torch
from torch.library import custom_op, define, impl

def f(x): return x

def add(name):
    impl("seen::" + name, "cpu", f)

define("seen::yes", "(Tensor x) -> Tensor")
define("ns::op", "(Tensor x) -> Tensor")
define("ns::op.out", "(Tensor x, *, Tensor(a!) out) -> Tensor(a!)")
define("ns::named.only", "(Tensor x) -> Tensor")
impl("ns::op", "cuda", f)
"""

ANSWERS = {
    "an op that is there": ('hasattr(torch.ops.ns, "op")', True),
    "an op that is there in one overload": ('hasattr(torch.ops.ns, "named")', True),
    "an op that is not": ('hasattr(torch.ops.ns, "other")', False),
    "an overload": ('hasattr(torch.ops.ns.op, "out")', True),
    "the default overload": ('hasattr(torch.ops.ns.op, "default")', True),
    "no default overload": ('hasattr(torch.ops.ns.named, "default")', False),
    "a namespace": ('hasattr(torch.ops, "anything")', True),
    "getattr": ('getattr(torch.ops.ns, "op", None) is not None', True),
    "getattr with a default": ('getattr(torch.ops.ns, "other", None) is not None', False),
    "a kernel": ('torch._C._dispatch_has_kernel_for_dispatch_key("ns::op", "CUDA")', True),
    "no kernel": ('torch._C._dispatch_has_kernel_for_dispatch_key("ns::op", "CPU")', False),
    "no op": ('torch._C._dispatch_has_kernel_for_dispatch_key("ns::other", "CPU")', False),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_questions_are_answered_by_what_was_registered(reader: Reader, name: str) -> None:
    question, expected = ANSWERS[name]
    read = reader(f"{HEAD}\nif {question}:\n    add('yes')\n")

    assert read.status("seen::yes") == ("covered:CPU" if expected else "hole")


@pytest.mark.parametrize("name", ["custom_op", "register_fake", "register_autograd"])
def test_what_an_api_adds_of_its_own_is_there_too(reader: Reader, name: str) -> None:
    made = {
        "custom_op": "custom_op('ns::c', f, mutates_args=(), schema='(Tensor x) -> Tensor')",
        "register_fake": "define('ns::c', '(Tensor x) -> Tensor')\ntorch.library.register_fake('ns::c', f)",
        "register_autograd": "define('ns::c', '(Tensor x) -> Tensor')\ntorch.library.register_autograd('ns::c', f)",
    }[name]
    for key, wanted in {"Meta": name != "register_autograd", "Autograd": name != "register_fake"}.items():
        question = f"torch._C._dispatch_has_kernel_for_dispatch_key('ns::c', '{key}')"
        read = reader(f"{HEAD}\n{made}\nif {question}:\n    add('yes')\n")

        assert read.status("seen::yes") == ("covered:CPU" if wanted else "hole")


def test_an_op_that_is_defined_later_is_not_there_yet(reader: Reader) -> None:
    read = reader(
        """
        import torch
        if not hasattr(torch.ops.ns, "op"):
            torch.library.define("ns::op", "(Tensor x) -> Tensor")
        torch.library.impl("ns::op", "cpu", lambda x: x)
        """
    )

    assert read.status("ns::op") == "covered:CPU"
    assert read.cell("ns::op").op.defined.render() == "not hasattr(torch.ops.ns, 'op')"


def test_a_target_may_assume_an_op_all_the_same(reader: Reader) -> None:
    read = reader(
        """
        import torch
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        if hasattr(torch.ops.ns, "other"):
            torch.library.impl("ns::op", "cpu", lambda x: x)
        """
    )

    assert read.status("ns::op") == "hole"
    assert read.status("ns::op", assume={"hasattr(torch.ops.ns, 'other')": True}) == "covered:CPU"


def test_what_runs_under_a_guard_is_there_under_it(reader: Reader) -> None:
    read = reader(
        {
            "pkg/__init__.py": """
                import torch
                torch.library.define("ns::use", "(Tensor x) -> Tensor")
                if torch.cuda.is_available():
                    from . import gpu
                if hasattr(torch.ops.ns, "gpu"):
                    torch.library.impl("ns::use", "cpu", lambda x: x)
                """,
            "pkg/gpu.py": "import torch\ntorch.library.define('ns::gpu', '(Tensor x) -> Tensor')\n",
        }
    )

    assert read.status("ns::use") == "hole"
    assert read.status("ns::use", backends=("cpu", "cuda")) == "covered:CPU"


def test_in_a_foreign_namespace_the_answer_is_open(reader: Reader) -> None:
    read = reader(
        """
        import torch, vendor
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        if hasattr(torch.ops.vendor, "fast") and hasattr(torch.ops.aten, "mm"):
            torch.library.impl("ns::op", "cpu", lambda x: x)
        """
    )
    assume = {"hasattr(torch.ops.vendor, 'fast')": True, "hasattr(torch.ops.aten, 'mm')": True}

    assert read.status("ns::op") == "conditional"
    assert read.status("ns::op", assume=assume) == "covered:CPU"


def test_what_a_load_may_define_is_open_where_it_is_loaded(reader: Reader) -> None:
    read = reader(
        """
        import torch
        try:
            torch.ops.load_library("ops.so")
        except OSError:
            pass
        torch.library.define("seen::op", "(Tensor x) -> Tensor")
        if hasattr(torch.ops.ns, "fast"):
            torch.library.impl("seen::op", "cpu", lambda x: x)
        """
    )
    loaded = "torch.ops.load_library('ops.so') succeeds"

    assert read.status("seen::op", assume={loaded: False}) == "hole"
    assert read.status("seen::op", assume={loaded: True}) == "unknown"
    assert read.status("seen::op", assume={"hasattr(torch.ops.ns, 'fast')": True, loaded: True}) == "covered:CPU"


def test_a_question_inside_an_uncalled_function_is_about_the_whole_import(reader: Reader) -> None:
    read = reader(
        """
        import torch
        def later():
            if hasattr(torch.ops.ns, "op"):
                torch.library.impl("ns::op", "cpu", lambda x: x)
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        """
    )

    assert read.status("ns::op", assume={"called:pkg.later": True}) == "covered:CPU"


NOT_ASKED = [
    "hasattr(torch.ops.ns, pick())",
    "hasattr(torch.ops.ns.op, '_schema')",
    "hasattr(torch.ops.ns.op.out, 'redispatch')",
    "hasattr(torch, 'float8_e4m3fn')",
    "hasattr(object, 'f')",
    "getattr(torch.ops.ns, 'op')",
    "getattr(torch, 'float4', None) is not None",
    "torch._C._dispatch_has_kernel_for_dispatch_key(pick(), 'CUDA')",
    "torch._C._dispatch_has_kernel_for_dispatch_key('ns::op', pick())",
]


@pytest.mark.parametrize("question", NOT_ASKED)
def test_other_questions_are_left_open(reader: Reader, question: str) -> None:
    read = reader(f"from other import pick\n{HEAD}\nif {question}:\n    add('yes')\n")

    assert read.op("seen::yes").cells["cpu", "forward"].outcomes[0].condition.size in (1, 2)


def test_a_second_library_of_the_kind_def_raises(reader: Reader) -> None:
    read = reader(
        """
        from torch.library import Library
        first = Library("ns", "DEF")
        first.define("op(Tensor x) -> Tensor")
        try:
            lib = Library("ns", "DEF")
        except RuntimeError:
            lib = Library("ns", "IMPL", "CPU")
        lib.impl("op", lambda x: x)
        """
    )

    assert read.status("ns::op") == "covered:CPU"
    assert read.status("ns::op", "cuda") == "hole"


def test_ops_that_no_definition_is_read_for_keep_their_name(reader: Reader) -> None:
    read = reader(
        """
        import torch
        @torch.library.custom_op("ns::op", mutates_args=())
        def op(x: torch.Tensor) -> torch.Tensor: return x

        def use(x):
            return torch.ops.ns.op(x), torch.ops.ns.op.default(x), op(x), torch.ops.load_library(x)
        """
    )

    assert [use.op for use in read.reading.project.uses] == ["ns::op"] * 3


TRIED = """
try:
    {lookup}
except {error}:
    add("no")
else:
    add("yes")
"""


@pytest.mark.parametrize(
    ("lookup", "error", "answer"),
    [
        ("torch.ops.ns.op", "AttributeError", "yes"),
        ("torch.ops.ns.other", "AttributeError", "no"),
        ("op = torch.ops.ns.other.default", "Exception", "no"),
        ("def inner():\n        return torch.ops.ns.other\n    inner()", "(KeyError, AttributeError)", "no"),
        ("try:\n        torch.ops.ns.other\n    except KeyError:\n        pass", "AttributeError", "no"),
        ("torch.ops.ns.other", "ImportError", "yes"),
        ("torch.ops.ns.__name__", "AttributeError", "yes"),
        ("torch.ops.aten.other", "AttributeError", "yes"),
        ("torch.ops.load_library", "AttributeError", "yes"),
        ("torch.other", "AttributeError", "yes"),
    ],
)
def test_looking_an_op_up_asks_where_the_error_is_handled(reader: Reader, lookup: str, error: str, answer: str) -> None:
    read = reader(f"{HEAD}\ndefine('seen::no', '(Tensor x) -> Tensor')\n{TRIED.format(lookup=lookup, error=error)}")

    assert {name: read.status(f"seen::{name}") for name in ("yes", "no")} == {
        name: "covered:CPU" if name == answer else "hole" for name in ("yes", "no")
    }


def test_what_is_defined_where_looking_it_up_fails_is_there(reader: Reader) -> None:
    read = reader(
        """
        import torch
        try:
            torch.ops.ns.op
        except AttributeError:
            torch.library.define("ns::op", "(Tensor x) -> Tensor")
        """
    )

    assert read.op("ns::op").defined.render() == "not hasattr(torch.ops.ns, 'op')"
