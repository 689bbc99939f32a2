// The variables and cells that influence which steps an execution can take, or what a formula observes of it.
//
// These are the variables and cells that a guard, an address, a freed pointer, a divisor or an observation of the
// program mentions, and those from which they get their values. Two states agree if they have the same values of them
// (of a variable, only where it is live), the same locations and the same live dynamic objects. From two states that
// agree, the same steps can be taken with the same choices (as far as these have influence), and lead to states that
// agree again. So a lasso whose loop begins and ends in states that agree can be repeated for ever.
//
// The result is computed once per program, without looking at what is reachable. It owns its sets; the program must
// outlive it.
#ifndef HEDDLE_JUDGE_INFLUENCE_H
#define HEDDLE_JUDGE_INFLUENCE_H

#include "judge/interpreter.h"
#include "program/facts/facts.h"

typedef struct Influence {
  const Program *program;
  Bitset variables, cells;
  LiveVariables live;
} Influence;

void influence_init(Influence *influence, const Program *program, Account *account);
void influence_free(Influence *influence);

// True if the states, of this program, agree. If not, `difference` gets the first difference, e.g. "x is 3, then 4".
bool influence_agree(const Influence *influence, const Concrete *a, const Concrete *b, Text *difference);

#endif
