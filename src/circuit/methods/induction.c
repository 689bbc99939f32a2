// k-induction. If nothing bad happens in the first k steps, and no path of k different states without anything bad
// leads to something bad, then nothing bad ever happens. Reason: a shortest path to something bad has fewer than k
// steps or ends with such a path.
//
// ABC searches alternately for violations from the initial state and for a k for which the induction step holds, with
// time slices that grow. A solver of our own checks its claim: the first k steps and the induction step. In the check,
// the equalities of signal correspondence, which are checked first, hold in all states. Paths that repeat a state are
// excluded when the solver's model contains one. A state is the values of the latches that the bad literal depends on.
#include "circuit/abc/abc_question.h"
#include "circuit/model/unrolling.h"
#include "solver/aig_sat.h"

// --- our own solver ---

typedef struct Paths {
  Question *question;
  const Invariant *facts; // equalities that hold in all reachable states
  Aiger aiger;            // for the latches of the cone
  Unrolling unrolling;
  AigSat sat;
  uint64_t *inputs; // the values of a model, while it is looked at
  uint64_t *nodes;
  uint32_t differences; // how many pairs of states were asserted to differ
} Paths;

static AigLiteral latch_of_state(const Paths *s, uint32_t frame, size_t latch) {
  return s->unrolling.latches.data[frame * s->question->circuit->latches.count + s->aiger.latches.data[latch]];
}

static void simulate_model(Paths *s) {
  const Aig *aig = &s->unrolling.aig;
  for (size_t i = 0; i < aig->inputs.count; i++)
    s->inputs[i] = aig_sat_input(&s->sat, aig->inputs.data[i] * 2) ? ~UINT64_C(0) : 0;
  aig_simulate(aig, s->inputs, s->nodes);
}

static bool equal_in_model(const Paths *s, uint32_t a, uint32_t b) {
  for (size_t i = 0; i < s->aiger.latches.count; i++) {
    uint64_t left = aig_simulated(s->nodes, latch_of_state(s, a, i));
    uint64_t right = aig_simulated(s->nodes, latch_of_state(s, b, i));
    if ((left ^ right) & 1) return false;
  }
  return true;
}

// Asserts that the states of two frames differ.
static void assert_different(Paths *s, uint32_t a, uint32_t b) {
  U32Vector differ;
  U32Vector_init(&differ, s->question->account);
  for (size_t i = 0; i < s->aiger.latches.count; i++)
    U32Vector_push(&differ, aig_xor(&s->unrolling.aig, latch_of_state(s, a, i), latch_of_state(s, b, i)));
  aig_sat_assert(&s->sat, aig_or_all(&s->unrolling.aig, differ.data, differ.count));
  U32Vector_free(&differ);
  s->differences++;
}

// Excludes the repetitions of states in the path of the model. False: there is none.
static bool exclude_repetition(Paths *s) {
  uint32_t before = s->differences;
  size_t inputs = s->unrolling.aig.inputs.count * sizeof *s->inputs, nodes = 0;
  nodes = aig_node_count(&s->unrolling.aig) * sizeof *s->nodes;
  s->inputs = memory_allocate_zeroed(s->question->account, inputs + 1);
  s->nodes = memory_allocate_zeroed(s->question->account, nodes);
  simulate_model(s);
  U32Vector pairs; // first all of them: telling states apart makes the graph larger
  U32Vector_init(&pairs, s->question->account);
  for (uint32_t b = 1; b < s->unrolling.frames; b++)
    for (uint32_t a = 0; a < b; a++)
      if (equal_in_model(s, a, b)) {
        U32Vector_push(&pairs, a);
        U32Vector_push(&pairs, b);
      }
  memory_free(s->question->account, s->nodes, nodes);
  memory_free(s->question->account, s->inputs, inputs + 1);
  for (size_t i = 0; i < pairs.count; i += 2) assert_different(s, pairs.data[i], pairs.data[i + 1]);
  U32Vector_free(&pairs);
  return s->differences > before;
}

// Can `bad` hold in the last frame, after a path of different states?
static SolverAnswer check_path(Paths *s, AigLiteral bad) {
  if (bad == AIG_FALSE) return SOLVER_UNSAT;
  for (;;) {
    SolverAnswer answer = aig_sat_check(&s->sat, &bad, 1);
    if (answer != SOLVER_SAT || !exclude_repetition(s)) return answer;
    if (budget_exhausted(s->question->budget, "circuit-induction")) return SOLVER_UNKNOWN;
  }
}

static void assume_facts(Paths *s) {
  for (size_t i = 0; i < s->facts->pairs.count; i += 2) {
    AigLiteral a = unrolling_literal(&s->unrolling, s->facts->pairs.data[i]);
    AigLiteral b = unrolling_literal(&s->unrolling, s->facts->pairs.data[i + 1]);
    aig_sat_assert(&s->sat, aig_equal(&s->unrolling.aig, a, b));
  }
}

// Can something bad happen in the first states, counted from the initial one?
static SolverAnswer check_start(Question *question, uint32_t states) {
  Unrolling unrolling;
  AigSat sat;
  unrolling_init(&unrolling, question->circuit, true, question->account);
  aig_sat_init(&sat, &unrolling.aig, question->budget, question->account);
  SolverAnswer answer = SOLVER_UNSAT;
  for (uint32_t k = 0; k < states && answer == SOLVER_UNSAT; k++) {
    unrolling_add_frame(&unrolling);
    AigLiteral bad = unrolling_literal(&unrolling, question->bad);
    if (bad != AIG_FALSE) answer = aig_sat_check(&sat, &bad, 1);
    aig_sat_assert(&sat, aig_not(bad));
  }
  aig_sat_free(&sat);
  unrolling_free(&unrolling);
  return answer;
}

// Does the induction step hold (SOLVER_UNSAT) for a k in this range?
static SolverAnswer check_step(Question *question, const Invariant *facts, uint32_t least, uint32_t most) {
  Paths s = {.question = question, .facts = facts};
  aiger_init_plain(&s.aiger, question->circuit, question->bad, question->account);
  unrolling_init(&s.unrolling, question->circuit, false, question->account);
  aig_sat_init(&s.sat, &s.unrolling.aig, question->budget, question->account);
  SolverAnswer answer = SOLVER_SAT;
  for (uint32_t k = 0; k <= most && answer == SOLVER_SAT; k++) {
    unrolling_add_frame(&s.unrolling);
    assume_facts(&s);
    AigLiteral bad = unrolling_literal(&s.unrolling, question->bad);
    if (k >= least) answer = check_path(&s, bad);
    if (answer == SOLVER_SAT) aig_sat_assert(&s.sat, aig_not(bad));
  }
  aig_sat_free(&s.sat);
  unrolling_free(&s.unrolling);
  aiger_free(&s.aiger);
  return answer;
}

// --- the method ---

static const char trace_command[] = "write_cex -a " ABC_TRACE_NAME;

// Searches for violations from the initial state within `steps` (0: without a bound).
static MethodAnswer search_from_start(AbcQuestion *q, uint32_t steps, double seconds) {
  char command[32];
  snprintf(command, sizeof command, "bmc3 -F %u", (unsigned)steps);
  if (abc_question_run(q, command, trace_command, seconds) != ABC_DONE) return METHOD_UNKNOWN;
  uint32_t frames = 0;
  if (abc_question_printed(q, "was asserted in frame ", NULL)) return abc_question_trace(q);
  if (abc_question_printed(q, "No output asserted in ", &frames) && frames > 0) abc_question_cover(q, frames - 1);
  return METHOD_UNKNOWN;
}

// Checks all that the claim of a depth rests on. SOLVER_UNSAT: the claim holds.
static SolverAnswer check_all(Question *question, const Invariant *facts, uint32_t depth) {
  enum { TOLERANCE = 1 }; // two states that differ for ABC may be equal here, since its circuit has other latches
  InvariantFlaw flaw = invariant_check(facts, question->circuit, AIG_FALSE, question->budget, question->account);
  if (flaw == INVARIANT_UNCHECKED) return SOLVER_UNKNOWN;
  if (flaw != INVARIANT_HOLDS) {
    question_break(question, "what is always equal is not", invariant_flaw_text(flaw));
    return SOLVER_UNKNOWN;
  }
  SolverAnswer answer = check_start(question, depth + TOLERANCE);
  if (answer == SOLVER_SAT) {
    question_break(question, "ABC missed a violation", NULL);
    return SOLVER_UNKNOWN;
  }
  return answer == SOLVER_UNSAT ? check_step(question, facts, depth, depth + TOLERANCE) : answer;
}

// Checks ABC's claim that the induction step holds after paths of `depth` states.
static MethodAnswer check_claim(AbcQuestion *q, uint32_t depth) {
  Question *question = q->question;
  result_count(question->result, "induction_depth", depth);
  MethodAnswer answer = search_from_start(q, depth + 2, 1e9);
  if (answer != METHOD_UNKNOWN || question->reason->length > 0) return answer;
  Invariant facts;
  invariant_init(&facts, question->account);
  correspondence_add_pairs(&q->same, &facts);
  SolverAnswer holds = check_all(question, &facts, depth);
  invariant_free(&facts);
  if (holds == SOLVER_UNSAT) return METHOD_UNREACHABLE;
  if (holds == SOLVER_SAT)
    text_format(question->reason, "ABC's induction of depth %u could not be confirmed", (unsigned)depth);
  return METHOD_UNKNOWN;
}

static MethodAnswer search_for_step(AbcQuestion *q, double seconds) {
  uint32_t states = 0;
  if (abc_question_run(q, "ind -u -v", "", seconds) != ABC_DONE) return METHOD_UNKNOWN;
  if (!abc_question_printed(q, "Networks are equivalent", NULL) || !abc_question_printed(q, "Completed ", &states))
    return METHOD_UNKNOWN;
  return check_claim(q, states > 0 ? states - 1 : 0); // the last of them is the bad one
}

MethodAnswer induction_reach(Question *question) {
  AbcQuestion q;
  MethodAnswer answer = METHOD_UNKNOWN;
  bool ready = abc_question_init(&q, question);
  for (double seconds = 1; ready && seconds < 1e6 && answer == METHOD_UNKNOWN && question->reason->length == 0;
       seconds *= 2) {
    answer = search_from_start(&q, 0, seconds);
    if (answer == METHOD_UNKNOWN && question->reason->length == 0) answer = search_for_step(&q, seconds);
  }
  if (answer == METHOD_UNKNOWN) abc_question_give_up(&q);
  abc_question_free(&q);
  return answer;
}
