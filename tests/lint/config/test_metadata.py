"""What a project's metadata says is importable beside it."""

from __future__ import annotations

import pytest

from opcheck.config.metadata import environment, import_names


@pytest.mark.parametrize(
    ("distribution", "modules"),
    [
        ("numpy", ("numpy",)),
        ("flash-attn", ("flash_attn",)),
        ("scikit-learn", ("sklearn",)),
        ("pyyaml", ("yaml",)),
        ("cupy", ("cupy", "cupyx")),
        ("cupy-cuda12x", ("cupy", "cupyx")),
        ("cupy-rocm-5-0", ("cupy", "cupyx")),
    ],
)
def test_a_distribution_brings_its_modules(distribution: str, modules: tuple[str, ...]) -> None:
    assert import_names(distribution) == modules


def test_requirements_are_installed_and_extras_are_kept_apart() -> None:
    found = environment(
        {
            "dependencies": ["NumPy>=1.26", "Scikit_Learn"],
            "optional-dependencies": {"GPU": ["cupy-cuda12x[all]"], "dev": ["pytest"]},
        }
    )

    assert found.required == {"numpy", "sklearn"}
    assert found.optional == {"gpu": frozenset({"cupy", "cupyx"}), "dev": frozenset({"pytest"})}


def test_an_extra_takes_in_the_extras_of_its_own_project() -> None:
    found = environment(
        {
            "name": "My.Pkg",
            "optional-dependencies": {
                "all": ["my-pkg[gpu,io]"],
                "gpu": ["torch", "my_pkg[all]"],
                "io": ["my-pkg[missing]", "h5py"],
            },
        }
    )

    assert found.optional is not None
    assert found.optional["all"] == {"torch", "h5py"}


def test_a_requirement_under_a_marker_depends_on_the_machine() -> None:
    found = environment({"dependencies": ["triton; sys_platform == 'linux'", "torch"]})

    assert found.required == {"torch"}


@pytest.mark.parametrize(
    ("requires", "newest"),
    [
        (">=3.10,<3.13", "3.12"),
        ("~=3.11.2", "3.11"),
        (">=3.13.2,<3.14", "3.13"),
        ("<3.12.4", "3.12"),
        ("!=3.15.*,>=3.9", "3.14"),
        ("==2.7.*", None),
        ("three", None),
        ("", None),
        (None, None),
    ],
)
def test_the_newest_python_that_is_allowed(requires: str | None, newest: str | None) -> None:
    assert environment({"requires-python": requires}).python == newest


@pytest.mark.parametrize(
    "project", [{}, {"dependencies": "numpy"}, {"dependencies": ["=="]}, {"optional-dependencies": ["a"]}]
)
def test_what_it_says_wrongly_is_not_known(project: dict[str, object]) -> None:
    found = environment(project)

    assert found.required == frozenset()
    assert found.optional == {}
