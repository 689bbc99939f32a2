// What engines say: violations on the way, and answers at the end.
#include "cli/lanes/lane_state.h"

#include <assert.h>
#include <string.h>

// `phase`: the last that was heard of the child, should it not have come back.
static Result *read_result(const Portfolio *p, const Child *child, const Phase *phase) {
  const ChildReport *report = &child->report;
  Result *result = NULL;
  if (report->end == CHILD_DONE) {
    Text error;
    text_init(&error, NULL);
    result = result_read_json(child_output(report), p->program, &error, NULL);
    if (!result) {
      result = result_new(p->property, NULL);
      result_unknown_for(result, REASON_INTERNAL, "internal error: the engine's answer cannot be read: %s", error.data);
    }
    text_free(&error);
    return result;
  }
  result = result_new(p->property, NULL);
  const char *whose = report->end == CHILD_CRASHED ? "engine " : "";
  ReasonKind kind = report->end == CHILD_CRASHED ? REASON_CRASHED : child_end_reason(report->end);
  result_unknown_for(result, kind, "%s%s", whose, report->reason.data);
  if (phase->text) text_add(&result->covered, phase->text);
  return result;
}

bool lane_ran_out_of_time(const Result *result) {
  return result->answer == ANSWER_UNKNOWN && result->why == REASON_TIME;
}

// Circuits may have infinite executions that programs do not have (circuit/model/monitor.h). Any other counterexample
// that is none is a mistake of ours, unless the engine has another way left.
static ReasonKind unconfirmed_reason(const Portfolio *p, JudgeOutcome outcome, bool has_other_way) {
  if (outcome == JUDGE_DOUBT) return REASON_DOUBT;
  return has_other_way || p->property == PROPERTY_LTL ? REASON_UNCONFIRMED : REASON_INTERNAL;
}

// A schedule that is not executed is worth nothing, whatever engine made it. False, with the reason, if it was not.
static bool confirm(const Portfolio *p, Result *result, JudgeOutcome *outcome, Text *why) {
  result->confirmed = false;
  *outcome = JUDGE_MISFIT;
  if (!result->schedule)
    text_add(why, "it has no schedule");
  else if (result->schedule->property != p->property)
    text_add(why, "it is one to another property");
  else
    *outcome = p->confirm(p->context, result, why);
  result->confirmed = *outcome == JUDGE_VIOLATION;
  return result->confirmed;
}

static void refuse(const Portfolio *p, Result *result, JudgeOutcome outcome, bool has_other_way, const Text *why) {
  ReasonKind kind = unconfirmed_reason(p, outcome, has_other_way);
  const char *whose = kind == REASON_INTERNAL ? "internal error: " : "";
  result_unknown_for(result, kind, "%sthe counterexample was not confirmed: %s", whose, why->data);
}

static void take_verdict(PortfolioRun *run, Result *result) {
  assert(!run->verdict && !run->ended);
  run->verdict = result;
  run->ended = true;
}

// The program is too small, and nothing else is wrong with the answer: larger limits are the way on.
static bool wants_growth(const Portfolio *p, const Result *result) {
  if (!p->may_grow || result->cuts.count == 0 || lane_ran_out_of_time(result)) return false;
  for (size_t i = 0; i < result->cuts.count; i++)
    if (!(p->growing >> result->cuts.data[i].kind & 1)) return false;
  return true;
}

// `again`: the same engine looks again, in another way.
static void receive_unknown(PortfolioRun *run, LaneState *state, const Result *result, bool again) {
  double unwound = result_statistic(result, "unwound");
  if (unwound > run->unwound) run->unwound = (unsigned)unwound;
  if ((!lane_ran_out_of_time(result) || state->whole) && !again) state->spent |= 1u << state->member;
  if (wants_growth(run->p, result)) run->ended = true;
}

void lane_count_decided(const PortfolioRun *run, const Member *member, Result *result) {
  if (run->count < 2) return;
  Text name;
  text_init(&name, NULL);
  text_format(&name, "decided_by_%s", member->engine->name);
  result_count(result, name.data, 1);
  text_free(&name);
}

// A confirmed violation: the verdict, or told. True: the search goes on.
static bool take_violation(PortfolioRun *run, const Member *member, Result *result) {
  const Portfolio *p = run->p;
  lane_count_decided(run, member, result);
  Text finding;
  text_init(&finding, NULL);
  bool goes_on = p->tell && p->tell(p->context, result, &finding) == AFTER_FINDING_GOES_ON;
  if (goes_on) {
    ToldFinding told = {.json = arena_string(&run->arena, finding.data), .teller = member};
    ToldFinding *row = ToldFindingVector_push(&run->told, told);
    if (lane_some_is_safe(run)) lane_contradict(run, row);
  } else if (lane_some_is_safe(run) && result->answer == ANSWER_UNSAFE) {
    text_clear(&finding);
    lane_add_contradiction(run, member, &finding);
    result_unknown_for(result, REASON_INTERNAL, "%s", finding.data);
  }
  text_free(&finding);
  return goes_on;
}

// Tells the lane's engine, which waits, what it has not heard of; nothing: its violation is to be its answer.
static void answer(PortfolioRun *run, size_t lane, bool goes_on) {
  LaneState *state = &run->lanes[lane];
  Text text;
  text_init(&text, NULL);
  text_add_char(&text, '[');
  for (size_t i = state->heard; goes_on && i < run->told.count; i++)
    text_format(&text, "%s%s", i > state->heard ? ", " : "", run->told.data[i].json);
  text_add_char(&text, ']');
  if (goes_on) state->heard = run->told.count;
  child_answer(&run->children[lane], &text);
  text_free(&text);
}

static void log_finding(const PortfolioRun *run, const LaneState *state) {
  const Member *member = &state->lane->members[state->member];
  if (run->count > 1)
    log_detail(run->p->log, "%s%s: a violation after %.2f s", member->engine->name, member->settings,
               clock_now() - state->started);
}

// The engine of the lane has found a violation, and waits.
static void receive_violation(PortfolioRun *run, size_t lane, const Text *record) {
  const Portfolio *p = run->p;
  LaneState *state = &run->lanes[lane];
  const Member *member = &state->lane->members[state->member];
  Text why;
  text_init(&why, NULL);
  Result *result = result_read_json(record->data, p->program, &why, NULL);
  if (result) result_count(result, "engine_seconds", clock_now() - state->started);
  JudgeOutcome outcome;
  bool confirmed = result && confirm(p, result, &outcome, &why), stale = state->heard < run->told.count;
  if (!confirmed) {
    answer(run, lane, result && stale);
    result_free(result);
  } else if (take_violation(run, member, result)) {
    log_finding(run, state);
    answer(run, lane, true);
    result_free(result);
  } else {
    result_seal(result);
    result_free(state->last[state->member]);
    state->last[state->member] = result;
    take_verdict(run, result);
  }
  text_free(&why);
}

static void receive_safe(PortfolioRun *run, LaneState *state, Result *result) {
  state->spent = (1u << state->lane->count) - 1;
  state->safe = true;
  bool unheard = state->heard < run->told.count;
  for (size_t i = state->heard; i < run->told.count; i++) lane_contradict(run, &run->told.data[i]);
  if (!unheard && lane_count_safe(run) >= run->p->agree) take_verdict(run, result);
}

static void log_answer(const PortfolioRun *run, const LaneState *state, const Result *result) {
  if (run->count < 2) return;
  const Member *member = &state->lane->members[state->member];
  log_detail(run->p->log, "%s%s: %s%s%s after %.2f s", member->engine->name, member->settings,
             answer_text(result->answer), result->answer == ANSWER_UNKNOWN ? ", " : "", result->reason.data,
             clock_now() - state->started);
  if (result->answer == ANSWER_UNKNOWN && result->why == REASON_INTERNAL)
    log_note(run->p->log, "%s: %s", member->engine->name, result->reason.data);
}

// The engine ended with a violation. What becomes of it; with AFTER_FINDING_GOES_ON the engine begins again.
static AfterFinding receive_unsafe(PortfolioRun *run, LaneState *state, Result *result, bool *again) {
  const Portfolio *p = run->p;
  const Member *member = &state->lane->members[state->member];
  bool has_other_way = (member->engine->tries_again >> p->property & 1) && !state->again;
  JudgeOutcome outcome;
  Text why;
  text_init(&why, NULL);
  bool confirmed = confirm(p, result, &outcome, &why), stale = state->heard < run->told.count;
  AfterFinding after = AFTER_FINDING_ENDS;
  if (!confirmed && stale)
    after = AFTER_FINDING_GOES_ON;
  else if (!confirmed)
    refuse(p, result, outcome, has_other_way, &why);
  else if (take_violation(run, member, result))
    after = AFTER_FINDING_GOES_ON;
  else
    take_verdict(run, result);
  *again = has_other_way && !confirmed && !stale;
  state->again = state->again || *again;
  text_free(&why);
  return after;
}

// The engine of the lane has ended.
static void receive_end(PortfolioRun *run, size_t lane) {
  assert(lane < run->count && !run->children[lane].running);
  LaneState *state = &run->lanes[lane];
  const Member *member = &state->lane->members[state->member];
  Result *result = read_result(run->p, &run->children[lane], &run->phases[lane]);
  result_count(result, "engine_seconds", clock_now() - state->started);
  result_count(result, "peak_memory", run->children[lane].report.peak_memory);
  child_report_free(&run->children[lane].report);
  bool again = false;
  if (result->answer == ANSWER_UNSAFE && receive_unsafe(run, state, result, &again) == AFTER_FINDING_GOES_ON) {
    log_finding(run, state);
    result_free(result);
    state->repeats = true;
    return;
  }
  result_seal(result);
  log_answer(run, state, result);
  result_free(state->last[state->member]);
  state->last[state->member] = result;
  if (result->answer == ANSWER_SAFE) lane_count_decided(run, member, result);
  if (result->answer == ANSWER_SAFE)
    receive_safe(run, state, result);
  else if (run->verdict != result)
    receive_unknown(run, state, result, again);
}

// A child has ended, or has said something.
void lane_receive(PortfolioRun *run, size_t lane) {
  Text record;
  text_init(&record, NULL);
  while (!run->ended && child_take_record(&run->children[lane].report, &record)) {
    receive_violation(run, lane, &record);
    text_clear(&record);
  }
  text_free(&record);
  if (!run->children[lane].running && !run->ended) receive_end(run, lane);
}
