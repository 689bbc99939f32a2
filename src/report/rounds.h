// Rounds of a loop that are alike, and are therefore shown once: the first and the last of them, and a line between.
//
//   count.c:5  for (i = 0; i < 60; i++)      i: 0 -> 1
//   … × 58, i = 2 … 59
//   count.c:5  for (i = 0; i < 60; i++)      i: 59 -> 60
//
// A round is a sequence of shown lines. Rounds in a row are alike if they have the same lines by the same threads with
// the same notes, up to the numbers in them. From round to round each number changes regularly (its second differences
// are equal), unless no value of its line matters for the violation. Rounds are left out from two on, and three lines
// on. The begin of a lasso's loop is never inside. The rounds that remain shown may have rounds left out of them in
// turn.
//
// This is about what is shown and nothing else: the trace, its schedule and reports for programs keep every step.
#ifndef HEDDLE_REPORT_ROUNDS_H
#define HEDDLE_REPORT_ROUNDS_H

#include "report/trace_lines.h"

typedef struct Rounds {
  size_t first, last; // the lines [first, last) are left out
  size_t count;       // rounds left out, at least 2
  size_t length;      // shown lines per round
  bool several;       // threads take part in a round
  char *values;       // owned: what changes from the first round left out to the last, "i = 2 … 59"; may be ""
} Rounds;
VECTOR(RoundsVector, Rounds);

// The rounds to leave out, in the order of the lines. With `all`, lines that do not matter are shown lines too.
void rounds_find(const TraceLines *lines, bool all, RoundsVector *found);
void rounds_free(RoundsVector *found);
// The rounds that begin at a line, or NULL. `next` is where to look first; it moves on.
const Rounds *rounds_at(const RoundsVector *found, size_t line, size_t *next);
// "… these 3 lines × 58, i = 2 … 59"
void rounds_words(const Rounds *rounds, Text *out);
// How many shown lines are left out.
size_t rounds_lines(const RoundsVector *found);

#endif
