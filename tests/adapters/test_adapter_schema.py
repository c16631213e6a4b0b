"""What schemas say, written or inferred from annotations as PyTorch infers them."""

from __future__ import annotations

import pytest

from opcheck.adapters.torch.schema import Schema, parse_schema, split_definition

from .conftest import Read, Reader


def _schema(text: str) -> Schema:
    schema = parse_schema(text)
    assert schema is not None
    return schema


def test_a_definition_is_a_name_and_a_schema() -> None:
    assert split_definition("op.out(Tensor x) -> Tensor") == ("op.out", "(Tensor x) -> Tensor")
    assert split_definition("no schema") is None


@pytest.mark.parametrize("text", ["(Tensor x)", "Tensor -> Tensor", ""])
def test_what_is_no_schema(text: str) -> None:
    assert parse_schema(text) is None


def test_arguments_and_returns() -> None:
    schema = _schema("(Tensor(a!) x, int[2] sizes=[1, 2], *, Device? device=None) -> (Tensor(a!), Tensor[])")

    assert (schema.takes_tensors, schema.takes_device, schema.mutates) == (True, True, True)
    assert schema.returns == ("Tensor(a!)", "Tensor[]")


def test_a_device_of_another_name_chooses_nothing() -> None:
    assert not _schema("(Device where) -> Tensor").takes_device


def test_no_arguments_and_no_returns() -> None:
    schema = _schema("() -> ()")

    assert (schema.takes_tensors, schema.returns, schema.chooses_no_backend) == (False, (), True)


HEAD = """
import torch, typing, collections.abc
from typing import Annotated, List, Optional, Sequence, Tuple, Union
from torch import Tensor
from torch.types import Number
import other
T = torch.Tensor
Maybe = Optional[torch.Tensor]
Unreadable = other.make()
"""
ANNOTATIONS = {
    "x: Tensor": "Tensor x",
    "x: torch.Tensor": "Tensor x",
    "x: T": "Tensor x",
    "x: Maybe": "Tensor? x",
    "x: 'Tensor'": "Tensor x",
    "x: 'Tensor | None' = None": "Tensor? x=None",
    "x: Tensor | None": "Tensor? x",
    "x: None | Tensor": "Tensor? x",
    "x: Optional[Tensor]": "Tensor? x",
    "x: Union[Tensor, None]": "Tensor? x",
    "x: Union[Tensor, int]": "Any x",
    "x: list[Tensor]": "Tensor[] x",
    "x: List[Optional[Tensor]]": "Tensor?[] x",
    "x: Sequence[int]": "SymInt[] x",
    "x: collections.abc.Sequence[float]": "float[] x",
    "x: typing.Optional[List[int]]": "SymInt[]? x",
    "x: Annotated[Tensor, 1]": "Tensor x",
    "x: dict[str, int]": "Any x",
    "x: int = 1": "SymInt x=1",
    "x: torch.SymInt": "SymInt x",
    "x: bool = False": "bool x=False",
    "x: str = 'a'": 'str x="a"',
    "x: float = 1.5": "float x=1.5",
    "x: Number": "Scalar x",
    "x: torch.dtype = torch.float": "ScalarType x",
    "device: torch.device": "Device device",
    "x": "Any x",
    "x: Unreadable": "Any x",
    "x: unheard_of": "Any x",
    "x: 'not a type'": "Any x",
    "x: 1": "Any x",
    "x: Tensor, y: int = 2": "Tensor x, SymInt y=2",
    "x: Tensor, *, y: int = 2, z: int": "Tensor x, *, SymInt y=2, SymInt z",
    "x: Tensor, /, y: int": "Tensor x, SymInt y",
}
RETURNS = {
    "Tensor": "Tensor",
    "None": "()",
    "'Tensor'": "Tensor",
    "'tuple[Tensor, int]'": "(Tensor, SymInt)",
    "Tuple[Tensor, Tensor]": "(Tensor, Tensor)",
    "tuple[Tensor]": "(Tensor)",
    "list[Tensor]": "Tensor[]",
}


def _inferred(read: Read) -> str:
    """The schema that a definition with an inferred one ended up with: the text that an op's name was made of."""
    return read.names[0].removeprefix("ns::")


@pytest.mark.parametrize("parameters", ANNOTATIONS)
def test_parameters(reader: Reader, parameters: str) -> None:
    # The schema is read back from where the project would see it: a name it is part of.
    source = f"def f({parameters}) -> Tensor: ...\ntext = torch.library.infer_schema(f, mutates_args=())\n"
    read = reader(HEAD + source + "torch.library.define('ns::' + text, '(Tensor x) -> Tensor')")

    assert _inferred(read) == f"({ANNOTATIONS[parameters]}) -> Tensor"


@pytest.mark.parametrize("returns", RETURNS)
def test_returns(reader: Reader, returns: str) -> None:
    source = f"def f(x: Tensor) -> {returns}: ...\ntext = torch.library.infer_schema(f, mutates_args=())\n"
    read = reader(HEAD + source + "torch.library.define('ns::' + text, '(Tensor x) -> Tensor')")

    assert _inferred(read) == f"(Tensor x) -> {RETURNS[returns]}"


MUTATED = {
    "()": "(Tensor x, Tensor? y, SymInt n) -> ()",
    "{}": "(Tensor x, Tensor? y, SymInt n) -> ()",
    "['y']": "(Tensor x, Tensor(a!)? y, SymInt n) -> ()",
    "'unknown'": "(Tensor(a!) x, Tensor(a!)? y, SymInt n) -> ()",
}


@pytest.mark.parametrize("mutates", MUTATED)
def test_mutated_arguments(reader: Reader, mutates: str) -> None:
    source = f"def f(x: Tensor, y: Tensor | None, n: int) -> None: ...\nargs = {mutates}\n"
    source += "text = torch.library.infer_schema(f, mutates_args=args, op_name='')\n"
    read = reader(HEAD + source + "torch.library.define('ns::' + text, '(Tensor x) -> Tensor')")

    assert _inferred(read) == MUTATED[mutates]


@pytest.mark.parametrize(
    "call",
    ["other.f, mutates_args=()", "f, mutates_args=other.names", "f, mutates_args=(), op_name=other.name"],
)
def test_schemas_that_cannot_be_inferred(reader: Reader, call: str) -> None:
    source = "def f(x: Tensor) -> Tensor: ...\n"
    read = reader(HEAD + source + f"torch.library.define('ns::op', torch.library.infer_schema({call}))\nlambda: None")

    assert read.status("ns::op", "cpu", "vmap") == "unknown"


def test_a_lambda_says_nothing_of_its_types(reader: Reader) -> None:
    source = "text = torch.library.infer_schema(lambda x: x, mutates_args=())\n"
    read = reader(HEAD + source + "torch.library.define('ns::' + text, '(Tensor x) -> Tensor')")

    assert _inferred(read) == "(Any x) -> Any"


CPU = "mutates_args=(), device_types='cpu'"
ROUTES = {
    f"{CPU})\ndef f(n: int) -> Tensor: ...": "import",
    f"{CPU})\ndef f(n: int, device: torch.device) -> Tensor: ...": None,
    "mutates_args=())\ndef f(n: int) -> Tensor: ...": None,
    f"{CPU})\ndef f(n) -> Tensor: ...": None,
    f"{CPU})\ndef f(x: Tensor) -> Tensor: ...": None,
}


@pytest.mark.parametrize("declaration", ROUTES)
def test_custom_ops_need_something_to_choose_a_kernel_by(reader: Reader, declaration: str) -> None:
    faults = reader(f"{HEAD}\n@torch.library.custom_op('ns::op', {declaration}").op("ns::op").routing_faults

    assert [fault.error.when for fault in faults] == ([ROUTES[declaration]] if ROUTES[declaration] else [])


KERNELS = {
    "": None,
    "torch.library.impl('ns::op', 'cpu', f)": "call",
    "torch.library.impl('ns::op', ['cpu', 'default'], f)": None,
    "torch.library.impl('ns::op', ['cpu', 'BackendSelect'], f)": None,
}


@pytest.mark.parametrize("kernels", KERNELS)
def test_defined_ops_need_it_too(reader: Reader, kernels: str) -> None:
    source = f"f = lambda n: n\ntorch.library.define('ns::op', '(int n) -> Tensor')\n{kernels}"
    faults = reader(HEAD + source).op("ns::op").routing_faults

    assert [fault.error.when for fault in faults] == ([KERNELS[kernels]] if KERNELS[kernels] else [])


FACTORY = """
@torch.library.custom_op("ns::make", mutates_args=())
def make(n: int, device: torch.device) -> Tensor: ...
"""


def test_a_device_argument_chooses_among_the_kernels_for_devices_alone(reader: Reader) -> None:
    alone = reader(HEAD + FACTORY)
    both = reader(HEAD + FACTORY + "make.register_kernel('cuda', lambda n, device: n)")

    assert alone.status("ns::make", "cpu") == "covered:CompositeExplicitAutograd"
    assert both.status("ns::make", "cuda") == "covered:CUDA"
    assert both.status("ns::make", "cpu") == "hole"
    error = both.cell("ns::make", "cpu").outcomes[0].outcome.error
    assert error is not None
    assert error.message == "make does not have a kernel registered for cpu."
