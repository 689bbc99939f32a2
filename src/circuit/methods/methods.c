#include "circuit/methods/method.h"

const Method method_auto = {.name = "auto", .reach = auto_answer, .lasso = auto_answer};
const Method method_bmc = {.name = "bmc", .reach = bmc_reach, .lasso = bmc_lasso};
const Method method_bdd = {.name = "bdd", .reach = bdd_reach, .lasso = bdd_lasso};
const Method method_induction = {.name = "induction", .reach = induction_reach, .lasso = induction_lasso};
const Method method_pdr = {.name = "pdr", .reach = pdr_reach, .lasso = pdr_lasso};

static const char *const names[] = {
#define X(kind, name) [METHOD_KIND_##kind] = #name,
    METHODS(X)
#undef X
};
const NameTable method_names = NAME_TABLE(names);

const Method *method_of(MethodKind kind) {
  static const Method *const methods[] = {
#define X(kind, name) [METHOD_KIND_##kind] = &method_##name,
      METHODS(X)
#undef X
  };
  assert(kind < METHOD_KIND_COUNT);
  return methods[kind];
}

void question_break(Question *question, const char *what, const char *detail) {
  question->broken = true;
  text_format(question->reason, "internal error: %s%s%s", what, detail ? ": " : "", detail ? detail : "");
}

bool question_tell(Question *question) {
  if (question->ends) return false;
  question->ends = !question->tell || !question->tell(question);
  assert(question->ends || question->trace->steps == 0);
  return !question->ends;
}

static MethodAnswer reach(const Method *method, Question *question) {
  MethodAnswer answer;
  do {
    if (question->bad == AIG_FALSE) return METHOD_UNREACHABLE;
    answer = method->reach(question);
  } while (answer == METHOD_REACHED && question_tell(question));
  return answer;
}

MethodAnswer method_answer(const Method *method, Question *question) {
  assert(question->trace->steps == 0);
  MethodAnswer answer = question->kind == QUESTION_REACH ? reach(method, question) : method->lasso(question);
  if (answer != METHOD_REACHED) circuit_trace_clear(question->trace); // a method may stop while it makes the trace
  return answer;
}
