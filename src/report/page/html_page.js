"use strict";
// Draws the report. Texts of the program reach the page only as text nodes.

(() => {
  const page = JSON.parse(document.getElementById("data").textContent);
  // A page of several answers has a table of them, and shows the one that the address names: #finding=2.
  const findings = page.findings || [page];
  const wanted = Number(new URLSearchParams(location.hash.slice(1)).get("finding") || 1) - 1;
  const shown = findings[wanted] ? wanted : 0;
  const data = findings[shown];
  const byId = (id) => document.getElementById(id);
  const main = byId("main");
  const HUES = [215, 28, 150, 285, 335, 185, 52, 250, 100, 310, 200, 72, 168, 15, 128, 232];
  const ROW = 46, CARD = 40, GUTTER = 42, RAIL = 12, TOP = 8, NARROWEST = 150, NARROW_LANES = 30, LEAST_CARD = 240, MOST_ROWS = 3000;

  // --- colours and names ---

  function coloured(element, thread) {
    element.classList.add("t");
    element.style.setProperty("--hue", HUES[thread % HUES.length]);
    return element;
  }

  const base = (path) => path.slice(path.lastIndexOf("/") + 1);
  const label = (t) => data.threads[t].label + " " + data.threads[t].routine;
  const chip = (t, text) => coloured(make("span", { class: "chip", title: "thread " + label(t) }, text || label(t)), t);

  // --- source panel ---

  const lines = data.sources.map((source) => (source.text === null ? null : source.text.split("\n")));
  const sourceView = { shown: -1, rows: [], marked: [] };

  function sourceLine(position) {
    const text = lines[position.source];
    return text && position.line <= text.length ? text[position.line - 1].trim() : position.fn ? "in " + position.fn : "";
  }

  function placeText(position) {
    return data.sources.length > 1 ? base(data.sources[position.source].path) + ":" + position.line : "line " + position.line;
  }

  function makeSourcePanel() {
    const tabs = data.sources.map((source, i) =>
      make("button", { type: "button", role: "tab", title: source.path, onclick: () => { showSource(i); drawMarks(); } }, base(source.path)));
    return make("div", { class: "panel", id: "source-panel" }, make("div", { id: "tabs", role: "tablist" }, tabs),
      make("div", { id: "source", tabindex: "0", role: "region", "aria-label": "source" }));
  }

  function showSource(index) {
    if (sourceView.shown === index) return;
    sourceView.shown = index;
    sourceView.rows = [];
    [...byId("tabs").children].forEach((tab, i) => tab.setAttribute("aria-selected", String(i === index)));
    const text = make("div", { class: "text" });
    let inComment = false;
    for (const [i, line] of (lines[index] || []).entries()) {
      const code = make("span");
      inComment = addCode(code, line, inComment);
      const row = make("div", { class: "src", "data-line": i + 1 }, make("span", { class: "marks" }), make("span", { class: "n" }, String(i + 1)), code);
      sourceView.rows.push(row);
      text.append(row);
    }
    if (!lines[index]) text.append(make("p", { class: "note" }, "The text of this file is not in the report."));
    byId("source").replaceChildren(text);
  }

  let marks = []; // { thread, source, line, now, waiting }
  function drawMarks(follow) {
    for (const row of sourceView.rows) {
      if (!row.marked) continue;
      row.className = "src";
      row.style.removeProperty("--hue");
      row.firstChild.replaceChildren();
      row.marked = false;
    }
    const ordered = marks.slice().sort((a, b) => a.now - b.now);
    for (const mark of ordered) {
      const row = mark.source === sourceView.shown ? sourceView.rows[mark.line - 1] : null;
      if (!row) continue;
      row.marked = true;
      coloured(row, mark.thread).classList.add(mark.now ? "now" : "here");
      if (mark.bad) row.classList.add("bad");
      const sign = chip(mark.thread, data.threads[mark.thread].label);
      sign.title = "thread " + label(mark.thread) + (mark.waiting ? " waits here" : "");
      if (mark.now) sign.classList.add("active");
      if (mark.waiting) sign.classList.add("waiting");
      row.firstChild.append(sign);
      crowd(row.firstChild);
      if (mark.now && follow) reveal(byId("source"), row.offsetTop, 19);
    }
  }

  // Many threads on one line: the last ones are named, the others counted.
  function crowd(signs) {
    const counted = signs.firstChild.dataset.count ? signs.firstChild : null;
    if (signs.children.length <= 3) return;
    const count = counted ? Number(counted.dataset.count) + 1 : 2;
    signs.children[0].remove();
    signs.children[0].remove();
    signs.prepend(make("span", { class: "more", "data-count": count }, "+" + count));
  }

  // Scrolls only as far as needed, with some lines around.
  function reveal(box, top, height) {
    const margin = Math.min(box.clientHeight / 4, 120);
    if (top < box.scrollTop + margin) box.scrollTop = top - margin;
    else if (top + height > box.scrollTop + box.clientHeight - margin) box.scrollTop = top + height - box.clientHeight + margin;
  }

  // --- what every answer has ---

  function drawHead() {
    document.documentElement.classList.add(data.answer);
    byId("verdict").textContent = data.answer;
    const what = { UNSAFE: data.violation || "the property is violated", SAFE: data.claim, UNKNOWN: data.reason || "no answer" }[data.answer];
    const files = data.files.map(base).join(", ");
    byId("summary").append(make("div", { class: "what" }, what[0].toUpperCase() + shorten(what).slice(1)),
      data.why ? make("div", { class: "why" }, shorten(data.why)) : "",
      ...data.notes.map((note) => make("div", { class: "why" }, shorten(note))),
      make("div", { class: "where" }, files + " · property " + data.property + (data.answer === "SAFE" ? "" : ": " + data.claim)));
  }

  // The table of goals, with the findings of each property behind it.
  function drawFindings() {
    if (!page.table) return;
    const heads = ["property", "goals", "proved", "violated", "open", ""];
    const rows = page.table.map(([property, answer, reason, ...counts]) =>
      make("tr", { class: answer }, make("td", {}, property), counts.map((count) => make("td", {}, String(count))),
        make("td", {}, findingButtons(property), reason ? make("span", { class: "old" }, "open: " + shorten(reason)) : null)));
    byId("findings").hidden = false;
    byId("findings").append(make("table", {}, make("thead", {}, make("tr", {}, heads.map((head) => make("th", {}, head)))), make("tbody", {}, rows)));
  }

  function findingButtons(property) {
    return findings.map((finding, i) => {
      if (finding.property !== property) return null;
      const text = shorten(finding.violation || finding.answer);
      return make("button", { type: "button", title: text, "aria-current": i === shown ? "true" : null, onclick: () => showFinding(i) }, text);
    });
  }

  // The page is drawn again from its beginning.
  function showFinding(index) {
    const address = new URLSearchParams(location.hash.slice(1));
    address.delete("step");
    address.set("finding", index + 1);
    location.hash = address.toString();
    location.reload();
  }

  // The heading is cut to what the window has room for; this shows all of it, or cuts it again.
  function toggleMore() {
    const open = byId("head").classList.toggle("open");
    byId("more-button").setAttribute("aria-expanded", String(open));
    byId("more-button").textContent = open ? "Less" : "More";
  }

  // The button is there if something is cut.
  function offerMore() {
    const cut = [...byId("summary").children].some((line) => !line.clientHeight || line.scrollHeight > line.clientHeight + 1 || line.scrollWidth > line.clientWidth + 1);
    byId("more-button").hidden = !cut && !byId("head").classList.contains("open");
  }

  // Paths in sentences are shown by their last part.
  function shorten(text) {
    const alone = data.sources.length === 1; // then "line" says it all
    for (const source of data.sources) {
      if (alone) text = text.split(source.path + ":").join("line ");
      if (source.path.includes("/")) text = text.split(source.path).join(base(source.path));
      if (alone) text = text.split(base(source.path) + ":").join("line ");
    }
    return text;
  }

  function foldable(title, content, open) {
    return make("details", open ? { open: "" } : {}, make("summary", {}, title), content);
  }

  function list(texts) {
    return make("ul", { class: "plain" }, texts.map((text) => make("li", {}, text)));
  }

  function basis() {
    const parts = [];
    if (data.covered && data.answer !== "UNSAFE") parts.push(make("section", {}, make("h2", {}, "Covered"), make("div", {}, data.covered)));
    if (data.cuts.length) {
      const cuts = data.cuts.map(([kind, what]) => kind + ": " + shorten(what));
      parts.push(make("section", {}, make("h2", {}, "Limits met"), list(cuts)));
    }
    if (data.assumptions.length) {
      parts.push(make("section", {}, make("h2", {}, "What the answer rests on"), list(data.assumptions)));
    }
    if (data.invariant) {
      const facts = data.invariant.split(" && ").map((fact) => make("li", {}, make("code", {}, fact)));
      parts.push(make("section", {}, make("h2", {}, "What holds in every state"), make("ul", { class: "plain", id: "invariant" }, facts)));
    }
    const statistics = make("table", { class: "statistics" }, data.statistics.map(([name, value]) =>
      make("tr", {}, make("td", {}, name.replaceAll("_", " ")), make("td", {}, formatNumber(value)))));
    parts.push(make("section", {}, foldable("Statistics", statistics, false)));
    parts.push(make("p", { class: "more" }, "Heddle " + data.version + (data.model ? ", data model " + data.model : "")));
    return parts;
  }

  const formatNumber = (value) => (Number.isInteger(value) ? value.toLocaleString("en-US") : value.toPrecision(3));

  // --- a violation: lanes, source, values ---

  let model, view; // view: { all, rows, rowOf, arrows, at } where `at` counts the rows that have happened

  function drawTrace() {
    model = buildModel(data);
    main.className = lanesUsed().length > 6 ? "trace many" : "trace";
    const lanes = make("div", { class: "panel", id: "lanes", tabindex: "0", role: "region", "aria-label": "threads" },
      make("div", { id: "lane-heads" }), make("div", { id: "canvas" }));
    main.append(lanes, makeSourcePanel(), make("div", { class: "panel", id: "state", tabindex: "0", role: "region", "aria-label": "values" }));
    byId("controls").hidden = false;
    byId("fold").parentElement.hidden = !data.rounds.length;
    lanes.addEventListener("scroll", () => requestAnimationFrame(drawLanes));
    new ResizeObserver(() => requestAnimationFrame(resized)).observe(lanes);
    setRows(false);
  }

  // The threads that take a step, in their order.
  function lanesUsed() {
    return [...new Set(model.steps.map((step) => step.thread))].sort((a, b) => a - b);
  }

  function setRows(all) {
    const step = view ? lastStep() : model.steps.length - 1;
    const made = makeRows(model, all), unfolded = view ? view.unfolded : new Set();
    const { rows, rowOf } = all || !byId("fold").checked ? made : foldRounds(model, made, unfolded);
    view = { all, rows, rowOf, unfolded, arrows: rowArrows(model, rowOf), at: 0, open: view ? view.open : new Set(lanesUsed().length <= 4 ? lanesUsed() : []) };
    byId("all").checked = all;
    byId("slider").max = rows.length;
    layOut();
    goTo(step < 0 ? 0 : rowOf[step] + 1);
  }

  function setFolded(folded) {
    byId("fold").checked = folded;
    view.unfolded.clear();
    setRows(view.all);
  }

  function unfold(row) {
    view.unfolded.add(row.first);
    setRows(false);
    goTo(view.rowOf[row.first] + 1);
  }

  const lastStep = () => (view.at ? view.rows[view.at - 1].last : -1);

  function goTo(at) {
    view.at = Math.max(0, Math.min(view.rows.length, at));
    byId("slider").value = view.at;
    byId("slider").setAttribute("aria-valuetext", "step " + view.at);
    byId("counter").textContent = view.at ? "step " + view.at + " of " + view.rows.length : "start of " + view.rows.length;
    revealRow();
    drawLanes();
    drawState();
  }

  function revealRow() {
    reveal(byId("lanes"), TOP + Math.max(0, view.at - 1) * ROW, ROW + (view.at === view.rows.length ? 110 : 34));
  }

  function resized() {
    layOut();
    revealRow();
    drawLanes();
    drawMarks(true);
  }

  function goToSwitch(direction) {
    let at = view.at + direction;
    while (at > 1 && at < view.rows.length && view.rows[at - 1].thread === view.rows[at - 2].thread) at += direction;
    goTo(at);
  }

  // --- lanes ---

  let lanes; // { order: [thread], x: {thread: x}, width, card, total }

  function layOut() {
    if (!view) return;
    const order = lanesUsed();
    const room = Math.max(250, byId("lanes").clientWidth - GUTTER - 6), count = Math.max(1, order.length);
    const narrow = room / count < NARROWEST; // then rails stand close together, and all cards to their right
    const width = narrow ? Math.max(NARROW_LANES, Math.min(56, (room - LEAST_CARD - 140) / count)) : room / count;
    const total = GUTTER + (narrow ? Math.max(room, width * count + Math.min(LEAST_CARD, room - 70)) : room);
    lanes = { order, x: {}, width, narrow, total };
    order.forEach((thread, i) => (lanes.x[thread] = GUTTER + i * width));
    lanes.span = {}; // of each thread, in rows
    view.rows.forEach((row, i) => {
      const span = (lanes.span[row.thread] = lanes.span[row.thread] || { first: i, last: i });
      span.last = i;
    });
    byId("lane-heads").className = narrow ? "narrow" : "";
    byId("lane-heads").style.width = byId("canvas").style.width = lanes.total + "px";
    byId("lane-heads").replaceChildren(...order.map((thread) => {
      const head = make("div", { class: "lane-head" }, chip(thread, narrow ? data.threads[thread].label : null));
      head.style.left = lanes.x[thread] + "px";
      head.style.width = width + "px";
      if (narrow) head.style.paddingLeft = "0";
      return head;
    }));
    byId("canvas").style.height = TOP + view.rows.length * ROW + 110 + "px";
  }

  const rowTop = (row) => TOP + row * ROW;
  const rowMiddle = (row) => rowTop(row) + CARD / 2;

  function cardBox(row) {
    const x = lanes.x[view.rows[row].thread] + RAIL + 10;
    if (!lanes.narrow) return { x, width: lanes.width - RAIL - 22 };
    const left = GUTTER + lanes.width * lanes.order.length + 4;
    return { x: left, width: lanes.total - left - 8 };
  }

  function drawLanes() {
    if (!view || !lanes) return;
    const box = byId("lanes");
    const first = Math.max(0, Math.floor((box.scrollTop - 34 - TOP) / ROW) - 4);
    const last = Math.min(view.rows.length - 1, Math.ceil((box.scrollTop + box.clientHeight) / ROW) + 4);
    const parts = [drawing(first, last)];
    for (let i = first; i <= last; i++) parts.push(...card(i));
    parts.push(violationRow(), ...loopLines());
    byId("canvas").replaceChildren(...parts);
  }

  function card(index) {
    const row = view.rows[index], box = cardBox(index), parts = [];
    const now = index === view.at - 1;
    const text = row.notes.map(noteText).join(", ");
    const position = row.position >= 0 ? model.positions[row.position] : null;
    const notes = make("div", { class: "notes" }, row.notes.map((note, i) =>
      [i ? ", " : "", note.before, make("b", {}, note.name), note.text]).flat());
    let code = null;
    if (position) {
      code = make("div", { class: "code" }, make("span", { class: "line-number" }, String(position.line)));
      addCode(code, sourceLine(position), false);
    }
    const state = now ? " now" : index >= view.at ? " future" : "";
    const element = make("div", {
      class: "card" + state + (code && row.notes.length ? "" : " single") + (row.rounds ? " rounds" : "") + (index === view.rows.length - 1 ? " last" : ""),
      title: (position ? placeText(position) + "  " : "") + text,
      "data-row": index + 1, onclick: () => goTo(index + 1), ondblclick: () => row.rounds && unfold(row),
    }, code, row.notes.length || !code ? notes : null);
    if (row.rounds) notes.prepend(unfoldButton(row), " ");
    coloured(element, row.thread);
    element.style.top = rowTop(index) + "px";
    element.style.left = box.x + "px";
    element.style.width = box.width + "px";
    const number = make("div", { class: "number", onclick: () => goTo(index + 1) }, String(index + 1));
    number.style.top = rowTop(index) + "px";
    parts.push(number, element);
    if (index && view.rows[index - 1].thread !== row.thread) {
      const line = make("div", { class: "switch-line" });
      line.style.top = rowTop(index) - (ROW - CARD) / 2 + "px";
      parts.push(line);
    }
    return parts;
  }

  function unfoldButton(row) {
    const click = (event) => { event.stopPropagation(); unfold(row); };
    return make("button", { type: "button", class: "jump unfold", title: "Show these rounds", onclick: click }, "show");
  }

  function violationRow() {
    const element = make("div", { id: "violation-row", class: view.at === view.rows.length ? "now" : "", onclick: () => goTo(view.rows.length) },
      "✖ " + shorten(data.violation || "the property is violated"));
    element.style.top = rowTop(view.rows.length) + 6 + "px";
    return element;
  }

  function loopLines() {
    if (model.loop < 0) return [];
    const line = (top, text) => {
      const element = make("div", { class: "loop-line" }, make("span", {}, text));
      element.style.top = top + "px";
      return element;
    };
    const end = rowTop(view.rows.length) - 3;
    if (model.loop >= model.steps.length) return [line(end, "from here on nothing happens any more")];
    const row = view.rowOf[model.loop];
    return [line(rowTop(row) - 3, "↻ the loop begins here"), line(end, "↻ and so on, from step " + (row + 1))];
  }

  function drawing(first, last) {
    const top = rowTop(first) - ROW, bottom = rowTop(last + 1) + ROW;
    const picture = svg("svg", { id: "drawing", width: lanes.total, height: bottom - top, viewBox: "0 " + top + " " + lanes.total + " " + (bottom - top), "aria-hidden": "true" });
    picture.style.top = top + "px";
    picture.append(svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 8 8", refX: "7", refY: "4", markerWidth: "8", markerHeight: "8", markerUnits: "userSpaceOnUse", orient: "auto" },
      svg("path", { d: "M0 0 L8 4 L0 8 z", fill: "context-stroke" }))));
    for (const thread of lanes.order) drawRail(picture, thread, first, last);
    drawHolds(picture, first, last);
    for (let i = first; i <= last; i++) {
      const x = lanes.x[view.rows[i].thread] + RAIL, y = rowMiddle(i);
      if (lanes.narrow) picture.append(coloured(svg("line", { class: "lead-line", x1: x, x2: cardBox(i).x, y1: y, y2: y }), view.rows[i].thread));
    }
    for (let i = first; i <= last; i++) {
      const dot = svg("circle", { class: "dot", cx: lanes.x[view.rows[i].thread] + RAIL, cy: rowMiddle(i), r: 5 });
      picture.append(coloured(dot, view.rows[i].thread));
    }
    if (byId("arrows").checked) drawArrows(picture, first, last);
    return picture;
  }

  function drawRail(picture, thread, first, last) {
    const x = lanes.x[thread] + RAIL, span = lanes.span[thread];
    const ended = model.steps[view.rows[span.last].last].action;
    const over = ended && ["exit", "halt"].includes(ended[0]);
    const line = (from, to, kind) => {
      from = Math.max(from, first - 1);
      to = Math.min(to, last + 1);
      if (from < to) picture.append(coloured(svg("line", { class: "lane-line" + kind, x1: x, x2: x, y1: rowMiddle(from), y2: rowMiddle(to) }), thread));
    };
    line(-1, span.first, " sleeping");
    line(span.first, over ? span.last : view.rows.length, "");
  }

  function drawHolds(picture, first, last) {
    const locks = [...new Set(model.holds.map((hold) => hold.place))];
    for (const hold of model.holds) {
      if (!(hold.thread in lanes.x)) continue;
      const from = view.rowOf[hold.first], to = hold.last < model.steps.length ? view.rowOf[hold.last] : view.rows.length;
      if (to < first - 1 || from > last + 1) continue;
      const x = lanes.x[hold.thread] + RAIL - 8 - (locks.indexOf(hold.place) % 2) * 5;
      const line = svg("line", { class: "held", x1: x, x2: x, y1: rowMiddle(Math.max(from, first - 1)), y2: rowMiddle(Math.min(to, last + 1)) },
        svg("title", {}, "holds " + model.places[hold.place].name));
      line.style.setProperty("--hue", (200 + locks.indexOf(hold.place) * 67) % 360);
      picture.append(line);
    }
  }

  // From card to rail, or from rail to card; where lanes are narrow, from dot to dot.
  function arrowPath(arrow) {
    const from = lanes.x[view.rows[arrow.from].thread] + RAIL, to = lanes.x[view.rows[arrow.to].thread] + RAIL;
    const y1 = rowMiddle(arrow.from) + 5, y2 = rowMiddle(arrow.to) - (lanes.narrow ? 6 : 5);
    if (lanes.narrow) {
      const bend = Math.min(60, (y2 - y1) / 2);
      return { x1: from, y1, x2: to, y2, d: `M${from} ${y1} C${from} ${y1 + bend} ${to} ${y2 - bend} ${to} ${y2}` };
    }
    const right = to > from, edge = (row) => cardBox(row).x + cardBox(row).width;
    const x1 = right ? edge(arrow.from) : from - 5, x2 = right ? to - 6 : edge(arrow.to) + 1;
    const bend = Math.max(14, Math.min(60, Math.abs(x2 - x1) / 2)) * (right ? 1 : -1);
    return { x1, y1, x2, y2, d: `M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` };
  }

  function drawArrows(picture, first, last) {
    const many = view.arrows.length > 400, now = view.at - 1, labels = [];
    for (const arrow of view.arrows) {
      const lit = arrow.to === now || arrow.from === now;
      if (arrow.to < first - 1 || arrow.from > last + 1 || (many && !lit)) continue;
      const writer = view.rows[arrow.from].thread, reader = view.rows[arrow.to].thread;
      const { x1, y1, x2, y2, d } = arrowPath(arrow);
      const path = svg("path", { class: "arrow " + arrow.kind + (lit ? " lit" : ""), "data-from": arrow.from + 1, "data-to": arrow.to + 1, d });
      picture.append(coloured(path, writer));
      if (!lit || arrow.kind === "thread") continue;
      const text = arrow.kind === "lock" ? placeName(model, arrow.place) : placeName(model, arrow.place) + " = " + arrow.value;
      const fromLeft = !lanes.narrow && x2 > x1; // the label stands on the side of the arrow that has no card below it
      labels.push(coloured(svg("text", { class: "arrow-label", x: (x1 + x2) / 2 + (fromLeft ? -10 : 10), y: (y1 + y2) / 2, "text-anchor": fromLeft ? "end" : "start" }, text), writer));
    }
    picture.append(...labels);
  }

  // --- paper: the rows that are shown, as a table that breaks between rows ---

  function drawPrinted() {
    if (!view) return;
    const rows = view.rows.map((row, i) => {
      const code = make("td", { class: "code" });
      if (row.position >= 0) addCode(code, sourceLine(model.positions[row.position]), false);
      return make("tr", {}, make("td", {}, String(i + 1)), make("td", {}, i && view.rows[i - 1].thread === row.thread ? "" : chip(row.thread)),
        make("td", {}, row.position >= 0 ? placeText(model.positions[row.position]).replace(/^line /, "") : ""), code,
        make("td", {}, row.notes.map(noteText).join(", ")));
    });
    const head = make("thead", {}, make("tr", {}, ["step", "thread", "line", "statement", "what it did"].map((text) => make("th", {}, text))));
    const loop = model.loop >= 0 && model.loop < model.steps.length ? "from step " + (view.rowOf[model.loop] + 1) + " on, again and again" : "";
    byId("printed").replaceChildren(make("h2", {}, "Execution"), make("table", {}, head, make("tbody", {}, rows)), make("p", {}, loop),
      make("p", { class: "broken" }, "✖ " + shorten(data.violation || "the property is violated")));
    for (const [i, text] of lines.entries()) {
      if (text) byId("printed").append(make("h2", {}, base(data.sources[i].path)), printedSource(text));
    }
  }

  function printedSource(text) {
    let inComment = false;
    return make("div", { class: "listing" }, text.map((line, i) => {
      const code = make("span");
      inComment = addCode(code, line, inComment);
      return make("div", {}, make("span", { class: "n" }, String(i + 1)), code);
    }));
  }

  // --- values ---

  function drawState() {
    const atEnd = view.at === view.rows.length, row = view.at ? view.rows[view.at - 1] : null;
    const state = stateAfter(model, lastStep());
    const changed = new Map(); // place -> value before the row
    for (let i = row ? row.first : 0; row && i <= row.last; i++)
      for (const change of model.steps[i].changes)
        if (!(change.flags & READ) && !changed.has(change.place)) changed.set(change.place, change.before);
    byId("state").replaceChildren(nowSection(row, atEnd), lockSection(state, changed, atEnd), sharedSection(state, changed), threadSection(state, changed, atEnd), ...(atEnd ? basis() : []));
    marks = data.threads.flatMap((_, t) => markOf(state, t, row, atEnd));
    const now = marks.find((mark) => mark.now);
    if (now) showSource(now.source);
    else if (sourceView.shown < 0) showSource(0);
    drawMarks(true);
    byId("spoken").textContent = row ? "step " + view.at + ", " + threadName(model, row.thread) + ", " + row.notes.map(noteText).join(", ") : "start";
  }

  function markOf(state, t, row, atEnd) {
    const thread = state.threads[t], wait = waiting(model, state, t, atEnd);
    if (thread.status === "ended" && !(row && row.thread === t)) return [];
    const index = wait && thread.next >= 0 ? thread.next : thread.position;
    if (index < 0) return [];
    const position = model.positions[index], now = Boolean(row) && row.thread === t;
    return [{ thread: t, source: position.source, line: position.line, now, waiting: Boolean(wait), bad: now && atEnd }];
  }

  function jump(step) {
    return make("button", { type: "button", class: "jump", onclick: () => goTo(view.rowOf[step] + 1) }, "step " + (view.rowOf[step] + 1));
  }

  function nowSection(row, atEnd) {
    const section = make("section", {}, make("h2", {}, row ? "Step " + view.at : "Start"));
    const box = make("div", { class: "now-card", id: "now" });
    section.append(box);
    if (!row) {
      box.append("Nothing has happened yet. Press ↓ or j to go on.");
      return section;
    }
    coloured(box, row.thread);
    box.append(chip(row.thread));
    if (row.position >= 0) {
      const position = model.positions[row.position], code = make("div", { class: "code" });
      box.append(make("span", { class: "more" }, " " + placeText(position)));
      addCode(code, sourceLine(position), false);
      box.append(code);
    }
    const items = row.notes.filter((note) => !note.before).map((note) => make("li", {}, note.name, note.text));
    box.append(make("ul", {}, items, row.rounds ? make("li", {}, unfoldButton(row), " these rounds") : readItems(row)));
    if (atEnd) box.append(make("div", { class: "broken", id: "broken" }, "✖ here the property is violated"));
    if (atEnd && data.why) box.append(make("div", { class: "why" }, shorten(data.why)));
    return section;
  }

  function readItems(row) {
    const seen = new Set(), items = [];
    for (let i = row.first; i <= row.last; i++) {
      for (const change of model.steps[i].changes) {
        const place = model.places[change.place], value = change.flags & UPDATE ? change.before : change.after;
        if (!(change.flags & (READ | UPDATE)) || !shows(model, change, view.all) || place.kind === "lock") continue;
        const key = change.place + " " + change.from + " " + value;
        if (seen.has(key) || (change.from >= row.first && change.from <= row.last)) continue;
        seen.add(key);
        const item = make("li", {}, "reads " + place.name + " = " + value);
        if (change.flags & CHOSEN) item.append(" (input)");
        else if (change.from < 0) item.append(" (initial value)");
        else item.append(", written by ", chip(model.steps[change.from].thread, data.threads[model.steps[change.from].thread].label), " in ", jump(change.from));
        items.push(item);
      }
    }
    return items;
  }

  function valueRow(state, changed, p, shownValue) {
    const place = model.places[p], isChanged = changed.has(p);
    const value = make("td", {}, shownValue || (state.values[p] === null ? "?" : state.values[p]));
    if (isChanged && !shownValue && changed.get(p) !== state.values[p]) value.append(make("span", { class: "old" }, " was " + (changed.get(p) === null ? "?" : changed.get(p))));
    const writer = state.writers[p], who = make("td", { class: "writer" });
    if (writer >= 0 && place.kind === "shared") {
      const sign = chip(model.steps[writer].thread, data.threads[model.steps[writer].thread].label);
      sign.title = "written by thread " + label(model.steps[writer].thread) + " in step " + (view.rowOf[writer] + 1);
      who.append(sign);
    }
    const name = make("td", {}, place.name, place.hint ? make("span", { class: "old" }, " " + place.hint) : null);
    return make("tr", { class: isChanged ? "changed" : "", "data-place": place.name }, name, value, place.kind === "shared" ? who : null);
  }

  function sharedSection(state, changed) {
    const listed = [...model.places.keys()].filter((p) => model.places[p].kind === "shared" && (model.places[p].initial !== null || state.touched[p] >= 0));
    const section = make("section", { id: "shared" }, make("h2", {}, "Shared variables"));
    if (!listed.length) section.append(make("div", { class: "more" }, "none yet"));
    section.append(make("table", { class: "values" }, listed.map((p) => valueRow(state, changed, p))));
    const inside = [...model.places.keys()].filter((p) => model.places[p].kind === "sync" && state.touched[p] >= 0);
    if (inside.length) section.append(remember("sync", make("span", { class: "more" }, "inside library objects"), make("table", { class: "values" }, inside.map((p) => valueRow(state, changed, p)))));
    return section;
  }

  // A foldable part that stays as the reader left it while stepping.
  function remember(key, title, content) {
    const element = make("details", view.open.has(key) ? { open: "" } : {}, make("summary", {}, title), content);
    element.addEventListener("toggle", () => (element.open ? view.open.add(key) : view.open.delete(key)));
    return element;
  }

  function lockSection(state, changed, atEnd) {
    const locks = [...model.places.keys()].filter((p) => model.places[p].kind === "lock" && (model.places[p].initial !== null || state.touched[p] >= 0));
    const section = make("section", { id: "locks" });
    if (!locks.length) return section;
    const rows = locks.map((p) => {
      const holder = Number(state.values[p] || 0) - 1;
      const held = holder >= 0 && holder < data.threads.length ? chip(holder) : make("span", { class: "free" }, holder < 0 ? "free" : state.values[p]);
      const row = valueRow(state, changed, p, held);
      const waiters = data.threads.map((_, t) => t).filter((t) => (waiting(model, state, t, atEnd) || {}).lock === p && t !== holder);
      if (waiters.length) row.children[1].append(make("div", { class: "more" }, "wanted by ", waiters.map((t) => chip(t, data.threads[t].label))));
      return row;
    });
    section.append(make("h2", {}, "Locks"), make("table", { class: "values" }, rows));
    return section;
  }

  const STATUS = { unborn: "not created yet", created: "created, not started", running: "runs", ended: "has ended" };

  function threadSection(state, changed, atEnd) {
    const section = make("section", { id: "threads" }, make("h2", {}, "Threads"));
    data.threads.forEach((_, t) => {
      const thread = state.threads[t];
      if (thread.status === "unborn" && !(t in lanes.x)) return;
      const wait = waiting(model, state, t, atEnd);
      let text = STATUS[thread.status];
      if (thread.position >= 0 && thread.status === "running") text = "at line " + model.positions[thread.position].line;
      if (wait) {
        text = wait.lock >= 0 ? "waits for " + model.places[wait.lock].name : "waits";
        if (thread.next >= 0) text += " at line " + model.positions[thread.next].line;
      }
      const summary = make("span", {}, chip(t), make("span", { class: "status" + (wait ? " stuck" : "") }, text));
      const locals = [...model.places.keys()].filter((p) => model.places[p].thread === t && model.places[p].kind === "local" && state.touched[p] >= 0);
      const content = locals.length ? make("table", { class: "values" }, locals.map((p) => valueRow(state, changed, p))) : make("div", { class: "more" }, "no local values yet");
      section.append(remember(t, summary, content));
    });
    return section;
  }

  // --- an answer without a trace: invariants, or what was covered ---

  let proof, chosen = 0;

  function drawAnswer() {
    main.className = "answer";
    const left = make("div", { class: "panel", id: "answer", tabindex: "0", role: "region", "aria-label": "answer" });
    main.append(left, makeSourcePanel());
    if (data.sources.length) showSource(0);
    const text = make("div", { class: "pad" });
    if (data.answer === "SAFE") text.append(make("p", { class: "lead" }, "On every execution: " + data.claim + "."));
    if (data.answer === "UNKNOWN") text.append(make("p", { class: "lead" }, "No answer: " + shorten(data.reason || "nothing was decided") + "."));
    text.append(...basis());
    left.append(text);
    proof = parseProof(data.proof);
    if (data.answer === "SAFE") drawProof(left, text);
  }

  function drawProof(left, text) {
    if (!proof.rows.length) {
      const remarks = proof.remarks.length ? proof.remarks : ["This engine gives no invariants: it has looked at all that can happen."];
      text.prepend(make("section", {}, make("h2", {}, "Proof"), ...remarks.map((remark) => make("div", {}, remark))));
      return;
    }
    const name = (path) => data.threads.findIndex((thread) => thread.path === path);
    const heads = proof.paths.map((path) => make("th", {}, name(path) >= 0 ? chip(name(path)) : path));
    const body = proof.rows.slice(0, MOST_ROWS).map((row, i) => {
      row.element = make("tr", { onclick: () => choose(i) },
        proof.paths.map((path) => make("td", { class: "at" }, path in row.at ? (typeof row.at[path] === "number" ? "line " + row.at[path] : row.at[path]) : "–")),
        make("td", { class: "formula" }, formula(row.formula)));
      return row.element;
    });
    const table = make("table", { class: "invariants" }, make("thead", {}, make("tr", {}, heads, make("th", {}, "then this holds"))), make("tbody", {}, body));
    left.append(make("div", { class: "pad" }, make("h2", {}, "Invariants: when the threads stand here ..."),
      make("div", { class: "more" }, "In the interleavings that had to be looked at; the others only repeat what they do."),
      proof.rows.length > MOST_ROWS ? make("div", { class: "more" }, "the first " + MOST_ROWS + " of " + proof.rows.length) : null, table));
    byId("controls").hidden = false;
    for (const id of ["go-switch", "go-switch-back"]) byId(id).hidden = true;
    for (const id of ["all", "fold", "arrows"]) byId(id).parentElement.hidden = true;
    byId("slider").min = 1;
    byId("slider").max = body.length;
    choose(0);
  }

  function formula(text) {
    return text.split(/(&&|\|\|)/).map((part) => (part === "&&" || part === "||" ? make("span", { class: "op" }, part) : part));
  }

  function choose(index) {
    const count = Math.min(proof.rows.length, MOST_ROWS);
    if (!count) return;
    proof.rows[chosen].element.classList.remove("now");
    chosen = Math.max(0, Math.min(count - 1, index));
    const row = proof.rows[chosen];
    row.element.classList.add("now");
    if (index) row.element.scrollIntoView({ block: "nearest" });
    byId("slider").value = chosen + 1;
    byId("counter").textContent = "invariant " + (chosen + 1) + " of " + count;
    marks = [];
    for (const [path, line] of Object.entries(row.at)) {
      const thread = data.threads.findIndex((other) => other.path === path);
      if (thread >= 0 && typeof line === "number") marks.push({ thread, source: 0, line, now: true });
    }
    drawMarks(Boolean(index));
    byId("spoken").textContent = row.formula;
  }

  // --- keys, buttons, theme ---

  function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }

  function toggleHelp() {
    byId("help").hidden = !byId("help").hidden;
    byId("help-button").setAttribute("aria-expanded", String(!byId("help").hidden));
  }

  const position = () => (view ? view.at : chosen);
  const move = (to) => (view ? goTo(to) : proof && proof.rows.length && choose(to));
  const end = () => (view ? view.rows.length : proof ? proof.rows.length - 1 : 0);
  const actions = {
    ArrowDown: () => move(position() + 1), ArrowRight: () => move(position() + 1), j: () => move(position() + 1),
    ArrowUp: () => move(position() - 1), ArrowLeft: () => move(position() - 1), k: () => move(position() - 1),
    PageDown: () => move(position() + 10), PageUp: () => move(position() - 10), Home: () => move(0), End: () => move(end()),
    n: () => view && goToSwitch(1), p: () => view && goToSwitch(-1), a: () => view && setRows(!view.all),
    f: () => view && setFolded(!byId("fold").checked), h: toggleMore, t: toggleTheme, "?": toggleHelp,
  };

  function connect() {
    const click = (id, action) => byId(id).addEventListener("click", action);
    click("go-first", actions.Home);
    click("go-last", actions.End);
    click("go-back", actions.k);
    click("go-on", actions.j);
    click("go-switch", actions.n);
    click("go-switch-back", actions.p);
    click("theme", toggleTheme);
    click("help-button", toggleHelp);
    click("more-button", toggleMore);
    addEventListener("resize", offerMore);
    byId("slider").addEventListener("input", (event) => move(Number(event.target.value) - (view ? 0 : 1)));
    byId("all").addEventListener("change", (event) => setRows(event.target.checked));
    byId("arrows").addEventListener("change", drawLanes);
    byId("fold").addEventListener("change", (event) => setFolded(event.target.checked));
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(actions, event.key)) return;
      event.preventDefault();
      actions[event.key]();
    });
    addEventListener("beforeprint", drawPrinted);
  }

  // The address may say where to begin: #step=12&theme=dark&all
  function begin() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    if (["dark", "light"].includes(wanted.get("theme"))) document.documentElement.dataset.theme = wanted.get("theme");
    drawHead();
    drawFindings();
    connect();
    if (data.steps) drawTrace();
    else drawAnswer();
    offerMore();
    if (view && wanted.has("all")) setRows(true);
    if (wanted.has("step")) move(Number(wanted.get("step")) - (view ? 0 : 1));
  }

  begin();
})();
