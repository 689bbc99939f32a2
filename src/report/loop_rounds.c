#include "report/loop_rounds.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

enum {
  LEAST_ROUNDS = 4,    // two are shown, two are left out
  LEAST_LEFT_OUT = 3,  // lines
  LONGEST_ROUND = 256, // lines
  LONGEST_NUMBER = 18, // digits; longer ones are text
  MOST_VALUES = 3      // ranges of values in the line that stands for rounds
};
#define DOTS "\xe2\x80\xa6"
#define TIMES "\xc3\x97"

VECTOR(NumberVector, int64_t);

// A shown line, with its notes split into text and numbers.
typedef struct Shape {
  size_t line;      // in the TraceLines
  const char *form; // the notes with `#` for each number; interned
  size_t first_number, number_count;
  bool values_matter;
} Shape;
VECTOR(ShapeVector, Shape);

typedef struct Finder {
  const TraceLines *lines;
  Interner forms;
  ShapeVector shapes;
  NumberVector numbers;
  RoundsVector *found;
} Finder;

// --- numbers in notes ---

// Length of the number at `text[at]`, with its sign; 0 if there is none, or it is too long to be compared.
static size_t number_length(const char *text, size_t at) {
  bool sign = text[at] == '-' && (at == 0 || !isalnum((unsigned char)text[at - 1]));
  size_t digits = at + sign, end = digits;
  while (isdigit((unsigned char)text[end])) end++;
  bool inside = !sign && at > 0 && isdigit((unsigned char)text[at - 1]); // the rest of a long number
  return end == digits || end - digits > LONGEST_NUMBER || inside ? 0 : end - at;
}

static void add_shape(Finder *finder, size_t line) {
  const TraceLine *row = &finder->lines->lines.data[line];
  const Trace *trace = finder->lines->index.trace;
  Shape shape = {.line = line, .first_number = finder->numbers.count};
  Text form;
  text_init(&form, NULL);
  for (size_t at = 0, length; row->notes[at]; at += length ? length : 1) {
    length = number_length(row->notes, at);
    if (length) NumberVector_push(&finder->numbers, strtoll(row->notes + at, NULL, 10));
    text_add_char(&form, length ? '#' : row->notes[at]);
  }
  shape.number_count = finder->numbers.count - shape.first_number;
  shape.form = intern(&finder->forms, form.data);
  text_free(&form);
  for (uint32_t s = row->first; s < row->last && !shape.values_matter; s++) {
    const TraceStep *step = &trace->steps.data[s];
    for (uint32_t c = 0; c < step->change_count; c++)
      shape.values_matter |= bitset_get(&finder->lines->relevance.changes, step->first_change + c);
  }
  ShapeVector_push(&finder->shapes, shape);
}

// --- alike ---

static bool same_form(const Finder *finder, const Shape *a, const Shape *b) {
  const TraceLine *x = &finder->lines->lines.data[a->line], *y = &finder->lines->lines.data[b->line];
  if (a->form != b->form || a->number_count != b->number_count || x->thread != y->thread) return false;
  if (!x->position || !y->position) return x->position == y->position;
  return position_is_same_line(x->position, y->position);
}

// A number of the line at `start`, `round` rounds of `length` lines later.
static int64_t number_in(const Finder *finder, size_t start, size_t length, size_t round, size_t number) {
  assert(start + round * length < finder->shapes.count);
  return finder->numbers.data[finder->shapes.data[start + round * length].first_number + number];
}

static int64_t second_difference(const Finder *finder, size_t start, size_t length, size_t round, size_t number) {
  assert(round >= 2);
  return number_in(finder, start, length, round, number) - 2 * number_in(finder, start, length, round - 1, number) +
         number_in(finder, start, length, round - 2, number);
}

// Does the number change in this round as it does in the first rounds?
static bool changes_regularly(const Finder *finder, size_t start, size_t length, size_t round, size_t number) {
  return round < 3 ||
         second_difference(finder, start, length, round, number) == second_difference(finder, start, length, 2, number);
}

static bool is_regular(const Finder *finder, size_t start, size_t length, size_t rounds, size_t number) {
  for (size_t round = 3; round < rounds; round++)
    if (!changes_regularly(finder, start, length, round, number)) return false;
  return true;
}

// Is this round like the ones before it?
static bool round_is_alike(const Finder *finder, size_t start, size_t length, size_t round) {
  for (size_t i = start; i < start + length; i++) {
    const Shape *first = &finder->shapes.data[i], *here = &finder->shapes.data[i + round * length];
    if (!same_form(finder, first, here)) return false;
    if (!first->values_matter && !here->values_matter) continue;
    for (size_t n = 0; n < first->number_count; n++)
      if (!changes_regularly(finder, i, length, round, n)) return false;
  }
  return true;
}

static size_t count_rounds(const Finder *finder, size_t start, size_t end, size_t length) {
  size_t rounds = 1;
  while (start + (rounds + 1) * length <= end && round_is_alike(finder, start, length, rounds)) rounds++;
  return rounds;
}

// --- what changes ---

// Adds two notes of the same form as one: the common text, with `a … b` for each number that differs.
static void add_range(const char *a, size_t a_length, const char *b, Text *out) {
  for (size_t i = 0, j = 0; i < a_length;) {
    size_t m = number_length(a, i), n = number_length(b, j);
    assert((m > 0) == (n > 0)); // the notes have one form
    text_add_bytes(out, a + i, m ? m : 1);
    if (m && (m != n || strncmp(a + i, b + j, m) != 0)) {
      text_add(out, " " DOTS " ");
      text_add_bytes(out, b + j, n);
    }
    i += m ? m : 1;
    j += n ? n : 1;
  }
}

// For a note of the form `name: before -> after`: the beginning of `after`, and the length of the name. NULL: the note
// has another form.
static const char *find_after(const char *note, size_t length, size_t *name_length) {
  const char *colon = strstr(note, ": "), *after = NULL;
  if (!colon || colon >= note + length) return NULL;
  for (const char *c = colon; c + 4 <= note + length; c++)
    if (strncmp(c, " -> ", 4) == 0) after = c + 4;
  *name_length = (size_t)(colon - note);
  return after;
}

// Has `out` the range of this variable already, from another line of the round?
static bool has_range(const Text *out, const char *name, size_t length) {
  Text key;
  text_init(&key, NULL);
  text_add_bytes(&key, name, length);
  text_add(&key, " = ");
  bool found = false;
  for (const char *at = out->data; !found && (at = strstr(at, key.data)); at++)
    found = at == out->data || at[-1] == ' ';
  text_free(&key);
  return found;
}

static void add_note(const char *a, size_t a_length, const char *b, size_t b_length, Text *out) {
  size_t a_name = 0, b_name = 0;
  const char *a_after = find_after(a, a_length, &a_name), *b_after = find_after(b, b_length, &b_name);
  if (!a_after || !b_after) {
    add_range(a, a_length, b, out);
  } else if (a_name != b_name || strncmp(a, b, a_name) != 0) {
    add_range(a, a_name, b, out);
  } else {
    text_add_bytes(out, a, a_name);
    text_add(out, " = ");
    add_range(a_after, (size_t)(a + a_length - a_after), b_after, out);
  }
}

static size_t count_numbers(const char *text, size_t length) {
  size_t count = 0;
  for (size_t at = 0, here; at < length; at += here ? here : 1) count += (here = number_length(text, at)) > 0;
  return count;
}

static size_t note_length(const char *notes) {
  const char *end = strstr(notes, ", ");
  return end ? (size_t)(end - notes) : strlen(notes);
}

// Adds the notes of one line of a round that change regularly. Returns the number of values, shown or not, so far.
static size_t add_line(const Finder *finder, size_t start, const Rounds *rounds, size_t values, Text *out) {
  const TraceLine *rows = finder->lines->lines.data;
  const char *a = rows[finder->shapes.data[start + rounds->length].line].notes;
  const char *b = rows[finder->shapes.data[start + rounds->count * rounds->length].line].notes;
  for (size_t number = 0; *a;) {
    size_t a_length = note_length(a), b_length = note_length(b), numbers = count_numbers(a, a_length);
    bool differs = a_length != b_length || strncmp(a, b, a_length) != 0;
    for (size_t n = number; n < number + numbers && differs; n++)
      differs = is_regular(finder, start, rounds->length, rounds->count + 2, n);
    size_t name = 0;
    if (differs && find_after(a, a_length, &name) && has_range(out, a, name)) differs = false;
    if (differs && values < MOST_VALUES) {
      if (values) text_add(out, ", ");
      add_note(a, a_length, b, b_length, out);
    }
    values += differs;
    number += numbers;
    a += a_length + 2 * (a[a_length] == ',');
    b += b_length + 2 * (b[b_length] == ',');
  }
  return values;
}

static char *range_text(const Finder *finder, size_t start, const Rounds *rounds) {
  Text out;
  text_init(&out, NULL);
  size_t values = 0;
  for (size_t i = 0; i < rounds->length; i++) values = add_line(finder, start + i, rounds, values, &out);
  if (values > MOST_VALUES) text_add(&out, ", " DOTS);
  char *copy = strdup(out.data);
  if (!copy) memory_exhausted(NULL, out.length + 1);
  text_free(&out);
  return copy;
}

// --- finding ---

// The length of a round such that rounds that are alike cover most lines from `start` on; 0 if too few are covered.
static size_t best_length(const Finder *finder, size_t start, size_t end, size_t *rounds) {
  size_t best = 0;
  *rounds = 0;
  for (size_t length = 1; length <= LONGEST_ROUND && start + LEAST_ROUNDS * length <= end; length++) {
    if (!same_form(finder, &finder->shapes.data[start], &finder->shapes.data[start + length])) continue;
    size_t count = count_rounds(finder, start, end, length);
    if (count < LEAST_ROUNDS || (count - 2) * length < LEAST_LEFT_OUT || count * length <= best * *rounds) continue;
    best = length;
    *rounds = count;
  }
  return best;
}

static bool has_several_threads(const Finder *finder, size_t start, size_t length) {
  const TraceLine *rows = finder->lines->lines.data;
  for (size_t i = 1; i < length; i++)
    if (rows[finder->shapes.data[start + i].line].thread != rows[finder->shapes.data[start].line].thread) return true;
  return false;
}

// Finds rounds among the shapes [start, end). Rounds that remain shown are searched, too: a loop may contain loops.
static void find_between(Finder *finder, size_t start, size_t end) {
  while (start < end) {
    size_t count, length = best_length(finder, start, end, &count);
    if (!length) {
      start++;
      continue;
    }
    assert(count >= LEAST_ROUNDS && start + count * length <= end);
    size_t first = start + length, last = start + (count - 1) * length;
    find_between(finder, start, first);
    Rounds rounds = {.first = finder->shapes.data[first].line,
                     .last = finder->shapes.data[last].line,
                     .count = count - 2,
                     .length = length,
                     .several = has_several_threads(finder, start, length)};
    rounds.values = range_text(finder, start, &rounds);
    RoundsVector_push(finder->found, rounds);
    find_between(finder, last, last + length);
    start = last + length;
  }
}

void rounds_find(const TraceLines *lines, bool all, RoundsVector *found) {
  Finder finder = {.lines = lines, .found = found};
  interner_init(&finder.forms, NULL);
  size_t loop = 0; // shapes before the mark of a lasso's loop
  for (size_t i = 0; i < lines->lines.count; i++) {
    const TraceLine *line = &lines->lines.data[i];
    if (line->matters || all) add_shape(&finder, i);
    if (lines->loop_start == NO_ID || line->last <= lines->loop_start) loop = finder.shapes.count;
  }
  find_between(&finder, 0, loop);
  find_between(&finder, loop, finder.shapes.count);
  ShapeVector_free(&finder.shapes);
  NumberVector_free(&finder.numbers);
  interner_free(&finder.forms);
}

void rounds_free(RoundsVector *found) {
  for (size_t i = 0; i < found->count; i++) free(found->data[i].values);
  RoundsVector_free(found);
}

const Rounds *rounds_at(const RoundsVector *found, size_t line, size_t *next) {
  while (*next < found->count && found->data[*next].first < line) ++*next;
  return *next < found->count && found->data[*next].first == line ? &found->data[*next] : NULL;
}

void rounds_words(const Rounds *rounds, Text *out) {
  text_add(out, DOTS " ");
  if (rounds->length > 1) text_format(out, "these %zu lines ", rounds->length);
  text_format(out, TIMES " %zu", rounds->count);
  if (*rounds->values) text_format(out, ", %s", rounds->values);
}

size_t rounds_lines(const RoundsVector *found) {
  size_t lines = 0;
  for (size_t i = 0; i < found->count; i++) lines += found->data[i].count * found->data[i].length;
  return lines;
}
