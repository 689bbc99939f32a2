// A question for ABC: the circuit, reduced by signal correspondence, in plain AIGER form; a script; and ABC's output.
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
  Text script, output; // of the last run; `output` also holds the file that was read last
  uint32_t steps;      // ABC found nothing bad within this number of steps
} AbcQuestion;

// False: the system refuses a file, and the question has the reason. The caller frees it in either case.
bool abc_question_init(AbcQuestion *q, Question *question);
void abc_question_free(AbcQuestion *q);
// Makes ABC read the model and run the command and then the commands of `epilogue`, for at most `seconds`. ABC gets a
// time limit of its own that is a little shorter, so that it can print how far it got; that is ABC_DONE, too.
AbcEnd abc_question_run(AbcQuestion *q, const char *command, const char *epilogue, double seconds);
// Did ABC print this phrase? If so, and `number` is not NULL, stores the number that follows it.
bool abc_question_printed(const AbcQuestion *q, const char *words, uint32_t *number);
// The answer from ABC's counterexample, which must be there.
MethodAnswer abc_question_trace(AbcQuestion *q);
// Notes that nothing bad happens within `steps`, according to ABC.
void abc_question_cover(AbcQuestion *q, uint32_t steps);
// Adds to the question how far ABC got, and why there is no answer unless the question has a reason already.
void abc_question_give_up(AbcQuestion *q);

#endif
