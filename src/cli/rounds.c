#include "cli/round.h"

#include "verdict/json.h"

// Shares of the time for a round that larger limits may follow.
static const double SHARE_OF_REST = 0.15;
static const double SHORTEST_SLICE = 1;   // seconds
static const double UNLIMITED_SLICE = 10; // without a time limit; doubles each round

static double next_slice_end(const Check *check) {
  double now = clock_now();
  if (check->deadline <= 0)
    return now + UNLIMITED_SLICE * (double)(UINT64_C(1) << (check->round < 20 ? check->round : 20));
  double slice = (check->deadline - now) * SHARE_OF_REST;
  return now + (slice > SHORTEST_SLICE ? slice : SHORTEST_SLICE);
}

static unsigned met_cuts(const Result *result) {
  unsigned cuts = 0;
  for (size_t i = 0; i < result->cuts.count; i++) cuts |= 1u << result->cuts.data[i].kind;
  return cuts;
}

// The result of one round as a Finding with a Result; an error in the input has no result (NULL).
static Result *run_round(Check *check, Finding *finding, bool *broken) {
  ChildLimits limits = {.deadline = check->deadline > 0 ? check->deadline + ROUND_GRACE : 0,
                        .grace = ROUND_GRACE,
                        .memory = check->memory};
  ChildReport report;
  child_run(check->interrupt, &limits, round_run, check, &report);
  Result *result = NULL;
  Text error;
  text_init(&error, NULL);
  *broken = report.end != CHILD_DONE || !finding_read(finding, &report.output);
  if (!*broken && !finding->error.length) {
    result = result_read_json(finding->result.data, NULL, &error, NULL);
    *broken = !result;
  }
  if (*broken) {
    result = result_new(check->options->property_value, NULL);
    if (report.end == CHILD_CRASHED || report.end == CHILD_DONE)
      result_unknown(result, "internal error: lowering %s",
                     report.end == CHILD_DONE ? "gave no answer" : report.reason.data);
    else
      result_unknown(result, "%s", report.reason.data);
  }
  text_free(&error);
  child_report_free(&report);
  return result;
}

// Engines may keep a part of their time for checking what they found, so the clock does not tell.
static bool ran_out_of_time(const Result *result) {
  const char *why = stop_reason_text(STOP_TIME);
  return result->answer == ANSWER_UNKNOWN && strncmp(result->reason.data, why, strlen(why)) == 0;
}

// True if another round, with the limits now in `check`, may do better than `result`.
static bool wants_more(Check *check, const Result *result, bool stopped) {
  if (result->answer != ANSWER_UNKNOWN || *check->interrupt->flag) return false;
  if (check->deadline > 0 && clock_now() >= check->deadline) return false;
  if (lowering_grow(&check->lowering, check->options, met_cuts(result))) return true;
  if (!stopped) return false;
  check->slice_end = 0; // the same again, with all the time that is left
  return true;
}

// An undecided last round does not hide what an earlier one covered.
static void keep_covered(Result *last, const Result *earlier) {
  if (!earlier || last->answer != ANSWER_UNKNOWN || last->covered.length || !earlier->covered.length) return;
  text_add(&last->covered, earlier->covered.data);
}

// A round that ran out of time says nothing of limits; that an earlier one met one is what the user can do something
// about. `met`: what that one said.
static void keep_limit(Result *result, bool last, Text *met) {
  bool late = ran_out_of_time(result);
  if (late && last && met->length) text_format(&result->reason, "; with smaller limits: %s", met->data);
  if (late || result->answer != ANSWER_UNKNOWN || result->cuts.count == 0) return;
  text_clear(met);
  text_add(met, result->reason.data);
}

static void run_all(Check *check, Finding *finding) {
  Result *best = NULL;
  Text met;
  text_init(&met, NULL);
  for (bool more = true; more; check->round++) {
    Finding round;
    finding_init(&round);
    bool broken = false;
    Result *result = run_round(check, &round, &broken);
    bool stopped = round.sliced.length && result && ran_out_of_time(result);
    more = result && !broken && wants_more(check, result, stopped);
    if (result) {
      keep_covered(result, best);
      keep_limit(result, !more, &met);
      text_clear(&round.result);
      result_write_json(result, NULL, &round.result);
    }
    finding_free(finding);
    *finding = round;
    result_free(best);
    best = result;
    if (more && check->slice_end > 0) check->slice_end = next_slice_end(check);
  }
  result_free(best);
  text_free(&met);
}

void rounds_run(void *context, Text *out) {
  Check *check = context;
  const Options *options = check->options;
  Finding finding;
  finding_init(&finding);
  check->unit = lowering_open(options, options->operands.data, options->operands.count, &finding.error, NULL);
  if (check->unit) {
    log_detail(check->log, "compiled in %.2f s", clock_now() - check->started);
    check->lowering = lowering_first(options);
    check->slice_end = next_slice_end(check);
    run_all(check, &finding);
    front_close(check->unit);
  } else if (!finding.error.length) {
    text_add(&finding.error, "the program cannot be compiled");
  }
  finding_write(&finding, out);
  finding_free(&finding);
}
