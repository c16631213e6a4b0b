"""Which kernel a call reaches: by the routing input, whatever else is passed."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from opcheck_runtime import (
    Array,
    BackendNotSupportedError,
    BoolArray,
    FloatArray,
    IntArray,
    MixedBackendsError,
    NoDeviceError,
    NoRoutingInputError,
    op,
)

Arrays = dict[str, Callable[[], Any]]


@op(backends=["numpy", "cupy"])
def choose(x: FloatArray, y: FloatArray | None = None, *, scale: float = 2.0) -> Any:
    """Say which kernel ran, with what."""


@choose.kernel("numpy")
def _(x: Any, y: Any, scale: Any) -> Any:
    return "numpy", x, y, scale


@choose.kernel("cupy")
def _(a: Any, b: Any, c: Any) -> Any:
    return "cupy", a, b, c


@pytest.mark.smoke
@pytest.mark.parametrize("backend", ["numpy", "cupy"])
def test_the_arrays_choose_the_kernel(backend: str, arrays: Arrays) -> None:
    x, y = arrays[backend](), arrays[backend]()

    for _ in range(3):  # the first call fills the table, the others read it
        assert choose(x, y) == (backend, x, y, 2.0)


def test_backends_take_turns(arrays: Arrays) -> None:
    x, y = arrays["numpy"](), arrays["cupy"]()

    assert [choose(a, a)[0] for a in (x, y, x, y)] == ["numpy", "cupy", "numpy", "cupy"]


def test_keywords_and_defaults_reach_the_kernel_by_position() -> None:
    x, y = np.ones(1), np.ones(2)

    assert choose(y=y, x=x) == ("numpy", x, y, 2.0)
    assert choose(x, scale=3.0) == ("numpy", x, None, 3.0)


@pytest.mark.parametrize("scalar", [1, 1.5, True, 2j, np.float64(2), np.int8(1), np.ones(3).sum(), None])
@pytest.mark.parametrize("backend", ["numpy", "cupy"])
def test_scalars_and_none_never_route_and_never_conflict(backend: str, scalar: Any, arrays: Arrays) -> None:
    array = arrays[backend]()

    assert choose(array, scalar) == (backend, array, scalar, 2.0)
    assert choose(scalar, array) == (backend, scalar, array, 2.0)


def test_zero_dimensional_arrays_route() -> None:
    assert choose(np.asarray(1.0), 2.0)[0] == "numpy"


class _Subclass(np.ndarray[Any, Any]):
    pass


@pytest.mark.parametrize("array", [np.ma.masked_array([1.0, 2.0]), np.ones(2).view(_Subclass)])
def test_subclasses_dispatch_as_their_base(array: Any) -> None:
    assert choose(array, np.ones(2))[0] == "numpy"
    assert choose(np.ones(2), array)[0] == "numpy"


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_a_matrix_dispatches_as_an_array() -> None:
    assert choose(np.matrix([[1.0]]))[0] == "numpy"


def test_a_class_named_like_an_array_elsewhere_is_none() -> None:
    stranger = type("ndarray", (), {"__module__": "elsewhere"})

    with pytest.raises(NoRoutingInputError, match=r"`x` holds a `elsewhere.ndarray`"):
        choose(stranger())


def test_scalars_alone_choose_nothing() -> None:
    with pytest.raises(NoRoutingInputError) as caught:
        choose(np.float64(1), None)

    assert caught.value.op == "choose"
    assert caught.value.found == {"x": "numpy.float64", "y": "NoneType"}
    assert str(caught.value).startswith("No array to choose a backend by for custom op `choose`: `x` holds")
    assert "numpy.asarray(x)" in str(caught.value)


def test_an_input_on_another_backend_is_refused(arrays: Arrays) -> None:
    with pytest.raises(MixedBackendsError) as caught:
        choose(arrays["numpy"](), arrays["cupy"]())

    assert vars(caught.value) == {
        "op": "choose",
        "backend": "numpy",
        "routing_parameter": "x",
        "parameter": "y",
        "found": "cupy",
    }
    assert "cupy.asnumpy(y)" in str(caught.value)


def test_the_other_way_round_the_advice_is_to_move_to_the_gpu(arrays: Arrays) -> None:
    with pytest.raises(MixedBackendsError, match=r"cupy\.asarray\(y\)"):
        choose(arrays["cupy"](), arrays["numpy"]())


def test_what_is_no_array_is_refused_beside_one() -> None:
    with pytest.raises(MixedBackendsError, match=r"a `list`, which is not an array(.|\n)*numpy\.asarray\(y\)"):
        choose(np.ones(1), [1.0])


@op(backends=["numpy"])
def float_first(index: IntArray, mask: BoolArray | None, x: FloatArray | None, name: str = "") -> Any:
    """Route by `x` where it is there, else by `index`, else by `mask`."""
    return "ran"


def test_a_float_array_is_asked_before_the_others(arrays: Arrays) -> None:
    with pytest.raises(MixedBackendsError) as caught:
        float_first(arrays["cupy"](), None, arrays["numpy"]())

    assert (caught.value.routing_parameter, caught.value.parameter) == ("x", "index")


def test_without_a_float_array_any_array_routes(arrays: Arrays) -> None:
    with pytest.raises(BackendNotSupportedError) as caught:
        float_first(None, arrays["cupy"](), None)

    assert caught.value.parameter == "mask"
    assert float_first(np.arange(2), None, None) == "ran"


def test_the_backend_is_judged_before_the_mix(arrays: Arrays) -> None:
    with pytest.raises(BackendNotSupportedError):
        float_first(arrays["numpy"](), None, arrays["cupy"]())


def test_arrays_passed_for_other_parameters_do_not_matter(arrays: Arrays) -> None:
    assert float_first(np.arange(2), None, np.ones(2), arrays["cupy"]()) == "ran"


def test_a_body_serves_every_backend_and_a_kernel_overrides_it(arrays: Arrays) -> None:
    @op(backends=["numpy", "cupy"])
    def shared(x: Array) -> str:
        return "body"

    before = [shared(arrays[backend]()) for backend in ("numpy", "cupy")]
    shared.kernel("cupy")(lambda x: "kernel")

    assert before == ["body", "body"]
    assert [shared(arrays[backend]()) for backend in ("numpy", "cupy")] == ["body", "kernel"]


def test_an_op_without_array_inputs_runs_on_its_only_backend() -> None:
    @op(backends=["numpy"])
    def zeros(size: int = 2) -> Any:
        return np.zeros(size)

    assert [zeros().size, zeros(3).size] == [2, 3]


def test_an_op_without_array_inputs_can_lack_its_kernel() -> None:
    @op(backends=["cupy"])
    def zeros(size: int) -> Any: ...

    with pytest.raises(BackendNotSupportedError, match="custom op `zeros`: it runs on `cupy`, but") as caught:
        zeros(2)
    assert caught.value.parameter is None


def test_a_kernel_may_be_registered_after_a_call_failed() -> None:
    @op(backends=["numpy"])
    def late(x: FloatArray) -> Any: ...

    with pytest.raises(BackendNotSupportedError, match="`numpy` is listed without a kernel"):
        late(np.ones(1))
    late.kernel("numpy")(lambda x: "there")

    assert late(np.ones(1)) == "there"


def test_an_op_is_a_method_where_a_function_is() -> None:
    class Layer:
        @op(backends=["numpy"])
        def forward(self, x: FloatArray) -> Any:
            return self, x

    layer, x = Layer(), np.ones(1)

    assert layer.forward(x) == (layer, x)  # type: ignore[call-arg, arg-type]


def test_many_threads_may_make_the_first_call(arrays: Arrays) -> None:
    for _ in range(20):

        @op(backends=["numpy", "cupy"])
        def fresh(x: FloatArray, y: FloatArray) -> Any:
            return x

        start = threading.Barrier(8)

        def first_call(backend: str, fresh: Any = fresh, start: threading.Barrier = start) -> bool:
            array = arrays[backend]()
            start.wait()
            return fresh(array, array) is array

        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(first_call, ["numpy", "cupy"] * 4))


def test_ops_pickle_by_reference(module: Callable[..., ModuleType]) -> None:
    declared = module(
        """
        from opcheck_runtime import FloatArray, op

        @op(backends=["numpy"])
        def double(x: FloatArray) -> FloatArray:
            return 2 * x
        """
    )

    assert pickle.loads(pickle.dumps(declared.double)) is declared.double


class CUDARuntimeError(RuntimeError):
    """CuPy's error as this module can raise it without CuPy."""


@pytest.mark.parametrize("code", ["cudaErrorNoDevice", "cudaErrorInsufficientDriver"])
def test_a_kernel_that_finds_no_gpu_says_so(code: str, cupy_array: Any) -> None:
    @op(backends=["cupy"])
    def launch(x: FloatArray) -> Any:
        raise CUDARuntimeError(f"{code}: whatever the driver says")

    with pytest.raises(NoDeviceError, match="No GPU for custom op `launch`") as caught:
        launch(cupy_array)
    assert isinstance(caught.value.__cause__, CUDARuntimeError)


@pytest.mark.parametrize("error", [CUDARuntimeError("cudaErrorIllegalAddress: no"), RuntimeError("other")])
def test_other_errors_of_a_kernel_pass_as_they_are(error: RuntimeError) -> None:
    @op(backends=["numpy"])
    def fail(x: FloatArray) -> Any:
        raise error

    with pytest.raises(RuntimeError) as caught:
        fail(np.ones(1))
    assert caught.value is error


def test_real_cupy_without_a_gpu_reaches_the_kernel_and_says_so(cupy_array: Any) -> None:
    cupy = pytest.importorskip("cupy")
    if cupy.is_available():
        pytest.skip("there is a GPU")

    @op(backends=["cupy"])
    def double(x: FloatArray) -> Any:
        return x * 2

    with pytest.raises(NoDeviceError):
        double(cupy_array)


def test_real_arrays_are_computed_with(xp: Any) -> None:
    @op(backends=["numpy", "cupy"])
    def axpy(x: FloatArray, y: FloatArray, alpha: float = 2.0) -> FloatArray:
        return alpha * x + y

    out = axpy(xp.ones(3), xp.ones(3))

    assert type(out) is xp.ndarray
    assert out.tolist() == [3.0, 3.0, 3.0]
    assert axpy(out.sum(), out).tolist() == [21.0, 21.0, 21.0]  # a scalar on NumPy, a 0-d array on CuPy
