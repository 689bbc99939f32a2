// The text trace with one column per thread, in the order of execution. The notes of a line are indented below it.
#include "report/source_text.h"
#include "report/trace_text.h"

#include <assert.h>

enum {
  LEAST_COLUMN_WIDTH = 22,
  NOTE_INDENT = 4,
  LEAST_SHOWN_GAP = 3 // fewer consecutive lines are left out without a mark
};
static const char separator[] = " \xe2\x94\x82 "; // a vertical bar
enum { SEPARATOR_WIDTH = 3 };

typedef struct Columns {
  const TraceLines *lines;
  const TraceStyle *style;
  Sources sources;
  ThreadId threads[MOST_COLUMNS]; // the threads that have a column, in the order of their first lines
  size_t count, width;            // the number of columns, and the width of each
  bool name_files;                // lines of several files are shown
  Text *out;
} Columns;

static size_t column_of(const Columns *columns, ThreadId thread) {
  size_t i = 0;
  while (i < columns->count && columns->threads[i] != thread) i++;
  return i;
}

// Determines the columns. False if there are too few or too many threads for columns.
static bool find_threads(Columns *columns) {
  const char *file = NULL;
  for (size_t i = 0; i < columns->lines->lines.count; i++) {
    const TraceLine *line = &columns->lines->lines.data[i];
    if (!line->matters) continue;
    if (line->position && file && strcmp(file, line->position->file) != 0) columns->name_files = true;
    if (line->position) file = line->position->file;
    if (column_of(columns, line->thread) < columns->count) continue;
    if (columns->count == MOST_COLUMNS) return false;
    columns->threads[columns->count++] = line->thread;
  }
  if (columns->count < 2) return false;
  columns->width = (columns->style->width - (columns->count - 1) * SEPARATOR_WIDTH) / columns->count;
  return columns->width >= LEAST_COLUMN_WIDTH;
}

// Prints one row with a text that fits into one column; the other columns are empty.
static void print_row(Columns *columns, size_t column, size_t indent, const char *text, size_t length, int tone) {
  assert(text_columns(text, length) + indent <= columns->width);
  for (size_t c = 0; c < columns->count; c++) {
    if (c) text_add(columns->out, separator);
    size_t used = 0;
    if (c == column) {
      for (; used < indent; used++) text_add_char(columns->out, ' ');
      if (tone >= 0) tone_begin(columns->style, (Tone)tone, columns->out);
      text_add_bytes(columns->out, text, length);
      if (tone >= 0) tone_end(columns->style, columns->out);
      used += text_columns(text, length);
    }
    for (; used < columns->width && c + 1 < columns->count; used++) text_add_char(columns->out, ' ');
  }
  while (columns->out->length && columns->out->data[columns->out->length - 1] == ' ') columns->out->length--;
  text_add_char(columns->out, '\n');
}

// Prints a text in as many rows as it needs, broken at blanks if there are any.
static void print_wrapped(Columns *columns, size_t column, size_t indent, const char *text, int tone) {
  assert(indent < columns->width);
  size_t room = columns->width - indent;
  size_t length = strlen(text);
  while (length) {
    size_t fitting = text_fitting(text, length, room), end = fitting;
    if (fitting < length) {
      while (end > 0 && text[end] != ' ') end--;
      if (end == 0) end = fitting;
    }
    print_row(columns, column, indent, text, end, tone);
    while (end < length && text[end] == ' ') end++;
    text += end;
    length -= end;
  }
}

// Prints a text in one row; if it is too long, its end is cut off.
static void print_cut(Columns *columns, size_t column, Text *text, int tone) {
  if (text_columns(text->data, text->length) > columns->width) {
    text->length = text_fitting(text->data, text->length, columns->width - 1);
    text->data[text->length] = '\0';
    text_add(text, "\xe2\x80\xa6");
  }
  print_row(columns, column, 0, text->data, text->length, tone);
}

static void print_line(Columns *columns, const TraceLine *line) {
  size_t column = column_of(columns, line->thread);
  if (line->position) {
    Text text;
    text_init(&text, NULL);
    if (columns->name_files)
      words_place(line->position, &text);
    else
      text_format(&text, "%u", (unsigned)line->position->line);
    text_add_char(&text, ' ');
    if (!sources_add_line(&columns->sources, line->position->file, line->position->line, &text) &&
        line->position->function)
      text_format(&text, "in %s", line->position->function);
    print_cut(columns, column, &text, -1);
    text_free(&text);
  }
  print_wrapped(columns, column, NOTE_INDENT, line->notes, -1);
}

static void print_head(Columns *columns) {
  Text name;
  text_init(&name, NULL);
  for (size_t c = 0; c < columns->count; c++) {
    text_clear(&name);
    words_thread(columns->lines->index.program, columns->threads[c], &name);
    if (c) text_add(columns->out, separator);
    size_t fitting = text_fitting(name.data, name.length, columns->width);
    tone_begin(columns->style, TONE_HEADING, columns->out);
    text_add_bytes(columns->out, name.data, fitting);
    tone_end(columns->style, columns->out);
    for (size_t used = text_columns(name.data, fitting); used < columns->width && c + 1 < columns->count; used++)
      text_add_char(columns->out, ' ');
  }
  text_add_char(columns->out, '\n');
  for (size_t c = 0; c < columns->count; c++) {
    if (c) text_add(columns->out, "\xe2\x94\x80\xe2\x94\xbc\xe2\x94\x80");
    for (size_t i = 0; i < columns->width; i++) text_add(columns->out, "\xe2\x94\x80");
  }
  text_add_char(columns->out, '\n');
  text_free(&name);
}

static void print_gap(Columns *columns, ThreadId thread, size_t count) {
  if (count < LEAST_SHOWN_GAP) return;
  char text[40];
  int length = snprintf(text, sizeof text, "\xe2\x80\xa6 %zu lines", count);
  print_row(columns, column_of(columns, thread), 0, text, (size_t)length, TONE_QUIET);
}

// Prints the line for rounds that are left out, in the column of the thread of their first line.
static void print_rounds(Columns *columns, const Rounds *rounds) {
  Text text;
  text_init(&text, NULL);
  rounds_words(rounds, &text);
  size_t column = column_of(columns, columns->lines->lines.data[rounds->first].thread);
  print_wrapped(columns, column, 0, text.data, TONE_QUIET);
  text_free(&text);
}

bool trace_print_columns(const TraceLines *lines, const RoundsVector *rounds, const TraceStyle *style, Text *out) {
  Columns columns = {.lines = lines, .style = style, .out = out};
  if (!find_threads(&columns)) return false;
  sources_init(&columns.sources, NULL);
  print_head(&columns);
  ThreadId running = NO_ID;
  size_t gap = 0, next = 0;
  bool marked = false;
  for (size_t i = 0; i < lines->lines.count; i++) {
    const Rounds *here = rounds_at(rounds, i, &next);
    if (here) {
      print_rounds(&columns, here);
      gap = 0;
      i = here->last;
    }
    const TraceLine *line = &lines->lines.data[i];
    if (trace_loop_begins(lines, line, marked)) {
      if (running != NO_ID) print_gap(&columns, running, gap);
      gap = 0;
      running = NO_ID;
      marked = true;
      trace_mark_loop(lines, out);
    }
    if (!line->matters) {
      gap += line->thread == running;
      continue;
    }
    if (line->thread == running) print_gap(&columns, running, gap);
    gap = 0;
    running = line->thread;
    print_line(&columns, line);
  }
  if (trace_loop_begins(lines, NULL, marked)) trace_mark_loop(lines, out);
  sources_free(&columns.sources);
  return true;
}
