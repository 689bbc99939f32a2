"use strict";
// Draws a survey. Texts of the program reach the page only as text nodes.

(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const ORDER = ["confirmed", "confirmed-in-slice", "warned", "open", "known", "suppressed", "excluded", "proved"];
  const MOST_ROWS = 2000;
  const shown = new Set(["confirmed", "confirmed-in-slice", "warned", "open"]);
  const place = (at) => (at.file ? at.file + (at.line ? ":" + at.line : "") : "unknown place");

  // --- one object ---

  const kind = (access) => (access.atomic ? "atomic " : "") + (access.frees ? "free" : access.writes ? "write" : "read");

  function side(access, what) {
    const code = make("pre");
    addCode(code, access.code || "", false);
    return make("div", { class: "side" },
      make("div", {}, make("b", {}, place(access)), " " + what + (access.function ? " in " + access.function : "")), code,
      make("div", { class: "soft" }, "locks: " + (access.locks || "none")),
      make("div", { class: "soft" }, "thread: " + (access.thread || "unknown")),
      access.calls ? make("div", { class: "soft" }, "calls: " + access.calls) : null);
  }

  function pairPart(pair) {
    return make("div", { class: "pair" },
      make("div", { class: "why" }, mark(pair.standing), pair.reason || ""),
      make("div", { class: "sides" }, side(pair.first, kind(pair.first)), side(pair.second, kind(pair.second))),
      pair.remedy ? make("div", { class: "why" }, "What would exclude it: " + pair.remedy) : null,
      pair.rests_on ? make("div", { class: "why" }, "The execution rests on: " + pair.rests_on) : null,
      pair.because ? make("pre", { class: "trace" }, pair.because) : null);
  }

  const said = (standing) => (standing === "confirmed-in-slice" ? "confirmed in a slice" : standing);
  const mark = (standing) => make("span", { class: "mark " + standing }, said(standing));

  // The shortest end of a path that no other file has.
  const files = new Set(data.objects.flatMap((object) => object.pairs.flatMap((pair) => [pair.first.file, pair.second.file])).filter(Boolean));
  const names = new Map();
  function shortName(file) {
    if (names.has(file)) return names.get(file);
    const parts = file.split("/");
    let count = 1;
    const end = () => "/" + parts.slice(-count).join("/");
    while (count < parts.length && [...files].some((other) => other !== file && ("/" + other).endsWith(end()))) count++;
    names.set(file, parts.slice(-count).join("/"));
    return names.get(file);
  }
  const brief = (access) => (access.file ? shortName(access.file) + (access.line ? ":" + access.line : "") : "unknown place") +
    " (" + kind(access) + ", " + (access.locks || "no lock") + ")";

  function words(object) {
    if (object.words) return object.words;
    const pair = object.pairs[0];
    return pair ? brief(pair.first) + " / " + brief(pair.second) : "";
  }

  // The parts inside are drawn when they are opened: a survey may have many.
  function objectPart(object) {
    const inside = make("div");
    const part = make("details", {},
      make("summary", {}, object.number ? make("span", { class: "number" }, object.number + ".") : null,
        make("span", { class: "name" }, object.name + (object.parts > 1 ? " (" + object.parts + " parts)" : "")), mark(object.standing), make("span", { class: "why" }, words(object))), inside);
    part.addEventListener("toggle", () => {
      if (!part.open || inside.firstChild) return;
      inside.append(make("div", { class: "why" }, "from " + place(object) + ", touched at " + object.places + " places"));
      if (object.rests_on) inside.append(make("div", { class: "why" }, "The execution rests on: " + object.rests_on));
      if (object.not_confirmed) inside.append(make("div", { class: "why" }, "Not confirmed: " + object.not_confirmed));
      for (const pair of object.pairs) inside.append(pairPart(pair));
      if (object.pairs_left_out) inside.append(make("p", { class: "why" }, "and " + object.pairs_left_out + " more pairs"));
    });
    return part;
  }

  // --- locks ---

  function lockPart(lock) {
    const steps = lock.steps.map((step) => make("div", {}, make("div", { class: "why" },
      (step.taken || "?") + " is taken while " + (step.held || "?") + " is held"), side(step.at, "takes it")));
    return make("details", {}, make("summary", {}, lock.number ? make("span", { class: "number" }, lock.number + ".") : null,
      make("span", { class: "name" }, lock.steps.map((step) => step.held + " → " + step.taken).join(", ")), mark(lock.standing),
      make("span", { class: "why" }, lock.kind + (lock.detail ? ": " + lock.detail : ""))), make("div", { class: "sides" }, steps));
  }

  // --- the table ---

  function textOf(object) {
    const sides = object.pairs.flatMap((pair) => [pair.first, pair.second]);
    return [object.name, object.file, object.words, ...sides.flatMap((a) => [a.file, a.function, a.locks, a.code])].join("\n").toLowerCase();
  }
  const rows = data.objects.map((object) => ({ object, text: textOf(object) }));
  rows.sort((a, b) => (a.object.number || 1e9) - (b.object.number || 1e9));

  function draw() {
    const wanted = byId("words").value.toLowerCase();
    const fitting = rows.filter((row) => shown.has(row.object.standing) && row.text.includes(wanted));
    byId("objects").replaceChildren(...fitting.slice(0, MOST_ROWS).map((row) => objectPart(row.object)));
    byId("counter").textContent = fitting.length + " of " + rows.length + " objects" +
      (fitting.length > MOST_ROWS ? ", the first " + MOST_ROWS + " are shown" : "");
  }

  function addFilter() {
    for (const standing of ORDER) {
      const count = data.objects.filter((object) => object.standing === standing).length;
      if (!count) continue;
      const box = make("input", { type: "checkbox", id: "show-" + standing });
      box.checked = shown.has(standing);
      box.addEventListener("change", () => { box.checked ? shown.add(standing) : shown.delete(standing); draw(); });
      byId("standings").append(make("label", {}, box, " " + said(standing) + " " + count));
    }
    byId("words").addEventListener("input", draw);
    byId("filter").addEventListener("submit", (event) => event.preventDefault());
  }

  function dereferences(d) {
    const share = (count) => Math.floor(count * 100 / d.by_pointers) + " % ";
    return d.by_pointers + " dereferences by pointers" + (d.by_pointers ? ": " + share(d.not_null) + "cannot be null, " + share(d.not_freed) +
      "cannot be freed, " + share(d.in_range) + "are in range; " + share(d.all_three) + "all three" : "") + "; " + d.by_name + " by name";
  }

  function addHead() {
    const counts = ORDER.map((s) => [s, data.totals[s]]).filter((row) => row[1]);
    const worst = counts.length ? counts[0][0] : "proved";
    byId("verdict").textContent = said(worst).toUpperCase();
    byId("verdict").className = worst;
    byId("summary").append(make("div", { class: "what" }, counts.map((row) => row[1] + " " + said(row[0])).join(", ") || "no shared objects"),
      make("div", { class: "size" }, data.totals.lines + " lines, " + data.totals.functions + " functions, " + data.totals.statements + " statements, " +
        data.totals.shared_accesses + " shared accesses, " + data.totals.threads + " kinds of thread"),
      make("div", { class: "size" }, dereferences(data.totals.dereferences)),
      data.complete ? "" : make("div", { class: "size" }, "The survey is not complete: " + data.reason));
  }

  function toggleTheme() {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  }

  addHead();
  if (!data.objects.some((object) => shown.has(object.standing))) ORDER.forEach((standing) => shown.add(standing));
  addFilter();
  byId("theme").addEventListener("click", toggleTheme);
  document.addEventListener("keydown", (event) => { if (event.key === "t" && event.target === document.body) toggleTheme(); });
  byId("survey").append(make("div", { id: "objects" }));
  if (data.locks.length) byId("survey").append(make("h2", {}, "Lock orders"), ...data.locks.map(lockPart));
  if (data.assumptions.length)
    byId("survey").append(make("h2", {}, "This rests on"), make("ul", { class: "plain" }, data.assumptions.map((line) => make("li", {}, line))));
  draw();
})();
