// Property-directed reachability, by ABC. An invariant that it finds is checked on the circuit by a solver of our own.
#include "circuit/abc.h"
#include "circuit/aiger.h"
#include "circuit/method.h"

typedef struct Pdr {
  Question *question;
  Aiger aiger;
  Abc abc;
  Text output;
  uint32_t frames;
  size_t clauses;
} Pdr;

static void read_output(Pdr *p, AbcFile file) {
  text_clear(&p->output);
  abc_read(&p->abc, file, &p->output);
}

// How far it got: its last line about frames.
static MethodAnswer internal_error(Pdr *p, const char *what) {
  text_clear(p->question->reason);
  text_format(p->question->reason, "internal error: %s", what);
  return METHOD_UNKNOWN;
}

// An invariant is what all believe, or none at all: if nothing can be wrong by structure, ABC writes none.
static MethodAnswer check_invariant(Pdr *p) {
  Question *question = p->question;
  Invariant invariant;
  invariant_init(&invariant, question->account);
  read_output(p, ABC_INVARIANT);
  MethodAnswer answer = METHOD_UNKNOWN;
  if (p->output.length && !aiger_read_invariant(&p->aiger, p->output.data, &invariant)) {
    internal_error(p, "ABC's invariant cannot be read");
  } else {
    InvariantFlaw flaw =
        invariant_check(&invariant, question->circuit, question->bad, question->budget, question->account);
    if (flaw == INVARIANT_HOLDS)
      answer = METHOD_UNREACHABLE;
    else if (flaw == INVARIANT_UNCHECKED)
      text_add(question->reason, stop_reason_text(question->budget->reason));
    else
      text_format(question->reason, "internal error: ABC's invariant is none: %s", invariant_flaw_text(flaw));
  }
  p->clauses = invariant_count(&invariant);
  invariant_free(&invariant);
  return answer;
}

static MethodAnswer read_answer(Pdr *p) {
  read_output(p, ABC_OUTPUT);
  if (strstr(p->output.data, "Property proved")) return check_invariant(p);
  if (strstr(p->output.data, "was asserted in frame")) {
    read_output(p, ABC_TRACE);
    if (aiger_read_trace(&p->aiger, p->output.data, p->question->trace)) return METHOD_REACHED;
    return internal_error(p, "ABC's counterexample cannot be read");
  }
  text_add(p->question->reason, "ABC gave up");
  return METHOD_UNKNOWN;
}

static const char script[] =
    "read_aiger " ABC_MODEL_NAME "; pdr -d -I " ABC_INVARIANT_NAME "; write_cex -a " ABC_TRACE_NAME;

static MethodAnswer pdr_run(Question *question) {
  Pdr p = {.question = question};
  text_init(&p.output, question->account);
  aiger_init_plain(&p.aiger, question->circuit, question->bad, question->account);
  aiger_write(&p.aiger, true, &p.output);
  MethodAnswer answer = METHOD_UNKNOWN;
  if (!abc_init(&p.abc, &p.output))
    text_add(question->reason, "a file for ABC could not be made");
  else if (abc_run(&p.abc, script, 1e9, question->budget, question->reason) == ABC_DONE)
    answer = read_answer(&p);
  result_count(question->result, "abc_seconds", p.abc.seconds);
  abc_free(&p.abc);
  aiger_free(&p.aiger);
  text_free(&p.output);
  return answer;
}

const Method method_pdr = {.name = "pdr", .summary = "property-directed reachability by ABC", .run = pdr_run};
