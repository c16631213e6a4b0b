"""The `dispatchers` tables of a configuration: what each shape says, and what is wrong with one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import opcheck.config.shipped as shipped_descriptions
from opcheck.adapters.described.description import (
    Argument,
    Attribute,
    Calls,
    Classes,
    ErrorTemplate,
    Items,
    Keywords,
    Modules,
    Outside,
    Shape,
)
from opcheck.config import ConfigError, load, unconfigured
from opcheck.report.settings import settings_text

BACKENDS = 'backends = ["cpu", "cuda"]\n'
SHAPES: dict[str, tuple[str, Shape, tuple[str, ...]]] = {
    "a call": (
        'shape = "registration"\ncallable = "lib.register"\nop = "function"\nbackend = 1\n' + BACKENDS,
        Calls(("lib.register",), "function", Argument(1)),
        ("cpu", "cuda"),
    ),
    "a call in full": (
        'shape = "registration"\ncallable = ["lib.register", "lib.put"]\nop = { position = 0, keyword = "name" }\n'
        'backend = "platform"\nfunction = 2\ndefault = "cpu"\n' + BACKENDS,
        Calls(("lib.register", "lib.put"), Argument(0, "name"), Argument(None, "platform"), Argument(2), ("cpu",)),
        ("cpu", "cuda"),
    ),
    "a call for one backend": (
        'shape = "registration"\ncallable = "lib.on_gpu"\ndefault = "gpu"\n',
        Calls(("lib.on_gpu",), Argument(0), default=("gpu",)),
        ("gpu",),
    ),
    "a keyword alone": (
        'shape = "registration"\ncallable = "lib.register"\nop = { keyword = "name" }\n' + BACKENDS,
        Calls(("lib.register",), Argument(None, "name")),
        ("cpu", "cuda"),
    ),
    "a dictionary": ('shape = "registration"\ntable = "lib.TABLE"\n' + BACKENDS, Items("lib.TABLE"), ("cpu", "cuda")),
    "a dictionary by backend": (
        'shape = "registration"\ntable = "lib.TABLE"\nop = 1\nbackend = 0\n' + BACKENDS,
        Items("lib.TABLE", 1, 0),
        ("cpu", "cuda"),
    ),
    "a dictionary for one backend": (
        'shape = "registration"\ntable = "lib.TABLE"\ndefault = "gpu"\n',
        Items("lib.TABLE", 0, None, ("gpu",)),
        ("gpu",),
    ),
    "keywords": (
        'shape = "keywords"\ncallable = "lib.Table"\nkeywords = { np = "numpy", cp = "cupy" }\n',
        Keywords(("lib.Table",), {"np": "numpy", "cp": "cupy"}, "function"),
        ("numpy", "cupy"),
    ),
    "keywords named by an argument": (
        'shape = "keywords"\ncallable = "lib.Table"\nkeywords = { np = "numpy" }\nop = 0\n',
        Keywords(("lib.Table",), {"np": "numpy"}, Argument(0)),
        ("numpy",),
    ),
    "an attribute": (
        'shape = "attribute"\nbase = "lib.Kernel"\nattribute = "DEVICES"\n' + BACKENDS,
        Attribute(("lib.Kernel",), "DEVICES"),
        ("cpu", "cuda"),
    ),
    "classes": (
        'shape = "classes"\nbase = "lib.Backend"\nbackend = { Cupy = "cupy", Np = "numpy" }\n',
        Classes(("lib.Backend",), {"Cupy": "cupy", "Np": "numpy"}),
        ("cupy", "numpy"),
    ),
    "classes in full": (
        'shape = "classes"\nbase = "lib.Backend"\nbackend = "{backend}Backend"\nmethods = ["sum"]\n'
        'outside = { "vendor.A" = ["sin"], "vendor.B" = { methods = ["cos"], stubs = ["tan"] } }\n' + BACKENDS,
        Classes(
            ("lib.Backend",),
            "{backend}Backend",
            ("sum",),
            {"vendor.A": Outside(frozenset({"sin"})), "vendor.B": Outside(frozenset({"cos"}), frozenset({"tan"}))},
        ),
        ("cpu", "cuda"),
    ),
    "the methods of all classes": (
        'shape = "classes"\nbase = "lib.Backend"\nbackend = "name"\nmethods = "union"\n' + BACKENDS,
        Classes(("lib.Backend",), "name", "union"),
        ("cpu", "cuda"),
    ),
    "modules": ('shape = "modules"\nroot = "lib.{backend}"\n' + BACKENDS, Modules("lib.{backend}"), ("cpu", "cuda")),
    "modules in full": (
        'shape = "modules"\nroot = "lib.{backend}"\nops = ["add"]\n' + BACKENDS,
        Modules("lib.{backend}", ("add",)),
        ("cpu", "cuda"),
    ),
}


def _written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "opcheck.toml"
    path.write_text(f'[[dispatchers]]\nname = "own"\n{text}')
    return path


@pytest.mark.parametrize("form", SHAPES)
def test_what_a_table_says(tmp_path: Path, form: str) -> None:
    text, shape, backends = SHAPES[form]
    (described,) = load(_written(tmp_path, text)).dispatchers
    assert (described.name, described.shape, described.backends) == ("own", shape, backends)


@pytest.mark.parametrize("form", SHAPES)
def test_the_settings_that_are_shown_say_the_same(tmp_path: Path, form: str) -> None:
    more = (
        'error = { type = "KeyError", message = "{op}" }\nstubs = ["lib.stub"]\nexclude = ["x*"]\ncall = "f({op!r})"\n'
    )
    settings = load(_written(tmp_path, SHAPES[form][0] + more))
    again = tmp_path / "again" / "opcheck.toml"
    again.parent.mkdir()
    again.write_text(settings_text(settings, tmp_path))
    (one,), (other,) = settings.dispatchers, load(again).dispatchers
    assert (one.shape, one.backends, one.error, one.call, one.stubs, one.exclude) == (
        *(other.shape, other.backends, other.error, other.call, other.stubs, other.exclude),
    )


def test_what_all_shapes_have(tmp_path: Path) -> None:
    text = (
        SHAPES["a call"][0]
        + 'context = "autodiff"\nerror = { type = "KeyError", message = "no {op}" }\ncall = "lib.find(\'{op}\')"\n'
        + 'stubs = ["lib.missing"]\nexclude = ["_*"]\n'
    )
    (described,) = load(_written(tmp_path, text)).dispatchers
    assert (described.context, described.error) == ("autodiff", ErrorTemplate("KeyError", "no {op}"))
    assert (described.call, described.stubs, described.exclude) == ("lib.find('{op}')", ("lib.missing",), ("_*",))
    assert described.span.line == 1


CALL = 'shape = "registration"\ncallable = "lib.register"\nbackend = 1\n'
FAULTS: dict[str, tuple[str, str, int, str | None]] = {
    "no shape": ("", "[[dispatchers]] 1 lacks `shape`", 1, None),
    "an unknown shape": ('shape = "classs"', "unknown shape `classs`", 3, "did you mean `classes`?"),
    "an unlike shape": ('shape = "xyz"', "unknown shape `xyz`", 3, "it is one of registration, keywords"),
    "an unknown key": (
        CALL + BACKENDS + "backed = 1",
        "unknown key `backed` in [[dispatchers]] 1",
        7,
        "did you mean `backend`?",
    ),
    "no callable": (
        'shape = "registration"\n' + BACKENDS,
        "[[dispatchers]] 1 lacks `callable`",
        1,
        "name what registers",
    ),
    "no backends": (CALL, "[[dispatchers]] 1 lacks `backends`", 1, "list those that it knows"),
    "a backend that is not listed": (
        SHAPES["keywords"][0] + 'backends = ["numpy", "cuppy"]',
        "`backends` in [[dispatchers]] 1 lacks `cupy`",
        6,
        "did you mean `cuppy`?",
    ),
    "no dotted path": (CALL.replace("lib.", "") + BACKENDS, "`register` is not a dotted path", 4, "write the module"),
    "a list of numbers": (
        CALL.replace('"lib.register"', "[1]") + BACKENDS,
        "item 1 of `callable` in [[dispatchers]] 1 must be a string, not an integer",
        4,
        "write it in quotes",
    ),
    "a context": (CALL + BACKENDS + 'context = "backwards"', "unknown context `backwards`", 7, "it is one of forward"),
    "an argument": (
        CALL + BACKENDS + "op = true",
        "`op` in [[dispatchers]] 1 must be a position, a keyword or a table of both, not a boolean",
        7,
        None,
    ),
    "a negative position": (
        CALL + BACKENDS + "op = -1",
        "`op` in [[dispatchers]] 1 must be an integer, zero or more, not an integer",
        7,
        None,
    ),
    "a table with a function": (
        'shape = "registration"\ntable = "lib.TABLE"\nfunction = 1\n' + BACKENDS,
        "`function` in [[dispatchers]] 1 does not go with `table`",
        5,
        "give it a table of its own",
    ),
    "no keywords": ('shape = "keywords"\ncallable = "lib.Table"', "[[dispatchers]] 1 lacks `keywords`", 1, "say which"),
    "no base": ('shape = "classes"\nbackend = "name"\n' + BACKENDS, "[[dispatchers]] 1 lacks `base`", 1, "dotted path"),
    "unknown methods": (
        SHAPES["classes"][0] + 'methods = "all"',
        "unknown `methods` `all`",
        6,
        "it is one of base, union, or a list of names",
    ),
    "a root without a place": (
        'shape = "modules"\nroot = "lib.backend"\n' + BACKENDS,
        "`root` in [[dispatchers]] 1 has no `{backend}`",
        4,
        "pkg.backend.{backend}",
    ),
    "an unknown place": (
        CALL + BACKENDS + 'error = { type = "KeyError", message = "no {ops}" }',
        "`message` in [dispatchers.0.error] has no `{ops}`",
        7,
        "did you mean `op`?",
    ),
    "an unlike place": (CALL + BACKENDS + 'call = "f({xyz})"', "has no `{xyz}`", 7, "write a brace"),
    "a broken template": (CALL + BACKENDS + 'call = "f({op)"', "`call` in [[dispatchers]] 1 is not a", 7, None),
    "a format that texts do not have": (CALL + BACKENDS + 'call = "f({op:d})"', "is not a template", 7, None),
    "a call that is none": (
        CALL + BACKENDS + 'call = "f("',
        "`call` in [[dispatchers]] 1 is not an expression",
        7,
        "lookup",
    ),
}


@pytest.mark.parametrize("form", FAULTS)
def test_faults_are_told_at_their_place(tmp_path: Path, form: str) -> None:
    text, message, line, help = FAULTS[form]
    with pytest.raises(ConfigError) as caught:
        load(_written(tmp_path, text))
    error = caught.value
    assert message in error.message
    assert error.span is not None
    assert error.span.line == line
    assert (help is None) == (error.help is None), error.help
    assert help is None or help in str(error.help)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[[dispatchers]]\nname = "torch"\nshape = "classes"', "`torch` can't be the name of a project's own"),
        ("[dispatchers]\na = 1", "`dispatchers` in the top level must be a list of tables, not a table"),
        ("dispatchers = [1]", "item 1 of `dispatchers` in the top level must be a table, not an integer"),
    ],
)
def test_faults_of_the_list(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "opcheck.toml"
    path.write_text(text)
    with pytest.raises(ConfigError, match=message.replace("[", r"\[")):
        load(path)


def test_targets_and_marks_may_name_the_backends_described(tmp_path: Path) -> None:
    text = SHAPES["a call for one backend"][0] + '[targets.t]\nbackends = ["gpu"]\n[unsupported]\n"op" = ["gpu"]\n'
    assert load(_written(tmp_path, text)).targets[0].backends == ("gpu",)
    with pytest.raises(ConfigError, match="unknown backend `gpus`"):
        load(_written(tmp_path, text.replace('"op" = ["gpu"]', '"op" = ["gpus"]')))


@pytest.fixture
def one_shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ship one description, of a package called `arrays`."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    (folder / "arrays.toml").write_text('[[dispatchers]]\nname = "arrays"\n' + SHAPES["a call for one backend"][0])
    monkeypatch.setattr(shipped_descriptions, "FOLDER", folder)


@pytest.mark.usefixtures("one_shipped")
@pytest.mark.parametrize(
    ("package", "applies"), [("arrays", True), ("src/arrays", True), ("other", False), ("deep/down/arrays", False)]
)
def test_what_is_shipped_holds_where_the_package_lies(tmp_path: Path, package: str, applies: bool) -> None:
    project = tmp_path / "project"
    (project / package).mkdir(parents=True)
    (project / package / "__init__.py").touch()
    assert [d.name for d in unconfigured(project).dispatchers] == ["arrays"] * applies
    assert [d.name for d in unconfigured(project / "deep/down/arrays").dispatchers] == ["arrays"]


@pytest.mark.usefixtures("one_shipped")
def test_a_table_of_the_same_name_takes_the_place_of_what_is_shipped(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / "arrays").mkdir(parents=True)
    (project / "arrays" / "__init__.py").touch()
    own = _written(project, SHAPES["a call"][0].replace("lib", "arrays"))
    assert len(load(own).dispatchers) == 2
    own.write_text(own.read_text().replace('"own"', '"arrays"'))
    (described,) = load(own).dispatchers
    assert described.backends == ("cpu", "cuda")


@pytest.mark.parametrize("file", sorted(shipped_descriptions.FOLDER.glob("*.toml")), ids=lambda file: str(file.stem))
def test_every_shipped_description_is_one(file: Path, tmp_path: Path) -> None:
    (tmp_path / file.stem).mkdir()
    (tmp_path / file.stem / "__init__.py").touch()
    document: dict[str, Any] = tomllib.loads(file.read_text())
    assert list(document) == ["dispatchers"]
    assert len(unconfigured(tmp_path).dispatchers) == len(document["dispatchers"])
