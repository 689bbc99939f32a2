// Rounds of a loop that are alike. Of these, reports show the first, the last and one line in between:
//
//   count.c:5  for (i = 0; i < 60; i++)      i: 0 -> 1
//   … × 58, i = 2 … 59
//   count.c:5  for (i = 0; i < 60; i++)      i: 59 -> 60
//
// A round is a sequence of shown lines. Consecutive rounds are alike if they have the same lines, of the same threads,
// with the same notes except for the numbers in them. From round to round each number must change regularly (its second
// differences are equal), unless no value of its line matters for the violation. Rounds are left out only if there are
// at least two of them, with at least three lines in all. The beginning of a lasso's loop is never inside a round. The
// rounds that remain may contain rounds that are left out in turn.
//
// Only what is shown changes: the trace, its schedule, and reports for programs keep every step.
//
// Invariants: the ranges of the rows are disjoint and in order. The caller frees the rows with rounds_free.
#ifndef HEDDLE_REPORT_LOOP_ROUNDS_H
#define HEDDLE_REPORT_LOOP_ROUNDS_H

#include "report/trace_lines.h"

typedef struct Rounds {
  size_t first, last; // the lines [first, last) are left out
  size_t count;       // rounds left out, at least 2
  size_t length;      // shown lines per round
  bool several;       // a round has lines of several threads
  char *values;       // owned: the values that change in the rounds left out, "i = 2 … 59"; may be ""
} Rounds;
VECTOR(RoundsVector, Rounds);

// Finds the rounds to leave out, in the order of the lines. With `all`, lines that do not matter count as shown, too.
void rounds_find(const TraceLines *lines, bool all, RoundsVector *found);
void rounds_free(RoundsVector *found);
// The rounds that begin at a line, or NULL. `next` is the row at which the search begins, 0 at first; it is updated, so
// lines must be asked for in order.
const Rounds *rounds_at(const RoundsVector *found, size_t line, size_t *next);
// "… these 3 lines × 58, i = 2 … 59"
void rounds_words(const Rounds *rounds, Text *out);
// The number of shown lines that are left out.
size_t rounds_lines(const RoundsVector *found);

#endif
