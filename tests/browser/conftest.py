"""A page of tables in a real Chromium, where one is found."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from opcheck.cli import main

PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

CONFIG: Final = """\
[targets.serve]
backends = ["cuda"]

[targets."</script><b>'\\"&"]
backends = ["cpu"]
autodiff = true
"""
OPS: Final = """\
import elsewhere
from torch.library import define, impl

define("ns::both", "(Tensor x) -> Tensor")
impl("ns::both", ["cpu", "cuda"], lambda x: x)

define("ns::cpu_only", "(Tensor x) -> Tensor")
impl("ns::cpu_only", "cpu", lambda x: x)  # </script><script>document.title = "owned"</script>

define("ns::guarded", "(Tensor x) -> Tensor")
if elsewhere.name() != "<img src=x onerror='document.title=1'>":
    impl("ns::guarded", "cuda", lambda x: x)

impl("ns::</script><svg onload=alert(1)>\\"'&amp;", "cpu", lambda x: x)
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found is None:
        pytest.skip(f"none of {', '.join(PROGRAMS)} is installed")
    with playwright.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield launched
        launched.close()


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page that the command writes of a project with hostile names."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "opcheck.toml").write_text(CONFIG)
    (folder / "ops.py").write_text(OPS)
    with chdir(folder):
        result = CliRunner().invoke(main, ["table", "--format", "html"], catch_exceptions=False)
    page = folder / "table.html"
    page.write_text(result.stdout, encoding="utf-8")
    return page


@pytest.fixture
def page(browser: Any, written: Path) -> Iterator[Any]:
    """The page, opened from its file: no script fails, no policy is broken, and nothing else is asked for."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, color_scheme="light")
    opened = context.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: complaints.append(message.text))
    opened.on("request", lambda request: complaints.append(request.url))
    opened.goto(written.as_uri())
    yield opened
    context.close()
    assert complaints == [written.as_uri()]
