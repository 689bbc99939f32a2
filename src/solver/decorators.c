// What decorators share, and the timing decorator.
#include "solver/decorators.h"

bool wrapper_supports(Solver *solver, Term t) { return solver_supports(wrapped(solver), t); }

void wrapper_assert_term(Solver *solver, Term t) { solver_assert(wrapped(solver), t); }

void wrapper_add_clause(Solver *solver, const Term *literals, size_t count) {
  solver_add_clause(wrapped(solver), literals, count);
}

SolverAnswer wrapper_check(Solver *solver, const Term *assumptions, size_t count) {
  SolverAnswer answer = solver_check(wrapped(solver), assumptions, count);
  if (answer == SOLVER_UNSAT) solver_set_core(solver, solver_core(wrapped(solver)));
  return answer;
}

ModelSource wrapper_model(Solver *solver) { return wrapped(solver)->ops->model(wrapped(solver)); }

void wrapper_statistics(const Solver *solver, SolverStatistics *statistics) {
  wrapped(solver)->ops->statistics(wrapped(solver), statistics);
}

// --- timing ---

typedef struct Timing {
  Wrapper wrapper; // first, see Wrapper
  SolverTiming timing;
} Timing;

static unsigned bucket_of(double seconds) {
  unsigned bucket = 0;
  for (double limit = 2e-6; seconds >= limit && bucket + 1 < TIMING_BUCKETS; limit *= 2) bucket++;
  return bucket;
}

static SolverAnswer timing_check(Solver *solver, const Term *assumptions, size_t count) {
  SolverTiming *timing = &((Timing *)solver->state)->timing;
  double start = clock_now();
  SolverAnswer answer = wrapper_check(solver, assumptions, count);
  double seconds = clock_now() - start;
  timing->checks++;
  timing->answers[answer]++;
  timing->seconds[answer] += seconds;
  timing->buckets[bucket_of(seconds)]++;
  if (timing->checks == 1 || seconds > timing->longest) {
    timing->longest = seconds;
    timing->longest_check = timing->checks;
  }
  return answer;
}

static void timing_free(Solver *solver) {
  solver_free(wrapped(solver));
  memory_free(solver->account, solver->state, sizeof(Timing));
}

static const SolverOps timing_ops = {
    .name = "timing",
    .supports = wrapper_supports,
    .assert_term = wrapper_assert_term,
    .add_clause = wrapper_add_clause,
    .check = timing_check,
    .model = wrapper_model,
    .statistics = wrapper_statistics,
    .free = timing_free,
};

Solver *timing_new(Solver *inner) {
  Timing *timing = memory_allocate_zeroed(inner->account, sizeof(Timing));
  timing->wrapper.inner = inner;
  Solver *solver = solver_make(&timing_ops, timing, inner->store, inner->account, inner->budget);
  solver_set_checking(solver, false); // the wrapped solver checks its answers
  return solver;
}

const SolverTiming *timing_of(const Solver *timing) {
  assert(timing->ops == &timing_ops);
  return &((const Timing *)timing->state)->timing;
}

void timing_print(const Solver *timing, Text *out) {
  const SolverTiming *times = timing_of(timing);
  text_format(out, "%s: %llu checks", solver_name(wrapped(timing)), (unsigned long long)times->checks);
  for (SolverAnswer answer = SOLVER_UNKNOWN; answer <= SOLVER_UNSAT; answer++) {
    if (times->answers[answer] == 0) continue;
    text_format(out, ", %llu %s in %.3f s", (unsigned long long)times->answers[answer], solver_answer_name(answer),
                times->seconds[answer]);
  }
  text_add(out, "\n");
  if (times->checks == 0) return;
  text_format(out, "  slowest: check %llu, %.6f s\n", (unsigned long long)times->longest_check, times->longest);
  for (unsigned i = 0; i < TIMING_BUCKETS; i++) {
    if (times->buckets[i] == 0) continue;
    text_format(out, "  under %llu us: %llu\n", 2ULL << i, (unsigned long long)times->buckets[i]);
  }
}
