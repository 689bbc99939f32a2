#include "report/trace_text.h"

#include "base/printable.h"
#include "report/explain.h"
#include "report/source_text.h"
#include "report/units.h"

#include <assert.h>

enum {
  STATEMENT_WIDTH = 56, // longer source lines are cut
  LEAST_SHOWN_GAP = 3   // fewer consecutive lines are left out without a mark
};

// --- pieces of text ---

void tone_begin(const TraceStyle *style, Tone tone, Text *out) {
  static const char *const codes[] = {[TONE_HEADING] = TONE_BOLD, [TONE_QUIET] = TONE_DIM, [TONE_ALARM] = TONE_RED};
  if (style->colour) text_add(out, codes[tone]);
}

void tone_end(const TraceStyle *style, Text *out) {
  if (style->colour) text_add(out, TONE_NONE);
}

static bool continues_character(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

size_t text_columns(const char *text, size_t length) {
  size_t columns = 0;
  for (size_t i = 0; i < length; i++) columns += !continues_character(text[i]);
  return columns;
}

size_t text_fitting(const char *text, size_t length, size_t columns) {
  size_t i = 0;
  for (size_t used = 0; i < length; i++) {
    if (continues_character(text[i])) continue;
    if (used++ == columns) break;
  }
  assert(i <= length);
  return i;
}

bool trace_loop_begins(const TraceLines *lines, const TraceLine *line, bool marked) {
  if (marked || lines->loop_start == NO_ID) return false;
  return !line || lines->loop_start < line->last; // the step itself may be on no line
}

void trace_mark_loop(const TraceLines *lines, Text *out) {
  bool empty = lines->loop_start >= lines->index.trace->steps.count;
  text_add(out, empty ? "from here on nothing happens any more\n" : "from here on again and again:\n");
}

// --- the list ---

typedef struct List {
  const TraceLines *lines;
  const RoundsVector *rounds; // those that are left out
  const TraceStyle *style;
  Sources sources;
  size_t place_width; // of "file:line"
  Text *out;
} List;

static void pad(Text *out, size_t used, size_t width) {
  while (used++ < width) text_add_char(out, ' ');
}

// Prints the source line of a position. Returns the number of columns of the text.
static size_t print_statement(List *list, const Position *position) {
  Text statement;
  text_init(&statement, NULL);
  if (!sources_add_line(&list->sources, position->file, position->line, &statement) && position->function)
    text_format(&statement, "in %s", position->function);
  size_t columns = text_columns(statement.data, statement.length);
  if (columns > STATEMENT_WIDTH) {
    text_add_bytes(list->out, statement.data, text_fitting(statement.data, statement.length, STATEMENT_WIDTH - 3));
    text_add(list->out, "...");
    columns = STATEMENT_WIDTH;
  } else {
    text_add(list->out, statement.data);
  }
  text_free(&statement);
  return columns;
}

static void print_line(List *list, const TraceLine *line) {
  Text *out = list->out;
  size_t used = 0, wide = list->place_width + 2 + STATEMENT_WIDTH;
  text_add(out, "  ");
  if (line->position) {
    size_t start = out->length;
    words_place(line->position, out);
    used = text_columns(out->data + start, out->length - start);
    pad(out, used, list->place_width + 2);
    used = list->place_width + 2 + print_statement(list, line->position);
  }
  if (*line->notes) {
    pad(out, used, wide);
    text_format(out, "  %s", line->notes);
  }
  text_add_char(out, '\n');
}

static void measure_places(List *list) {
  Text place;
  text_init(&place, NULL);
  for (size_t i = 0; i < list->lines->lines.count; i++) {
    const TraceLine *line = &list->lines->lines.data[i];
    if (!line->position || !line->matters) continue;
    text_clear(&place);
    words_place(line->position, &place);
    size_t width = text_columns(place.data, place.length);
    if (width > list->place_width) list->place_width = width;
  }
  text_free(&place);
}

// Prints how many lines were left out of the thread whose lines are being printed.
static void print_gap(List *list, size_t count) {
  if (count < LEAST_SHOWN_GAP) return;
  tone_begin(list->style, TONE_QUIET, list->out);
  text_format(list->out, "  \xe2\x80\xa6 %zu lines", count);
  tone_end(list->style, list->out);
  text_add_char(list->out, '\n');
}

static void print_rounds(List *list, const Rounds *rounds) {
  tone_begin(list->style, TONE_QUIET, list->out);
  text_add(list->out, "  ");
  rounds_words(rounds, list->out);
  tone_end(list->style, list->out);
  text_add_char(list->out, '\n');
}

static void print_heading(List *list, ThreadId thread) {
  tone_begin(list->style, TONE_HEADING, list->out);
  words_thread(list->lines->index.program, thread, list->out);
  tone_end(list->style, list->out);
  text_add_char(list->out, '\n');
}

static void print_list(List *list) {
  ThreadId running = NO_ID;
  size_t gap = 0, next = 0;
  bool marked = false;
  measure_places(list);
  for (size_t i = 0; i < list->lines->lines.count; i++) {
    const Rounds *rounds = rounds_at(list->rounds, i, &next);
    if (rounds) {
      print_rounds(list, rounds);
      gap = 0;
      if (rounds->several) running = NO_ID;
      i = rounds->last;
    }
    const TraceLine *line = &list->lines->lines.data[i];
    if (trace_loop_begins(list->lines, line, marked)) {
      print_gap(list, gap);
      gap = 0;
      running = NO_ID;
      marked = true;
      trace_mark_loop(list->lines, list->out);
    }
    if (!line->matters) {
      gap += line->thread == running;
      continue;
    }
    if (line->thread != running) {
      print_heading(list, line->thread);
    } else {
      print_gap(list, gap);
    }
    gap = 0;
    running = line->thread;
    print_line(list, line);
  }
  if (trace_loop_begins(list->lines, NULL, marked)) trace_mark_loop(list->lines, list->out);
}

// --- the state at the end ---

static bool is_lock_cell(const TraceIndex *index, CellId cell) {
  for (size_t i = 0; i < index->locks.count; i++)
    if (index->locks.data[i].cell == cell) return true;
  return false;
}

// Was the value written by a library model into an object with a lock? Its value is not shown; its holder is.
static bool is_inside_lock(const TraceIndex *index, CellId cell, uint32_t writer) {
  uint32_t step = index->step_of.data[writer];
  return trace_step_row(index, step)->position.library &&
         is_lock_in(index->program, index->program->cells.data[cell].object, NO_ID);
}

static bool was_shown(const TraceLines *lines, const Unit *unit, CellId cell) {
  for (CellId c = unit->first; c < cell; c++)
    if (bitset_get(&lines->relevance.cells, c)) return true;
  return false;
}

// The unit to show for a cell: an array of characters if several of its characters matter, else a number.
static Unit unit_to_show(const TraceLines *lines, CellId cell) {
  Unit text = unit_of_text(lines->index.program, cell);
  unsigned matter = 0;
  for (uint32_t i = 0; i < text.count; i++) matter += bitset_get(&lines->relevance.cells, text.first + i);
  return unit_is_text(&text) && matter < 2 ? unit_of_number(lines->index.program, cell) : text;
}

static void print_values(const TraceLines *lines, Text *out) {
  const TraceIndex *index = &lines->index;
  const Program *program = index->program;
  const char *separator = "at the end: ";
  for (size_t c = bitset_next(&lines->relevance.cells, 0); c < lines->relevance.cells.bits;
       c = bitset_next(&lines->relevance.cells, c + 1)) {
    Storage storage = program->objects.data[program->cells.data[c].object].storage;
    uint32_t writer = trace_cell_writer(index, (CellId)c, index->trace->changes.count);
    if (storage == STORAGE_CONTROL || is_lock_cell(index, (CellId)c) || writer == NO_ID) continue;
    if (is_inside_lock(index, (CellId)c, writer)) continue;
    Unit unit = unit_to_show(lines, (CellId)c);
    if (was_shown(lines, &unit, (CellId)c)) continue;
    text_add(out, separator);
    words_unit_name(program, &unit, out);
    text_add(out, " = ");
    words_unit_value(index, &unit, index->trace->changes.count, out);
    separator = ", ";
  }
  if (*separator == ',') text_add_char(out, '\n');
}

static void print_holders(const TraceLines *lines, Text *out) {
  const TraceIndex *index = &lines->index;
  for (ThreadId t = 0; t < index->program->threads.count; t++) {
    bool any = false;
    for (size_t i = 0; i < index->locks.count; i++) {
      const HeldLock *held = &index->locks.data[i];
      if (held->thread != t || held->released != NO_ID) continue;
      if (!any) words_thread(index->program, t, out);
      text_add(out, any ? ", " : " holds ");
      words_lock(index->program, held->cell, out);
      any = true;
    }
    if (any) text_add_char(out, '\n');
  }
}

// Prints the number of lines that are left out. A line of a round that does not matter counts as one that does not
// matter.
static void print_left_out(const TraceLines *lines, const RoundsVector *rounds, const TraceStyle *style, Text *out) {
  size_t repeated = rounds_lines(rounds);
  if ((!lines->hidden && !repeated) || style->full) return;
  tone_begin(style, TONE_QUIET, out);
  text_add_char(out, '(');
  if (lines->hidden) text_format(out, "%zu line%s that did not matter", lines->hidden, lines->hidden == 1 ? "" : "s");
  if (repeated) text_format(out, "%s%zu lines of repeated rounds", lines->hidden ? " and " : "", repeated);
  text_add(out, " left out");
  text_add(out, "; --full shows all)");
  tone_end(style, out);
  text_add_char(out, '\n');
}

static void print_end(const TraceLines *lines, const Result *result, const TraceStyle *style, Text *out) {
  tone_begin(style, TONE_ALARM, out);
  text_format(out, "violation: %s", result->violation.data);
  tone_end(style, out);
  text_add_char(out, '\n');
  Text why;
  text_init(&why, NULL);
  explain_trace(lines, result->property, &why);
  if (why.length) text_format(out, "why: %s\n", why.data);
  text_free(&why);
}

void trace_print_text(const Program *program, const Trace *trace, const Result *result, const TraceStyle *style,
                      Text *out) {
  TraceLines lines;
  trace_lines_init(&lines, program, trace, result, style->full);
  RoundsVector rounds = {0};
  if (!style->full) rounds_find(&lines, false, &rounds);
  if (style->width < LEAST_COLUMNS_WIDTH || !trace_print_columns(&lines, &rounds, style, out)) {
    List list = {.lines = &lines, .rounds = &rounds, .style = style, .out = out};
    sources_init(&list.sources, NULL);
    print_list(&list);
    sources_free(&list.sources);
  }
  if (result->answer == ANSWER_UNSAFE) {
    print_values(&lines, out);
    print_holders(&lines, out);
    print_left_out(&lines, &rounds, style, out);
    print_end(&lines, result, style, out);
  }
  rounds_free(&rounds);
  trace_lines_free(&lines);
}
