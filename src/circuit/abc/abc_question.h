// A question put to ABC: the circuit, reduced by signal correspondence, in its plain form; a script; what came out of it.
#ifndef HEDDLE_CIRCUIT_ABC_ABC_QUESTION_H
#define HEDDLE_CIRCUIT_ABC_ABC_QUESTION_H

#include "circuit/abc/abc.h"
#include "circuit/abc/correspondence.h"
#include "circuit/methods/method.h"
#include "circuit/model/aiger.h"

typedef struct AbcQuestion {
  Question *question;
  Correspondence same; // ABC sees the reduced circuit
  Aiger aiger;
  Abc abc;
  Text script, said; // what was asked last, and what ABC printed
  uint32_t steps;    // for so many, nothing bad was found
} AbcQuestion;

// False: the system refuses, and the question has its reason. To be freed in either case.
bool abc_question_init(AbcQuestion *asking, Question *question);
void abc_question_free(AbcQuestion *asking);
// Reads the model and runs the command and then the other commands, for at most so many seconds. ABC is told to end the
// command by itself a little earlier, so that it can say how far it got; that is ABC_DONE, too.
AbcEnd abc_question_run(AbcQuestion *asking, const char *command, const char *others, double seconds);
// Did it print this? If so, and a number follows, `number` is it (unless NULL).
bool abc_question_said(const AbcQuestion *asking, const char *words, uint32_t *number);
// The answer from a counterexample, which must be there.
MethodAnswer abc_question_trace(AbcQuestion *asking);
// So many steps are free of what is bad, as ABC says.
void abc_question_cover(AbcQuestion *asking, uint32_t steps);
// Why there is no answer, for the question, if nobody said so already; and how far it got.
void abc_question_give_up(AbcQuestion *asking);

#endif
