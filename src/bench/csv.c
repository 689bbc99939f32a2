#include "bench/csv.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

// X(name, text, needed)
#define COLUMNS(X)                                                                                                     \
  X(TASK, "task", true)                                                                                                \
  X(PROPERTY, "property", false)                                                                                       \
  X(EXPECTED, "expected", false)                                                                                       \
  X(VERDICT, "verdict", true)                                                                                          \
  X(REASON, "reason", false)                                                                                           \
  X(WALL, "wall", true)                                                                                                \
  X(CPU, "cpu", false)                                                                                                 \
  X(MEMORY, "memory_mb", false)                                                                                        \
  X(OPTIONS, "options", false)                                                                                         \
  X(STATISTICS, "statistics", false)                                                                                   \
  X(WHY, "why", false)                                                                                                 \
  X(VARIANT, "variant", false)

typedef enum Column {
#define X(name, text, needed) COLUMN_##name,
  COLUMNS(X)
#undef X
      COLUMN_COUNT
} Column;

static const char *const column_names[] = {
#define X(name, text, needed) text,
    COLUMNS(X)
#undef X
};
static const bool column_needed[] = {
#define X(name, text, needed) needed,
    COLUMNS(X)
#undef X
};

// ---- writing

static void add_field(Text *out, const char *text) {
  if (!strpbrk(text, ",\"\r\n")) {
    text_add(out, text);
    return;
  }
  text_add_char(out, '"');
  for (; *text; text++) {
    if (*text == '"') text_add_char(out, '"');
    text_add_char(out, *text);
  }
  text_add_char(out, '"');
}

void csv_header(Text *out, bool variants) {
  for (unsigned i = 0; i < COLUMN_COUNT; i++) {
    if (i == COLUMN_VARIANT && !variants) continue;
    if (i > 0) text_add_char(out, ',');
    text_add(out, column_names[i]);
  }
  text_add_char(out, '\n');
}

void csv_row(Text *out, const BenchRow *row) {
  assert(row->done && (!row->variant || row->variant->name[0]));
  add_field(out, row->name);
  text_format(out, ",%s,%s,%s,", row->property ? row->property->name : "", bench_expected_text(row_expected(row)),
              bench_answer_text(row->answer));
  add_field(out, row->reason);
  text_format(out, ",%.3f,%.3f,%.1f,", row->wall, row->cpu, row->memory_mb);
  add_field(out, row->options);
  text_add_char(out, ',');
  add_field(out, row->statistics);
  bool undecided = row->reason[0] && row->answer != BENCH_ANSWER_ERROR;
  text_format(out, ",%s", undecided ? reason_kind_name(row->why) : "");
  if (row->variant) text_format(out, ",%s", row->variant->name);
  text_add_char(out, '\n');
}

// ---- reading

typedef struct CsvReader {
  const char *at, *end;
  size_t line; // of the record's beginning, from 1
  size_t next_line;
  Arena *arena;
  Text field;
  StringVector fields; // of the record
  size_t columns[COLUMN_COUNT];
  size_t column_count; // of the header
  const char *label;
  BenchRowVector *rows;
  size_t first_row;
  Text *error;
} CsvReader;

enum { ABSENT = SIZE_MAX };

// Reads a record into `fields`. False, with nothing consumed, if the text ends before it does.
static bool read_record(CsvReader *reader) {
  StringVector_clear(&reader->fields);
  const char *at = reader->at;
  size_t line = reader->next_line;
  bool quoted = false;
  text_clear(&reader->field);
  for (; at < reader->end; at++) {
    if (*at == '\n') line++;
    if (quoted) {
      if (*at != '"')
        text_add_char(&reader->field, *at);
      else if (at + 1 < reader->end && at[1] == '"')
        text_add_char(&reader->field, *at++);
      else
        quoted = false;
    } else if (*at == '"') {
      quoted = true;
    } else if (*at == ',' || *at == '\n') {
      bool last = *at == '\n';
      size_t length = reader->field.length;
      if (last && length > 0 && reader->field.data[length - 1] == '\r') reader->field.data[--length] = '\0';
      StringVector_push(&reader->fields, arena_format(reader->arena, "%.*s", (int)length, reader->field.data));
      text_clear(&reader->field);
      if (!last) continue;
      reader->at = at + 1;
      reader->line = reader->next_line;
      reader->next_line = line;
      return true;
    } else {
      text_add_char(&reader->field, *at);
    }
  }
  return false;
}

static bool read_header(CsvReader *reader) {
  for (unsigned i = 0; i < COLUMN_COUNT; i++) {
    reader->columns[i] = ABSENT;
    for (size_t k = 0; k < reader->fields.count; k++)
      if (strcmp(reader->fields.data[k], column_names[i]) == 0) reader->columns[i] = k;
    if (reader->columns[i] != ABSENT || !column_needed[i]) continue;
    text_format(reader->error, "line 1: not a file of results: no column `%s`", column_names[i]);
    return false;
  }
  reader->column_count = reader->fields.count;
  return true;
}

static const char *column(const CsvReader *reader, Column which) {
  assert(which < COLUMN_COUNT);
  assert(reader->columns[which] == ABSENT || reader->columns[which] < reader->fields.count);
  return reader->columns[which] == ABSENT ? "" : reader->fields.data[reader->columns[which]];
}

static bool complain(CsvReader *reader, Column which) {
  text_format(reader->error, "line %zu: bad %s `%s`", reader->line, column_names[which], column(reader, which));
  return false;
}

static bool read_number(CsvReader *reader, Column which, double *value) {
  const char *text = column(reader, which);
  char *end;
  *value = 0;
  if (!text[0] && !column_needed[which]) return true;
  double number = strtod(text, &end);
  if (end == text || *end || !isfinite(number) || number < 0) return complain(reader, which);
  *value = number;
  return true;
}

static bool read_answer(CsvReader *reader, BenchRow *row) {
  for (unsigned answer = BENCH_ANSWER_NONE + 1; answer <= BENCH_ANSWER_ERROR; answer++) {
    if (strcmp(bench_answer_text((BenchAnswer)answer), column(reader, COLUMN_VERDICT)) != 0) continue;
    row->answer = (BenchAnswer)answer;
    return true;
  }
  return complain(reader, COLUMN_VERDICT);
}

static bool read_why(CsvReader *reader, BenchRow *row) {
  const char *name = column(reader, COLUMN_WHY);
  return !name[0] || reason_kind_find(name, &row->why) || complain(reader, COLUMN_WHY);
}

static bool read_property(CsvReader *reader, BenchRow *row) {
  const char *expected = column(reader, COLUMN_EXPECTED);
  TaskProperty *property = arena_allocate_zeroed(reader->arena, sizeof *property);
  property->name = column(reader, COLUMN_PROPERTY);
  property->file = "";
  row->property = property->name[0] || expected[0] ? property : NULL;
  for (unsigned e = EXPECTED_NONE; e <= EXPECTED_FALSE; e++) {
    if (strcmp(bench_expected_text((Expected)e), expected) != 0) continue;
    property->expected = (Expected)e;
    return true;
  }
  return complain(reader, COLUMN_EXPECTED);
}

// Rows of one variant share it: it is looked for among the rows read before.
static const BenchVariant *find_variant(const CsvReader *reader) {
  const char *name = column(reader, COLUMN_VARIANT);
  if (reader->label && name[0])
    name = arena_format(reader->arena, "%s/%s", reader->label, name);
  else if (reader->label)
    name = reader->label;
  if (!name[0]) return NULL;
  for (size_t i = reader->first_row; i < reader->rows->count; i++) {
    const BenchVariant *variant = reader->rows->data[i].variant;
    if (variant && strcmp(variant->name, name) == 0) return variant;
  }
  BenchVariant *variant = arena_allocate_zeroed(reader->arena, sizeof *variant);
  variant->name = name;
  return variant;
}

static bool read_row(CsvReader *reader) {
  if (reader->fields.count != reader->column_count) {
    text_format(reader->error, "line %zu: %zu fields, but the header has %zu", reader->line, reader->fields.count,
                reader->column_count);
    return false;
  }
  BenchRow row = {.name = column(reader, COLUMN_TASK),
                  .variant = find_variant(reader),
                  .options = column(reader, COLUMN_OPTIONS),
                  .reason = column(reader, COLUMN_REASON),
                  .statistics = column(reader, COLUMN_STATISTICS),
                  .done = true,
                  .kept = true};
  if (!row.name[0]) return complain(reader, COLUMN_TASK);
  row.directory = row_directory(reader->arena, row.name);
  if (!read_property(reader, &row) || !read_answer(reader, &row) || !read_why(reader, &row) ||
      !read_number(reader, COLUMN_WALL, &row.wall) || !read_number(reader, COLUMN_CPU, &row.cpu) ||
      !read_number(reader, COLUMN_MEMORY, &row.memory_mb))
    return false;
  BenchRowVector_push(reader->rows, row);
  return true;
}

bool csv_parse(BenchRowVector *rows, Arena *arena, const char *text, size_t length, const char *label, size_t *complete,
               Text *error) {
  CsvReader reader = {.at = text,
                      .end = text + length,
                      .next_line = 1,
                      .arena = arena,
                      .label = label,
                      .rows = rows,
                      .first_row = rows->count,
                      .error = error};
  text_init(&reader.field, NULL);
  *complete = 0;
  bool good = !memchr(text, '\0', length);
  if (!good) text_add(error, "not a file of results: it has a zero byte");
  bool header = good && read_record(&reader);
  if (header) good = read_header(&reader);
  while (header && good && read_record(&reader)) good = read_row(&reader);
  assert(reader.at >= text && reader.at <= reader.end);
  if (good) *complete = (size_t)(reader.at - text);
  // One write is one line: a rest of several was not left by a writer that died.
  if (good && memchr(reader.at, '\n', length - *complete)) {
    text_format(error, "line %zu: a quotation mark without its partner", reader.next_line);
    good = false;
  }
  text_free(&reader.field);
  StringVector_free(&reader.fields);
  return good;
}
