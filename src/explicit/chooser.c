#include "explicit/chooser.h"

uint64_t chooser_random(uint64_t *seed) {
  *seed += UINT64_C(0x9e3779b97f4a7c15);
  uint64_t z = *seed;
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

// --- samples ---

enum { MOST_SAMPLES = 48 }; // per width

static void add_sample(InputSamples *samples, unsigned width, uint64_t value) {
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

// Constants that the program compares with, for each width.
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

void sampled_choices_init(SampledChoices *sampled, const Program *program, Account *account) {
  bitset_init(&sampled->steps, program->steps.count, account);
  SampledChoiceVector_init(&sampled->list, account);
}

void sampled_choices_free(SampledChoices *sampled) {
  SampledChoiceVector_free(&sampled->list);
  bitset_free(&sampled->steps);
}

// --- digits ---

void chooser_init(Chooser *chooser, const InputSamples *samples, unsigned input_bits, uint64_t seed, Account *account) {
  assert(input_bits <= 31);
  *chooser = (Chooser){.samples = samples, .input_bits = input_bits, .seed = seed};
  DigitVector_init(&chooser->digits, account);
}

void chooser_free(Chooser *chooser) { DigitVector_free(&chooser->digits); }

bool chooser_next(Chooser *chooser) {
  chooser->digits.count = chooser->position; // digits behind the position were not asked for: the path ended early
  while (chooser->digits.count > chooser->base) {
    Digit *last = DigitVector_last(&chooser->digits);
    if (last->radix > 0 && ++last->value < last->radix) {
      chooser->position = chooser->base;
      return true;
    }
    DigitVector_pop(&chooser->digits);
  }
  chooser->position = chooser->base;
  return false;
}

// The next digit, as far as it is known already.
static bool known_digit(Chooser *chooser, Digit *digit) {
  if (chooser->position >= chooser->digits.count) return false;
  *digit = chooser->digits.data[chooser->position++];
  return true;
}

static void new_digit(Chooser *chooser, Digit digit) {
  DigitVector_push(&chooser->digits, digit);
  chooser->position++;
}

uint64_t chooser_option(Chooser *chooser, uint32_t count) {
  assert(count > 0);
  if (count == 1) return 0;
  Digit digit;
  if (!known_digit(chooser, &digit)) {
    digit = (Digit){.value = chooser->random ? chooser_random(&chooser->seed) % count : 0, .radix = count};
    new_digit(chooser, digit);
  }
  assert(digit.radix == count);
  return digit.value;
}

// A random value: often a small number or one that the program compares with, else random bits.
static uint64_t random_value(Chooser *chooser, unsigned width) {
  const U64Vector *samples = &chooser->samples->of_width[width];
  uint64_t bits = chooser_random(&chooser->seed), how = bits & 7;
  bits >>= 3;
  if (how < 4) return samples->data[bits % samples->count];
  if (how < 6) return bits % 16;
  return chooser_random(&chooser->seed);
}

static uint64_t value_of_domain(Chooser *chooser, const uint64_t *values, uint32_t count) {
  return values[chooser_option(chooser, count)];
}

// All values, or samples.
static uint64_t value_of_width(Chooser *chooser, unsigned width, bool all) {
  unsigned narrow = width > 64 ? 64 : width;
  const U64Vector *samples = &chooser->samples->of_width[narrow];
  Digit digit;
  if (!known_digit(chooser, &digit)) {
    if (chooser->random) {
      digit = (Digit){.value = all ? chooser_random(&chooser->seed) : random_value(chooser, narrow)};
      digit.value &= (uint64_t)bits_mask(narrow);
    } else
      digit = (Digit){.radix = all ? UINT32_C(1) << width : (uint32_t)samples->count};
    new_digit(chooser, digit);
  }
  return digit.radix == 0 || all ? digit.value : samples->data[digit.value];
}

static void note_sampled(Chooser *chooser, ChoiceKind kind, uint32_t id, unsigned width) {
  SampledChoices *sampled = chooser->sampled;
  if (sampled == NULL || !bitset_add(&sampled->steps, chooser->step)) return;
  SampledChoiceVector_push(&sampled->list, (SampledChoice){chooser->step, kind, id, width});
}

uint64_t chooser_value(Chooser *chooser, ChoiceKind kind, uint32_t id, size_t place, unsigned width) {
  uint32_t count;
  const uint64_t *values = chooser->domains == NULL ? NULL : domains_get(chooser->domains, kind, place, &count);
  bool all = width <= chooser->input_bits;
  if (values == NULL && !all) note_sampled(chooser, kind, id, width);
  uint64_t value = values ? value_of_domain(chooser, values, count) : value_of_width(chooser, width, all);
  if (chooser->recorder != NULL) chooser->recorder->value(chooser->recorder, kind, id, value);
  return value;
}
