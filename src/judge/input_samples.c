#include "judge/input_samples.h"

#include <assert.h>

enum { MOST_SAMPLES = 48 }; // per width

static void add_sample(InputSamples *samples, unsigned width, uint64_t value) {
  assert(width >= 1 && width <= 64);
  U64Vector *list = &samples->of_width[width];
  value &= (uint64_t)bits_mask(width);
  if (list->count >= MOST_SAMPLES) return;
  for (size_t i = 0; i < list->count; i++) {
    if (list->data[i] == value) return;
  }
  U64Vector_push(list, value);
}

static bool compares(TermOperator op) {
  return op == TERM_EQ || op == TERM_ULT || op == TERM_ULE || op == TERM_SLT || op == TERM_SLE;
}

// Adds the constants that the program compares with, and their neighbours, to the lists of their widths.
static void add_compared(InputSamples *samples, const TermStore *terms) {
  size_t count = term_store_size(terms);
  for (Term t = 1; t <= count; t++) {
    if (!compares(term_operator(terms, t))) continue;
    for (unsigned i = 0; i < 2; i++) {
      Term child = term_child(terms, t, i);
      if (sort_is_array(term_sort(terms, child)) || !term_is_constant(terms, child)) continue;
      unsigned width = term_width(terms, child);
      if (width > 64) continue;
      uint64_t value = (uint64_t)term_constant_value(terms, child);
      add_sample(samples, width, value);
      add_sample(samples, width, value + 1);
      add_sample(samples, width, value - 1);
    }
  }
}

void input_samples_init(InputSamples *samples, const Program *program, Account *account) {
  for (unsigned width = 0; width <= 64; width++) U64Vector_init(&samples->of_width[width], account);
  for (unsigned width = 1; width <= 64; width++) {
    uint64_t lowest = UINT64_C(1) << (width - 1);
    const uint64_t common[] = {0, 1, UINT64_MAX, 2, 3, lowest, lowest - 1};
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) add_sample(samples, width, common[i]);
  }
  add_compared(samples, program->terms);
}

void input_samples_free(InputSamples *samples) {
  for (unsigned width = 0; width <= 64; width++) U64Vector_free(&samples->of_width[width]);
}
