// The data sets of a study: choose some, see how the methods differ on them, open one.
(() => {
  const study = seedbed.data("study");
  const root = document.getElementById("explore");
  if (!study || !root) return;
  if (!study.criteria.length) {
    root.textContent = "The page has no room for the results of single data sets; excess.csv and summary.csv have them.";
    return;
  }
  const { make, select } = seedbed;
  const methods = study.methods;
  const sets = study.sets;
  sets.names = sets.names.flatMap((name) => {  // names that count upwards come in short
    if (typeof name === "string") return [name];
    const [before, digits, first, step, count] = name;
    return Array.from({ length: count }, (_, i) => before + String(first + step * i).padStart(digits, "0"));
  });
  const total = sets.names.length;
  const ALL = "all";
  const STATISTICS = { mean: "mean", min: "best or least", q1: "lower quartile", median: "median", q3: "upper quartile", max: "worst or most" };
  const HEAT = [1e-6, 1e-3, 1e-2, 0.05, 0.2, 1];  // upper ends of the classes of excess
  const HEAT_NAMES = ["as good as the best", "to 0.1 %", "to 1 %", "to 5 %", "to 20 %", "to 100 %", "more"];
  const LEAST = 1e-6;  // an excess up to this is a tie

  // ---- reading what the page carries
  const letters = new Map([...study.alphabet].map((letter, i) => [letter, i]));
  const decode = (text, width) => {
    const codes = new Int32Array(text.length / width);
    for (let i = 0; i < text.length; i += 1) {
      const at = Math.floor(i / width);
      codes[at] = codes[at] * 64 + letters.get(text[i]);
    }
    return codes;
  };
  const valued = (criterion, text) => {
    const last = 64 ** study.width - 3;
    const { low, high, log, share } = criterion;
    return Float64Array.from(decode(text, study.width), (code) => {
      if (code === 0) return NaN;
      if (code === 1) return share ? 0 : low;
      const at = (code - 2) / last;
      return log ? low * (high / low) ** at : low + at * (high - low);
    });
  };
  const decoded = new Map();
  // Values of all data sets; a method that ran once has no spread, its mean stands for all.
  const values = (criterion, statistic, method) => {
    const key = [criterion.key, statistic, method].join();
    if (!decoded.has(key)) {
      const wanted = study.runs[method] === 1 ? "mean" : statistic;
      decoded.set(key, valued(criterion, criterion.statistics[wanted][method]));
    }
    return decoded.get(key);
  };
  const columns = {};
  for (const name of ["group", "n", "d", "k", "overlap"]) {
    const { codes, levels, width } = sets[name];
    columns[name] = Array.from(decode(codes, width), (code) => levels[code]);
  }
  const criteria = new Map(study.criteria.map((criterion) => [criterion.title, criterion]));
  const excess = study.criteria[0];

  // ---- numbers for readers
  const round = (x) => {
    if (x === 0) return "0";
    if (Math.abs(x) >= 1e6 || Math.abs(x) < 1e-4) return x.toExponential(2);
    if (Math.abs(x) < 0.01) return x.toLocaleString("en", { maximumSignificantDigits: 2 });
    return x.toLocaleString("en", { maximumSignificantDigits: study.width === 3 ? 4 : 3 });
  };
  const shown = (criterion, x) => {
    if (Number.isNaN(x)) return "–";
    if (criterion.share) return x <= LEAST ? "0 %" : round(100 * x) + " %";
    if (criterion.key === "seconds") return x >= 1 ? round(x) + " s" : x >= 1e-3 ? round(1e3 * x) + " ms" : round(1e6 * x) + " µs";
    return round(x);
  };
  const quantile = (sorted, share) => {
    const at = share * (sorted.length - 1), below = Math.floor(at);
    return sorted[below] + (at - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below]);
  };
  const summary = (list) => {
    const known = Float64Array.from(list).filter((x) => !Number.isNaN(x)).sort();
    if (!known.length) return null;
    return {
      min: known[0], q1: quantile(known, 0.25), median: quantile(known, 0.5), q3: quantile(known, 0.75),
      max: known[known.length - 1], mean: known.reduce((a, b) => a + b, 0) / known.length,
    };
  };

  // ---- drawing
  const draw = (name, attributes = {}, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const short = (words, most) => (words.length > most ? words.slice(0, most - 1) + "…" : words);
  const swatch = (method) => {
    const drawing = draw("svg", { class: "swatch", viewBox: "-8 -8 16 16", "aria-hidden": "true" });
    drawing.append(draw("path", { d: method.marker, fill: method.colour }));
    return drawing;
  };
  const phone = () => root.clientWidth < 560;
  const nameWidth = () => (phone() ? 122 : 150);
  const rowName = (method, y) => {
    const words = short(method.name, phone() ? 16 : 19);
    return draw("text", { x: nameWidth() - 10, y: y + 4, "text-anchor": "end", "font-size": phone() ? 11 : 12.5 }, words);
  };

  // ---- the data sets that are chosen
  const chosen = { group: ALL, n: ALL, d: ALL, k: ALL, overlap: ALL, words: "" };
  const TITLES = { group: "class", n: "rows N", d: "attributes D", k: "clusters K", overlap: "overlap" };
  let picked = [];
  const choose = () => {
    const words = chosen.words.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = Object.keys(TITLES).filter((name) => chosen[name] !== ALL);
    picked = [];
    for (let i = 0; i < total; i += 1) {
      const fits = wanted.every((name) => {
        const [, low, high] = sets[name].ranges.find(([title]) => title === chosen[name]);
        const value = columns[name][i];
        return value === low || (value !== null && value >= low && value <= high);
      });
      if (fits && words.every((word) => sets.names[i].toLowerCase().includes(word))) picked.push(i);
    }
    count.textContent = `${picked.length.toLocaleString("en")} of ${total.toLocaleString("en")} data sets`;
    listed = 100;
    showAll();
  };
  const controls = make("div", { class: "controls", role: "group", "aria-label": "Choose data sets" });
  const count = make("p", { class: "count", role: "status", id: "explore-count" });
  const lists = {};
  for (const [name, title] of Object.entries(TITLES)) {
    const ranges = sets[name].ranges.map(([range]) => range);
    if (ranges.length < 2) continue;
    const label = select(title, [ALL, ...ranges], (value) => { chosen[name] = value; choose(); }, ALL);
    lists[name] = label.querySelector("select");
    lists[name].id = "explore-" + name;
    controls.append(label);
  }
  const search = make("input", { type: "search", id: "explore-search" });
  search.addEventListener("input", () => { chosen.words = search.value; choose(); });
  const clear = make("button", { type: "button" }, "Show all");
  clear.addEventListener("click", () => {
    for (const name of Object.keys(TITLES)) chosen[name] = ALL;
    for (const list of Object.values(lists)) list.value = ALL;
    chosen.words = search.value = "";
    choose();
  });
  controls.append(make("label", {}, "name contains", search), clear, count);

  // ---- heat map
  const heat = { statistic: "mean", order: "name" };
  const ORDERS = { name: "name", n: "rows N", d: "attributes D", k: "clusters K", overlap: "overlap", excess: "mean excess" };
  const heatBox = make("div", { class: "drawing" });
  const heatSays = make("p", { class: "note", role: "status" });
  const heatClass = (x) => (Number.isNaN(x) ? -1 : HEAT.findIndex((end) => x <= end) + 1 || HEAT.length + 1) - 1;
  const ordered = () => {
    if (heat.order === "name") return picked;
    const of = heat.order === "excess"
      ? (i) => methods.reduce((sum, _, m) => sum + (values(excess, heat.statistic, m)[i] || 0), 0)
      : (i) => columns[heat.order][i] ?? Infinity;
    return [...picked].map((i) => [of(i), i]).sort(([a], [b]) => a - b).map(([, i]) => i);
  };
  const bins = (list, most) => {
    const n = Math.min(list.length, Math.max(1, most));
    return Array.from({ length: n }, (_, b) => list.slice(Math.floor((b * list.length) / n), Math.floor(((b + 1) * list.length) / n)));
  };
  const heatMap = () => {
    const width = root.clientWidth, left = nameWidth(), row = 24;
    const columnBins = bins(ordered(), Math.floor((width - left) / (phone() ? 5 : 6)));
    const cell = Math.min(36, (width - left) / Math.max(1, columnBins.length));
    const single = columnBins.every((bin) => bin.length === 1);
    const labelled = single && cell >= 15;
    const longest = labelled ? Math.max(...columnBins.map(([i]) => Math.min(22, sets.names[i].length))) : 0;
    const height = row * methods.length + 6 + (labelled ? longest * 6.2 : 0);
    const paths = ["", "", "", "", "", "", ""];
    let unknown = "";
    const cells = methods.map((_, m) => {
      const all = values(excess, heat.statistic, m);
      return columnBins.map((bin, b) => {
        const value = summary(bin.map((i) => all[i]))?.median ?? NaN;
        const at = heatClass(value);
        if (at < 0) unknown += `M${(left + b * cell + 2).toFixed(2)},${m * row + 3}l${(cell - 5).toFixed(2)},${row - 8}`;
        else paths[at] += `M${(left + b * cell).toFixed(2)},${m * row}h${(cell - (cell > 8 ? 1 : 0)).toFixed(2)}v${row - 2}h${-(cell - (cell > 8 ? 1 : 0)).toFixed(2)}z`;
        return value;
      });
    });
    const drawing = draw("svg", {
      width, height, viewBox: `0 0 ${width} ${height}`, tabindex: "0", role: "application", id: "heat",
      "aria-label": `Heat map of ${methods.length} methods and ${picked.length} data sets: final SSE above the best known. ` +
        "Arrow keys move, Enter opens what is under the frame. The numbers are in the table below.",
    });
    paths.forEach((d, i) => { if (d) drawing.append(draw("path", { d, fill: `var(--heat-${i})` })); });
    drawing.append(draw("path", { d: unknown, class: "axis" }));
    methods.forEach((method, m) => drawing.append(rowName(method, m * row + row / 2 - 1)));
    if (labelled) {
      columnBins.forEach(([i], b) => {
        const x = left + (b + 0.5) * cell + 4, y = row * methods.length + 8;
        drawing.append(draw("text", { x, y, "font-size": 11, "text-anchor": "end", transform: `rotate(-60 ${x} ${y})` }, short(sets.names[i], 22)));
      });
    }
    const frame = draw("rect", { width: cell, height: row - 2, fill: "none", stroke: "var(--ink)", "stroke-width": 2, visibility: "hidden" });
    drawing.append(frame);
    let at = [0, 0];
    const move = (b, m) => {
      if (!columnBins.length) return;
      at = [Math.max(0, Math.min(columnBins.length - 1, b)), Math.max(0, Math.min(methods.length - 1, m))];
      frame.setAttribute("x", left + at[0] * cell);
      frame.setAttribute("y", at[1] * row);
      frame.setAttribute("visibility", "visible");
      const bin = columnBins[at[0]];
      const what = bin.length === 1 ? sets.names[bin[0]] : `${bin.length} data sets, ${sets.names[bin[0]]} to ${sets.names[bin[bin.length - 1]]} (median)`;
      heatSays.textContent = `${what}, ${methods[at[1]].name}: ${shown(excess, cells[at[1]][at[0]])}`;
    };
    const openAt = () => {
      const bin = columnBins[at[0]];
      if (bin.length === 1) open(bin[0]);
      else { picked = bin; count.textContent = `${picked.length} of ${total.toLocaleString("en")} data sets, from the heat map`; showAll(); }
    };
    const place = (event) => {
      const box = drawing.getBoundingClientRect();
      const scale = width / box.width;
      return [Math.floor(((event.clientX - box.left) * scale - left) / cell), Math.floor(((event.clientY - box.top) * scale) / row)];
    };
    drawing.addEventListener("mousemove", (event) => move(...place(event)));
    drawing.addEventListener("click", (event) => { const [b, m] = place(event); if (b >= 0 && b < columnBins.length) { move(b, m); openAt(); } });
    drawing.addEventListener("focus", () => move(...at));
    drawing.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (step) { event.preventDefault(); move(at[0] + step[0], at[1] + step[1]); }
      else if (event.key === "Enter" && columnBins.length) { event.preventDefault(); openAt(); }
    });
    heatBox.replaceChildren(drawing);
    heatSays.textContent = single
      ? "Point at a cell for its value; click it to open the data set."
      : `${picked.length.toLocaleString("en")} data sets in ${columnBins.length} columns, each the median of neighbours in this order; click a column to see its data sets alone.`;
  };
  const heatLegend = make("div", { class: "legend" }, ...HEAT_NAMES.map((name, i) => {
    const key = make("span", { class: "key" });
    key.style.background = `var(--heat-${i})`;
    return make("span", {}, key, name);
  }));

  // ---- distributions: a row per method, boxes and, where they are few, single values
  const boxes = (criterion, rows, label) => {
    const width = Math.min(root.clientWidth, 900), left = nameWidth(), row = 30, top = 26;
    const every = rows.flatMap(({ box }) => (box ? [box.min, box.max] : [])).filter((x) => !Number.isNaN(x));
    const floor = criterion.share ? LEAST : 0;
    let low = Math.min(...every), high = Math.max(...every);
    if (criterion.log) {
      low = 10 ** Math.floor(Math.log10(Math.max(low, floor || 1e-9)) + 1e-9);
      high = 10 ** Math.ceil(Math.log10(Math.max(high, low)) - 1e-9);
      if (high <= low) high = 10 * low;
    } else if (high <= low) high = low + 1;
    const right = width - 24;
    const x = (v) => {
      const share = criterion.log ? Math.log(Math.max(v, low) / low) / Math.log(high / low) : (v - low) / (high - low);
      return left + (right - left) * Math.max(0, Math.min(1, share));
    };
    const height = top + row * rows.length + 6;
    const drawing = draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
    drawing.append(draw("title", {}, label));
    let ticks = [];
    if (criterion.log) for (let t = low; t <= high * 1.0001; t *= 10) ticks.push(t);
    else ticks = [0, 1, 2, 3, 4].map((i) => low + ((high - low) * i) / 4);
    const every2 = Math.ceil(ticks.length / (phone() ? 4 : 8));
    ticks.filter((_, i) => i % every2 === 0).forEach((tick) => {
      drawing.append(draw("path", { d: `M${x(tick).toFixed(1)},${top - 6}V${height}`, class: "grid" }));
      drawing.append(draw("text", { x: x(tick), y: 13, "text-anchor": "middle", "font-size": 11, class: "soft" }, shown(criterion, tick)));
    });
    rows.forEach(({ method, box, dots }, i) => {
      const y = top + row * i + row / 2;
      drawing.append(rowName(method, y));
      if (!box) return;
      const line = (d, thick) => drawing.append(draw("path", { d, fill: "none", stroke: method.colour, "stroke-width": thick }));
      line(`M${x(box.min).toFixed(1)},${y}H${x(box.max).toFixed(1)}`, 1.5);
      drawing.append(draw("rect", { x: x(box.q1), y: y - 8, width: Math.max(1, x(box.q3) - x(box.q1)), height: 16, fill: method.colour, "fill-opacity": 0.28, stroke: method.colour }));
      line(`M${x(box.median).toFixed(1)},${y - 8}v16`, 3);
      (dots ?? []).forEach((value, j) => {
        if (!Number.isNaN(value)) drawing.append(draw("circle", { cx: x(value).toFixed(1), cy: (y - 5 + ((j * 7) % 11)).toFixed(1), r: 1.8, fill: method.colour, "fill-opacity": 0.65 }));
      });
      drawing.append(draw("path", { d: method.marker, fill: method.colour, stroke: "var(--ground)", "stroke-width": 2, "paint-order": "stroke", transform: `translate(${x(box.mean).toFixed(1)},${y}) scale(0.85)` }, draw("title", {}, `${method.name}: mean ${shown(criterion, box.mean)}`)));
    });
    return drawing;
  };
  const boxTable = (criterion, rows, caption) => {
    const names = ["mean", "min", "q1", "median", "q3", "max"];
    const head = make("tr", {}, ...["method", ...names.map((name) => ({ min: "least", q1: "lower quartile", q3: "upper quartile", max: "most" }[name] ?? name))].map((title, i) => make("th", i ? { scope: "col", class: "n" } : { scope: "col" }, title)));
    const body = make("tbody", {}, ...rows.map(({ method, box }) => make("tr", {}, make("td", { class: "method" }, swatch(method), method.name), ...names.map((name) => make("td", { class: "n", "data-sort": box ? box[name] : "" }, box ? shown(criterion, box[name]) : "–")))));
    const table = make("table", {}, make("caption", {}, caption), make("thead", {}, head), body);
    const box = make("div", { class: "table" }, make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, table));
    seedbed.enhance(box);
    return make("details", { class: "numbers" }, make("summary", {}, "The numbers"), box);
  };

  const spread = { criterion: excess.title, statistic: "mean" };
  const spreadBox = make("div");
  const distribution = () => {
    const criterion = criteria.get(spread.criterion);
    const statistic = criterion.statistics[spread.statistic] ? spread.statistic : "mean";
    const rows = methods.map((method, m) => {
      const all = values(criterion, statistic, m);
      const list = picked.map((i) => all[i]);
      return { method, box: summary(list), dots: picked.length <= 200 ? list : null };
    });
    const label = `${criterion.title}: how the ${STATISTICS[statistic]} over the runs is spread over ${picked.length.toLocaleString("en")} data sets`;
    const note = statistic === spread.statistic ? [] : [make("p", { class: "note" }, "The page carries only the mean of this criterion; summary.csv has the rest.")];
    spreadBox.replaceChildren(
      ...note,
      make("div", { class: "drawing" }, boxes(criterion, rows, label)),
      make("p", { class: "note" }, label + ". Box: quartiles; line: all; bar: median; marker: mean."),
      boxTable(criterion, rows, label),
    );
  };

  // ---- one data set
  let opened = null;
  const detail = make("section", { id: "dataset", "aria-labelledby": "dataset-title", hidden: "" });
  const open = (i, quietly) => {
    opened = i;
    detail.hidden = false;
    showDetail();
    if (quietly) return;
    detail.scrollIntoView({ block: "start" });
    document.getElementById("dataset-title").focus({ preventScroll: true });
  };
  const showDetail = () => {
    if (opened === null) return;
    const i = opened;
    const criterion = criteria.get(spread.criterion);
    const spreads = Boolean(criterion.statistics.q1);
    const rows = methods.map((method, m) => {
      const n = study.runs[m];
      if (!spreads) {
        const mean = values(criterion, "mean", m)[i];
        return { method, box: Number.isNaN(mean) ? null : { min: mean, q1: mean, median: mean, q3: mean, max: mean, mean } };
      }
      const box = Object.fromEntries(Object.keys(STATISTICS).map((name) => [name, values(criterion, name, m)[i]]));
      let dots = null;
      if (criterion.runs && n > 1) {
        const width = study.width;
        dots = valued(criterion, criterion.runs[m].slice(i * n * width, (i + 1) * n * width));
      }
      return { method, box: Number.isNaN(box.mean) ? null : box, dots };
    });
    const facts = [["class", columns.group[i]], ["rows", columns.n[i].toLocaleString("en")], ["attributes", columns.d[i]], ["clusters", columns.k[i]]];
    if (columns.overlap[i] !== null) facts.push(["mean overlap", columns.overlap[i]]);
    facts.push(["best known SSE", String(sets.best[i])]);
    const title = make("h3", { id: "dataset-title", tabindex: "-1" }, sets.names[i]);
    const step = (words, by) => {
      const button = make("button", { type: "button" }, words);
      const next = picked[picked.indexOf(i) + by];
      button.disabled = next === undefined || !picked.includes(i);
      button.addEventListener("click", () => open(next));
      return button;
    };
    const close = make("button", { type: "button", id: "dataset-close" }, "Close");
    close.addEventListener("click", () => { opened = null; detail.hidden = true; document.getElementById("heat")?.focus(); });
    const label = `${sets.names[i]}, ${criterion.title}: runs of each method`;
    const note = spreads ? (criterion.runs ? " Box: quartiles; dots: single runs; marker: mean." : " Box: quartiles; line: all; bar: median; marker: mean.") : " The page carries only the means of this criterion.";
    detail.replaceChildren(
      title,
      make("div", { class: "controls" }, step("Previous", -1), step("Next", 1), close),
      make("dl", {}, ...facts.map(([term, said]) => make("div", {}, make("dt", {}, term), make("dd", {}, String(said))))),
      make("div", { class: "drawing" }, boxes(criterion, rows, label)),
      make("p", { class: "note" }, label + "." + note),
      boxTable(criterion, rows, label),
    );
  };

  // ---- the data sets as a table
  let listed = 100;
  const sorting = { by: "name", upwards: true };
  const tableBox = make("div", { class: "table" });
  const described = [["class", "group"], ["N", "n"], ["D", "d"], ["K", "k"], ["overlap", "overlap"]]
    .filter(([, name]) => name === "n" || name === "d" || name === "k" || sets[name].levels.length > 1);
  const cellsOf = (i) => [
    sets.names[i], ...described.map(([, name]) => columns[name][i]),
    ...methods.map((_, m) => values(excess, heat.statistic, m)[i]),
  ];
  const list = () => {
    const heads = ["data set", ...described.map(([title]) => title), ...methods.map((method) => method.name)];
    const at = heads.indexOf(sorting.by);
    let order = picked;
    if (at >= 0) {
      order = picked.map((i) => [cellsOf(i)[at], i]).sort(([a], [b]) => {
        const missing = (x) => x === null || Number.isNaN(x);
        if (missing(a) || missing(b)) return missing(a) - missing(b);
        const way = typeof a === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
        return sorting.upwards ? way : -way;
      }).map(([, i]) => i);
    }
    const head = make("tr", {}, ...heads.map((title, column) => {
      const button = make("button", { type: "button", title: "Sort by " + title }, title);
      button.addEventListener("click", () => {
        sorting.upwards = sorting.by === title ? !sorting.upwards : true;
        sorting.by = title;
        list();
        tableBox.querySelectorAll("th button")[column].focus();
      });
      const way = sorting.by === title ? (sorting.upwards ? "ascending" : "descending") : "none";
      return make("th", { scope: "col", class: column > 0 && title !== "class" ? "n" : "", "aria-sort": way }, button);
    }));
    const body = make("tbody", {}, ...order.slice(0, listed).map((i) => {
      const button = make("button", { type: "button", class: "link" }, sets.names[i]);
      button.addEventListener("click", () => open(i));
      const cells = cellsOf(i).slice(1);
      const said = cells.splice(0, described.length).map((x) => {
        if (typeof x === "string") return make("td", {}, x);
        return make("td", { class: "n" }, x === null ? "–" : x.toLocaleString("en"));
      });
      const shares = cells.map((x) => make("td", { class: "n" + (x <= LEAST ? " good" : "") }, shown(excess, x)));
      return make("tr", {}, make("td", {}, button), ...said, ...shares);
    }));
    const words = `Final SSE above the best known, ${STATISTICS[heat.statistic]} of the runs`;
    const parts = [make("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": words }, make("table", { id: "sets" }, make("caption", {}, words), make("thead", {}, head), body))];
    if (order.length > listed) {
      const more = make("button", { type: "button" }, `Show more (${listed} of ${order.length.toLocaleString("en")} shown)`);
      more.addEventListener("click", () => { listed += 400; list(); });
      parts.push(more);
    }
    tableBox.replaceChildren(...parts);
  };

  const showAll = () => { heatMap(); distribution(); list(); showDetail(); };

  // ---- putting it together
  const available = Object.keys(STATISTICS).filter((name) => excess.statistics[name]);
  const named = (names) => names.map((name) => STATISTICS[name]);
  const keyOf = (title) => Object.keys(STATISTICS).find((name) => STATISTICS[name] === title);
  const orders = Object.entries(ORDERS).filter(([name]) => name === "name" || name === "excess" || sets[name].levels.length > 1);
  const heatControls = make("div", { class: "controls" },
    select("statistic of the runs", named(available), (title) => { heat.statistic = keyOf(title); heatMap(); list(); }, STATISTICS.mean),
    select("data sets in the order of", orders.map(([, title]) => title), (title) => { heat.order = orders.find(([, t]) => t === title)[0]; heatMap(); }, "name"));
  const spreadControls = make("div", { class: "controls" },
    select("criterion", [...criteria.keys()], (title) => { spread.criterion = title; distribution(); showDetail(); }, excess.title),
    select("statistic of the runs", named(available), (title) => { spread.statistic = keyOf(title); distribution(); }, STATISTICS.mean));
  const numbers = make("details", { id: "sets-details", open: "" }, make("summary", {}, "The numbers: data set by data set"), tableBox);
  root.replaceChildren(
    controls,
    make("h3", {}, "Final SSE above the best known, methods × data sets"), heatControls, heatBox, heatLegend, heatSays, numbers,
    detail,
    make("h3", {}, "Distributions"), spreadControls, spreadBox,
  );
  choose();
  let resized = 0;
  let width = root.clientWidth;
  addEventListener("resize", () => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    cancelAnimationFrame(resized);
    resized = requestAnimationFrame(() => { heatMap(); distribution(); showDetail(); });
  });
})();
