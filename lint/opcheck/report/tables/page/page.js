"use strict";

const form = document.forms[0];
const table = document.querySelector("table");
const rows = [...table.tBodies[0].rows];
const detail = document.getElementById("detail");
const [closer, content] = detail.children;

const cellsOf = (row) => [...row.querySelectorAll("td:not([hidden])")];
const shownRows = () => rows.filter((row) => !row.hidden);
const shownButtons = (row) => cellsOf(row).map((cell) => cell.querySelector("button")).filter(Boolean);

// Filters: nothing chosen of a kind lets all of it through.

function chosen(name) {
  const values = [...form.querySelectorAll(`[name=${name}]:checked`)].map((box) => box.value);
  return (value) => values.length === 0 || values.includes(value);
}

function filter() {
  const [target, backend, mark] = ["target", "backend", "mark"].map(chosen);
  const text = form.elements.op.value.trim().toLowerCase();
  const all = form.querySelector(":checked") === null;
  for (const place of table.querySelectorAll("[data-backend]")) {
    place.hidden = !(target(place.dataset.target) && backend(place.dataset.backend));
  }
  for (const row of rows) {
    const cells = cellsOf(row);
    const matching = cells.filter((cell) => cell.dataset.mark && mark(cell.dataset.mark));
    for (const cell of cells) cell.classList.toggle("aside", !matching.includes(cell));
    row.hidden = !(all || matching.length) || !row.dataset.op.toLowerCase().includes(text);
  }
  spanTargets();
  form.querySelector("output").value = `${shownRows().length} of ${rows.length} ops`;
  if (opened?.closest("[hidden]")) close();
  if (!reached || reached.closest("[hidden]")) reach(shownRows().flatMap(shownButtons)[0]);
}

function spanTargets() {
  const backends = [...table.querySelectorAll("thead [data-backend]:not([hidden])")];
  for (const head of table.querySelectorAll("thead [scope=colgroup]")) {
    const below = backends.filter((one) => one.dataset.target === head.dataset.target).length;
    head.hidden = below === 0;
    head.colSpan = Math.max(below, 1);
  }
}

// Moving: the table is one stop of the tab key, and the arrows move inside it.

let reached = null;

function reach(button) {
  if (reached) reached.tabIndex = -1;
  if (button) button.tabIndex = 0;
  reached = button ?? null;
}

function neighbour(button, down, right) {
  const grid = shownRows().map(cellsOf);
  let y = grid.findIndex((row) => row.includes(button.parentNode));
  let x = grid[y].indexOf(button.parentNode);
  let cell;
  do cell = grid[(y += down)]?.[(x += right)];
  while (cell && !cell.firstChild);
  return cell?.firstChild;
}

const inRow = (button) => shownButtons(button.closest("tr"));
const inTable = () => shownRows().flatMap(shownButtons);
const keys = {
  ArrowUp: (button) => neighbour(button, -1, 0),
  ArrowDown: (button) => neighbour(button, 1, 0),
  ArrowLeft: (button) => neighbour(button, 0, -1),
  ArrowRight: (button) => neighbour(button, 0, 1),
  Home: (button, whole) => (whole ? inTable() : inRow(button))[0],
  End: (button, whole) => (whole ? inTable() : inRow(button)).at(-1),
};

// The opened cell: it follows the arrows until it is closed.

let opened = null;

function open(button) {
  opened?.setAttribute("aria-expanded", "false");
  opened = button;
  opened.setAttribute("aria-expanded", "true");
  content.replaceChildren(button.nextSibling.content.cloneNode(true));
  detail.hidden = false;
}

function close() {
  opened?.setAttribute("aria-expanded", "false");
  if (detail.contains(document.activeElement)) opened?.focus();
  opened = null;
  detail.hidden = true;
}

table.addEventListener("keydown", (event) => {
  const next = keys[event.key]?.(event.target, event.ctrlKey || event.metaKey);
  if (event.key in keys) event.preventDefault();
  next?.focus();
  if (next && opened) open(next);
});
table.addEventListener("focusin", (event) => reach(event.target));
table.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) button === opened ? close() : open(button);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && opened) close();
});
closer.addEventListener("click", close);
form.addEventListener("input", filter);
form.addEventListener("reset", () => setTimeout(filter));
form.addEventListener("submit", (event) => event.preventDefault());
filter();
