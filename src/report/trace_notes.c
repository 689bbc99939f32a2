#include "report/trace_notes.h"

#include "report/units.h"
#include "verdict/json.h"

#include <assert.h>
#include <stdlib.h>

enum { MOST_CALLS = 6 }; // that words_calls names
enum {
  LONGEST_CHAIN = 8 // values shown of a variable that changes often within one line
};

// --- values and names ---

void words_object(const Program *program, ObjectId object, Text *out) {
  assert(object < program->objects.count);
  const Object *row = &program->objects.data[object];
  if (row->storage == STORAGE_CONTROL && row->owner != NO_ID)
    text_format(out, "thread %s", program->threads.data[row->owner].label);
  else
    text_add(out, row->name ? row->name : "object");
}

// Adds "&queue", "&queue.head" or "&queue + 3". If an array of characters and its first element have the address, the
// array is named.
static void add_address(const Program *program, ObjectId id, uint64_t offset, Text *out) {
  const Object *object = &program->objects.data[id];
  const NamedPart *found = NULL;
  for (uint32_t i = 0; i < object->part_count && object->storage != STORAGE_CONTROL; i++) {
    const NamedPart *part = &object->parts[i];
    if (offset == part->offset && (!found || part->shown == SHOWN_AS_TEXT)) found = part;
  }
  text_add_char(out, '&');
  words_object(program, id, out);
  if (offset && found)
    text_add(out, found->name);
  else if (offset)
    text_format(out, " + %llu", (unsigned long long)offset);
}

// Adds a floating-point number, with enough digits to distinguish it from its neighbours.
static void add_floating(Bits bits, unsigned width, Text *out) {
  char digits[64];
  double value;
  float narrow;
  uint32_t low = (uint32_t)bits;
  uint64_t all = (uint64_t)bits;
  memcpy(&narrow, &low, sizeof narrow);
  memcpy(&value, &all, sizeof value);
  if (width == 32) value = narrow;
  for (int precision = 6; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (width == 32 ? strtof(digits, NULL) == narrow : strtod(digits, NULL) == value) break;
  }
  text_add(out, digits);
  if (!strpbrk(digits, ".einfa")) text_add(out, ".0");
}

void words_value(const Program *program, Bits value, unsigned width, Appearance shown, Text *out) {
  if (shown == SHOWN_AS_FLOATING && (width == 32 || width == 64)) {
    add_floating(value, width, out);
    return;
  }
  ObjectId object = NO_ID;
  if (width == program->pointer_width && value != 0) object = program_object_at(program, (uint64_t)value);
  if (object != NO_ID) {
    add_address(program, object, (uint64_t)value - program->objects.data[object].address, out);
    return;
  }
  bool negative = width > 1 && width <= 128 && (value >> (width - 1) & 1);
  if (negative) {
    text_add_char(out, '-');
    value = (bits_mask(width) - value + 1) & bits_mask(width);
  }
  bits_add_decimal(out, value);
}

// How the part of an object that has exactly the bytes of the cell is shown.
static Appearance cell_appearance(const Program *program, CellId id) {
  const Cell *cell = &program->cells.data[id];
  const Object *object = &program->objects.data[cell->object];
  for (uint32_t i = 0; i < object->part_count; i++) {
    const NamedPart *part = &object->parts[i];
    if (part->offset == cell->address - object->address && part->bytes == cell->bytes) return part->shown;
  }
  return SHOWN_AS_NUMBER;
}

static unsigned words_change_width(const Program *program, const TraceChange *change) {
  assert((change->cell == NO_ID) != (change->variable == NO_ID));
  if (change->cell != NO_ID) return program->cells.data[change->cell].bytes * 8;
  return term_width(program->terms, program->variables.data[change->variable].term);
}

void words_change_name(const Program *program, const TraceChange *change, Text *out) {
  if (change->cell != NO_ID) {
    Unit unit = unit_of_number(program, change->cell);
    words_unit_name(program, &unit, out);
    return;
  }
  const char *name = program->variables.data[change->variable].name;
  text_add(out, name && *name ? name : "value");
}

void words_thread(const Program *program, ThreadId thread, Text *out) {
  assert(thread < program->threads.count);
  const Thread *row = &program->threads.data[thread];
  text_format(out, "thread %s (%s)", row->label, row->routine ? row->routine : "?");
}

void words_cell_value(const Program *program, CellId cell, Bits value, Text *out) {
  words_value(program, value, program->cells.data[cell].bytes * 8, cell_appearance(program, cell), out);
}

void words_change_value(const Program *program, const TraceChange *change, Bits value, Text *out) {
  if (change->cell != NO_ID)
    words_cell_value(program, change->cell, value, out);
  else
    words_value(program, value, words_change_width(program, change), program->variables.data[change->variable].shown,
                out);
}

void words_place(const Position *position, Text *out) {
  if (!position->file || !position->line) {
    text_add_char(out, '?');
    return;
  }
  const char *slash = strrchr(position->file, '/'), *name = slash ? slash + 1 : position->file;
  text_add_printable(out, name, strlen(name), PRINTABLE_LINE);
  text_format(out, ":%u", (unsigned)position->line);
}

void words_calls(const Position *position, Text *out) {
  if (!position->calls || !position->function) return;
  text_format(out, " (in %s", position->function);
  unsigned told = 0;
  for (const CallSite *call = position->calls; call; call = call->from) {
    if (told++ == MOST_CALLS) {
      text_add(out, ", …");
      break;
    }
    text_format(out, ", from %s at ", call->function ? call->function : "?");
    words_place(&(Position){.file = call->file, .line = call->line}, out);
  }
  text_add_char(out, ')');
}

// --- notes: what the steps of one line did ---

static void begin_note(Notes *notes) {
  if (notes->text.length) text_add(&notes->text, ", ");
}

static Storage cell_storage(const Program *program, CellId cell) {
  return program->objects.data[program->cells.data[cell].object].storage;
}

bool is_lock_in(const Program *program, ObjectId object, CellId except) {
  for (size_t s = 0; s < program->steps.count; s++) {
    const Step *step = &program->steps.data[s];
    if (step->kind != STEP_LOCK && step->kind != STEP_UNLOCK && step->kind != STEP_TRYLOCK) continue;
    for (uint32_t i = 0; i < step->access.cells.count; i++) {
      CellId cell = access_cell(program, &step->access, i);
      if (cell != except && program->cells.data[cell].object == object) return true;
    }
  }
  return false;
}

// A lock or semaphore is named by its first cell. If its object has no other lock, the name of the object is used.
void words_lock(const Program *program, CellId cell, Text *out) {
  const char *name = cell != NO_ID ? program->cells.data[cell].name : NULL;
  size_t length = name ? strlen(name) : 0;
  bool first = length > 3 && strcmp(name + length - 3, "[0]") == 0;
  if (first && !is_lock_in(program, program->cells.data[cell].object, cell)) length -= 3;
  if (name)
    text_add_bytes(out, name, length);
  else
    text_add(out, "a lock");
}

static void note_cell(Notes *notes, const char *what, CellId cell) {
  begin_note(notes);
  text_format(&notes->text, "%s ", what);
  words_lock(notes->index->program, cell, &notes->text);
}

// The cell that a wait depended on: the one that it reads itself, or the last one that was read before on the line.
static CellId awaited_cell(const Notes *notes, size_t first, size_t step) {
  for (size_t s = step + 1; s-- > first;) {
    const TraceStep *row = &notes->index->trace->steps.data[s];
    for (uint32_t i = row->change_count; i-- > 0;) {
      const TraceChange *change = &notes->index->trace->changes.data[row->first_change + i];
      if (change->cell != NO_ID && change->read) return change->cell;
    }
  }
  return NO_ID;
}

// Is it the cell of a control block that says whether the thread has ended? (A control block has other cells, too.)
static bool is_end_cell(const Program *program, CellId cell) {
  const Cell *row = &program->cells.data[cell];
  uint64_t offset = row->address - program->objects.data[row->object].address;
  return cell_storage(program, cell) == STORAGE_CONTROL && (offset == CONTROL_STATUS || offset == CONTROL_ENDED);
}

static void note_wait(Notes *notes, size_t first, size_t step) {
  const Program *program = notes->index->program;
  CellId cell = awaited_cell(notes, first, step);
  begin_note(notes);
  if (cell == NO_ID || (cell_storage(program, cell) == STORAGE_CONTROL && !is_end_cell(program, cell))) {
    text_add(&notes->text, "its wait is over");
  } else if (cell_storage(program, cell) == STORAGE_CONTROL) {
    text_add(&notes->text, "joins ");
    words_thread(program, program->objects.data[program->cells.data[cell].object].owner, &notes->text);
  } else {
    text_add(&notes->text, "its wait for ");
    words_lock(program, cell, &notes->text);
    text_add(&notes->text, " is over");
  }
}

static void note_free(Notes *notes, size_t step, Term operand) {
  const TraceIndex *index = notes->index;
  ObjectId object = NO_ID;
  if (operand != TERM_NONE) {
    Bits address = trace_evaluate(index, operand, index->trace->steps.data[step].first_change);
    object = address ? program_object_at(index->program, (uint64_t)address) : NO_ID;
  }
  begin_note(notes);
  text_add(&notes->text, "frees ");
  if (object != NO_ID)
    words_object(index->program, object, &notes->text);
  else
    text_add(&notes->text, "memory");
}

// Notes that a handler begins. `signal`: the number of its signal; 0: of some signal; above 64: a request to end.
static void note_signal(Notes *notes, uint32_t signal) {
  static const char *const names[] = {"a signal", "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",  "SIGTRAP",   "SIGABRT",
                                      "SIGBUS",   "SIGFPE",  "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2",   "SIGPIPE",
                                      "SIGALRM",  "SIGTERM", NULL,      "SIGCHLD", "SIGCONT", "SIGSTOP",   "SIGTSTP",
                                      "SIGTTIN",  "SIGTTOU", "SIGURG",  "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF",
                                      "SIGWINCH", "SIGIO",   "SIGPWR",  "SIGSYS"};
  begin_note(notes);
  if (signal < sizeof names / sizeof *names && names[signal])
    text_format(&notes->text, "%s arrives", names[signal]);
  else if (signal <= 64)
    text_format(&notes->text, "signal %u arrives", (unsigned)signal);
  else
    text_add(&notes->text, "is cancelled");
}

// Notes what a step does apart from changing values.
static void note_action(Notes *notes, size_t first, size_t index) {
  const Program *program = notes->index->program;
  const TraceStep *step = &notes->index->trace->steps.data[index];
  const Step *row = &program->steps.data[step->step];
  switch (row->kind) {
  case STEP_LOCK: note_cell(notes, "locks", trace_touched_cell(notes->index, index)); break;
  case STEP_UNLOCK: note_cell(notes, "unlocks", trace_touched_cell(notes->index, index)); break;
  case STEP_TRYLOCK:
    note_cell(notes, trace_changes_memory(notes->index, index) ? "takes" : "does not get",
              trace_touched_cell(notes->index, index));
    break;
  case STEP_WAIT: note_wait(notes, first, index); break;
  case STEP_FREE: note_free(notes, index, row->operand); break;
  case STEP_CREATE:
    begin_note(notes);
    text_add(&notes->text, "creates ");
    words_thread(program, row->target, &notes->text);
    break;
  case STEP_ALLOCATE:
    begin_note(notes);
    text_add(&notes->text, "allocates ");
    words_object(program, row->target, &notes->text);
    break;
  case STEP_START:
  case STEP_EXIT:
    if (row->kind == STEP_START && !notes->full) break; // the heading with the thread's name already shows it
    begin_note(notes);
    text_add(&notes->text, row->kind == STEP_START ? "starts" : "ends");
    break;
  case STEP_ATOMIC_BEGIN:
  case STEP_ATOMIC_END:
    if (row->target != NO_ID) {
      note_signal(notes, row->target);
      break;
    }
    if (row->position.library && !notes->full) break;
    begin_note(notes);
    text_add(&notes->text, row->kind == STEP_ATOMIC_BEGIN ? "begins atomic section" : "ends atomic section");
    break;
  case STEP_CHECK:
    if (index + 1 < notes->index->trace->steps.count || row->check->subject == CHECK_SCOPE) break;
    begin_note(notes);
    text_add(&notes->text, row->check->subject == CHECK_OVERFLOW ? "overflows" : "ends the process");
    break;
  case STEP_ERROR:
    begin_note(notes);
    text_add(&notes->text, "reaches the error");
    break;
  case STEP_HALT:
    begin_note(notes);
    text_add(&notes->text, "ends the process");
    break;
  default: break;
  }
}

// Notes that a block is lost from this step on. `scopes`: because a function returns.
static void note_loss(Notes *notes, size_t index, bool scopes) {
  const TraceLoss *loss = &notes->index->trace->loss;
  if (loss->cause == LOST_UNTOLD || loss->cause == LOST_KEPT || loss->lost != index) return;
  if ((loss->cause == LOST_SCOPE) != scopes) return;
  begin_note(notes);
  text_add(&notes->text, loss->cause == LOST_NEVER_KEPT ? "keeps no pointer to " : "loses the last pointer to ");
  words_object(notes->index->program, loss->block, &notes->text);
}

// Which changes a line shows.
typedef enum Interest { INTEREST_CHANGES, INTEREST_READS, INTEREST_TEMPORARIES } Interest;

static bool is_interesting(const Notes *notes, const TraceStep *step, const TraceChange *change, Interest interest) {
  const Program *program = notes->index->program;
  const Step *row = &program->steps.data[step->step];
  bool temporary = change->variable != NO_ID && program->variables.data[change->variable].temporary;
  // A write of the value that a cell has already is noted, as another thread may observe the write. An assignment that
  // does not change its variable is not.
  bool silent = change->before == change->after && !change->chosen && (change->cell == NO_ID || change->read);
  if (interest == INTEREST_READS && !change->read) return false;
  // How many blocks are left, and the ends of scopes, are bookkeeping for messages about leaks.
  if (change->read && row->access.unordered && !notes->full) return false;
  if (row->kind == STEP_CHECK && row->check->subject == CHECK_SCOPE) return false;
  if (interest == INTEREST_CHANGES && (change->read || silent)) return false;
  // Temporaries of library models are not part of the program.
  if (row->kind == STEP_CHECK && temporary && !notes->full) return false; // operands that were kept for a message
  if (interest == INTEREST_TEMPORARIES) return temporary && !silent && (notes->full || !row->position.library);
  if (temporary) return false;
  if (notes->full) return true;
  // The bookkeeping of library models (owners of locks, control blocks) is noted as actions.
  if (change->cell != NO_ID && cell_storage(program, change->cell) == STORAGE_CONTROL) return false;
  return !row->position.library || (change->cell != NO_ID && !row->access.synchronises);
}

static bool same_place(const TraceChange *a, const TraceChange *b) {
  return a->variable == b->variable && a->cell == b->cell && a->read == b->read;
}

// Was the value of a change chosen on the line, perhaps in a temporary from which it was copied?
static bool is_input(const Notes *notes, size_t first, size_t last, const TraceChange *change) {
  if (change->chosen) return true;
  const Trace *trace = notes->index->trace;
  for (size_t s = first; s < last; s++) {
    const TraceStep *step = &trace->steps.data[s];
    for (uint32_t i = 0; i < step->change_count; i++) {
      const TraceChange *other = &trace->changes.data[step->first_change + i];
      if (other->chosen && other->after == change->after) return true;
    }
  }
  return false;
}

// Notes `x: 0 -> 1 -> 2`: all changes of one variable in the steps [first, last), from change `start` on.
static void note_chain(Notes *notes, size_t first, size_t last, size_t start, Interest interest) {
  const Trace *trace = notes->index->trace;
  const TraceChange *head = &trace->changes.data[start];
  Text *text = &notes->text;
  begin_note(notes);
  if (interest == INTEREST_READS) text_add(text, "reads ");
  words_change_name(notes->index->program, head, text);
  text_add(text, head->read ? " = " : ": ");
  words_change_value(notes->index->program, head, head->before, text);
  if (head->read) return;
  unsigned shown = 0;
  const TraceChange *latest = NULL;
  bool chosen = false;
  for (size_t s = first; s < last; s++) {
    const TraceStep *step = &trace->steps.data[s];
    for (uint32_t i = 0; i < step->change_count; i++) {
      const TraceChange *change = &trace->changes.data[step->first_change + i];
      if (step->first_change + i < start || !same_place(head, change)) continue;
      if (!is_interesting(notes, step, change, interest)) continue;
      latest = change;
      chosen = chosen || is_input(notes, first, last, change);
      if (++shown > LONGEST_CHAIN) continue;
      text_add(text, " -> ");
      words_change_value(notes->index->program, head, change->after, text);
    }
  }
  assert(shown == 0 || latest);
  if (shown > LONGEST_CHAIN) {
    text_add(text, " -> ... -> ");
    words_change_value(notes->index->program, head, latest->after, text);
  }
  if (chosen) text_add(text, " (input)");
}

// Is the change part of a chain that was noted before, for an earlier step of the line?
static bool already_noted(const Notes *notes, size_t first, size_t step, size_t change, Interest interest) {
  const Trace *trace = notes->index->trace;
  const TraceChange *wanted = &trace->changes.data[change];
  for (size_t s = first; s <= step; s++) {
    const TraceStep *row = &trace->steps.data[s];
    for (size_t c = row->first_change; c < row->first_change + row->change_count && c < change; c++) {
      const TraceChange *earlier = &trace->changes.data[c];
      if (!same_place(earlier, wanted) || !is_interesting(notes, row, earlier, interest)) continue;
      if (!wanted->read || earlier->after == wanted->after) return true;
    }
  }
  return false;
}

// Is a unit to be noted instead of the cell: a number that consists of several cells, or a text of which the line
// touches several characters?
static bool noted_as_unit(const Notes *notes, size_t first, size_t last, const TraceChange *change, Interest interest,
                          Unit *unit) {
  const Trace *trace = notes->index->trace;
  if (change->cell == NO_ID) return false;
  *unit = unit_of_number(notes->index->program, change->cell);
  if (unit->part) return true;
  *unit = unit_of_text(notes->index->program, change->cell);
  for (size_t s = first; unit->part && s < last; s++) {
    const TraceStep *step = &trace->steps.data[s];
    for (size_t c = step->first_change; c < step->first_change + step->change_count; c++) {
      const TraceChange *other = &trace->changes.data[c];
      bool beside = other->cell != NO_ID && other->cell != change->cell && unit_has(unit, other->cell);
      if (beside && is_interesting(notes, step, other, interest)) return true;
    }
  }
  return false;
}

// Was an earlier change of the line noted as this unit?
static bool unit_already_noted(const Notes *notes, size_t first, size_t change, const Unit *unit, Interest interest) {
  const Trace *trace = notes->index->trace;
  for (size_t s = first; s < trace->steps.count && trace->steps.data[s].first_change < change; s++) {
    const TraceStep *step = &trace->steps.data[s];
    for (size_t c = step->first_change; c < step->first_change + step->change_count && c < change; c++) {
      const TraceChange *earlier = &trace->changes.data[c];
      bool same = earlier->cell != NO_ID && unit_has(unit, earlier->cell);
      if (same && is_interesting(notes, step, earlier, interest)) return true;
    }
  }
  return false;
}

// Notes `name: before -> after`, with the values before and after the line.
static void note_unit(Notes *notes, size_t first, size_t last, const TraceChange *change, size_t at, const Unit *unit) {
  const Trace *trace = notes->index->trace;
  Text *text = &notes->text;
  const TraceStep *end = &trace->steps.data[last - 1];
  begin_note(notes);
  if (change->read) text_add(text, "reads ");
  words_unit_name(notes->index->program, unit, text);
  text_add(text, change->read ? " = " : ": ");
  if (change->read) {
    words_unit_after(notes->index, unit, at, text);
    return;
  }
  words_unit_value(notes->index, unit, trace->steps.data[first].first_change, text);
  text_add(text, " -> ");
  words_unit_value(notes->index, unit, end->first_change + end->change_count, text);
}

static void note_values(Notes *notes, size_t first, size_t last, Interest interest) {
  const Trace *trace = notes->index->trace;
  for (size_t s = first; s < last; s++) {
    const TraceStep *step = &trace->steps.data[s];
    for (size_t c = step->first_change; c < step->first_change + step->change_count; c++) {
      const TraceChange *change = &trace->changes.data[c];
      Unit unit;
      if (!is_interesting(notes, step, change, interest)) continue;
      if (noted_as_unit(notes, first, last, change, interest, &unit)) {
        if (!unit_already_noted(notes, first, c, &unit, interest)) note_unit(notes, first, last, change, c, &unit);
      } else if (!already_noted(notes, first, s, c, interest)) {
        note_chain(notes, first, last, c, interest);
      }
    }
  }
}

// Does the step end a thread or the process, or reach an error? Such actions are noted last.
static bool is_ending(const Notes *notes, size_t step) {
  StepKind kind = trace_step_row(notes->index, step)->kind;
  return kind == STEP_EXIT || kind == STEP_HALT || kind == STEP_ERROR;
}

void notes_describe(Notes *notes, size_t first, size_t last, bool placed) {
  assert(first < last && last <= notes->index->trace->steps.count);
  text_clear(&notes->text);
  for (size_t s = first; s < last; s++) {
    note_loss(notes, s, true);
    if (!is_ending(notes, s)) note_action(notes, first, s);
  }
  note_values(notes, first, last, INTEREST_CHANGES);
  bool ending = last == notes->index->trace->steps.count; // its reads may have led to the violation
  if (notes->full || ending || (placed && !notes->text.length)) note_values(notes, first, last, INTEREST_READS);
  if (notes->full || (placed && !notes->text.length)) note_values(notes, first, last, INTEREST_TEMPORARIES);
  for (size_t s = first; s < last; s++)
    if (is_ending(notes, s)) note_action(notes, first, s);
  for (size_t s = first; s < last; s++) note_loss(notes, s, false);
}
