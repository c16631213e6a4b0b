"""What a project declares, as the rules read it."""

from __future__ import annotations

import pytest

from opcheck.adapters.needles import declares

from .conftest import Reader


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("import opcheck_runtime", True),
        ("torch.library.define(x)", True),
        ("from torch import nn, library", True),
        ("from torch import ops", True),
        ("from torch import nn\nlibrary = 1", False),
        ("import torch", False),
    ],
)
def test_candidates_are_told_by_their_text(text: str, expected: bool) -> None:
    assert declares(text.encode()) is expected


def test_candidates_are_counted(reader: Reader) -> None:
    read = reader({"a.py": "import torch.library", "b.py": "x = 1"})

    assert read.reading.candidates == 1


def test_registrations_say_what_they_raise(reader: Reader) -> None:
    read = reader(
        """
        import torch
        from torch.library import Library
        f = lambda x: x
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        lib = Library("ns", "FRAGMENT")
        lib.impl("op", f, "CPU", allow_override=False)
        lib.impl("op", f, "gpu")
        torch.library.impl("ns::op", "gpu", f)
        torch.library.register_fake("ns::lost", f)
        torch.library.register_autograd("ns::lost.out", f)
        torch.library.impl("ns::lost", "cpu", f)
        torch._custom_ops.impl_backward("ns::op")(f)
        torch._custom_ops.impl_save_for_backward("ns::op")(f)
        """
    )
    errors = {
        (r.op, r.kind, r.key): (r.duplicate_error or r.unknown_error or r.undefined_error)
        for r in read.reading.project.registrations
    }
    messages = {key: error and f"{error.type}: {error.message}" for key, error in errors.items()}

    assert messages == {
        ("ns::op", "define", None): "RuntimeError: Tried to register an operator (ns::op",
        ("ns::op", "kernel", "CPU"): (
            "RuntimeError: This is not allowed since there's already a kernel registered from python overriding op's "
            "behavior for CPU dispatch key"
        ),
        ("ns::op", "kernel", "gpu"): "RuntimeError: at start of device string: gpu",
        ("ns::lost", "fake", None): "RuntimeError: operator ns::lost does not exist",
        ("ns::lost.out", "derivative", None): ("AttributeError: '_OpNamespace' 'ns' object has no attribute 'lost'"),
        ("ns::lost", "kernel", "CPU"): None,
        ("ns::op", "derivative", None): ("AttributeError: '_OpNamespace' 'ns' object has no attribute 'op'"),
    }


def test_a_second_kernel_that_yields_changes_nothing(reader: Reader) -> None:
    read = reader(
        """
        import torch
        lib = torch.library.Library("ns", "DEF")
        lib.define("op(Tensor x) -> Tensor")
        def first(x): return x
        def second(x): raise ValueError
        lib.impl("op", first, "CPU")
        lib.impl("op", second, "CPU", allow_override=False)
        """
    )

    assert read.cell("ns::op").outcomes[0].outcome.stub is None


def test_uses_hold_under_their_modules_condition(reader: Reader) -> None:
    read = reader(
        {
            "pkg/__init__.py": """
                import torch
                torch.library.define("ns::op", "(Tensor x) -> Tensor")
                if hasattr(torch.ops.ns, "never"):
                    from . import gone
                """,
            "pkg/gone.py": "import torch\ndef use(x): return torch.ops.ns.op(x)\n",
            "pkg/tests/test_it.py": "import torch\ndef test(): torch.ops.ns.op(1)\n",
        }
    )
    uses = read.reading.project.uses

    assert [use.condition.render() for use in uses] == ["hasattr(torch.ops.ns, 'never')"]


def test_kernels_run_below_autograd(reader: Reader) -> None:
    read = reader(
        """
        import torch
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        @torch.library.impl("ns::op", "cpu")
        def kernel(x): return torch.ops.ns.op(x)
        def call(x): return torch.ops.ns.op(x)
        """
    )

    assert sorted(use.tracked for use in read.reading.project.uses) == [False, True]


def test_a_custom_op_that_is_called_by_its_object_is_used(reader: Reader) -> None:
    read = reader(
        """
        import torch
        from opcheck_runtime import FloatArray, op
        @op(backends=["numpy"])
        def native(x: FloatArray) -> FloatArray: return x
        @torch.library.custom_op("ns::op", mutates_args=())
        def custom(x: torch.Tensor) -> torch.Tensor: return x
        def call(x): return native(x), custom(x), call(x), len(x)
        """
    )

    assert {use.op for use in read.reading.project.uses} == {"pkg.native", "ns::op"}
