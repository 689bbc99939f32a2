// A question put to ABC: the circuit, reduced by signal correspondence, in its plain form; a script; what came out of it.
#ifndef HEDDLE_CIRCUIT_ASKING_H
#define HEDDLE_CIRCUIT_ASKING_H

#include "circuit/abc.h"
#include "circuit/aiger.h"
#include "circuit/correspondence.h"
#include "circuit/method.h"

typedef struct Asking {
  Question *question;
  Correspondence same; // ABC sees the reduced circuit
  Aiger aiger;
  Abc abc;
  Text script, said; // what was asked last, and what ABC printed
  uint32_t steps;    // for so many, nothing bad was found
} Asking;

// False: the system refuses, and the question has its reason. To be freed in either case.
bool asking_init(Asking *asking, Question *question);
void asking_free(Asking *asking);
// Reads the model and runs the command and then the other commands, for at most so many seconds. ABC is told to end the
// command by itself a little earlier, so that it can say how far it got; that is ABC_DONE, too.
AbcEnd asking_run(Asking *asking, const char *command, const char *others, double seconds);
// Did it print this? If so, and a number follows, `number` is it (unless NULL).
bool asking_said(const Asking *asking, const char *words, uint32_t *number);
// The answer from a counterexample, which must be there.
MethodAnswer asking_trace(Asking *asking);
// So many steps are free of what is bad, as ABC says.
void asking_cover(Asking *asking, uint32_t steps);
// Why there is no answer, for the question, if nobody said so already; and how far it got.
void asking_give_up(Asking *asking);

#endif
