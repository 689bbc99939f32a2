#include "report/trace_text.h"

#include "report/source.h"
#include "verdict/json.h"

enum {
  STATEMENT_WIDTH = 56, // longer source lines are cut
  LONGEST_LINE = 256,   // steps told on one line
  LONGEST_CHAIN = 8     // values shown of a variable that changes often within one line
};

typedef struct Printer {
  const Program *program;
  const Trace *trace;
  bool full;
  Text *out;
  Sources sources;
  size_t place_width; // of "file:line"
  Text notes;         // of the line being built
} Printer;

// --- values and names ---

static void add_object_name(const Program *program, ObjectId object, Text *out) {
  const Object *row = &program->objects.data[object];
  if (row->storage == STORAGE_CONTROL && row->owner != NO_ID)
    text_format(out, "thread %s", program->threads.data[row->owner].path);
  else
    text_add(out, row->name ? row->name : "object");
}

void trace_print_value(const Program *program, Bits value, unsigned width, Text *out) {
  if (width == program->pointer_width && value != 0) {
    ObjectId object = program_object_at(program, (uint64_t)value);
    if (object != NO_ID) {
      uint64_t offset = (uint64_t)value - program->objects.data[object].address;
      text_add_char(out, '&');
      add_object_name(program, object, out);
      if (offset) text_format(out, " + %llu", (unsigned long long)offset);
      return;
    }
  }
  bool negative = width > 1 && width <= 128 && (value >> (width - 1) & 1);
  if (negative) {
    text_add_char(out, '-');
    value = (bits_mask(width) - value + 1) & bits_mask(width);
  }
  bits_add_decimal(out, value);
}

static unsigned change_width(const Program *program, const TraceChange *change) {
  if (change->cell != NO_ID) return program->cells.data[change->cell].bytes * 8;
  return term_width(program->terms, program->variables.data[change->variable].term);
}

static void add_change_name(const Program *program, const TraceChange *change, Text *out) {
  const char *name =
      change->cell != NO_ID ? program->cells.data[change->cell].name : program->variables.data[change->variable].name;
  text_add(out, name && *name ? name : "value");
}

static void add_thread(const Program *program, ThreadId thread, Text *out) {
  const Thread *row = &program->threads.data[thread];
  text_format(out, "thread %s (%s)", row->path, row->routine ? row->routine : "?");
}

// --- notes: what the steps of one line did ---

static void begin_note(Printer *printer) {
  if (printer->notes.length) text_add(&printer->notes, ", ");
}

static Storage cell_storage(const Program *program, CellId cell) {
  return program->objects.data[program->cells.data[cell].object].storage;
}

// The cell that a step's access touched, preferring one that it wrote.
static CellId touched_cell(const Printer *printer, const TraceStep *step) {
  CellId cell = NO_ID;
  for (uint32_t i = 0; i < step->change_count; i++) {
    const TraceChange *change = &printer->trace->changes.data[step->first_change + i];
    if (change->cell != NO_ID && (cell == NO_ID || !change->read)) cell = change->cell;
  }
  if (cell == NO_ID) {
    const CellSet *cells = &printer->program->steps.data[step->step].access.cells;
    if (cells->count == 1) cell = printer->program->cell_lists.data[cells->first];
  }
  return cell;
}

// The name of a lock or semaphore: its first cell stands for all of it.
static void add_lock_name(const Program *program, CellId cell, Text *out) {
  const char *name = cell != NO_ID ? program->cells.data[cell].name : NULL;
  size_t length = name ? strlen(name) : 0;
  if (length > 3 && strcmp(name + length - 3, "[0]") == 0) length -= 3;
  if (name)
    text_add_bytes(out, name, length);
  else
    text_add(out, "a lock");
}

static void note_cell(Printer *printer, const char *what, CellId cell) {
  begin_note(printer);
  text_format(&printer->notes, "%s ", what);
  add_lock_name(printer->program, cell, &printer->notes);
}

static bool trylock_succeeded(const Printer *printer, const TraceStep *step) {
  for (uint32_t i = 0; i < step->change_count; i++) {
    const TraceChange *change = &printer->trace->changes.data[step->first_change + i];
    if (change->cell != NO_ID && !change->read) return true;
  }
  return false;
}

// What a wait was for: the cell that it reads itself, or the last one read before it on the same line.
static CellId awaited_cell(const Printer *printer, size_t first, size_t step) {
  for (size_t s = step + 1; s-- > first;) {
    const TraceStep *row = &printer->trace->steps.data[s];
    for (uint32_t i = row->change_count; i-- > 0;) {
      const TraceChange *change = &printer->trace->changes.data[row->first_change + i];
      if (change->cell != NO_ID && change->read) return change->cell;
    }
  }
  return NO_ID;
}

static void note_wait(Printer *printer, size_t first, size_t step) {
  const Program *program = printer->program;
  CellId cell = awaited_cell(printer, first, step);
  begin_note(printer);
  if (cell == NO_ID) {
    text_add(&printer->notes, "its wait is over");
  } else if (cell_storage(program, cell) == STORAGE_CONTROL) {
    text_add(&printer->notes, "joins ");
    add_thread(program, program->objects.data[program->cells.data[cell].object].owner, &printer->notes);
  } else {
    text_add(&printer->notes, "its wait for ");
    add_lock_name(program, cell, &printer->notes);
    text_add(&printer->notes, " is over");
  }
}

// The value that a thread's variable had before a step: what the last change before it left.
static bool value_before(const Printer *printer, VariableId variable, size_t step, Bits *value) {
  const Trace *trace = printer->trace;
  for (size_t c = trace->steps.data[step].first_change; c-- > 0;) {
    if (trace->changes.data[c].variable != variable) continue;
    *value = trace->changes.data[c].after;
    return true;
  }
  return false;
}

static void note_free(Printer *printer, size_t step, Term operand) {
  const Program *program = printer->program;
  Bits address = 0;
  bool known = false;
  if (operand != TERM_NONE && term_is_constant(program->terms, operand)) {
    address = term_constant_value(program->terms, operand);
    known = true;
  } else if (operand != TERM_NONE && term_operator(program->terms, operand) == TERM_VARIABLE) {
    VariableId variable = program_variable_of_term(program, operand);
    known = variable != NO_ID && value_before(printer, variable, step, &address);
  }
  ObjectId object = known ? program_object_at(program, (uint64_t)address) : NO_ID;
  begin_note(printer);
  text_add(&printer->notes, "frees ");
  if (object != NO_ID)
    add_object_name(program, object, &printer->notes);
  else
    text_add(&printer->notes, "memory");
}

// What a step does beyond changing values.
static void note_action(Printer *printer, size_t first, size_t index) {
  const Program *program = printer->program;
  const TraceStep *step = &printer->trace->steps.data[index];
  const Step *row = &program->steps.data[step->step];
  switch (row->kind) {
  case STEP_LOCK: note_cell(printer, "locks", touched_cell(printer, step)); break;
  case STEP_UNLOCK: note_cell(printer, "unlocks", touched_cell(printer, step)); break;
  case STEP_TRYLOCK:
    note_cell(printer, trylock_succeeded(printer, step) ? "takes" : "does not get", touched_cell(printer, step));
    break;
  case STEP_WAIT: note_wait(printer, first, index); break;
  case STEP_FREE: note_free(printer, index, row->operand); break;
  case STEP_CREATE:
    begin_note(printer);
    text_add(&printer->notes, "creates ");
    add_thread(program, row->target, &printer->notes);
    break;
  case STEP_ALLOCATE:
    begin_note(printer);
    text_add(&printer->notes, "allocates ");
    add_object_name(program, row->target, &printer->notes);
    break;
  case STEP_START:
  case STEP_EXIT:
    if (row->kind == STEP_START && !printer->full) break; // the line that names the thread says as much
    begin_note(printer);
    text_add(&printer->notes, row->kind == STEP_START ? "starts" : "ends");
    break;
  case STEP_ATOMIC_BEGIN:
  case STEP_ATOMIC_END:
    if (row->position.library && !printer->full) break;
    begin_note(printer);
    text_add(&printer->notes, row->kind == STEP_ATOMIC_BEGIN ? "begins atomic section" : "ends atomic section");
    break;
  case STEP_ERROR:
    begin_note(printer);
    text_add(&printer->notes, "reaches the error");
    break;
  case STEP_HALT:
    begin_note(printer);
    text_add(&printer->notes, "ends the process");
    break;
  default: break;
  }
}

// Which changes a line shows.
typedef enum Interest { INTEREST_CHANGES, INTEREST_READS, INTEREST_TEMPORARIES } Interest;

static bool is_interesting(const Printer *printer, const TraceStep *step, const TraceChange *change,
                           Interest interest) {
  const Program *program = printer->program;
  const Step *row = &program->steps.data[step->step];
  bool temporary = change->variable != NO_ID && program->variables.data[change->variable].temporary;
  // A write of the value that is there already is worth telling, as others may see it; an assignment is not.
  bool silent = change->before == change->after && !change->chosen && (change->cell == NO_ID || change->read);
  if (interest == INTEREST_READS && !change->read) return false;
  if (interest == INTEREST_CHANGES && (change->read || silent)) return false;
  if (interest == INTEREST_TEMPORARIES) return temporary && !silent;
  if (temporary) return false;
  if (printer->full) return true;
  // The models' own bookkeeping (owners of locks, control blocks) is told by the actions.
  if (change->cell != NO_ID && cell_storage(program, change->cell) == STORAGE_CONTROL) return false;
  return !row->position.library || (change->cell != NO_ID && !row->access.synchronises);
}

static bool same_place(const TraceChange *a, const TraceChange *b) {
  return a->variable == b->variable && a->cell == b->cell && a->read == b->read;
}

// True if the value of a change was chosen within the line, perhaps in a temporary that it was copied from.
static bool is_input(const Printer *printer, size_t first, size_t last, const TraceChange *change) {
  if (change->chosen) return true;
  const Trace *trace = printer->trace;
  for (size_t s = first; s < last; s++) {
    const TraceStep *step = &trace->steps.data[s];
    for (uint32_t i = 0; i < step->change_count; i++) {
      const TraceChange *other = &trace->changes.data[step->first_change + i];
      if (other->chosen && other->after == change->after) return true;
    }
  }
  return false;
}

// `x: 0 -> 1 -> 2` for all changes of one variable within the steps [first, last), from change `start` on.
static void note_chain(Printer *printer, size_t first, size_t last, size_t start, Interest interest) {
  const Trace *trace = printer->trace;
  const TraceChange *head = &trace->changes.data[start];
  unsigned width = change_width(printer->program, head);
  Text *notes = &printer->notes;
  begin_note(printer);
  if (interest == INTEREST_READS) text_add(notes, "reads ");
  add_change_name(printer->program, head, notes);
  text_add(notes, head->read ? " = " : ": ");
  trace_print_value(printer->program, head->before, width, notes);
  if (head->read) return;
  unsigned shown = 0;
  const TraceChange *latest = NULL;
  bool chosen = false;
  for (size_t s = first; s < last; s++) {
    const TraceStep *step = &trace->steps.data[s];
    for (uint32_t i = 0; i < step->change_count; i++) {
      const TraceChange *change = &trace->changes.data[step->first_change + i];
      if (step->first_change + i < start || !same_place(head, change)) continue;
      if (!is_interesting(printer, step, change, interest)) continue;
      latest = change;
      chosen = chosen || is_input(printer, first, last, change);
      if (++shown > LONGEST_CHAIN) continue;
      text_add(notes, " -> ");
      trace_print_value(printer->program, change->after, width, notes);
    }
  }
  if (shown > LONGEST_CHAIN) {
    text_add(notes, " -> ... -> ");
    trace_print_value(printer->program, latest->after, width, notes);
  }
  if (chosen) text_add(notes, " (input)");
}

// True if an earlier step of the line already told this change in its chain.
static bool already_told(const Printer *printer, size_t first, size_t step, size_t change, Interest interest) {
  const Trace *trace = printer->trace;
  const TraceChange *wanted = &trace->changes.data[change];
  for (size_t s = first; s <= step; s++) {
    const TraceStep *row = &trace->steps.data[s];
    for (size_t c = row->first_change; c < row->first_change + row->change_count && c < change; c++) {
      const TraceChange *earlier = &trace->changes.data[c];
      if (!same_place(earlier, wanted) || !is_interesting(printer, row, earlier, interest)) continue;
      if (!wanted->read || earlier->after == wanted->after) return true;
    }
  }
  return false;
}

static void note_values(Printer *printer, size_t first, size_t last, Interest interest) {
  const Trace *trace = printer->trace;
  for (size_t s = first; s < last; s++) {
    const TraceStep *step = &trace->steps.data[s];
    for (size_t c = step->first_change; c < step->first_change + step->change_count; c++) {
      if (!is_interesting(printer, step, &trace->changes.data[c], interest)) continue;
      if (!already_told(printer, first, s, c, interest)) note_chain(printer, first, last, c, interest);
    }
  }
}

// --- lines ---

static const Position *position_of(const Printer *printer, size_t step) {
  return &printer->program->steps.data[printer->trace->steps.data[step].step].position;
}

// What surrounds a thread's routine (its start, its end) is told at the call that created it, which is not a line that
// this thread executes.
static bool has_place(const Printer *printer, size_t step) {
  const Position *position = position_of(printer, step);
  if (!position->file || !position->line) return false;
  const Position *created = &printer->program->threads.data[printer->trace->steps.data[step].thread].created_at;
  bool at_creation = created->file && created->line == position->line && strcmp(created->file, position->file) == 0;
  return !at_creation || printer->program->steps.data[printer->trace->steps.data[step].step].kind == STEP_CREATE;
}

// A step joins the line before it if it is the same thread's on the same source line, or has no place of its own.
static bool joins_line(const Printer *printer, size_t first, size_t step) {
  if (printer->trace->steps.data[first].thread != printer->trace->steps.data[step].thread || printer->full)
    return false;
  if (step - first >= LONGEST_LINE) return false;
  const Position *a = position_of(printer, first), *b = position_of(printer, step);
  if (!has_place(printer, step)) return true;
  return has_place(printer, first) && a->line == b->line && strcmp(a->file, b->file) == 0;
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void measure_places(Printer *printer) {
  for (size_t i = 0; i < printer->trace->steps.count; i++) {
    const Position *position = position_of(printer, i);
    if (!has_place(printer, i)) continue;
    char line[16];
    size_t width = strlen(base_name(position->file)) + 1 + (size_t)snprintf(line, sizeof line, "%u", position->line);
    if (width > printer->place_width) printer->place_width = width;
  }
}

static void print_statement(Printer *printer, const Position *position) {
  Text statement;
  text_init(&statement, NULL);
  if (sources_add_line(&printer->sources, position->file, position->line, &statement)) {
    if (statement.length > STATEMENT_WIDTH) {
      size_t end = STATEMENT_WIDTH - 3;
      while (end && ((unsigned char)statement.data[end] & 0xc0) == 0x80) end--; // not inside a UTF-8 character
      statement.length = end;
      statement.data[end] = '\0';
      text_add(&statement, "...");
    }
    text_add(printer->out, statement.data);
  } else if (position->function) {
    text_format(printer->out, "in %s", position->function);
  }
  text_free(&statement);
}

// Steps that end a thread, the process or the trace are told last.
static bool is_ending(const Printer *printer, size_t step) {
  StepKind kind = printer->program->steps.data[printer->trace->steps.data[step].step].kind;
  return kind == STEP_EXIT || kind == STEP_HALT || kind == STEP_ERROR;
}

static void print_line(Printer *printer, size_t first, size_t last) {
  text_clear(&printer->notes);
  for (size_t s = first; s < last; s++)
    if (!is_ending(printer, s)) note_action(printer, first, s);
  note_values(printer, first, last, INTEREST_CHANGES);
  bool placed = has_place(printer, first);
  bool ending = last == printer->trace->steps.count; // the values that led to the violation
  if (printer->full || ending || (placed && !printer->notes.length)) note_values(printer, first, last, INTEREST_READS);
  if (printer->full || (placed && !printer->notes.length)) note_values(printer, first, last, INTEREST_TEMPORARIES);
  for (size_t s = first; s < last; s++)
    if (is_ending(printer, s)) note_action(printer, first, s);
  if (!placed && !printer->notes.length) return;
  text_add(printer->out, "  ");
  if (placed) {
    const Position *position = position_of(printer, first);
    text_format(printer->out, "%s:%u", base_name(position->file), (unsigned)position->line);
    text_pad(printer->out, 2 + printer->place_width + 2);
    print_statement(printer, position);
  }
  if (printer->notes.length) {
    text_pad(printer->out, 2 + printer->place_width + 2 + STATEMENT_WIDTH);
    text_format(printer->out, "  %s", printer->notes.data);
  }
  text_add_char(printer->out, '\n');
}

void trace_print_text(const Program *program, const Trace *trace, const char *violation, bool full, Text *out) {
  Printer printer = {.program = program, .trace = trace, .full = full, .out = out};
  sources_init(&printer.sources, NULL);
  text_init(&printer.notes, NULL);
  measure_places(&printer);
  ThreadId running = NO_ID;
  for (size_t first = 0, last; first < trace->steps.count; first = last) {
    for (last = first + 1; last < trace->steps.count && joins_line(&printer, first, last); last++) continue;
    if (trace->steps.data[first].thread != running) {
      running = trace->steps.data[first].thread;
      add_thread(program, running, out);
      text_add_char(out, '\n');
    }
    print_line(&printer, first, last);
  }
  if (violation) text_format(out, "violation: %s\n", violation);
  text_free(&printer.notes);
  sources_free(&printer.sources);
}
