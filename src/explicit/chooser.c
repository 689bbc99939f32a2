#include "explicit/chooser.h"
#include "base/random.h"
#include "judge/wording.h"

void sampled_choices_init(SampledChoices *sampled, const Program *program, Account *account) {
  bitset_init(&sampled->steps, program->steps.count, account);
  SampledChoiceVector_init(&sampled->list, account);
}

void sampled_choices_free(SampledChoices *sampled) {
  SampledChoiceVector_free(&sampled->list);
  bitset_free(&sampled->steps);
}

static void add_name(Text *out, const Program *program, const SampledChoice *choice) {
  if (choice->kind == CHOICE_CELL)
    text_add(out, program->cells.data[choice->id].name);
  else if (!program->variables.data[choice->id].temporary)
    text_add(out, program->variables.data[choice->id].name);
  else
    text_add(out, "an input");
}

void sampled_choice_print(Text *out, const Program *program, const SampledChoice *choice) {
  const Position *position = &program->steps.data[choice->step].position;
  text_format(out, "%u bits of ", choice->width);
  add_name(out, program, choice);
  wording_position(out, position);
  if (position->file != NULL && position->function != NULL) text_format(out, " in %s", position->function);
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
    digit = (Digit){.value = chooser->random ? random_next(&chooser->seed) % count : 0, .radix = count};
    new_digit(chooser, digit);
  }
  assert(digit.radix == count);
  return digit.value;
}

// A random value: often a small number or one that the program compares with, else random bits.
static uint64_t random_value(Chooser *chooser, unsigned width) {
  const U64Vector *samples = &chooser->samples->of_width[width];
  uint64_t bits = random_next(&chooser->seed), how = bits & 7;
  bits >>= 3;
  if (how < 4) return samples->data[bits % samples->count];
  if (how < 6) return bits % 16;
  return random_next(&chooser->seed);
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
      digit = (Digit){.value = all ? random_next(&chooser->seed) : random_value(chooser, narrow)};
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
