"use strict";
// What every page can do: choose a theme, sort and filter tables, pick one of several figures.
// Everything is readable without it.

const seedbed = {
  make(name, attributes = {}, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  },

  // A labelled list to choose from; `change` gets the chosen value.
  select(label, values, change, chosen) {
    const list = seedbed.make("select");
    for (const value of values) list.append(new Option(value, value, false, value === chosen));
    list.addEventListener("change", () => change(list.value));
    return seedbed.make("label", {}, label, list);
  },

  data(key) {
    const element = document.getElementById("data-" + key);
    return element ? JSON.parse(element.textContent) : null;
  },
};

(() => {
  // ---- theme: as the system says, unless the reader says otherwise
  const themes = ["auto", "dark", "light"];
  const button = document.getElementById("theme");
  const remember = (theme) => {
    try { localStorage.setItem("seedbed-theme", theme); } catch { /* not allowed: only this time */ }
  };
  const remembered = () => {
    try { return localStorage.getItem("seedbed-theme"); } catch { return null; }
  };
  const apply = (theme) => {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    button.textContent = "Theme: " + theme;
  };
  let theme = themes.includes(remembered()) ? remembered() : "auto";
  apply(theme);
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    apply(theme);
    remember(theme);
  });
})();

// ---- tables
seedbed.enhance = (box) => {
  const { make, select } = seedbed;
  const table = box.querySelector("table");
  const heads = [...table.tHead.rows[0].cells];
  const rows = [...table.tBodies[0].rows];
  if (rows.length > 16) box.querySelector(".scroll").classList.add("tall");

  const key = (row, column) => {
    const cell = row.cells[column];
    const text = cell.dataset.sort ?? cell.textContent.trim();
    const number = Number(text.replaceAll(",", ""));
    if (text === "" || text === "–") return null;
    return Number.isNaN(number) ? text : number;
  };
  const compare = (a, b) => {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  };
  const sort = (column) => {
    const head = heads[column];
    const upwards = head.getAttribute("aria-sort") !== "ascending";
    for (const other of heads) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", upwards ? "ascending" : "descending");
    const keyed = [...table.tBodies[0].rows].map((row) => [key(row, column), row]);
    keyed.sort(([a], [b]) => {
      if (a === null || b === null) return (a === null) - (b === null); // what is missing is last
      return upwards ? compare(a, b) : compare(b, a);
    });
    table.tBodies[0].append(...keyed.map(([, row]) => row));
  };
  if (rows.length > 1) {
    heads.forEach((head, column) => {
      const name = head.textContent;
      const button = make("button", { type: "button", title: "Sort by " + name }, name);
      button.addEventListener("click", () => sort(column));
      head.replaceChildren(button);
      head.setAttribute("aria-sort", "none");
    });
  }
  if (rows.length < 8) return;

  const name = table.caption?.textContent ?? "table";
  const all = "all";
  const wanted = new Map();
  const search = make("input", { type: "search" });
  const count = make("p", { class: "count", role: "status" });
  const said = new Map(rows.map((row) => [row, [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase()]));
  const filter = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !(
        words.every((word) => said.get(row).includes(word)) &&
        [...wanted].every(([column, value]) => row.cells[column].textContent.trim() === value)
      );
      shown += !row.hidden;
    }
    count.textContent = shown === rows.length ? `${rows.length} rows` : `${shown} of ${rows.length} rows`;
  };
  search.addEventListener("input", filter);
  const controls = make("div", { class: "controls", role: "group", "aria-label": "Filter: " + name });
  controls.append(make("label", {}, "search", search));
  for (const title of JSON.parse(box.dataset.choose ?? "[]")) {
    const column = heads.findIndex((head) => head.textContent === title);
    const values = [...new Set(rows.map((row) => row.cells[column].textContent.trim()))];
    if (values.length < 2) continue;
    controls.append(select(title, [all, ...values], (value) => {
      if (value === all) wanted.delete(column);
      else wanted.set(column, value);
      filter();
    }, all));
  }
  controls.append(count);
  filter();
  box.prepend(controls);
};
document.querySelectorAll(".table").forEach(seedbed.enhance);

// ---- one of several figures
seedbed.pick = (box) => {
  const { make, select } = seedbed;
  const axes = JSON.parse(box.dataset.axes);
  const choices = [...box.querySelectorAll(":scope > .choice")];
  const values = choices.map((choice) => JSON.parse(choice.dataset.values));
  if (choices.length < 2) return;
  const chosen = [...values[0]];
  const controls = make("div", { class: "controls", role: "group", "aria-label": "Choose what is shown" });
  const missing = make("p", { class: "note", role: "status", hidden: "" }, "There is no such result in this study.");
  const show = () => {
    const index = values.findIndex((value) => value.every((v, axis) => v === chosen[axis]));
    choices.forEach((choice, i) => { choice.hidden = i !== index; });
    missing.hidden = index >= 0;
  };
  axes.forEach((axis, i) => {
    const levels = [...new Set(values.map((value) => value[i]))];
    if (levels.length < 2) return;
    controls.append(select(axis, levels, (value) => { chosen[i] = value; show(); }, chosen[i]));
  });
  box.prepend(controls, missing);
  show();
};
document.querySelectorAll(".picker").forEach(seedbed.pick);
