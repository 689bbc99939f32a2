// Variants: named lists of options of `heddle check` that a bench compares. Every task is run once with each, one right
// after the other, so that whatever else the machine does hits all of them alike.
#ifndef HEDDLE_BENCH_VARIANT_H
#define HEDDLE_BENCH_VARIANT_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vector.h"

typedef struct BenchVariant {
  const char *name;
  StringVector options; // the variant's own
} BenchVariant;
VECTOR(BenchVariantVector, BenchVariant);

// Adds the variant that `text` describes: NAME=OPTIONS, the name of letters, digits, `-`, `_` and `.`, the options with
// blanks between them. Returns false with one line in `error` if it is malformed or the name is taken.
bool variants_add(BenchVariantVector *variants, Arena *arena, const char *text, Text *error);
void variants_free(BenchVariantVector *variants);

#endif
