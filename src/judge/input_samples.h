// Values to try for an input that is too wide to be enumerated: small numbers, the extremes, the constants that the
// program compares with, and their neighbours.
//
// One list for each width from 1 to 64, in a fixed order, without repetitions, of at most 48 values; each value fits
// its width. The list of width 0 is empty. A search that tries only these values is incomplete.
#ifndef HEDDLE_JUDGE_INPUT_SAMPLES_H
#define HEDDLE_JUDGE_INPUT_SAMPLES_H

#include "program/program.h"

typedef struct InputSamples {
  U64Vector of_width[65]; // index: width in bits
} InputSamples;
void input_samples_init(InputSamples *samples, const Program *program, Account *account);
void input_samples_free(InputSamples *samples);

#endif
