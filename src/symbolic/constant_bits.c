#include "symbolic/constant_bits.h"

#include "symbolic/state_words.h"
#include "verdict/question.h"

#include <ctype.h>

enum { MOST_VARIABLES = 40 };

// Is the cell's name also its name in C, as in `x`, `a[3]`, `s.f`?
static bool has_c_name(const Program *p, const Cell *cell) {
  if (p->objects.data[cell->object].storage != STORAGE_GLOBAL || !cell->name || cell->bytes > 8) return false;
  if (!isalpha((unsigned char)cell->name[0]) && cell->name[0] != '_') return false;
  for (const char *c = cell->name; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("_.[]", *c)) return false;
  return true;
}

static uint64_t lowest_address(const Program *p) {
  uint64_t lowest = UINT64_MAX;
  for (size_t i = 0; i < p->objects.count; i++)
    if (p->objects.data[i].address < lowest) lowest = p->objects.data[i].address;
  return lowest;
}

typedef struct KnownBits {
  uint64_t mask, value;
} KnownBits;

static KnownBits known_bits(const Words *w, uint32_t word) {
  KnownBits known = {0};
  assert(w->words.data[word].width <= 64);
  for (uint32_t k = 0; k < w->words.data[word].width; k++) {
    uint8_t bit = words_bit(w, word, k)->known;
    if (bit == BIT_OPEN) continue;
    known.mask |= UINT64_C(1) << k;
    if (bit == BIT_ONE) known.value |= UINT64_C(1) << k;
  }
  return known;
}

// Prints only a value or a range from 0 on. `x == 0` is correct for a pointer, too. Returns whether it printed
// something.
static bool print_word(const Program *p, const Cell *cell, KnownBits known, uint64_t lowest, Text *out) {
  unsigned width = cell->bytes * 8;
  uint64_t all = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1, open = all & ~known.mask;
  bool may_be_address = width == p->pointer_width;
  const char *separator = out->length ? " && " : "";
  if (open == 0) {
    if (known.value >> (width - 1) || (may_be_address && known.value >= lowest)) return false; // its sign is not known
    text_format(out, "%s%s == %llu", separator, cell->name, (unsigned long long)known.value);
    return true;
  }
  uint64_t most = open | known.value;
  if (open >> (width - 1) || known.value >> (width - 1) || (may_be_address && most >= lowest)) return false;
  text_format(out, "%s0 <= %s && %s <= %llu", separator, cell->name, cell->name, (unsigned long long)most);
  return true;
}

static void print_words(const Program *p, const Words *w, Text *out) {
  uint64_t lowest = lowest_address(p);
  unsigned count = 0;
  for (CellId c = 0; c < p->cells.count && count < MOST_VARIABLES; c++) {
    const Cell *cell = &p->cells.data[c];
    uint32_t word = words_find(w, cell->term);
    if (word != NO_ID && cell->written && has_c_name(p, cell))
      count += print_word(p, cell, known_bits(w, word), lowest, out);
  }
}

void constant_bits_print(Program *program, Property property, Budget *budget, Text *out, Account *account) {
  // Steps are not joined, because the expression must hold between any two of them.
  Program *view = question_view(program, property, FAULTS_SPLIT, BLOCK_STEP);
  Transitions transitions;
  transitions_init(&transitions, view, account);
  Words words;
  if (!words_init(&words, &transitions, false, budget, account)) print_words(view, &words, out);
  words_free(&words);
  transitions_free(&transitions);
  program_free_view(view);
}
