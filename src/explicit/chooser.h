// Free choices of a transition: which of several steps, and which values.
//
// A transition is a function of the state and of its digits: each choice is one digit, in the order in which the
// choices are made. To enumerate all outcomes, the transition is run again and again: the chooser replays the digits
// that it has, appends zeros if more are needed, and `chooser_next` steps to the next sequence. In a random search
// digits are drawn. In both cases the digits determine the transition.
//
// A value with a domain (choice_domains.h) is enumerated over the domain. Any other value of at most `input_bits` bits
// is enumerated in full. Wider values are sampled: small numbers, the extremes, the constants that the program compares
// with, and their neighbours. `sampled` then lists the choices that were not enumerated in full.
#ifndef HEDDLE_EXPLICIT_CHOOSER_H
#define HEDDLE_EXPLICIT_CHOOSER_H

#include "base/bitset.h"
#include "explicit/choice_domains.h"
#include "judge/input_samples.h"

typedef struct Digit {
  uint64_t value;
  uint32_t radix; // 0: `value` is the value itself
} Digit;
VECTOR(DigitVector, Digit);

// A choice of which not all values were tried; the first of its step.
typedef struct SampledChoice {
  StepId step;
  ChoiceKind kind;
  uint32_t id; // of the variable or cell
  unsigned width;
} SampledChoice;
VECTOR(SampledChoiceVector, SampledChoice);

typedef struct SampledChoices {
  Bitset steps; // those in the list
  SampledChoiceVector list;
} SampledChoices;
void sampled_choices_init(SampledChoices *sampled, const Program *program, Account *account);
void sampled_choices_free(SampledChoices *sampled);
// "32 bits of x at a.c:12 in main"
void sampled_choice_print(Text *out, const Program *program, const SampledChoice *choice);

// Functions that are called while a transition runs, to build schedules.
typedef struct Recorder {
  void (*value)(struct Recorder *recorder, ChoiceKind kind, uint32_t id, uint64_t value);
  void (*attempt)(struct Recorder *recorder, EdgeId edge);                // values from here on belong to this edge
  void (*taken)(struct Recorder *recorder, ThreadId thread, EdgeId edge); // the edge attempted last was taken
} Recorder;

typedef struct Chooser {
  DigitVector digits; // those of the present transition start at `base`
  size_t base, position;
  bool random;
  uint64_t seed; // state of the random numbers
  unsigned input_bits;
  const InputSamples *samples;
  const Domains *domains;  // or NULL: none
  SampledChoices *sampled; // collects the choices that were not enumerated in full; or NULL
  StepId step;             // set by the machine: the step that chooses
  Recorder *recorder;      // or NULL
} Chooser;

void chooser_init(Chooser *chooser, const InputSamples *samples, unsigned input_bits, uint64_t seed, Account *account);
void chooser_free(Chooser *chooser);
static inline void chooser_restart(Chooser *chooser) { chooser->position = chooser->base; }
// Steps to the next sequence of digits; false when all were visited (no digits are left then).
bool chooser_next(Chooser *chooser);
// Has the present transition made a choice?
static inline bool chooser_has_chosen(const Chooser *chooser) { return chooser->position > chooser->base; }

uint64_t chooser_option(Chooser *chooser, uint32_t count); // 0 .. count-1
// `id`: of the variable or cell; `place`: of the choice, as in choice_domains.h.
uint64_t chooser_value(Chooser *chooser, ChoiceKind kind, uint32_t id, size_t place, unsigned width);

#endif
