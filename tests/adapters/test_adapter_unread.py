"""What code that is not read may define and fill, and what a cell says of it."""

from __future__ import annotations

import pytest

from .conftest import Reader

OP = """\
import torch
torch.library.define("ns::op", "(Tensor x) -> Tensor")
torch.library.impl("ns::op", "cpu", lambda x: x)
"""
LOADED = "torch.ops.load_library('ops.so') succeeds"


def test_a_load_may_fill_what_python_leaves_empty(reader: Reader) -> None:
    read = reader(OP + "torch.ops.load_library('ops.so')")

    assert read.status("ns::op", "cpu") == "covered:CPU"
    assert read.status("ns::op", "cuda") == "unknown"
    assert read.status("ns::op", "cuda", assume={LOADED: False}) == "hole"
    assert LOADED in read.reason("ns::op", "cuda")


def test_a_load_whose_failure_is_handled_is_a_condition(reader: Reader) -> None:
    read = reader(OP + "try:\n    torch.ops.load_library('ops.so')\nexcept Exception:\n    pass")
    found = {str(o.outcome.status): o.condition.render() for o in read.cell("ns::op", "cuda").outcomes}

    assert found == {"unknown": LOADED, "hole": f"not {LOADED}"}


def test_an_op_that_a_load_may_define_is_external(reader: Reader) -> None:
    read = reader(OP + "torch.ops.load_library('ops.so')\ntorch.library.impl('ns::other', 'cpu', lambda x: x)")
    op = read.op("ns::other")

    assert (op.has_definition, op.external) == (False, True)
    assert "ns" in read.reading.project.open_namespaces


def test_a_namespace_that_only_packages_may_fill_is_foreign(reader: Reader) -> None:
    other = OP + "import somebody\ntorch.library.impl('theirs::op', 'cpu', lambda x: x)\n"
    loaded = "torch.ops.load_library('ops.so')\n"

    assert reader(other).reading.project.foreign_namespaces == {"theirs"}
    assert not reader(other + loaded).reading.project.foreign_namespaces
    assert "theirs" in reader(other + loaded).reading.project.open_namespaces


def test_an_op_that_nothing_defines_is_not(reader: Reader) -> None:
    read = reader(OP + "torch.library.impl('ns::other', 'cpu', lambda x: x)")
    op = read.op("ns::other")

    assert (op.has_definition, op.external) == (False, False)
    assert "ns" not in read.reading.project.open_namespaces
    assert read.cell("ns::other").outcomes[0].outcome.via == "CPU"


COMPILED = {
    "an extension": ("from pkg import _C", ("pkg/_C.cpython-311-x86_64-linux-gnu.so",), "loaded:pkg._C", "unknown"),
    "a module that is not there": ("from pkg._C import fast", (), "installed:pkg._C", "unknown"),
    "a version file": ("from pkg._version import version", (), "installed:pkg._version", "hole"),
    "messages": ("from pkg.things_pb2 import Thing", (), "installed:pkg.things_pb2", "hole"),
}


@pytest.mark.parametrize("name", COMPILED)
def test_the_projects_own_compiled_modules_may_fill_cells(reader: Reader, name: str) -> None:
    line, compiled, subject, status = COMPILED[name]
    read = reader({"pkg/__init__.py": OP + line}, compiled=compiled)

    assert read.status("ns::op", "cuda") == status
    assert read.status("ns::op", "cuda", assume={subject: False}) == "hole"


def test_an_import_that_is_handled_is_a_condition(reader: Reader) -> None:
    source = (
        OP + "try:\n    from pkg import _C\nexcept ImportError:\n    torch.library.impl('ns::op', 'cuda', lambda x: x)"
    )
    read = reader({"pkg/__init__.py": source}, compiled=("pkg/_C.so",))

    assert read.status("ns::op", "cuda", assume={"loaded:pkg._C": False}) == "covered:CUDA"
    assert read.status("ns::op", "cuda", assume={"loaded:pkg._C": True}) == "unknown"


def test_what_another_script_loads_fills_nothing_here(reader: Reader) -> None:
    read = reader({"pkg/__init__.py": OP, "bench.py": "import pkg, torch\ntorch.ops.load_library('ops.so')"})

    assert read.status("ns::op", "cuda") == "hole"


def test_what_never_runs_fills_nothing(reader: Reader) -> None:
    files = {"pkg/__init__.py": OP, "pkg/tests/test_it.py": "from pkg import _C\n"}
    read = reader(files, compiled=("pkg/_C.so",))

    assert read.status("ns::op", "cuda") == "hole"


def test_packages_leave_the_projects_own_namespaces_alone(reader: Reader) -> None:
    read = reader(OP + "import vendor\ntorch.library.impl('vendor::op', 'cpu', lambda x: x)")

    assert read.status("ns::op", "cuda") == "hole"
    assert [o.outcome.status for o in read.cell("vendor::op", "cuda").outcomes] == ["unknown"]
    assert "a package that is not read" in read.reason("vendor::op", "cuda")


def test_the_frameworks_own_namespaces_are_open(reader: Reader) -> None:
    read = reader("import torch\ntorch.library.Library('aten', 'IMPL').impl('mm', lambda a, b: a, 'CPU')")

    assert read.op("aten::mm").external
    assert "PyTorch itself" in read.reason("aten::mm", "cuda")


def test_a_definition_whose_name_was_not_read_may_be_any(reader: Reader) -> None:
    read = reader(
        """
        import torch
        from other import name
        torch.library.define("ns::one", "(Tensor x) -> Tensor")
        torch.library.define(f"ns::{name}", "(Tensor x) -> Tensor")
        torch.library.impl("ns::two", "cpu", lambda x: x)
        torch.library.impl("far::three", "cpu", lambda x: x)
        """
    )

    assert read.op("ns::two").external
    assert "an op whose name was not read" in read.reason("ns::two", "cuda")
    assert "an op whose name was not read" not in read.reason("far::three", "cuda")
    # A report shortens the path of the span in its reason.
    unread = [o.outcome for o in read.cell("ns::two", "cuda").outcomes if "whose name" in o.outcome.reason]
    assert all(o.span is not None and f"{o.span.path}:{o.span.line}" in o.reason for o in unread)


def test_a_kernel_of_an_op_that_was_not_read_may_be_of_any_in_its_namespace(reader: Reader) -> None:
    read = reader(
        """
        import torch
        from other import name
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        torch.library.define("far::op", "(Tensor x) -> Tensor")
        torch.library.impl(f"ns::{name}", "cuda", lambda x: x)
        """
    )

    assert read.status("ns::op", "cuda") == "unknown"
    assert "`f'ns::{other.name}'`" in read.reason("ns::op", "cuda")
    assert read.status("ns::op", "cpu") == "hole"
    assert read.status("far::op", "cuda") == "hole"


def test_a_fake_of_an_op_that_was_not_read_fills_only_fakes(reader: Reader) -> None:
    read = reader(
        """
        import torch
        from other import name
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        torch.library.register_fake(name, lambda x: x)
        """
    )

    assert read.status("ns::op", "cpu", "compile") == "unknown"
    assert read.status("ns::op", "cpu") == "hole"


def test_neither_op_nor_key_was_read(reader: Reader) -> None:
    read = reader(
        """
        import torch
        from other import key, name
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        torch.library.impl(name, key, lambda x: x)
        """
    )

    assert read.status("ns::op", "cpu") == "unknown"


def test_a_key_that_was_not_read_is_one_question(reader: Reader) -> None:
    read = reader(
        """
        import torch
        from other import platform
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        torch.library.impl("ns::op", platform.key, lambda x: x)
        """
    )

    assert read.status("ns::op", "cuda") == "unknown"
    assert "a kernel for `other.platform.key`" in read.reason("ns::op", "cuda")
    assert read.status("ns::op", "cuda", assume={"other.platform.key": "CUDA"}) == "covered:CUDA"
    assert read.status("ns::op", "cuda", assume={"other.platform.key": "cuda"}) == "covered:CUDA"
    assert read.status("ns::op", "cpu", assume={"other.platform.key": "CUDA"}) == "hole"


def test_a_function_that_nobody_calls_names_no_op(reader: Reader) -> None:
    read = reader(
        """
        import torch
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        def register(name, key, fn):
            torch.library.define(name, "(Tensor x) -> Tensor")
            torch.library.impl(name, key, fn)
        """
    )

    assert read.names == ["ns::op"]
    assert read.status("ns::op", "cuda") == "hole"


@pytest.mark.parametrize("line", ["lib = Library(name, 'DEF')", "lib = Library('ns', 'FRAGMENT', name)"])
def test_libraries_that_were_not_read_in_full(reader: Reader, line: str) -> None:
    read = reader(
        f"""
        import torch
        from torch.library import Library
        from other import name
        {line}
        torch.library.define("ns::op", "(Tensor x) -> Tensor")
        lib.define("op2(Tensor x) -> Tensor")
        lib.define(name)
        lib.impl("op", lambda x: x, "CUDA")
        lib.impl("op", lambda x: x)
        print(lib.ns, lib)
        """
    )

    assert read.status("ns::op", "cuda") in ("unknown", "covered:CUDA")
    assert read.status("ns::op", "cpu") != "covered:CPU"
