"""Which names are dispatch keys, and which stand for one."""

from __future__ import annotations

import pytest

from opcheck.adapters.torch.keys import DEVICE_KEYS, autograd_key, device_key, key_of, parsed_key, spelt


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("cpu", "CPU"),
        ("npu", "PrivateUse1"),
        ("meta", "Meta"),
        ("default", "CompositeExplicitAutograd"),
        ("CUDA", "CUDA"),
        ("AutogradXPU", "AutogradXPU"),
        ("cuda:0", None),
        ("gpu", None),
        ("AutogradVE", None),
    ],
)
def test_names_where_a_key_or_a_device_may_stand(name: str, key: str | None) -> None:
    assert key_of(name) == key


def test_a_device_is_no_key_and_a_key_no_device() -> None:
    assert (parsed_key("cpu"), device_key("CPU"), device_key("default")) == (None, None, None)


def test_backends_without_an_autograd_key_share_one() -> None:
    shared = {backend for backend, key in DEVICE_KEYS.items() if autograd_key(key) == "AutogradOther"}

    assert shared == {"mtia", "maia", "ve"}


def test_every_name_for_a_key() -> None:
    assert spelt("CUDA") == ["CUDA", "cuda"]
    assert spelt("CompositeExplicitAutograd") == ["CompositeExplicitAutograd", "default"]
    assert spelt("PrivateUse1") == ["PrivateUse1", "npu", "privateuseone"]
