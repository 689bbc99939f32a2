// A violation as messages of a compiler, for editors. See trace_text.h.
#include "report/explain.h"
#include "report/trace_text.h"

#include <assert.h>

static void begin_line(const Position *position, const char *fallback, const char *kind, Text *out) {
  bool known = position && position->file && position->line;
  text_format(out, "%s:%u:%u: %s: ", known ? position->file : fallback, known ? (unsigned)position->line : 1,
              known && position->column ? (unsigned)position->column : 1, kind);
}

static const Position *edge_position(const Program *program, EdgeId edge) {
  assert(edge < program->edges.count);
  return &edge_first_step(program, edge)->position;
}

// The position of the violation: the second access of a race, else the last line that matters and has a position.
static const Position *violating_place(const TraceLines *lines, const Trace *trace) {
  const TraceRace *race = &trace->race;
  if (race->first_thread != race->second_thread) return edge_position(lines->index.program, race->second_edge);
  const Position *last = NULL;
  for (size_t i = 0; i < lines->lines.count; i++) {
    const TraceLine *line = &lines->lines.data[i];
    if (line->position && line->matters) last = line->position;
  }
  return last;
}

static void add_other_access(const Program *program, const Trace *trace, const char *fallback, Text *out) {
  const TraceRace *race = &trace->race;
  if (race->first_thread == race->second_thread) return;
  const Step *step = edge_first_step(program, race->first_edge);
  begin_line(&step->position, fallback, "note", out);
  text_add(out, step->access.writes ? "the other access, a write in " : "the other access, a read in ");
  words_thread(program, race->first_thread, out);
  text_add_char(out, '\n');
}

static void add_step(const TraceLines *lines, const TraceLine *line, const char *fallback, Text *out) {
  begin_line(line->position, fallback, "note", out);
  words_thread(lines->index.program, line->thread, out);
  text_format(out, ": %s\n", *line->notes ? line->notes : "executes this line");
}

void trace_print_gcc(const Program *program, const Trace *trace, const Result *result, const TraceStyle *style,
                     const char *file, Text *out) {
  TraceLines lines;
  trace_lines_init(&lines, program, trace, result, style->full);
  bool violated = result->answer == ANSWER_UNSAFE;
  const Position *place = violated ? violating_place(&lines, trace) : NULL;
  if (violated) {
    begin_line(place, file, "error", out);
    text_format(out, "%s [%s]\n", result->violation.data, property_name(result->property));
    add_other_access(program, trace, file, out);
  }
  for (size_t i = 0; i < lines.lines.count; i++) {
    const TraceLine *line = &lines.lines.data[i];
    if (line->position && (line->matters || style->full)) add_step(&lines, line, file, out);
  }
  Text why;
  text_init(&why, NULL);
  if (violated) explain_trace(&lines, result->property, &why);
  if (why.length) {
    begin_line(place, file, "note", out);
    text_format(out, "why: %s\n", why.data);
  }
  text_free(&why);
  trace_lines_free(&lines);
}
