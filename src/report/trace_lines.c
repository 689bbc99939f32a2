#include "report/trace_lines.h"

#include <assert.h>
#include <stdlib.h>

enum { LONGEST_LINE = 256 }; // steps on one line

static const Position *position_of(const TraceIndex *index, size_t step) {
  return &trace_step_row(index, step)->position;
}

static bool has_place(const TraceIndex *index, size_t step) {
  const Position *position = position_of(index, step);
  if (!position->file || !position->line) return false;
  const Position *created = &index->program->threads.data[index->trace->steps.data[step].thread].created_at;
  bool at_creation = created->file && position_is_same_line(created, position);
  return !at_creation || trace_step_row(index, step)->kind == STEP_CREATE;
}

// Does the step join the line that begins with `first`? It does if it is of the same thread and on the same source
// line, or has no position of its own.
static bool joins_line(const TraceIndex *index, size_t first, size_t step) {
  if (index->trace->steps.data[first].thread != index->trace->steps.data[step].thread) return false;
  if (step - first >= LONGEST_LINE) return false;
  const Position *a = position_of(index, first), *b = position_of(index, step);
  if (!has_place(index, step)) return true;
  return has_place(index, first) && position_is_same_line(a, b);
}

static char *copy_text(const char *text) {
  char *copy = strdup(text);
  if (!copy) memory_exhausted(NULL, strlen(text) + 1);
  return copy;
}

static void add_line(TraceLines *lines, Notes *notes, size_t first, size_t last) {
  const TraceIndex *index = &lines->index;
  bool placed = has_place(index, first), matters = false;
  assert(first < last && last <= index->trace->steps.count);
  notes_describe(notes, first, last, placed);
  if (!placed && !notes->text.length) return;
  for (size_t s = first; s < last; s++) matters = matters || bitset_get(&lines->relevance.steps, s);
  TraceLine line = {.thread = index->trace->steps.data[first].thread,
                    .first = (uint32_t)first,
                    .last = (uint32_t)last,
                    .position = placed ? position_of(index, first) : NULL,
                    .matters = matters || notes->full,
                    .notes = copy_text(notes->text.data)};
  lines->hidden += !line.matters;
  TraceLineVector_push(&lines->lines, line);
}

void trace_lines_init(TraceLines *lines, const Program *program, const Trace *trace, const Result *result, bool full) {
  *lines = (TraceLines){.loop_start = result->schedule ? result->schedule->loop_start : NO_ID};
  trace_index_init(&lines->index, program, trace);
  if (result->answer == ANSWER_UNSAFE)
    relevance_find(&lines->index, result->property, lines->loop_start, &lines->relevance);
  else
    relevance_all(&lines->index, &lines->relevance);
  Notes notes = {.index = &lines->index, .full = full};
  text_init(&notes.text, NULL);
  for (size_t first = 0, last; first < trace->steps.count; first = last) {
    last = first + 1;
    while (last < trace->steps.count && last != lines->loop_start && !full && joins_line(&lines->index, first, last))
      last++;
    add_line(lines, &notes, first, last);
  }
  text_free(&notes.text);
}

void trace_lines_free(TraceLines *lines) {
  for (size_t i = 0; i < lines->lines.count; i++) free(lines->lines.data[i].notes);
  TraceLineVector_free(&lines->lines);
  relevance_free(&lines->relevance);
  trace_index_free(&lines->index);
}
