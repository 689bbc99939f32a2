// Witnesses in YAML, in the format of SV-COMP: version 2.0, or 2.2 with thread ids if there is more than one thread.
// docs/report.md says which waypoints are written, and why they are enough.
#include "report/report.h"

#include "base/bitset.h"
#include "base/file.h"
#include "base/printable.h"
#include "base/sha256.h"
#include "report/source_text.h"
#include "witness/event_map.h"

#include <assert.h>
#include <time.h>

enum { MOST_CONJUNCTS = 4, LARGEST_VALUE = 1 << 20 };

typedef struct Writer {
  const Report *report;
  const Program *program;
  const Trace *trace;
  EventMap events;
  Text *out;
  uint32_t *numbers; // per thread: its number in the witness plus 1; 0: it has none yet
  uint32_t next_number;
  bool registers;    // each creation of a thread is written as a waypoint
  bool *expressible; // per cell: a C expression over globals denotes it
  Bits *values;      // per cell: its value after the steps so far, if it was written
  U32Vector changed; // the cells that were written since the last assumption
} Writer;

// --- YAML ---

static void add_character(Text *out, uint32_t code, const char *bytes, size_t length) {
  if (code == 0xfffe || code == 0xffff || utf8_is_control(code)) { // YAML does not allow these unescaped
    text_format(out, code > 0xffff ? "\\U%08x" : code > 0xff ? "\\u%04x" : "\\x%02x", (unsigned)code);
    return;
  }
  if (code == '"' || code == '\\') text_add_char(out, '\\');
  text_add_bytes(out, bytes, length);
}

// Adds a quoted text. A byte that is not part of valid UTF-8 becomes `\xNN`, as in messages.
static void add_quoted(Text *out, const char *text) {
  text_add_char(out, '"');
  size_t length;
  for (size_t left = strlen(text); left; text += length, left -= length) {
    uint32_t code;
    length = utf8_decode(text, left, &code);
    if (length) {
      add_character(out, code, text, length);
    } else {
      text_format(out, "\\\\x%02x", (unsigned)(unsigned char)*text);
      length = 1;
    }
  }
  text_add_char(out, '"');
}

// The specification: for a violation that of its kind, for a proof that of the property.
static const char *specification(const Report *report) {
  static const ViolationKind kinds[PROPERTY_COUNT] = {[PROPERTY_UNREACH_CALL] = VIOLATION_ERROR,
                                                      [PROPERTY_NO_DATA_RACE] = VIOLATION_RACE,
                                                      [PROPERTY_NO_DEADLOCK] = VIOLATION_DEADLOCK,
                                                      [PROPERTY_VALID_MEMSAFETY] = VIOLATION_DEREFERENCE,
                                                      [PROPERTY_NO_DIVISION_BY_ZERO] = VIOLATION_DIVISION,
                                                      [PROPERTY_NO_OVERFLOW] = VIOLATION_OVERFLOW,
                                                      [PROPERTY_VALID_MEMCLEANUP] = VIOLATION_CLEANUP,
                                                      [PROPERTY_VALID_MEMTRACK] = VIOLATION_LEAK,
                                                      [PROPERTY_LTL] = VIOLATION_FORMULA};
  const Result *result = report->result;
  ViolationKind kind = result->kind != VIOLATION_NONE ? result->kind : kinds[result->property];
  const char *text = violation_specification(kind);
  assert(text); // formulas have no witness
  return text;
}

static void add_files(const Report *report, Text *out) {
  text_add(out, "      input_files:\n");
  for (size_t i = 0; i < report->file_count; i++) {
    text_add(out, "        - ");
    add_quoted(out, report->files[i]);
    text_add_char(out, '\n');
  }
  text_add(out, "      input_file_hashes:\n");
  for (size_t i = 0; i < report->file_count; i++) {
    Text content;
    text_init(&content, NULL);
    char hex[SHA256_HEX];
    (void)file_read(&content, report->files[i], FILE_MOST_DATA,
                    NULL); // a file that cannot be read has the hash of an empty file
    sha256_hex(content.data, content.length, hex);
    text_add(out, "        ");
    add_quoted(out, report->files[i]);
    text_format(out, ": \"%s\"\n", hex);
    text_free(&content);
  }
}

// Adds a UUID of the form of version 4, computed from the content: equal witnesses have equal UUIDs.
static void add_uuid(const Text *content, Text *out) {
  uint8_t d[SHA256_BYTES];
  sha256(content->data, content->length, d);
  d[6] = (uint8_t)((d[6] & 0x0f) | 0x40);
  d[8] = (uint8_t)((d[8] & 0x3f) | 0x80);
  for (int i = 0; i < 16; i++) text_format(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", d[i]);
}

static void add_time(Text *out) {
  time_t now = time(NULL);
  struct tm utc;
  char text[32] = "1970-01-01T00:00:00Z";
  if (gmtime_r(&now, &utc)) strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  text_add(out, text);
}

static void add_entry(const Report *report, const char *type, const char *version, const Text *content, Text *out) {
  Text task;
  text_init(&task, NULL);
  add_files(report, &task);
  text_add(&task, "      specification: ");
  add_quoted(&task, specification(report));
  text_format(&task, "\n      data_model: %s\n      language: C\n  content:", report->data_model);
  text_add(&task, content->data);
  text_format(out, "- entry_type: %s\n  metadata:\n    format_version: \"%s\"\n    uuid: \"", type, version);
  add_uuid(&task, out);
  text_add(out, "\"\n    creation_time: \"");
  add_time(out);
  text_format(out, "\"\n    producer:\n      name: \"Heddle\"\n      version: \"%s\"\n    task:\n", report->version);
  text_add(out, task.data);
  text_free(&task);
}

// --- cells that expressions can denote ---

static bool is_path(const char *name, const char *object) {
  size_t length = strlen(object);
  if (strchr(object, '.') || strncmp(name, object, length) != 0) return false;
  for (const char *c = name; *c; c++) {
    bool word = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') || *c == '_';
    if (!word && *c != '.' && *c != '[' && *c != ']') return false;
  }
  return true;
}

// Could a local of the same name hide the global?
static bool is_hidden(const Program *p, const char *name) {
  for (size_t v = 0; v < p->variables.count; v++)
    if (!p->variables.data[v].temporary && p->variables.data[v].name && strcmp(p->variables.data[v].name, name) == 0)
      return true;
  for (size_t o = 0; o < p->objects.count; o++)
    if (p->objects.data[o].storage == STORAGE_STACK && p->objects.data[o].name &&
        strcmp(p->objects.data[o].name, name) == 0)
      return true;
  return false;
}

// Finds the cells that an expression may denote. Cells that library models access are excluded: they are parts of
// opaque types (mutexes, threads).
static void find_expressible(Writer *w) {
  const Program *p = w->program;
  for (size_t i = 0; i < p->steps.count; i++) {
    const Step *step = &p->steps.data[i];
    if (step->access.address == TERM_NONE || step->position.library) continue;
    for (uint32_t c = 0; c < step->access.cells.count; c++) w->expressible[access_cell(p, &step->access, c)] = true;
  }
  for (size_t i = 0; i < p->steps.count; i++) {
    const Step *step = &p->steps.data[i];
    if (step->access.address == TERM_NONE || !step->position.library) continue;
    for (uint32_t c = 0; c < step->access.cells.count; c++) w->expressible[access_cell(p, &step->access, c)] = false;
  }
  for (CellId c = 0; c < p->cells.count; c++) {
    const Cell *cell = &p->cells.data[c];
    const Object *object = &p->objects.data[cell->object];
    w->expressible[c] = w->expressible[c] && object->storage == STORAGE_GLOBAL && object->name && cell->name &&
                        cell->shared && cell->bytes <= 8 && is_path(cell->name, object->name) &&
                        !is_hidden(p, object->name);
  }
}

// Can the value of the cell be written without knowing its type? It must be the same number for signed and unsigned
// types, and no address.
static bool has_plain_value(const Writer *w, CellId cell, int64_t *value) {
  unsigned width = 8 * w->program->cells.data[cell].bytes;
  uint64_t bits = (uint64_t)w->values[cell];
  *value = (int64_t)bits;
  if (width < 64 && width >= 32 && bits >> (width - 1) & 1) *value -= (int64_t)1 << width;
  return *value < LARGEST_VALUE && *value > -LARGEST_VALUE && (width >= 32 || !(bits >> (width - 1) & 1)) &&
         (bits == 0 || program_object_at(w->program, bits) == NO_ID);
}

static void add_changed_values(Writer *w, Text *out) {
  size_t conjuncts = 0;
  for (size_t i = w->changed.count; i-- > 0 && conjuncts < MOST_CONJUNCTS;) {
    CellId cell = w->changed.data[i];
    int64_t value;
    bool later = false;
    for (size_t j = i + 1; j < w->changed.count; j++) later |= w->changed.data[j] == cell;
    if (later || !w->expressible[cell] || !has_plain_value(w, cell, &value)) continue;
    text_format(out, "%s%s == %lld", conjuncts++ ? " && " : "", w->program->cells.data[cell].name, (long long)value);
  }
  if (conjuncts == 0) text_add(out, "1");
  w->changed.count = 0;
}

// --- waypoints ---

static void add_waypoint(Writer *w, const char *type, ThreadId thread, uint32_t file, SourcePoint at,
                         const char *function, const char *constraint, const char *format) {
  assert(file < w->events.files.count && !constraint == !format);
  text_format(w->out, "        - waypoint:\n            type: %s\n            action: follow\n", type);
  if (w->program->threads.count > 1 && w->numbers[thread])
    text_format(w->out, "            thread_id: %u\n", w->numbers[thread] - 1);
  if (constraint) {
    text_add(w->out, "            constraint:\n              value: ");
    add_quoted(w->out, constraint);
    text_format(w->out, "\n              format: %s\n", format);
  }
  text_add(w->out, "            location:\n              file_name: ");
  add_quoted(w->out, w->events.files.data[file]);
  text_format(w->out, "\n              line: %u\n              column: %u\n", at.line, at.column);
  if (function) {
    text_add(w->out, "              function: ");
    add_quoted(w->out, function);
    text_add_char(w->out, '\n');
  }
}

static void add_segment(Writer *w) { text_add(w->out, "    - segment:\n"); }

static const Step *step_at(const Writer *w, size_t i) { return &w->program->steps.data[w->trace->steps.data[i].step]; }

static const EdgeEvent *event_at(const Writer *w, size_t i) { return &w->events.edges[w->trace->steps.data[i].edge]; }

// Does the statement that begins here access shared memory, before the thread's next statement begins?
static bool matters(const Writer *w, size_t begin) {
  ThreadId thread = w->trace->steps.data[begin].thread;
  for (size_t i = begin; i < w->trace->steps.count; i++) {
    const TraceStep *step = &w->trace->steps.data[i];
    if (step->thread != thread) continue;
    if (i > begin && event_at(w, i)->begins) return false;
    for (uint32_t c = 0; c < step->change_count; c++) {
      const TraceChange *change = &w->trace->changes.data[step->first_change + c];
      if (change->cell != NO_ID && w->program->cells.data[change->cell].shared) return true;
    }
  }
  return false;
}

static void write_assumption(Writer *w, size_t i) {
  const EdgeEvent *event = event_at(w, i);
  Text values;
  text_init(&values, NULL);
  add_changed_values(w, &values);
  add_segment(w);
  add_waypoint(w, "assumption", w->trace->steps.data[i].thread, event->file, event_map_start(&w->events, event),
               step_at(w, i)->position.function, values.data, "c_expression");
  text_free(&values);
}

// Adds the constraint on the result of an input function. The name of the function gives the type of the result.
static bool result_text(const Writer *w, size_t i, Text *out) {
  const TraceStep *step = &w->trace->steps.data[i];
  const EdgeEvent *event = event_at(w, i);
  const Statements *statements = &w->events.statements.data[event->file];
  const Position *position = &step_at(w, i)->position;
  const char *name = statements->text.data + statements->line_starts.data[position->line - 1] + position->column - 1;
  static const char prefix[] = "__VERIFIER_nondet_";
  if (strncmp(name, prefix, sizeof prefix - 1) != 0) return false;
  name += sizeof prefix - 1;
  if (*name == 'f' || *name == 'd') return false; // floating point
  bool is_unsigned = *name == 'u' || *name == 'b' || *name == 'p' || strncmp(name, "size", 4) == 0;
  for (uint32_t c = 0; c < step->change_count; c++) {
    const TraceChange *change = &w->trace->changes.data[step->first_change + c];
    if (change->variable == NO_ID || !change->chosen) continue;
    unsigned width = term_width(w->program->terms, variable_term(w->program, change->variable));
    if (width > 64) return false;
    uint64_t bits = (uint64_t)change->after;
    bool negative = !is_unsigned && width > 1 && bits >> (width - 1) & 1;
    if (negative) bits = (~bits + 1) & (uint64_t)bits_mask(width);
    text_format(out, "\\result == %s%llu%s", negative ? "-" : "", (unsigned long long)bits,
                is_unsigned && bits > INT64_MAX ? "u" : "");
    return true;
  }
  return false;
}

static void write_input(Writer *w, size_t i) {
  const EdgeEvent *event = event_at(w, i);
  Text result;
  text_init(&result, NULL);
  if (result_text(w, i, &result)) {
    add_segment(w);
    add_waypoint(w, "function_return", w->trace->steps.data[i].thread, event->file, event->call,
                 step_at(w, i)->position.function, result.data, "acsl_expression");
  }
  text_free(&result);
}

static void write_creation(Writer *w, size_t i) {
  const EdgeEvent *event = event_at(w, i);
  if (w->registers) {
    add_segment(w);
    add_waypoint(w, "function_enter", w->trace->steps.data[i].thread, event->file, event->call,
                 step_at(w, i)->position.function, NULL, NULL);
  }
  assert(step_at(w, i)->kind == STEP_CREATE && step_at(w, i)->target < w->program->threads.count);
  w->numbers[step_at(w, i)->target] = ++w->next_number;
}

static void follow_values(Writer *w, const TraceStep *step) {
  for (uint32_t c = 0; c < step->change_count; c++) {
    const TraceChange *change = &w->trace->changes.data[step->first_change + c];
    if (change->cell == NO_ID || change->read) continue;
    w->values[change->cell] = change->after;
    U32Vector_push(&w->changed, change->cell);
  }
}

// --- targets ---

static bool write_target(Writer *w, ThreadId thread, EdgeId edge) {
  const EdgeEvent *event = &w->events.edges[edge];
  if (event->statement == NO_ID) return false;
  const Step *step = edge_first_step(w->program, edge);
  add_waypoint(w, "target", thread, event->file, event_map_start(&w->events, event), step->position.function, NULL,
               NULL);
  return true;
}

static CellId accessed(const Writer *w, size_t i, bool *writes) {
  const TraceStep *step = &w->trace->steps.data[i];
  CellId cell = NO_ID;
  for (uint32_t c = 0; c < step->change_count; c++) {
    const TraceChange *change = &w->trace->changes.data[step->first_change + c];
    if (change->cell == NO_ID) continue;
    cell = change->cell;
    *writes = !change->read;
  }
  return cell;
}

// The step of the violation. For a race: the second access; after it only the rest of an atomic section may follow.
static size_t last_step(const Writer *w) {
  assert(w->trace->steps.count > 0);
  size_t last = w->trace->steps.count - 1;
  bool writes;
  if (w->report->result->property != PROPERTY_NO_DATA_RACE) return last;
  for (size_t i = last + 1; i-- > 0;)
    if (!step_at(w, i)->access.synchronises && accessed(w, i, &writes) != NO_ID) return i;
  return last;
}

// The other access of the race; last_step if there is none.
static size_t racing_step(const Writer *w) {
  size_t last = last_step(w);
  bool writes = false, other_writes = false;
  CellId cell = accessed(w, last, &writes);
  for (size_t i = last; i-- > 0;) {
    if (w->trace->steps.data[i].thread == w->trace->steps.data[last].thread || step_at(w, i)->access.synchronises)
      continue;
    if (accessed(w, i, &other_writes) == cell && cell != NO_ID && (writes || other_writes)) return i;
  }
  return last;
}

static bool write_waiting(Writer *w) {
  const Program *p = w->program;
  for (ThreadId t = 0; t < p->threads.count; t++) {
    LocationId l = p->threads.data[t].entry;
    for (size_t i = 0; i < w->trace->steps.count; i++)
      if (w->trace->steps.data[i].thread == t) l = p->edges.data[w->trace->steps.data[i].edge].to;
    // The wait may be inside an atomic section that begins here.
    for (unsigned ahead = 0; ahead < 8 && p->locations.data[l].out_count > 0; ahead++) {
      EdgeId edge = location_out_edge(p, &p->locations.data[l], 0);
      StepKind kind = edge_first_step(p, edge)->kind;
      if ((kind == STEP_WAIT || kind == STEP_LOCK) && w->numbers[t] && write_target(w, t, edge)) return true;
      if (kind != STEP_ATOMIC_BEGIN && !p->locations.data[l].atomic) break;
      l = p->edges.data[edge].to;
    }
  }
  return false;
}

// Writes the targets. False if the violation is in no statement that statements.h finds.
static bool write_targets(Writer *w) {
  add_segment(w);
  if (w->report->result->property == PROPERTY_NO_DEADLOCK) return write_waiting(w);
  size_t last = last_step(w);
  size_t other = w->report->result->property == PROPERTY_NO_DATA_RACE ? racing_step(w) : last;
  if (other != last) write_target(w, w->trace->steps.data[other].thread, w->trace->steps.data[other].edge);
  return write_target(w, w->trace->steps.data[last].thread, w->trace->steps.data[last].edge);
}

// --- complete witnesses ---

static bool all_creations_have_calls(const Writer *w) {
  for (size_t i = 0; i < w->trace->steps.count; i++)
    if (step_at(w, i)->kind == STEP_CREATE && event_at(w, i)->call.line == 0) return false;
  return true;
}

static void write_steps(Writer *w) {
  bool race = w->report->result->property == PROPERTY_NO_DATA_RACE;
  bool deadlock = w->report->result->property == PROPERTY_NO_DEADLOCK;
  size_t racing = race ? racing_step(w) : SIZE_MAX, count = w->trace->steps.count;
  for (size_t i = 0; i < count; i++) {
    const TraceStep *step = &w->trace->steps.data[i];
    const EdgeEvent *event = event_at(w, i);
    bool target = (i + 1 == count && !deadlock) || i == racing;
    bool after_racing = i > racing; // the two targets of a race have no order, so nothing may be between them
    if (!target && !after_racing && event->statement != NO_ID) {
      if (event->begins && matters(w, i)) write_assumption(w, i);
      if (event->input && event->call.line) write_input(w, i);
    }
    if (step_at(w, i)->kind == STEP_CREATE && !after_racing) write_creation(w, i);
    follow_values(w, step);
  }
}

static void write_violation(const Report *report, Text *out) {
  const Program *p = report->program;
  Text content;
  text_init(&content, NULL);
  text_add_char(&content, '\n');
  Writer w = {.report = report, .program = p, .trace = report->trace, .out = &content};
  event_map_init(&w.events, p, report->files, report->file_count, NULL);
  w.numbers = memory_allocate_zeroed(NULL, p->threads.count * sizeof *w.numbers);
  w.expressible = memory_allocate_zeroed(NULL, p->cells.count * sizeof *w.expressible);
  w.values = memory_allocate_zeroed(NULL, p->cells.count * sizeof *w.values);
  U32Vector_init(&w.changed, NULL);
  w.numbers[0] = w.next_number = 1;
  w.registers = all_creations_have_calls(&w);
  find_expressible(&w);
  write_steps(&w);
  if (write_targets(&w)) add_entry(report, "violation_sequence", p->threads.count > 1 ? "2.2" : "2.0", &content, out);
  U32Vector_free(&w.changed);
  memory_free(NULL, w.values, p->cells.count * sizeof *w.values);
  memory_free(NULL, w.expressible, p->cells.count * sizeof *w.expressible);
  memory_free(NULL, w.numbers, p->threads.count * sizeof *w.numbers);
  event_map_free(&w.events);
  text_free(&content);
}

// Does the line begin with a loop statement? The format has no location for other loops (do, goto).
static bool begins_loop(Sources *sources, const Position *position) {
  Text line;
  text_init(&line, NULL);
  bool begins = false;
  if (sources_add_line(sources, position->file, position->line, &line)) {
    static const char *const words[] = {"while", "for"};
    for (size_t i = 0; i < 2 && !begins; i++) {
      size_t length = strlen(words[i]);
      begins = strncmp(line.data, words[i], length) == 0 && strchr(" (\t", line.data[length]) != NULL;
    }
  }
  text_free(&line);
  return begins;
}

// The position of a loop of the program. NULL: the location is not the head of one, or an earlier location, of another
// thread, has the same position.
static const Position *loop_place(const Program *p, LocationId location) {
  const Position *position = &p->locations.data[location].position;
  if (!p->locations.data[location].loop_head || position->library || !position->file || !position->line) return NULL;
  for (LocationId l = 0; l < location; l++) {
    const Position *other = &p->locations.data[l].position;
    if (p->locations.data[l].loop_head && other->file && position_is_same_line(other, position)) return NULL;
  }
  return position;
}

// Writes the same invariant at each loop: the expression that holds in every state.
static void write_invariants(const Report *report, Text *out) {
  Sources sources;
  sources_init(&sources, NULL);
  for (LocationId l = 0; l < report->program->locations.count; l++) {
    const Position *position = loop_place(report->program, l);
    if (!position || !begins_loop(&sources, position)) continue;
    text_format(out, "%s  - invariant:\n      type: loop_invariant\n      location:\n        file_name: ",
                out->length ? "" : "\n");
    add_quoted(out, position->file);
    text_format(out, "\n        line: %u\n", (unsigned)position->line);
    if (position->function) {
      text_add(out, "        function: ");
      add_quoted(out, position->function);
      text_add_char(out, '\n');
    }
    text_add(out, "      value: ");
    add_quoted(out, report->invariant);
    text_add(out, "\n      format: c_expression\n");
  }
  sources_free(&sources);
}

static void write_correctness(const Report *report, Text *out) {
  Text content;
  text_init(&content, NULL);
  if (report->program && report->invariant && *report->invariant) write_invariants(report, &content);
  if (!content.length) text_add(&content, " []\n");
  add_entry(report, "invariant_set", "2.0", &content, out);
  text_free(&content);
}

void report_witness(const Report *report, Text *out) {
  if (report->result->property == PROPERTY_LTL) return;
  if (report->result->answer == ANSWER_UNSAFE && report->program && report->trace) write_violation(report, out);
  if (report->result->answer == ANSWER_SAFE) write_correctness(report, out);
}
