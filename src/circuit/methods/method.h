// Methods: ways to decide a question about a circuit. There are two kinds of questions:
//
//   reach   Can the literal `bad` ever hold?
//   lasso   Is there an infinite execution from the initial state in which `constraint` holds in every step and each
//           literal of `justice` holds in infinitely many steps? There are finitely many states, so if there is such an
//           execution, there is a lasso of this kind.
//
// A method is a row of one table, with a function for each kind. It answers METHOD_UNREACHABLE if there is no such
// execution; METHOD_REACHED, with a trace; or METHOD_UNKNOWN, and why. The trace of `reach` leads to a step in which
// `bad` holds. The trace of `lasso` has the steps of stem and loop.
//
// All literals are over latches and inputs of the circuit. Latches are 0 in the initial state, and inputs are free in
// every step. For `lasso`, methods use only latches, their `next`, inputs and these literals, and not the circuit's
// threads and edges. So a test may use a circuit that has none of these.
#ifndef HEDDLE_CIRCUIT_METHODS_METHOD_H
#define HEDDLE_CIRCUIT_METHODS_METHOD_H

#include "base/log.h"
#include "base/names.h"
#include "circuit/model/circuit_trace.h"
#include "verdict/verdict.h"

typedef enum MethodAnswer { METHOD_UNKNOWN, METHOD_UNREACHABLE, METHOD_REACHED } MethodAnswer;

typedef enum QuestionKind { QUESTION_REACH, QUESTION_LASSO } QuestionKind;

typedef struct Question Question;
struct Question {
  QuestionKind kind;
  Circuit *circuit;      // methods may add gates to its graph, but do not change its latches and inputs
  AigLiteral bad;        // reach
  AigLiteral constraint; // lasso
  U32Vector justice;     // lasso: literals
  // reach: tells the violation to which the trace leads. True: it is settled, the trace is empty again, and `bad` is
  // what is left. False, or NULL: the violation is the answer.
  bool (*tell)(Question *question);
  void *context; // of `tell`
  Budget *budget;
  Log *log;
  Account *account;
  // Filled in by methods:
  CircuitTrace *trace; // REACHED: the inputs of all steps; empty before
  uint32_t loop_start; // REACHED, lasso: latches have the same values before this step and after the last one
  Text *reason;        // UNKNOWN: one line
  bool broken;         // UNKNOWN: because of a mistake of ours
  Text *covered;       // UNKNOWN: the part of the question that was answered; may stay empty
  Result *result;      // for statistics only
  bool ends;           // the violation of the trace is the answer
};

// X(NAME, name): the values of --method.
#define METHODS(X)                                                                                                     \
  X(AUTO, auto)           /* bmc, bdd and pdr, one after the other */                                                  \
  X(BMC, bmc)             /* a solver, with growing depth; seldom proves that there is no lasso */                     \
  X(BDD, bdd)             /* decision diagrams: reachability, or fair cycles */                                        \
  X(INDUCTION, induction) /* k-induction by ABC; lassos by reduction to reachability */                                \
  X(PDR, pdr)             /* property-directed reachability by ABC; lassos likewise */

typedef enum MethodKind {
#define X(kind, name) METHOD_KIND_##kind,
  METHODS(X)
#undef X
      METHOD_KIND_COUNT
} MethodKind;

typedef struct Method {
  const char *name;
  MethodAnswer (*reach)(Question *question);
  MethodAnswer (*lasso)(Question *question);
} Method;

#define X(kind, name) extern const Method method_##name;
METHODS(X)
#undef X

extern const NameTable method_names; // indices are MethodKind
const Method *method_of(MethodKind kind);
// UNKNOWN because of a mistake of ours: `what` in its reason, marked as an internal error. `detail` may be NULL.
void question_break(Question *question, const char *what, const char *detail);
// For methods that can go on after a violation: calls `tell`, if there is one. Other methods end, and are asked again.
bool question_tell(Question *question);
// Answers the question. Unless the answer is METHOD_REACHED, the trace is empty afterwards.
MethodAnswer method_answer(const Method *method, Question *question);

// --- for the rows of the table ---

MethodAnswer auto_answer(Question *question); // both kinds
MethodAnswer bmc_reach(Question *question);
MethodAnswer bmc_lasso(Question *question);
MethodAnswer bdd_reach(Question *question);
MethodAnswer bdd_lasso(Question *question);
MethodAnswer pdr_reach(Question *question);
MethodAnswer pdr_lasso(Question *question);
MethodAnswer induction_reach(Question *question);
MethodAnswer induction_lasso(Question *question);

#endif
