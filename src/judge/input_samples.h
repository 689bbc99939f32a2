// Values worth trying for an input that is too wide to be enumerated: small numbers, the extremes, the constants that
// the program compares with, and their neighbours. A list per width, in a fixed order, without repetitions.
#ifndef HEDDLE_JUDGE_INPUT_SAMPLES_H
#define HEDDLE_JUDGE_INPUT_SAMPLES_H

#include "program/program.h"

typedef struct InputSamples {
  U64Vector of_width[65];
} InputSamples;
void input_samples_init(InputSamples *samples, const Program *program, Account *account);
void input_samples_free(InputSamples *samples);

#endif
