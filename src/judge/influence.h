// What has influence on how an execution goes on, and on what a formula observes of it.
//
// Variables and cells that a guard, an address, a freed pointer, a divisor or an observation mentions, and those from
// which they get their values, over all of the program. If two states agree on them (a variable counts only where it
// may be read again), on where threads stand and on which dynamic objects live, then the same steps can be taken from
// both, with the same choices (as far as they have influence), and lead to states that agree again.
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

// True if the states agree as above; else what differs is named in `difference`, e.g. "x is 3, then 4".
bool influence_agree(const Influence *influence, const Concrete *a, const Concrete *b, Text *difference);

#endif
