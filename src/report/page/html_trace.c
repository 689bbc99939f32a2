#include "report/page/html_data.h"

#include "report/loop_rounds.h"
#include "report/trace_notes.h"
#include "report/trace_text.h"

#include <assert.h>

enum { MOST_UNTOUCHED = 400 }; // shared cells that are listed although the trace does not touch them

typedef struct PositionRow {
  const Position *position;
  size_t source;
} PositionRow;
VECTOR(PositionRowVector, PositionRow);

typedef enum PlaceKind {
  PLACE_SHARED,
  PLACE_LOCAL,
  PLACE_LOCK,
  PLACE_SYNC,
  PLACE_CONTROL,
  PLACE_CONSTANT,
  PLACE_TEMPORARY
} PlaceKind;
static const char *const kind_names[] = {"shared", "local", "lock", "sync", "control", "constant", "temporary"};

// What the trace does with a cell or variable.
typedef struct Use {
  bool listed;     // has a row in the table of places
  bool user;       // the program's own code, not a library model, touches it
  bool lock;       // taken or released as a lock
  uint32_t change; // step of the first change, NO_ID if none
  uint32_t place;  // its row
} Use;

typedef struct Writer {
  const Program *program;
  const Trace *trace;
  Text *out;
  HtmlSources *sources;
  PositionRowVector positions;
  Map position_of; // (source, line) -> row
  Use *cells, *variables;
  Bits *values; // per variable: its value before the present step
} Writer;

static const Step *step_at(const Writer *writer, size_t index) {
  assert(index < writer->trace->steps.count);
  return &writer->program->steps.data[writer->trace->steps.data[index].step];
}

static const Object *object_of(const Program *program, CellId cell) {
  assert(cell < program->cells.count);
  return &program->objects.data[program->cells.data[cell].object];
}

// --- what is used ---

static bool is_lock_step(const Step *step) {
  return step->kind == STEP_LOCK || step->kind == STEP_TRYLOCK || step->kind == STEP_UNLOCK;
}

static void note_change(Writer *writer, size_t step, const TraceChange *change) {
  const Step *row = step_at(writer, step);
  assert((change->cell == NO_ID) != (change->variable == NO_ID));
  Use *use = change->cell != NO_ID ? &writer->cells[change->cell] : &writer->variables[change->variable];
  use->listed = true;
  use->user |= !row->position.library || (change->cell != NO_ID && !row->access.synchronises);
  use->lock |= change->cell != NO_ID && is_lock_step(row);
  if (use->change == NO_ID) use->change = (uint32_t)step;
}

// Lists locks that the trace does not take, and shared variables that it does not touch.
static void find_untouched(Writer *writer) {
  const Program *program = writer->program;
  unsigned untouched = 0;
  for (size_t i = 0; i < program->steps.count; i++) {
    const Step *step = &program->steps.data[i];
    if (step->access.address == TERM_NONE) continue;
    bool lock = is_lock_step(step) && step->access.cells.count == 1;
    if (!lock && (step->position.library || step->access.synchronises)) continue;
    for (uint32_t c = 0; c < step->access.cells.count; c++) {
      CellId cell = access_cell(program, &step->access, c);
      Use *use = &writer->cells[cell];
      bool global = object_of(program, cell)->storage == STORAGE_GLOBAL;
      if (use->listed || !(lock || (global && program->cells.data[cell].shared))) continue;
      if (++untouched > MOST_UNTOUCHED) return;
      use->listed = true;
      use->lock = lock;
      use->user = !lock;
    }
  }
}

static void find_uses(Writer *writer) {
  const Program *program = writer->program;
  for (size_t i = 0; i < program->cells.count; i++) writer->cells[i].change = NO_ID;
  for (size_t i = 0; i < program->variables.count; i++) writer->variables[i].change = NO_ID;
  for (size_t s = 0; s < writer->trace->steps.count; s++) {
    const TraceStep *step = &writer->trace->steps.data[s];
    for (uint32_t i = 0; i < step->change_count; i++)
      note_change(writer, s, &writer->trace->changes.data[step->first_change + i]);
  }
  find_untouched(writer);
}

// --- positions ---

static int position_index(Writer *writer, const Position *position) {
  if (!position->file || !position->line) return -1;
  size_t source = html_source_index(writer->sources, position->file);
  uint64_t key = (uint64_t)source << 32 | position->line, row = writer->positions.count;
  if (map_get(&writer->position_of, key, &row)) return (int)row;
  map_put(&writer->position_of, key, row);
  PositionRowVector_push(&writer->positions, (PositionRow){position, source});
  return (int)row;
}

// The first and last steps of a thread have the position of the call that created it. The thread does not execute that
// line, so they get no position.
static int position_of_step(Writer *writer, ThreadId thread, const Step *step) {
  const Position *position = &step->position, *created = &writer->program->threads.data[thread].created_at;
  if (!position->file) return -1;
  bool at_creation = created->file && position_is_same_line(created, position);
  return at_creation && step->kind != STEP_CREATE ? -1 : position_index(writer, position);
}

static void add_positions(Writer *writer) {
  text_add(writer->out, ",\n\"positions\":[");
  for (size_t i = 0; i < writer->positions.count; i++) {
    const PositionRow *row = &writer->positions.data[i];
    const char *function = row->position->function ? row->position->function : "";
    text_format(writer->out, "%s[%zu,%u,", i ? "," : "", row->source, (unsigned)row->position->line);
    html_add_string(writer->out, function, strlen(function));
    text_add_char(writer->out, ']');
  }
  text_add_char(writer->out, ']');
}

// --- places ---

static PlaceKind kind_of_cell(const Writer *writer, CellId cell) {
  const Object *object = object_of(writer->program, cell);
  const Use *use = &writer->cells[cell];
  if (object->storage == STORAGE_CONTROL) return PLACE_CONTROL;
  if (use->lock) return PLACE_LOCK;
  if (!use->user) return PLACE_SYNC;
  if (object->storage == STORAGE_CONSTANT) return PLACE_CONSTANT;
  if (object->storage == STORAGE_TLS) return PLACE_LOCAL;
  return object->storage == STORAGE_STACK && !writer->program->cells.data[cell].shared ? PLACE_LOCAL : PLACE_SHARED;
}

static void add_value(const Writer *writer, const TraceChange *change, Bits value) {
  Text text;
  text_init(&text, NULL);
  words_change_value(writer->program, change, value, &text);
  html_add_string(writer->out, text.data, text.length);
  text_free(&text);
}

static void add_cell(Writer *writer, CellId cell) {
  const Program *program = writer->program;
  const Cell *row = &program->cells.data[cell];
  const Object *object = object_of(program, cell);
  PlaceKind kind = kind_of_cell(writer, cell);
  Text name;
  text_init(&name, NULL);
  if (kind == PLACE_LOCK)
    words_lock(program, cell, &name);
  else
    text_add(&name, row->name && *row->name ? row->name : "value");
  html_add_string(writer->out, name.data, name.length);
  text_free(&name);
  bool known = row->initial != TERM_NONE && term_is_constant(program->terms, row->initial) && !object->dynamic;
  int owner = kind == PLACE_LOCAL || kind == PLACE_CONTROL ? (int)object->owner : -1;
  text_format(writer->out, ",\"%s\",%d,", kind_names[kind], owner);
  if (known)
    add_value(writer, &(TraceChange){.variable = NO_ID, .cell = cell},
              term_constant_value(program->terms, row->initial));
  else
    text_add(writer->out, "null");
  text_add(writer->out, ",-1]");
}

static void add_variable(Writer *writer, VariableId variable) {
  const Variable *row = &writer->program->variables.data[variable];
  const Use *use = &writer->variables[variable];
  assert(use->listed && use->change < writer->trace->steps.count);
  const char *name = row->name && *row->name ? row->name : "value";
  PlaceKind kind = row->temporary || !use->user ? PLACE_TEMPORARY : PLACE_LOCAL;
  html_add_string(writer->out, name, strlen(name));
  int position = position_of_step(writer, row->thread, step_at(writer, use->change));
  text_format(writer->out, ",\"%s\",%d,null,%d]", kind_names[kind], (int)row->thread, position);
}

static void add_places(Writer *writer) {
  uint32_t count = 0;
  text_add(writer->out, ",\n\"places\":[");
  for (size_t i = 0; i < writer->program->cells.count; i++) {
    if (!writer->cells[i].listed) continue;
    writer->cells[i].place = count;
    text_add(writer->out, count++ ? ",\n[" : "\n[");
    add_cell(writer, (CellId)i);
  }
  for (size_t i = 0; i < writer->program->variables.count; i++) {
    if (!writer->variables[i].listed) continue;
    writer->variables[i].place = count;
    text_add(writer->out, count++ ? ",\n[" : "\n[");
    add_variable(writer, (VariableId)i);
  }
  text_add_char(writer->out, ']');
}

// --- actions ---

static int place_of_cell(const Writer *writer, CellId cell) {
  return cell != NO_ID && writer->cells[cell].listed ? (int)writer->cells[cell].place : -1;
}

// The cell that a step touched.
static CellId touched_cell(const Writer *writer, const TraceStep *step, bool *written) {
  *written = false;
  for (uint32_t i = 0; i < step->change_count; i++) {
    const TraceChange *change = &writer->trace->changes.data[step->first_change + i];
    if (change->cell == NO_ID) continue;
    *written = !change->read && change->before != change->after;
    return change->cell;
  }
  return NO_ID;
}

// The cell that a wait depended on: the last cell that the thread read on the same line, up to the wait.
static CellId awaited_cell(const Writer *writer, size_t index) {
  const TraceStep *wait = &writer->trace->steps.data[index];
  uint32_t line = step_at(writer, index)->position.line;
  for (size_t s = index + 1; s-- > 0;) {
    const TraceStep *step = &writer->trace->steps.data[s];
    if (step->thread != wait->thread || step_at(writer, s)->position.line != line) break;
    for (uint32_t i = step->change_count; i-- > 0;) {
      const TraceChange *change = &writer->trace->changes.data[step->first_change + i];
      if (change->cell != NO_ID && change->read) return change->cell;
    }
  }
  return NO_ID;
}

static void add_wait(const Writer *writer, size_t index) {
  CellId cell = awaited_cell(writer, index);
  const Object *object = cell != NO_ID ? object_of(writer->program, cell) : NULL;
  if (object && object->storage == STORAGE_CONTROL)
    text_format(writer->out, "[\"join\",%d]", (int)object->owner);
  else
    text_format(writer->out, "[\"wait\",%d]", place_of_cell(writer, cell));
}

static Bits value_of(void *context, Term term) {
  const Writer *writer = context;
  VariableId variable = program_variable_of_term(writer->program, term);
  return variable == NO_ID ? 0 : writer->values[variable];
}

static uint64_t evaluate(Writer *writer, Term term) {
  TermValuation valuation = {.value_of = value_of, .context = writer};
  return (uint64_t)term_evaluate(writer->program->terms, term, &valuation);
}

static void add_object(const Writer *writer, const char *word, ObjectId object) {
  const char *name = object != NO_ID ? writer->program->objects.data[object].name : NULL;
  if (!name) name = "memory";
  text_format(writer->out, "[\"%s\",", word);
  html_add_string(writer->out, name, strlen(name));
  text_add_char(writer->out, ']');
}

// Adds what the step does apart from its changes. Called before `values` has the changes of the step.
static void add_action(Writer *writer, size_t index) {
  const TraceStep *step = &writer->trace->steps.data[index];
  const Step *row = step_at(writer, index);
  bool written;
  int place = place_of_cell(writer, touched_cell(writer, step, &written));
  switch (row->kind) {
  case STEP_LOCK: text_format(writer->out, "[\"lock\",%d]", place); break;
  case STEP_UNLOCK: text_format(writer->out, "[\"unlock\",%d]", place); break;
  case STEP_TRYLOCK: text_format(writer->out, "[\"%s\",%d]", written ? "take" : "miss", place); break;
  case STEP_WAIT: add_wait(writer, index); break;
  case STEP_CREATE: text_format(writer->out, "[\"create\",%d]", (int)row->target); break;
  case STEP_ALLOCATE: add_object(writer, "allocate", row->target); break;
  case STEP_FREE:
    add_object(writer, "free",
               row->operand == TERM_NONE ? NO_ID : program_object_at(writer->program, evaluate(writer, row->operand)));
    break;
  case STEP_ATOMIC_BEGIN:
  case STEP_ATOMIC_END:
    // The argument says whether the section is one of a library model, which is not part of the program.
    text_format(writer->out, "[\"%s\",%d]", row->kind == STEP_ATOMIC_BEGIN ? "section" : "section end",
                row->position.library);
    break;
  case STEP_START:
  case STEP_EXIT:
  case STEP_ERROR:
  case STEP_HALT: text_format(writer->out, "[\"%s\",0]", step_kind_name(row->kind)); break;
  default: text_add_char(writer->out, '0');
  }
}

// --- steps ---

static unsigned flags_of(const Writer *writer, const Step *step, const TraceChange *change) {
  unsigned flags = (change->read ? CHANGE_READ : 0) | (change->chosen ? CHANGE_CHOSEN : 0);
  bool cell = change->cell != NO_ID;
  if (cell && !change->read && step->access.reads) flags |= CHANGE_UPDATE;
  bool control = cell && object_of(writer->program, change->cell)->storage == STORAGE_CONTROL;
  if (control || (step->position.library && (!cell || step->access.synchronises))) flags |= CHANGE_HIDDEN;
  return flags;
}

static void add_changes(Writer *writer, size_t index) {
  const TraceStep *step = &writer->trace->steps.data[index];
  text_add(writer->out, ",[");
  for (uint32_t i = 0; i < step->change_count; i++) {
    const TraceChange *change = &writer->trace->changes.data[step->first_change + i];
    bool cell = change->cell != NO_ID;
    assert(cell ? writer->cells[change->cell].listed : writer->variables[change->variable].listed);
    uint32_t place = cell ? writer->cells[change->cell].place : writer->variables[change->variable].place;
    text_format(writer->out, "%s[%u,%u,", i ? "," : "", (unsigned)place,
                flags_of(writer, step_at(writer, index), change));
    add_value(writer, change, change->after);
    text_add_char(writer->out, ']');
    if (!cell) writer->values[change->variable] = change->after;
  }
  text_add_char(writer->out, ']');
}

// Adds the position of the thread's next step, and the lock that this step takes.
static void add_next(Writer *writer, size_t index) {
  const Program *program = writer->program;
  const TraceStep *step = &writer->trace->steps.data[index];
  const Location *location = &program->locations.data[program->edges.data[step->edge].to];
  int position = -1, lock = -1;
  for (uint32_t i = 0; i < location->out_count; i++) {
    const Step *next = edge_first_step(program, location_out_edge(program, location, i));
    if (position < 0) position = position_of_step(writer, step->thread, next);
    if (next->kind == STEP_LOCK && next->access.address != TERM_NONE)
      lock = place_of_cell(writer, program_cell_at(program, evaluate(writer, next->access.address)));
  }
  text_format(writer->out, ",%d,%d]", position, lock);
}

static void add_steps(Writer *writer) {
  text_add(writer->out, ",\n\"steps\":[");
  for (size_t s = 0; s < writer->trace->steps.count; s++) {
    ThreadId thread = writer->trace->steps.data[s].thread;
    int position = position_of_step(writer, thread, step_at(writer, s));
    text_format(writer->out, "%s\n[%u,%d,", s ? "," : "", (unsigned)thread, position);
    add_action(writer, s);
    add_changes(writer, s);
    add_next(writer, s);
  }
  text_add_char(writer->out, ']');
}

// The page shows all lines, also those that do not matter.
static void add_rounds(const Report *report, Text *out) {
  TraceLines lines;
  trace_lines_init(&lines, report->program, report->trace, report->result, false);
  RoundsVector rounds = {0};
  rounds_find(&lines, true, &rounds);
  Text words;
  text_init(&words, NULL);
  text_add(out, ",\n\"rounds\":[");
  for (size_t i = 0; i < rounds.count; i++) {
    const Rounds *row = &rounds.data[i];
    text_clear(&words);
    rounds_words(row, &words);
    text_format(out, "%s[%u,%u,", i ? "," : "", (unsigned)lines.lines.data[row->first].first,
                (unsigned)lines.lines.data[row->last].first);
    html_add_string(out, words.data, words.length);
    text_add_char(out, ']');
  }
  text_add_char(out, ']');
  text_free(&words);
  rounds_free(&rounds);
  trace_lines_free(&lines);
}

void html_add_trace(const Report *report, HtmlSources *sources, Text *out) {
  const Program *program = report->program;
  const Schedule *schedule = report->result->schedule;
  size_t cells = program->cells.count, variables = program->variables.count;
  Writer writer = {.program = program, .trace = report->trace, .out = out, .sources = sources};
  writer.cells = memory_allocate_zeroed(NULL, cells * sizeof(Use));
  writer.variables = memory_allocate_zeroed(NULL, variables * sizeof(Use));
  writer.values = memory_allocate_zeroed(NULL, variables * sizeof(Bits));
  map_init(&writer.position_of, NULL);
  find_uses(&writer);
  add_places(&writer);
  add_steps(&writer);
  add_positions(&writer);
  text_format(out, ",\n\"loop\":%d", schedule && schedule->loop_start != NO_ID ? (int)schedule->loop_start : -1);
  add_rounds(report, out);
  PositionRowVector_free(&writer.positions);
  map_free(&writer.position_of);
  memory_free(NULL, writer.values, variables * sizeof(Bits));
  memory_free(NULL, writer.variables, variables * sizeof(Use));
  memory_free(NULL, writer.cells, cells * sizeof(Use));
}
