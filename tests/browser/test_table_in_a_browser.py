"""The page of tables as a person uses it: by pointer and by keyboard, on wide and narrow screens, in light and dark."""

from __future__ import annotations

from typing import Any

import pytest

HOSTILE_OP = "ns::</script><svg onload=alert(1)>\"'&amp;"
HOSTILE_TARGET = "</script><b>'\"&"


def _ops(page: Any) -> list[str]:
    return [row.get_attribute("data-op") for row in page.locator("tbody tr:visible").all()]


def _headings(page: Any) -> list[str]:
    return [head.inner_text() for head in page.locator("thead th:visible").all()]


def _cell(page: Any, op: str, label: str) -> Any:
    return page.get_by_role("row").filter(has=page.get_by_text(op, exact=True)).get_by_label(f"{label}: ")


def _focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.getAttribute('aria-label')"))


def _detail(page: Any) -> Any:
    return page.get_by_role("region", name="The chosen cell")


def test_names_are_shown_as_they_are_and_run_nothing(page: Any) -> None:
    assert page.title() == "Dispatch tables"
    assert page.locator("script").count() == 1
    assert page.locator("svg, img").count() == 0
    assert _ops(page) == [HOSTILE_OP, "ns::both", "ns::cpu_only", "ns::guarded"]
    assert page.get_by_text(HOSTILE_OP, exact=True).is_visible()
    assert HOSTILE_TARGET in _headings(page)


def test_a_cell_opens_its_reason_and_its_source(page: Any) -> None:
    assert _detail(page).count() == 0

    _cell(page, "ns::cpu_only", f"{HOSTILE_TARGET} cpu").click()

    assert page.get_by_role("heading", level=2).inner_text() == f"ns::cpu_only on cpu, {HOSTILE_TARGET}"
    text = _detail(page).inner_text()
    assert "kernel for `cpu` registered at" in text
    assert "\nops.py:8\n" in text
    assert """impl("ns::cpu_only", "cpu", lambda x: x)  # </script><script>document.title = "owned"</script>""" in text


def test_a_condition_is_shown_with_the_cell_that_hangs_on_it(page: Any) -> None:
    _cell(page, "ns::guarded", "serve cuda").click()

    assert "Covered when elsewhere.name() != \"<img src=x onerror='document.title=1'>\"\n" in _detail(page).inner_text()


def test_a_cell_is_closed_by_itself_by_the_button_and_by_escape(page: Any) -> None:
    cell = _cell(page, "ns::both", "serve cuda")
    closings = (cell.click, page.get_by_label("Close").click, lambda: page.keyboard.press("Escape"))
    for close in closings:
        cell.click()
        assert (_detail(page).count(), cell.get_attribute("aria-expanded")) == (1, "true")
        close()
        assert (_detail(page).count(), cell.get_attribute("aria-expanded")) == (0, "false")
        assert _focused(page).startswith("serve cuda: ok")


def test_another_cell_takes_the_place_of_the_opened_one(page: Any) -> None:
    _cell(page, "ns::both", "serve cuda").click()
    _cell(page, "ns::cpu_only", "serve cuda").click()

    assert "ns::cpu_only on cuda" in _detail(page).inner_text()
    assert page.locator("[aria-expanded=true]").count() == 1


def test_the_arrows_move_between_cells_and_the_opened_one_follows(page: Any) -> None:
    _cell(page, "ns::both", "serve cuda").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")

    assert _focused(page) == "serve cuda: HOLE, nothing covers it"
    assert "ns::cpu_only on cuda" in _detail(page).inner_text()

    page.keyboard.press("ArrowRight")
    assert "ns::cpu_only on cpu" in _detail(page).inner_text()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Escape")
    assert (_focused(page), _detail(page).count()) == ("serve cuda: ok, covered", 0)


def test_home_and_end_reach_the_ends_and_no_arrow_leaves_the_table(page: Any) -> None:
    _cell(page, "ns::both", "serve cuda").focus()
    page.keyboard.press("End")
    assert _focused(page).startswith(f"{HOSTILE_TARGET} cuda")
    page.keyboard.press("ArrowRight")
    assert _focused(page).startswith(f"{HOSTILE_TARGET} cuda")
    page.keyboard.press("Home")
    assert _focused(page).startswith("serve cpu")
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.closest('tr').dataset.op") == HOSTILE_OP
    page.keyboard.press("Control+End")
    assert page.evaluate("document.activeElement.closest('tr').dataset.op") == "ns::guarded"


def test_the_table_is_one_stop_of_the_tab_key(page: Any) -> None:
    page.get_by_role("button", name="Show all").focus()
    page.keyboard.press("Tab")
    first = page.evaluate("document.activeElement.closest('tr').dataset.op")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")

    assert first == HOSTILE_OP
    assert page.evaluate("document.activeElement.closest('tr').dataset.op") == "ns::both"
    assert page.locator("td button[tabindex='0']").count() == 1


def test_ops_are_found_by_a_part_of_their_name(page: Any) -> None:
    page.get_by_role("searchbox", name="Op").fill("CPU_o")

    assert _ops(page) == ["ns::cpu_only"]
    assert page.get_by_text("1 of 4 ops").is_visible()

    page.get_by_role("button", name="Show all").click()
    page.get_by_text("4 of 4 ops").wait_for()


def test_a_backend_a_target_and_a_status_narrow_the_table(page: Any) -> None:
    page.get_by_label("cuda", exact=True).check()
    assert _headings(page) == ["serve", HOSTILE_TARGET, "Op", "cuda", "cuda"]

    page.get_by_label("serve", exact=True).check()
    assert _headings(page) == ["serve", "Op", "cuda"]
    assert page.locator("thead th:visible").first.get_attribute("colspan") == "1"

    page.get_by_role("checkbox", name="HOLE").check()
    assert _ops(page) == ["ns::cpu_only"]

    page.get_by_role("checkbox", name="if").check()
    assert _ops(page) == ["ns::cpu_only", "ns::guarded"]


def test_filtering_closes_a_cell_that_it_hides_and_tab_still_reaches_the_table(page: Any) -> None:
    _cell(page, "ns::both", "serve cuda").click()
    page.get_by_role("searchbox", name="Op").fill("guarded")

    assert _detail(page).count() == 0
    assert page.locator("td button[tabindex='0']:visible").count() == 1

    page.get_by_role("searchbox", name="Op").fill("nothing like it")
    assert page.locator("td button[tabindex='0']").count() == 0


def test_cells_of_another_status_step_back(page: Any) -> None:
    page.get_by_role("checkbox", name="HOLE").check()

    assert page.locator("td.aside:visible button", has_text="HOLE").count() == 0
    assert page.locator("td.aside:visible button").count() > 0


@pytest.mark.parametrize("width", [320, 400, 1280])
def test_nothing_is_wider_than_the_screen(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    _cell(page, "ns::cpu_only", "serve cuda").click()

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert _cell(page, "ns::cpu_only", "serve cuda").is_visible()


def test_the_names_of_ops_and_the_opened_cell_stay_in_view_beside_far_columns(page: Any) -> None:
    page.set_viewport_size({"width": 700, "height": 800})
    last = _cell(page, "ns::both", f"{HOSTILE_TARGET} cuda")
    last.click()

    shown = (last, page.get_by_text("ns::both", exact=True).first, page.get_by_label("Close"), page.locator("h1"))
    boxes = [one.bounding_box() for one in shown]
    assert page.evaluate("scrollX") > 0
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= 700 for box in boxes)


def test_a_narrow_screen_names_the_column_beside_each_cell(page: Any) -> None:
    page.set_viewport_size({"width": 400, "height": 800})

    beside = "cell => getComputedStyle(cell.parentNode, '::before').content"
    assert _cell(page, "ns::both", "serve cuda").evaluate(beside) == '"serve cuda "'
    assert not page.locator("thead").is_visible()


def test_light_and_dark_follow_the_system_and_both_can_be_read(page: Any) -> None:
    contrasts = [_least_contrast(page, scheme) for scheme in ("light", "dark")]

    assert min(contrasts) >= 4.5
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(21, 23, 26)"


def _least_contrast(page: Any, scheme: str) -> float:
    """The smallest contrast between a text and what is behind it, as accessibility guidelines measure it."""
    page.emulate_media(color_scheme=scheme)
    _cell(page, "ns::guarded", "serve cuda").click()
    least: float = page.evaluate(CONTRAST)
    page.keyboard.press("Escape")
    return least


CONTRAST = """() => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const luminance = colour => {
    const [r, g, b] = parts(colour).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = one => {
    const colour = getComputedStyle(one).backgroundColor;
    return parts(colour)[3] === 0 ? behind(one.parentElement) : colour;
  };
  const contrast = one => {
    const both = [getComputedStyle(one).color, behind(one)].map(luminance).sort((a, b) => b - a);
    return (both[0] + 0.05) / (both[1] + 0.05);
  };
  const texts = "h1, h2, p, label, legend, th, td button, figcaption, pre, output, b, small";
  return Math.min(...[...document.querySelectorAll(texts)].filter(one => one.checkVisibility()).map(contrast));
}"""
