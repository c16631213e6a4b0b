"""Imports, the names of modules, and what is reached from where."""

# ruff: noqa: E501 - a case is easiest to read as one line of source
from __future__ import annotations

from pathlib import Path

import pytest
from tests.symbolic.conftest import Run, load

from opcheck.symbolic.modules import lay_out
from opcheck.symbolic.run import run_deep


def test_names_come_through_imports_aliases_and_packages(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "from .a import X as Y, f\nimport pkg.sub.b as b, json.decoder, os.path\nfrom . import sub, a\n",
            "pkg/a.py": "X = 1\ndef f(): return X\n",
            "pkg/sub/__init__.py": "from ..a import X\nfrom ... import nothing\nfrom .b import Z\n",
            "pkg/sub/b.py": "from pkg import a as upper\nZ = upper.X + 1\n",
            "main.py": "import pkg, pkg.sub.b\nfrom pkg import missing, sub\nx = [pkg.Y, pkg.f(), pkg.b.Z, pkg.sub.X, pkg.a.X, pkg.sub.b.Z, sub.Z]\ny = pkg.json, pkg.os.path, missing\n",
        }
    )

    assert found.value("main.x") == [1, 1, 2, 1, 1, 2, 2]
    assert found.value("main.y") == ("<json>", "<os.path>", "<pkg.missing>")


def test_guards_name_a_flag_after_where_it_was_first_bound(run: Run) -> None:
    found = run(
        {
            "pkg/flags.py": "FAST = False\nSLOW = True\n",
            "pkg/again.py": "from .flags import *\n",
            "pkg/use.py": "from .again import FAST as quick, SLOW\nfrom pkg import flags\nfrom torch import cuda\nif quick: probe(1)\nif flags.FAST: probe(2)\nif not SLOW: probe(3)\nif cuda.is_available(): probe(4)\n",
        }
    )

    assert found.probe(1) == found.probe(2) == "pkg.flags.FAST"
    assert found.probe(3) == "not pkg.flags.SLOW"
    assert found.probe(4) == "torch.cuda.is_available()"


def test_star_imports_bring_what_is_public(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "",
            "pkg/listed.py": "__all__ = ['a', '_b', 'sub', 'gone']\na = 1\n_b = 2\nc = 3\n",
            "pkg/tupled.py": "__all__ = ('t',)\nt = 1\nv = 2\n",
            "pkg/plain.py": "p = 1\n_q = 2\nif u: g = 3\n",
            "pkg/open.py": "from unread import *\nfrom unread_api import *\n__all__ = [*u]\nz = 1\n",
            "pkg/main.py": "from .listed import *\nfrom .tupled import *\nfrom .plain import *\nfrom .open import *\nx = a, _b, c, t, v, p, _q, g, z\nfrom api import *\nregister('api')\n",
            "pkg/closed.py": "from .listed import *\nx = c\n",
        }
    )

    assert found.value("pkg.main.x") == (1, 2, "?pkg.main.c", 1, "?pkg.main.v", 1, "?pkg.main._q", 3, 1)
    assert found.value("pkg.closed.x") == "<c>"
    assert found.probe("api") == "always"


def test_cycles_leave_what_is_not_bound_yet_unknown(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "from . import b\nX = 1\nfrom .b import Y\nZ = b.late\n",
            "pkg/b.py": "from . import a\nY = a.X\nW = a.nothing\n",
        },
        first=["pkg.a"],
    )

    assert found.value("pkg.b.Y") == "?pkg.a.X"
    assert found.value("pkg.a.Z") == "?pkg.b.late"


def test_a_module_answers_for_what_it_lacks(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "def __getattr__(name): return name + '!'\nif u.a: maybe = 1\n",
            "pkg/late.py": "K = 1\n",
            "main.py": "import pkg\nfrom pkg import lazy, late, maybe\nx = pkg.any, lazy, pkg.late.K\npkg.new = 5\ny = pkg.new, maybe\n",
        }
    )

    assert found.value("main.x") == ("any!", "lazy!", 1)
    assert found.value("main.y") == (5, 1)


def test_a_name_that_is_bound_under_a_guard_fails_to_be_imported_elsewhere(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "if u.a:\n    K = 1\n",
            "pkg/b.py": "try:\n    from .a import K\n    probe(1)\nexcept ImportError:\n    probe(2)\n",
        }
    )

    assert (found.probe(1), found.probe(2)) == ("u.a", "not u.a")


def test_compiled_and_missing_modules(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "try:\n    from . import _C\n    from ._gone import y\n    import pkg._other\n    probe(1)\nexcept ImportError:\n    probe(2)\n",
        },
        compiled=["pkg/_C.cpython-311-x86_64-linux-gnu.so"],
    )

    assert found.probe(1) == "loaded:pkg._C and installed:pkg._gone and installed:pkg._other"
    assert [name for _, name, _ in found.machine.loads] == ["pkg._C", "pkg._gone", "pkg._other"]


def test_apis_are_met_before_project_source(run: Run) -> None:
    found = run(
        {
            "api.py": "def register(name): return 'own'\n",
            "m.py": "import api\nfrom api import register\nx = api.register('a'), register('b')\n",
        }
    )

    assert found.value("m.x") == ("a", "b")


def test_folders_without_init_are_part_of_the_name_where_imports_write_them_so(run: Run) -> None:
    found = run(
        {
            "space/pkg/__init__.py": "X = 1\n",
            "space/pkg/sub.py": "from space.pkg import X\nimport space\nY = space\n",
            "src/other/__init__.py": "K = 2\n",
            "use.py": "import src.other\nx = src.other.K\nfrom src import other\ny = other.K\n",
            "outside/tool.py": "from pkg import X\n",
        }
    )

    assert found.value("space.pkg.sub.X") == 1
    assert found.value("space.pkg.sub.Y") == "<space>"
    assert found.value("use.x") == 2
    assert found.value("use.y") == 2


def test_installed_files_are_named_from_where_they_are_installed(run: Run) -> None:
    found = run(
        {
            "site/dist-1.0.dist-info/METADATA.py": "",
            "site/ns/pkg/__init__.py": "X = 1\n",
            "site/ns/pkg/a.py": "from ns.pkg import X\n",
            "site/__init__.py": "T = 1\n",
        }
    )

    assert found.value("ns.pkg.a.X") == 1
    assert found.value("site.T") == 1


def test_an_init_outside_any_package_is_named_after_its_folder(tmp_path: Path) -> None:
    (tmp_path / "lone").mkdir()
    (tmp_path / "lone" / "__init__.py").write_text("X = 1\n")
    found = run_deep(lambda: load(tmp_path / "lone"))

    assert found.value("lone.X") == 1


def test_modules_are_reached_under_the_conditions_of_their_imports(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "import u\nif u.cuda:\n    from . import cuda\nDEBUG = False\nif DEBUG:\n    from . import debug\n",
            "pkg/cuda.py": "from . import both\nprobe('cuda')\n",
            "pkg/debug.py": "from . import both\nprobe('debug')\n",
            "pkg/both.py": "probe('both')\n",
            "pkg/lazy.py": "probe('lazy')\n",
            "pkg/loader.py": "def load():\n    from . import lazy\ndef probing():\n    probe('told')\n    from . import lazy\n",
            "pkg/orphan.py": "probe('orphan')\n",
            "pkg/a.py": "from . import b\n",
            "pkg/b.py": "from . import a\nprobe('cycle')\n",
        }
    )

    assert found.entries == ["pkg", "pkg.loader", "pkg.orphan"] or set(found.entries) == {
        "pkg",
        "pkg.loader",
        "pkg.orphan",
    }
    assert found.probe("cuda") == "u.cuda"
    assert found.probe("debug") == "pkg.DEBUG"
    assert found.probe("both") == "u.cuda or pkg.DEBUG"
    assert found.probe("orphan") == "always"
    assert found.probe("lazy") == "called:pkg.loader.probing"
    assert found.probe("cycle") == "never"
    assert {r.entries for r in found.reached("both")} == {frozenset({"pkg", "pkg.loader", "pkg.orphan"})}


def test_a_configured_entry_is_one(run: Run) -> None:
    found = run({"a.py": "import b\nprobe('a')\n", "b.py": "import a\nprobe('b')\n"}, first=["a"])

    assert found.entries == ["a"]
    assert found.probe("a") == found.probe("b") == "always"


def test_importing_a_module_runs_the_packages_it_lies_in(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "probe('top')\nfrom .sub import deep\n",
            "pkg/sub/__init__.py": "probe('sub')\n",
            "pkg/sub/deep.py": "probe('deep')\nfrom . import deep\n",
            "main.py": "import u\nif u.a:\n    import pkg.sub.deep\n",
        }
    )

    assert found.probe("deep") == found.probe("sub") == found.probe("top") == "always"


def test_a_module_reached_in_too_many_ways_is_one_atom(run: Run) -> None:
    files = {"pkg/__init__.py": "", "pkg/last.py": "probe('last')\n"}
    guards = "".join(f"if u.a{i}:\n    from . import last\n" for i in range(30))
    found = run({**files, "pkg/first.py": f"import u\n{guards}"})

    assert "imported:pkg.last" in found.probe("last")


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_relative_imports_that_climb_out_bind_nothing(run: Run, depth: int) -> None:
    found = run(
        {
            "pkg/__init__.py": f"from {'.' * (depth + 1)} import x\nprobe(1)\n",
            "pkg/a.py": "from .. import y\nfrom ...z import w\n",
        }
    )

    assert found.probe(1) == "always"


def test_import_module_takes_names_and_relative_names(run: Run) -> None:
    source = "import importlib\nfor name in ('a', 'b'):\n    importlib.import_module(f'.{name}', __name__)\nimportlib.import_module('..a', 'pkg.sub.x')\nimportlib.import_module('.', 'pkg')\n"
    found = run({"pkg/__init__.py": source, "pkg/a.py": "probe('a')\n", "pkg/b.py": "probe('b')\n"})

    assert found.probe("a") == found.probe("b") == "always"


def test_the_names_a_module_is_born_with(run: Run) -> None:
    found = run({"pkg/__init__.py": "", "pkg/m.py": "if __name__ == '__main__': probe(1)\nx = __file__, __doc__\n"})

    assert found.probe(1) == "pkg.m.__name__ == '__main__'"
    assert found.value("pkg.m.x") == ("?pkg.m.__file__", None)


def test_what_two_guards_exclude_is_not_reached(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "if u.a:\n    from . import one\n",
            "pkg/one.py": "if not u.a:\n    from . import two\n",
            "pkg/two.py": "probe('two')\n",
        }
    )

    assert found.reaches("pkg.two") == "never"


def test_a_name_bound_in_several_ways_is_there_where_one_of_them_holds(run: Run) -> None:
    found = run(
        {
            "pkg/__init__.py": "",
            "pkg/a.py": "if u.a:\n    K = 1\nelif u.b:\n    K = 2\n",
            "pkg/b.py": "from pkg import a\ntry:\n    from .a import K\n    probe(1)\nexcept ImportError:\n    pass\nif hasattr(a, 'K'): probe(2)\n",
        }
    )

    assert found.probe(1) == found.probe(2) == "u.a or u.b"


def test_an_entry_that_is_no_module_is_left_out(run: Run) -> None:
    found = run({"a.py": "probe('a')\n"}, first=["nothing"])

    assert found.entries == ["nothing", "a"]
    assert found.probe("a") == "always"


def test_a_file_outside_the_root_has_its_own_name_alone(tmp_path: Path) -> None:
    layout = lay_out(tmp_path / "src", [tmp_path / "src" / "a" / "b.py", tmp_path / "tool.py"], [], {})

    assert layout.canonical("a.b") == "b"
    assert layout.canonical("tool") == "tool"
    assert "tool" in layout.roots
