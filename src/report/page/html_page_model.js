"use strict";
// What the report's page shows, worked out from its data (html_data.h says what that holds). Nothing here draws.

const READ = 1, CHOSEN = 2, UPDATE = 4, HIDDEN = 8; // flags of a change
const LONGEST_ROW = 256, LONGEST_CHAIN = 8, CHECKPOINT = 128;

function buildModel(data) {
  const places = data.places.map(([name, kind, thread, initial, position]) => ({ name, kind, thread, initial, position }));
  const positions = data.positions.map(([source, line, fn]) => ({ source, line, fn }));
  const steps = data.steps.map(([thread, position, action, changes, next, lock]) => ({
    thread, position, action: action || null, next, lock,
    changes: changes.map(([place, flags, after]) => ({ place, flags, after, before: null, from: -1 })),
  }));
  const model = { data, places, positions, steps, threads: data.threads, loop: data.loop, arrows: [], holds: [], checkpoints: [] };
  nameApart(model);
  execute(model);
  return model;
}

// Variables of one thread with the same name are told apart by the line where each is first set.
function nameApart(model) {
  const seen = new Map();
  for (const place of model.places) {
    if (place.kind !== "local") continue;
    const key = place.thread + " " + place.name;
    seen.set(key, (seen.get(key) || []).concat(place));
  }
  for (const group of seen.values()) {
    if (group.length < 2) continue;
    for (const place of group) if (place.position >= 0) place.hint = "line " + model.positions[place.position].line;
  }
}

function startState(model) {
  return {
    values: model.places.map((place) => place.initial),
    touched: new Array(model.places.length).fill(-1), // the step that touched it last
    writers: new Array(model.places.length).fill(-1), // the step that wrote it last
    threads: model.threads.map((_, i) => ({ status: i ? "unborn" : "running", position: -1, next: -1, lock: -1, step: -1 })),
  };
}

function copyState(state) {
  return {
    values: state.values.slice(),
    touched: state.touched.slice(),
    writers: state.writers.slice(),
    threads: state.threads.map((thread) => ({ ...thread })),
  };
}

function advance(model, state, index) {
  const step = model.steps[index], thread = state.threads[step.thread];
  for (const change of step.changes) {
    state.values[change.place] = change.after;
    state.touched[change.place] = index;
    if (!(change.flags & READ)) state.writers[change.place] = index;
  }
  if (step.position >= 0) thread.position = step.position;
  thread.next = step.next;
  thread.lock = step.lock;
  thread.step = index;
  const word = step.action && step.action[0];
  if (word === "exit" || word === "halt") thread.status = "ended";
  else if (thread.status !== "ended") thread.status = "running";
  if (word === "create") state.threads[step.action[1]].status = "created";
}

// Runs the trace once: values before each change, which thread wrote what each read saw, which thread held which lock from when to when.
function execute(model) {
  const state = startState(model), holding = new Map();
  const silent = new Set(); // places of the library whose last write left the value alone: no thread waited for that
  model.steps.forEach((step, index) => {
    if (index % CHECKPOINT === 0) model.checkpoints.push(copyState(state));
    for (const change of step.changes) {
      const place = model.places[change.place];
      change.before = state.values[change.place];
      if (change.before === null && change.flags & CHOSEN) change.before = change.after;
      if (change.flags & (READ | UPDATE)) addArrow(model, state.writers[change.place], index, change, place, silent);
      if (change.before === change.after && !(change.flags & READ)) silent.add(change.place);
      else if (!(change.flags & READ)) silent.delete(change.place);
      if (place.kind === "lock" && !(change.flags & READ)) {
        const open = holding.get(change.place), holder = Number(change.after) - 1;
        if (open) open.last = index;
        holding.delete(change.place);
        if (holder >= 0 && holder < model.threads.length) {
          const hold = { place: change.place, thread: holder, first: index, last: model.steps.length };
          model.holds.push(hold);
          holding.set(change.place, hold);
        }
      }
    }
    advance(model, state, index);
  });
}

function addArrow(model, writer, index, change, place, silent) {
  change.from = writer;
  if (writer < 0 || model.steps[writer].thread === model.steps[index].thread) return;
  const kind = place.kind === "control" ? "thread" : place.kind === "lock" || place.kind === "sync" ? "lock" : "data";
  if (kind === "lock" && silent.has(change.place)) return;
  model.arrows.push({ from: writer, to: index, place: change.place, kind, value: change.flags & UPDATE ? change.before : change.after });
}

// The state after step `index`; -1: at the start.
function stateAfter(model, index) {
  if (index < 0) return startState(model);
  const checkpoint = Math.floor(index / CHECKPOINT);
  const state = copyState(model.checkpoints[checkpoint]);
  for (let i = checkpoint * CHECKPOINT; i <= index; i++) advance(model, state, i);
  return state;
}

// What thread `t` waits for in a state: the holder of the lock that it wants, or -1 and whether it is stuck otherwise.
function waiting(model, state, t, atEnd) {
  const thread = state.threads[t];
  if (thread.status !== "running") return null;
  if (thread.lock >= 0 && state.values[thread.lock] !== "0" && state.values[thread.lock] !== null)
    return { lock: thread.lock, holder: Number(state.values[thread.lock]) - 1 };
  if (atEnd && model.data.property === "no-deadlock") return { lock: -1, holder: -1 };
  return null;
}

// --- rows: what one line of the picture tells ---

function threadName(model, t) {
  const thread = model.threads[t];
  return thread ? "thread " + thread.label + " (" + thread.routine + ")" : "a thread";
}

function placeName(model, p) {
  return p >= 0 ? model.places[p].name : "something";
}

const ENDINGS = ["exit", "halt", "error"];

function actionText(model, action, all) {
  const [word, argument] = action;
  switch (word) {
    case "lock": return "locks " + placeName(model, argument);
    case "unlock": return "unlocks " + placeName(model, argument);
    case "take": return "takes " + placeName(model, argument);
    case "miss": return "does not get " + placeName(model, argument);
    case "join": return "joins " + threadName(model, argument);
    case "wait": return argument < 0 ? "its wait is over" : "its wait for " + placeName(model, argument) + " is over";
    case "create": return "creates " + threadName(model, argument);
    case "allocate": return "allocates " + argument;
    case "free": return "frees " + argument;
    case "start": return "starts";
    case "exit": return "ends";
    case "halt": return "ends the process";
    case "error": return "reaches the error";
    case "section": return argument && !all ? "" : "begins atomic section";
    case "section end": return argument && !all ? "" : "ends atomic section";
  }
  return "";
}

function shows(model, change, all) {
  if (all) return true;
  return !(change.flags & HIDDEN) && model.places[change.place].kind !== "temporary";
}

// `x: 0 → 1 → 2` for each place that the steps change; or what they read.
function valueNotes(model, row, all, reads) {
  const chains = new Map();
  for (let i = row.first; i <= row.last; i++) {
    for (const change of model.steps[i].changes) {
      if (!shows(model, change, all) || Boolean(change.flags & READ) !== reads) continue;
      const cell = model.places[change.place].kind !== "local" && model.places[change.place].kind !== "temporary";
      if (!reads && change.before === change.after && !(change.flags & CHOSEN) && !cell) continue;
      if (!chains.has(change.place)) chains.set(change.place, { values: reads ? [] : [change.before], chosen: false });
      const chain = chains.get(change.place);
      if (!reads || chain.values[chain.values.length - 1] !== change.after) chain.values.push(change.after);
      chain.chosen = chain.chosen || Boolean(change.flags & CHOSEN) || inputInRow(model, row, change.after);
    }
  }
  return [...chains].map(([place, chain]) => {
    let values = chain.values.map((value) => (value === null ? "?" : value));
    if (values.length > LONGEST_CHAIN + 1) values = [...values.slice(0, LONGEST_CHAIN), "…", values[values.length - 1]];
    const text = (reads ? " = " : ": ") + values.join(" → ") + (chain.chosen && !reads ? " (input)" : "");
    return { before: reads ? "reads " : "", name: model.places[place].name, text };
  });
}

function inputInRow(model, row, value) {
  for (let i = row.first; i <= row.last; i++)
    for (const change of model.steps[i].changes) if (change.flags & CHOSEN && change.after === value) return true;
  return false;
}

function actionNotes(model, row, all, endings) {
  const notes = [];
  for (let i = row.first; i <= row.last; i++) {
    const action = model.steps[i].action;
    if (!action || ENDINGS.includes(action[0]) !== endings) continue;
    const text = actionText(model, action, all);
    if (text && !notes.some((note) => note.text === text)) notes.push({ before: "", name: "", text });
  }
  return notes;
}

function notesOf(model, row, all) {
  const notes = actionNotes(model, row, all, false).concat(valueNotes(model, row, all, false));
  if (all || !notes.length || row.last === model.steps.length - 1) notes.push(...valueNotes(model, row, all, true));
  return notes.concat(actionNotes(model, row, all, true));
}

function samePlace(model, a, b) {
  const p = model.positions[a], q = model.positions[b];
  return p.source === q.source && p.line === q.line;
}

// One row per source line that a thread executes (a step without a place of its own joins the one before it), or one
// per step. A loop's begin is always a row's begin.
function makeRows(model, all) {
  const rows = [], rowOf = new Array(model.steps.length);
  model.steps.forEach((step, index) => {
    let row = rows[rows.length - 1];
    const joins = row && !all && row.thread === step.thread && row.last - row.first < LONGEST_ROW && index !== model.loop &&
      (step.position < 0 || (row.position >= 0 && samePlace(model, row.position, step.position)));
    if (!joins) rows.push((row = { first: index, last: index, thread: step.thread, position: step.position }));
    row.last = index;
    rowOf[index] = rows.length - 1;
  });
  rows.forEach((row) => (row.notes = notesOf(model, row, all)));
  return { rows, rowOf };
}

// Rounds that repeat what stands before them become one row, unless they are opened: `open` has their first steps.
function foldRounds(model, made, open) {
  const rows = [], { rows: before, rowOf } = made;
  let next = 0;
  for (const [first, last, text] of model.data.rounds) {
    const from = rowOf[first], to = rowOf[last];
    if (open.has(first) || before[from].first !== first || before[to].first !== last) continue;
    rows.push(...before.slice(next, from));
    rows.push({ first, last: last - 1, thread: before[from].thread, position: -1, rounds: true, notes: [{ before: "", name: "", text }] });
    next = to;
  }
  rows.push(...before.slice(next));
  rows.forEach((row, i) => rowOf.fill(i, row.first, row.last + 1));
  return { rows, rowOf };
}

function noteText(note) {
  return note.before + note.name + note.text;
}

// The arrows of the rows, each once.
function rowArrows(model, rowOf) {
  const seen = new Set(), arrows = [];
  for (const arrow of model.arrows) {
    const from = rowOf[arrow.from], to = rowOf[arrow.to];
    const key = from + " " + to + " " + (arrow.kind === "data" ? arrow.place : arrow.kind);
    if (seen.has(key)) continue;
    seen.add(key);
    arrows.push({ ...arrow, from, to });
  }
  return arrows;
}

// --- proofs ---

// "0 at line 22 (5), 0.0 ended: x == 1" -> where each thread stands, and the condition.
function parseProof(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  const rows = new Map(), remarks = [], paths = [];
  for (const line of lines) {
    const match = /^((?:[\d.]+ (?:at line \d+ \(\d+\)|ended|at [^:]*?)(?:, )?)+): (.*)$/.exec(line);
    if (!match) {
      remarks.push(line);
      continue;
    }
    const at = {};
    for (const part of match[1].split(", ")) {
      const [path, ...rest] = part.split(" ");
      const where = /^at line (\d+)/.exec(rest.join(" "));
      at[path] = where ? Number(where[1]) : rest[0] === "ended" ? "ended" : "?";
      if (!paths.includes(path)) paths.push(path);
    }
    const key = JSON.stringify(at) + match[2];
    if (!rows.has(key)) rows.set(key, { at, formula: match[2] });
  }
  return { rows: [...rows.values()], remarks, paths };
}
