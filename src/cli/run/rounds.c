#include "cli/run/message.h"
#include "cli/run/round.h"

#include <assert.h>

// The shares of the remaining time that a round gets if rounds with larger limits may follow.
static const double SHARE_OF_REST = 0.15;
static const double SHARE_ON_DEMAND = 0.04; // each round inlines only a few more calls
static const double SHORTEST_SLICE = 1;     // seconds
static const double UNLIMITED_SLICE = 10;   // seconds, without a time limit; doubles each round
static const double PREPARING_GROWTH = 2;   // the factor by which preparing takes longer in the next round, at least

static double next_slice_end(const Check *check) {
  double now = clock_now();
  if (check->deadline <= 0)
    return now + UNLIMITED_SLICE * (double)(UINT64_C(1) << (check->round < 20 ? check->round : 20));
  double slice = (check->deadline - now) * (check->lowering.limits.small_call_edges ? SHARE_ON_DEMAND : SHARE_OF_REST);
  return now + (slice > SHORTEST_SLICE ? slice : SHORTEST_SLICE);
}

static unsigned met_cuts(const Result *result) {
  unsigned cuts = 0;
  for (size_t i = 0; i < result->cuts.count; i++) cuts |= 1u << result->cuts.data[i].kind;
  return cuts;
}

// The result of a round whose process did not end normally.
static Result *lost_round(const Check *check, const ChildReport *report) {
  Result *result = result_new(check->options->property_value, NULL);
  Text reason;
  text_init(&reason, NULL);
  if (report->end == CHILD_DONE)
    text_add(&reason, "internal error: a round gave no answer");
  else
    text_format(&reason, "%s%s", report->end == CHILD_CRASHED ? "internal error: a round " : "", report->reason.data);
  phase_tell(&check->phase, &reason);
  result_unknown_for(result, child_end_reason(report->end), "%s", reason.data);
  text_free(&reason);
  return result;
}

// Adds the findings that the round told, also if it was lost later.
static void take_findings(Check *check, ChildReport *report) {
  Text record, fault;
  text_init(&record, NULL);
  text_init(&fault, NULL);
  while (child_take_record(report, &record)) {
    Message message;
    if (message_read(&message, MESSAGE_CHECK, record.data, &fault) && message.kind == MESSAGE_CHECK)
      answers_add(check->answers, check->first_answer, message.check);
    else
      message_free(&message);
    text_clear(&record);
  }
  text_free(&fault);
  text_free(&record);
}

// Runs one round. Its message has a result, unless there was an error in the input.
static void run_round(Check *check, Message *message, bool *lost) {
  ChildLimits limits = {.deadline = check->deadline > 0 ? check->deadline + ROUND_GRACE : 0,
                        .grace = ROUND_GRACE,
                        .memory = check->memory,
                        .line = &check->line};
  ChildReport report;
  child_run(check->interrupt, &limits, round_run, check, &report);
  take_findings(check, &report);
  Text fault;
  text_init(&fault, NULL);
  *lost = report.end != CHILD_DONE;
  if (*lost)
    message_init(message, MESSAGE_CHECK);
  else
    *lost = !message_read(message, MESSAGE_CHECK, child_output(&report), &fault);
  if (*lost) message->check.result = lost_round(check, &report);
  assert(message->kind == MESSAGE_ERROR || message->check.result);
  text_free(&fault);
  child_report_free(&report);
}

// Is there time for the engines of another round, after its program was prepared?
static bool has_time(const Check *check, const Result *result) {
  double preparing = result_statistic(result, PREPARING_SECONDS);
  return check->deadline <= 0 || clock_now() + PREPARING_GROWTH * preparing < check->deadline;
}

// Sets the limits of `check` to those of the next round. False if no larger limits can help. Calls that executions
// reach are inlined first: the code after them may show which other limits matter.
static bool grow_limits(Check *check, const Result *result) {
  if (result->answer != ANSWER_UNKNOWN || *check->interrupt->flag) return false;
  if (check->deadline > 0 && clock_now() >= check->deadline) return false;
  if (lowering_open_calls(&check->lowering, &result->calls)) return true;
  return lowering_grow(&check->lowering, check->options, met_cuts(result));
}

static bool wants_more(Check *check, Result *result) {
  if (!grow_limits(check, result)) return false;
  if (has_time(check, result)) return true;
  if (result->why != REASON_TIME)
    result_unknown_for(result, result->why, "%s, with no time left for larger limits", result->reason.data);
  return false;
}

// If the last round is undecided, its result keeps what an earlier round covered. If the last round was lost, its
// result also keeps the reason of the earlier round, and its cuts, as does a round that was stopped before it met any.
static void keep_earlier(Result *last, const Result *earlier, bool lost) {
  if (!earlier || last->answer != ANSWER_UNKNOWN) return;
  if (!last->covered.length) text_add(&last->covered, earlier->covered.data);
  bool stopped = last->why == REASON_TIME || last->why == REASON_MEMORY;
  if (lost || (stopped && !last->cuts.count)) result_add_cuts_of(last, earlier);
  if (lost && earlier->cuts.count)
    result_unknown_for(last, last->why, "%s; then %s", earlier->reason.data, last->reason.data);
}

static bool met_calls(const Result *result) { return met_cuts(result) >> CUT_CALLS & 1; }

// Completes the reason of an UNKNOWN: how far the search got when time or memory ran out, and how large the program is.
// The reason of a lost round already says what it was doing.
static void complete_reason(Result *result, bool lost, const Text *large) {
  if (result->answer != ANSWER_UNKNOWN) return;
  bool stopped = (result->why == REASON_TIME || result->why == REASON_MEMORY) && !lost;
  const char *covered = result->covered.length ? result->covered.data : "before the search got anywhere";
  if (stopped) result_unknown_for(result, result->why, "%s (%s)", result->reason.data, covered);
  const MetCut *first = result->cuts.count ? &result->cuts.data[0] : NULL;
  if (stopped && first && first->kind != CUT_CALLS) // SAFE was out of reach before
    result_unknown_for(result, result->why, "%s; %s: %s", result->reason.data, cut_kind_text(first->kind),
                       first->what.data);
  if (!large->length || !(met_calls(result) || stopped || lost)) return;
  const char *what = met_calls(result) ? "" : "too large: ";
  result_unknown_for(result, result->why, "%s; %swith all calls inlined %s", result->reason.data, what, large->data);
}

void rounds_run(Check *check, Message *last) {
  Result *best = NULL; // the result of `last`
  bool lost = false;   // the process of the last round did not end normally
  Text large;
  text_init(&large, NULL);
  for (bool more = true; more; check->round++) {
    Message round;
    check->slice_end = next_slice_end(check);
    run_round(check, &round, &lost);
    Result *result = round.kind == MESSAGE_CHECK ? round.check.result : NULL;
    if (result && round.check.large.length && !large.length) {
      text_add(&large, round.check.large.data);
      // A property that is asked again, after a finding, inlines on demand already.
      if (!check->lowering.limits.small_call_edges) lowering_inline_on_demand(&check->lowering);
    }
    more = result && !lost && wants_more(check, result);
    if (result) keep_earlier(result, best, lost);
    message_free(last);
    *last = round;
    best = result;
  }
  if (best) complete_reason(best, lost, &large);
  text_free(&large);
}
