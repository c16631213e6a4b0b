"""Which parameters are array inputs, however their annotation is written."""

from __future__ import annotations

import types
import typing
from typing import Annotated, Any, Optional, TypeVar, Union

import numpy as np
import numpy.typing as npt
import pytest

from opcheck_runtime import Array, BoolArray, FloatArray, IntArray
from opcheck_runtime.annotations import array_kind
from opcheck_runtime.arrays import ArrayKind

ANY, FLOAT, INT, BOOL = ArrayKind.ANY, ArrayKind.FLOAT, ArrayKind.INT, ArrayKind.BOOL
FakeCupyArray = type("ndarray", (), {"__module__": "cupy"})
Vector = FloatArray


class _Alias:
    """A `type Vector = FloatArray` statement, as far as it can be had in every Python."""

    __value__ = FloatArray


Scalar = TypeVar("Scalar", bound=np.generic)


class _GenericAlias:
    """A `type Arrays[Scalar] = np.ndarray[..., np.dtype[Scalar]]` statement, likewise."""

    __value__ = np.ndarray[tuple[Any, ...], np.dtype[Scalar]]


OBJECTS = [
    (Array, ANY),
    (FloatArray, FLOAT),
    (IntArray, INT),
    (BoolArray, BOOL),
    (FloatArray | None, FLOAT),
    (Optional[IntArray], INT),  # noqa: UP045 - both spellings must work
    (Union[None, float, BoolArray], BOOL),  # noqa: UP007
    (Annotated[FloatArray, "of ones"], FLOAT),
    (Annotated[np.ndarray, "of ones"], ANY),
    (Annotated[float, "a scale"], None),
    ("FloatArray", FLOAT),
    (_Alias(), FLOAT),
    (types.GenericAlias(_GenericAlias(), (np.int32,)), INT),  # type: ignore[arg-type]
    (np.ndarray, ANY),
    (np.ndarray | None, ANY),
    (npt.NDArray[np.float64], FLOAT),
    (npt.NDArray[np.floating[Any]], FLOAT),
    (npt.NDArray[np.int8] | None, INT),
    (npt.NDArray[np.uint8], INT),
    (npt.NDArray[np.bool_], BOOL),
    (npt.NDArray[np.complex128], ANY),
    (npt.NDArray[Any], ANY),
    (np.ndarray[tuple[int, int], np.dtype[np.float32]], FLOAT),
    (np.ndarray[Any, Any], ANY),
    (np.ma.MaskedArray, ANY),
    (FakeCupyArray, ANY),
    (float, None),
    (int | None, None),
    (list[FloatArray], None),
    (dict[str, int], None),
    (np.float64, None),
    (typing.Any, None),
    (None, None),
]
TEXTS = [
    ("FloatArray", FLOAT),
    ("Vector", FLOAT),
    ("  Vector | None", FLOAT),
    ("FloatArray | None", FLOAT),
    ("npt.NDArray[np.int64]", INT),
    ("'IntArray'", INT),
    ("float", None),
    ("int | None", None),
    # what follows cannot be evaluated, as if imported under TYPE_CHECKING alone
    ("cp.ndarray", ANY),
    ("cp.ndarray | None", ANY),
    ("None | cp.ndarray", ANY),
    ("ndarray | nothing", ANY),
    ("runtime.FloatArray", FLOAT),
    ("t.Optional[runtime.IntArray]", INT),
    ("t.Union[None, runtime.BoolArray]", BOOL),
    ("t.Annotated[runtime.FloatArray, 'words']", FLOAT),
    ("t.Annotated[missing, 'words']", None),
    ("t.Optional['runtime.IntArray']", INT),
    ("cpt.NDArray[cp.float32]", FLOAT),
    ("cpt.NDArray[cp.floating[t.Any]]", FLOAT),
    ("cp.ndarray[t.Any, cp.dtype[cp.bool_]]", BOOL),
    ("cpt.NDArray['cp.float32']", ANY),
    ("cpt.NDArray[cp.complex64]", ANY),
    ("t.Sequence[runtime.FloatArray]", None),
    ("cpt.NDArray[3]", ANY),
    ("missing", None),
    ("missing & FloatArray", None),
    ("missing(1)", None),
    ("missing()[1]", None),
    ("not python", None),
    ("", None),
]


def _declared(x: Any) -> None: ...


@pytest.mark.parametrize(("annotation", "kind"), OBJECTS)
def test_an_annotation_that_is_an_object(annotation: object, kind: ArrayKind | None) -> None:
    assert array_kind(annotation, _declared) is kind


@pytest.mark.parametrize(("annotation", "kind"), TEXTS)
def test_an_annotation_that_is_text(annotation: str, kind: ArrayKind | None) -> None:
    assert array_kind(annotation, _declared) is kind


def test_float_and_plain_arrays_can_be_tracked() -> None:
    assert [kind for kind in ArrayKind if kind.trackable] == [ANY, FLOAT]
