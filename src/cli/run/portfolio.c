#include "cli/run/portfolio.h"

#include "solver/inspection.h"
#include "verdict/finding.h"
#include "verdict/json.h"
#include "verdict/question.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

// The first slice of a lane with several settings when there is no time limit, in slices of turns.
static const double LONG_SLICE = 20;
// What a setting of a lane may take of the time that is left when further ones follow.
static const double SHARE_OF_SETTING = 0.5;

// Lanes beyond the number of processors give way: a lane that begins early is more likely to decide.
enum { LATER_LANE_NICE = 3 };

typedef struct LaneState {
  const Lane *lane;
  unsigned turns;              // attempts so far
  size_t member;               // of the present or last attempt
  unsigned spent;              // bits 1 << member: need not be tried again
  Result *last[MOST_SETTINGS]; // what each said last; NULL: nothing yet
  double started;              // the present attempt
  bool whole;                  // the present attempt has all the time that is left
  bool again;                  // a counterexample of this engine was not confirmed: from now on with Context.again
  bool safe;
  bool contradicted; // it said SAFE about a violation that was confirmed: that counts for nothing
  bool repeats;      // the next attempt is with the same setting
  size_t heard;      // so many of the findings are settled for its engine
} LaneState;

// A finding that was told.
typedef struct ToldFinding {
  const char *json; // in the arena
  const Member *teller;
  bool contradicted;
} ToldFinding;
VECTOR(ToldFindingVector, ToldFinding);

typedef struct Run {
  const Portfolio *p;
  size_t count, at_once;
  LaneState lanes[MOST_LANES];
  Child children[MOST_LANES]; // one per lane
  ChildLine lines[MOST_LANES];
  Phase phases[MOST_LANES]; // the progress of each; the first is the caller's, if it gave one
  double started;
  unsigned unwound; // learned: see Context
  ToldFindingVector told;
  Arena arena;
  Result *verdict; // NULL: none yet
  bool ended;      // nothing more is to be expected
} Run;

// --- an engine, in its process ---

typedef struct EngineJob {
  const Run *run;
  const Member *member;
  bool again; // Context.again
  double deadline;
  size_t memory;
  char *trail; // for its progress; may be NULL
  const ChildLine *line;
} EngineJob;

// Settles the findings of an answer. False if there are none.
static bool settle_all(Program *program, const Text *answer) {
  Text error;
  text_init(&error, NULL);
  cJSON *list = json_parse(answer->data, answer->length, &error);
  const cJSON *item;
  bool good = cJSON_GetArraySize(list) > 0;
  cJSON_ArrayForEach(item, list) {
    Finding finding;
    finding_init(&finding, VIOLATION_NONE);
    good = good && finding_read_json(item, &finding, &error) && finding_settle(&finding, program);
    finding_free(&finding);
  }
  cJSON_Delete(list);
  text_free(&error);
  return good;
}

// Context.tell, in the engine's process.
static bool tell_violation(const Context *context, const Schedule *schedule) {
  const EngineJob *job = context->listener;
  Result *result = result_new(context->property, NULL);
  result->answer = ANSWER_UNSAFE;
  result->schedule = schedule_copy(schedule, NULL);
  Text text;
  text_init(&text, NULL);
  result_write_json(result, context->program, &text);
  child_send(job->line, &text);
  text_clear(&text);
  bool goes_on = child_receive(job->line, &text) && settle_all(context->program, &text);
  text_free(&text);
  result_free(result);
  return goes_on;
}

// Ends the inspection of the engine's solvers. A contradiction between them takes the engine's word away.
static void end_inspection(const Portfolio *p, Inspection *inspection, Result *result, Log *log) {
  term_store_inspect(p->program->terms, NULL);
  if (p->cross_check) result_count(result, "cross_checked", (double)inspection->compared);
  if (inspection->error)
    log_error(log, "--dump-smt: cannot write to %s: %s", inspection->folder, strerror(inspection->error));
  if (inspection->contradictions)
    result_unknown_for(result, REASON_INTERNAL, "internal error: two solvers contradict each other");
  inspection_free(inspection);
}

static void run_engine(void *context, Text *out) {
  const EngineJob *job = context;
  const Portfolio *p = job->run->p;
  Account account = {.room = job->member->engine->name, .limit = job->memory, .silent = true};
  Budget budget;
  budget_init(&budget, 0, p->interrupt->flag);
  budget.deadline = job->deadline;
  Log log = *p->log;
  // Side by side, only the portfolio draws a progress line; what engines tell in detail is for --verbose.
  if (job->run->count > 1) log.terminal = false;
  log.trail = job->trail;
  Context engine_context = {.program = p->program,
                            .property = p->property,
                            .ltl = p->ltl,
                            .options = &job->member->options,
                            .budget = &budget,
                            .log = &log,
                            .may_grow = p->may_grow,
                            .round = p->round,
                            .again = job->again,
                            .alone = job->run->count == 1,
                            .growing = p->growing,
                            .grow_at = p->grow_at,
                            .unwound = job->run->unwound,
                            .tell = p->tell ? tell_violation : NULL,
                            .listener = context,
                            .account = &account};
  Inspection inspection;
  if (!inspection_init(&inspection, p->dump_folder, job->member->engine->name, p->cross_check, &log))
    log_error(&log, "--dump-smt: cannot create a folder in %s: %s", p->dump_folder, strerror(errno));
  p->program->leaks_are_cuts = job->again;
  if (inspection.folder || inspection.cross_check) term_store_inspect(p->program->terms, &inspection);
  Result *result = job->member->engine->run(&engine_context);
  question_add_limits(engine_context.program, result);
  end_inspection(p, &inspection, result, &log);
  result_count(result, "engine_bytes", (double)account.peak);
  log_progress_end(&log);
  result_write_json(result, p->program, out);
}

// --- attempts ---

static size_t unspent(const LaneState *state) {
  size_t count = 0;
  for (size_t i = 0; i < state->lane->count; i++) count += !(state->spent >> i & 1);
  return count;
}

static size_t all_unspent(const Run *run) {
  size_t count = 0;
  for (size_t i = 0; i < run->count; i++) count += unspent(&run->lanes[i]);
  return count;
}

// When the lane's next attempt has to end; 0: it has all the time there is.
static double slice_end(const Run *run, const LaneState *state) {
  double now = clock_now(), deadline = run->p->deadline, growth = 1;
  for (size_t i = 0; i < state->turns / state->lane->count && i < 30; i++) growth *= 2;
  if (all_unspent(run) <= 1) return 0;
  double end;
  if (run->at_once == 1) {
    end = now + run->p->slice * growth;
  } else {
    if (unspent(state) <= 1) return 0;
    end = deadline > 0 ? now + (deadline - now) * SHARE_OF_SETTING : now + run->p->slice * LONG_SLICE * growth;
  }
  return deadline > 0 && end >= deadline ? 0 : end;
}

static void start_attempt(Run *run, size_t lane) {
  const Portfolio *p = run->p;
  LaneState *state = &run->lanes[lane];
  assert(lane < run->count && !run->children[lane].running && unspent(state) > 0);
  size_t first = state->turns ? state->member + !state->repeats : 0;
  state->repeats = false;
  for (size_t i = 0; i < state->lane->count; i++) {
    state->member = (first + i) % state->lane->count;
    if (!(state->spent >> state->member & 1)) break;
  }
  assert(!(state->spent >> state->member & 1));
  double end = slice_end(run, state);
  state->whole = end <= 0;
  size_t sharing = run->count < run->at_once ? run->count : run->at_once;
  EngineJob job = {.run = run,
                   .member = &state->lane->members[state->member],
                   .again = state->again,
                   .deadline = state->whole ? p->deadline : end,
                   .memory = p->memory / sharing,
                   .trail = run->phases[lane].text,
                   .line = &run->lines[lane]};
  if (lane == 0 && p->phase) // the parent of this process reads it, too
    phase_set(p->phase, "%s: %zu edges", job.member->engine->name, p->program->edges.count);
  else
    phase_set(&run->phases[lane], "%s", "");
  ChildLimits limits = {.deadline = job.deadline > 0 ? job.deadline + ENGINE_GRACE : 0,
                        .grace = ENGINE_GRACE,
                        .nice = run->at_once > 1 && lane >= p->jobs ? LATER_LANE_NICE : 0,
                        .memory = job.memory,
                        .line = &run->lines[lane]};
  if (run->count > 1)
    log_detail(p->log, "%s%s: begins after %.2f s", job.member->engine->name, job.member->settings,
               clock_now() - run->started);
  state->turns++;
  state->heard = run->told.count;
  state->started = clock_now();
  child_start(&run->children[lane], p->interrupt, &limits, run_engine, &job);
}

// The lane that should begin next: the one with the fewest turns; NO_CHILD if there is none. `later` becomes the time
// when one may begin that has to wait for its moment.
static size_t next_lane(const Run *run, double *later) {
  size_t best = NO_CHILD, running = 0;
  *later = 0;
  for (size_t i = 0; i < run->count; i++) running += run->children[i].running;
  if (running >= run->at_once) return NO_CHILD;
  for (size_t i = 0; i < run->count; i++) {
    const LaneState *state = &run->lanes[i];
    if (run->children[i].running || unspent(state) == 0) continue;
    double begins = run->started + state->lane->delay;
    if (running > 0 && begins > clock_now()) {
      if (*later <= 0 || begins < *later) *later = begins;
    } else if (best == NO_CHILD || state->turns < run->lanes[best].turns) {
      best = i;
    }
  }
  return best;
}

// --- what they say ---

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

static bool ran_out_of_time(const Result *result) {
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

static void add_command(const Portfolio *p, const Member *member, const char *says, Text *out) {
  text_format(out, "%s says %s (%s --engine %s%s)", member->engine->name, says, p->repeat, member->engine->name,
              member->settings);
}

// Engines said SAFE, and there is a confirmed violation.
static void add_contradiction(const Run *run, const Member *unsafe, Text *text) {
  text_format(text,
              "internal error: contradiction in program %016llx: ", (unsigned long long)run->p->program->fingerprint);
  for (size_t i = 0; i < run->count; i++) {
    if (!run->lanes[i].safe) continue;
    add_command(run->p, &run->lanes[i].lane->members[run->lanes[i].member], "SAFE", text);
    text_add(text, "; ");
  }
  add_command(run->p, unsafe, "UNSAFE", text);
}

// The lanes that said SAFE contradict the finding.
static void contradict(Run *run, ToldFinding *told) {
  for (size_t i = 0; i < run->count; i++) run->lanes[i].contradicted |= run->lanes[i].safe;
  if (told->contradicted) return;
  told->contradicted = true;
  Text text;
  text_init(&text, NULL);
  add_contradiction(run, told->teller, &text);
  log_note(run->p->log, "%s", text.data);
  run->p->contradict(run->p->context, told->json, text.data);
  text_free(&text);
}

static bool some_lane_is_safe(const Run *run) {
  bool some = false;
  for (size_t i = 0; i < run->count; i++) some |= run->lanes[i].safe;
  return some;
}

// Those that agree that there are no other violations.
static unsigned safe_lanes(const Run *run) {
  unsigned count = 0;
  for (size_t i = 0; i < run->count; i++) count += run->lanes[i].safe && !run->lanes[i].contradicted;
  return count;
}

static void take_verdict(Run *run, Result *result) {
  assert(!run->verdict && !run->ended);
  run->verdict = result;
  run->ended = true;
}

// The program is too small, and nothing else is wrong with the answer: larger limits are the way on.
static bool wants_growth(const Portfolio *p, const Result *result) {
  if (!p->may_grow || result->cuts.count == 0 || ran_out_of_time(result)) return false;
  for (size_t i = 0; i < result->cuts.count; i++)
    if (!(p->growing >> result->cuts.data[i].kind & 1)) return false;
  return true;
}

// `again`: the same engine looks again, in another way.
static void receive_unknown(Run *run, LaneState *state, const Result *result, bool again) {
  double unwound = result_statistic(result, "unwound");
  if (unwound > run->unwound) run->unwound = (unsigned)unwound;
  if ((!ran_out_of_time(result) || state->whole) && !again) state->spent |= 1u << state->member;
  if (wants_growth(run->p, result)) run->ended = true;
}

static void count_decided(const Run *run, const Member *member, Result *result) {
  if (run->count < 2) return;
  Text name;
  text_init(&name, NULL);
  text_format(&name, "decided_by_%s", member->engine->name);
  result_count(result, name.data, 1);
  text_free(&name);
}

// A confirmed violation: the verdict, or told. True: the search goes on.
static bool take_violation(Run *run, const Member *member, Result *result) {
  const Portfolio *p = run->p;
  count_decided(run, member, result);
  Text finding;
  text_init(&finding, NULL);
  bool goes_on = p->tell && p->tell(p->context, result, &finding) == AFTER_FINDING_GOES_ON;
  if (goes_on) {
    ToldFinding told = {.json = arena_string(&run->arena, finding.data), .teller = member};
    ToldFinding *row = ToldFindingVector_push(&run->told, told);
    if (some_lane_is_safe(run)) contradict(run, row);
  } else if (some_lane_is_safe(run) && result->answer == ANSWER_UNSAFE) {
    text_clear(&finding);
    add_contradiction(run, member, &finding);
    result_unknown_for(result, REASON_INTERNAL, "%s", finding.data);
  }
  text_free(&finding);
  return goes_on;
}

// Tells the lane's engine, which waits, what it has not heard of; nothing: its violation is to be its answer.
static void answer(Run *run, size_t lane, bool goes_on) {
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

static void log_finding(const Run *run, const LaneState *state) {
  const Member *member = &state->lane->members[state->member];
  if (run->count > 1)
    log_detail(run->p->log, "%s%s: a violation after %.2f s", member->engine->name, member->settings,
               clock_now() - state->started);
}

// The engine of the lane has found a violation, and waits.
static void receive_violation(Run *run, size_t lane, const Text *record) {
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

static void receive_safe(Run *run, LaneState *state, Result *result) {
  state->spent = (1u << state->lane->count) - 1;
  state->safe = true;
  bool unheard = state->heard < run->told.count;
  for (size_t i = state->heard; i < run->told.count; i++) contradict(run, &run->told.data[i]);
  if (!unheard && safe_lanes(run) >= run->p->agree) take_verdict(run, result);
}

static void log_answer(const Run *run, const LaneState *state, const Result *result) {
  if (run->count < 2) return;
  const Member *member = &state->lane->members[state->member];
  log_detail(run->p->log, "%s%s: %s%s%s after %.2f s", member->engine->name, member->settings,
             answer_text(result->answer), result->answer == ANSWER_UNKNOWN ? ", " : "", result->reason.data,
             clock_now() - state->started);
  if (result->answer == ANSWER_UNKNOWN && result->why == REASON_INTERNAL)
    log_note(run->p->log, "%s: %s", member->engine->name, result->reason.data);
}

// The engine ended with a violation. What becomes of it; with AFTER_FINDING_GOES_ON the engine begins again.
static AfterFinding receive_unsafe(Run *run, LaneState *state, Result *result, bool *again) {
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
static void receive_end(Run *run, size_t lane) {
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
  if (result->answer == ANSWER_SAFE) count_decided(run, member, result);
  if (result->answer == ANSWER_SAFE)
    receive_safe(run, state, result);
  else if (run->verdict != result)
    receive_unknown(run, state, result, again);
}

// A child has ended, or has said something.
static void receive_from_child(Run *run, size_t lane) {
  Text record;
  text_init(&record, NULL);
  while (!run->ended && child_take_record(&run->children[lane].report, &record)) {
    receive_violation(run, lane, &record);
    text_clear(&record);
  }
  text_free(&record);
  if (!run->children[lane].running && !run->ended) receive_end(run, lane);
}

// --- the end ---

// Each text once, although several settings of an engine may say the same.
static void add_named(Text *out, Interner *told, const char *engine, const char *text) {
  size_t before = told->count;
  intern(told, text);
  if (!*text || told->count == before) return;
  size_t length = strlen(engine);
  bool named = strncmp(text, engine, length) == 0 && text[length] == ':'; // a progress line begins with the engine
  text_format(out, "%s%s%s%s", out->length ? "; " : "", named ? "" : engine, named ? "" : ": ", text);
}

// Adds the cuts that an engine met. True if they are its reason, and others have told all of them.
static bool repeats_cuts(Result *all, const Result *said) {
  size_t before = all->cuts.count;
  result_add_cuts_of(all, said);
  return said->why == REASON_CUT && before > 0 && all->cuts.count == before;
}

// Names two of the cuts that engines met: the first that each of two engines names are often of different kinds.
static void unknown_for_cuts_of_all(Result *result) {
  assert(result->cuts.count > 0);
  if (result->cuts.count == 1) {
    result_unknown_for_cuts(result);
    return;
  }
  const MetCut *first = &result->cuts.data[0], *second = &result->cuts.data[1];
  Text more;
  text_init(&more, NULL);
  if (result->cuts.count > 2) text_format(&more, ", and %zu more", result->cuts.count - 2);
  bool alike = first->kind == second->kind;
  result_unknown_for(result, REASON_CUT, "%s: %s; %s%s%s%s", cut_kind_text(first->kind), first->what.data,
                     alike ? "" : cut_kind_text(second->kind), alike ? "" : ": ", second->what.data, more.data);
  text_free(&more);
}

// No engine decided it: what each of them said. A single engine speaks for itself.
static Result *sum_up(Run *run) {
  if (run->count == 1 && run->lanes[0].lane->count == 1 && run->lanes[0].last[0] && !run->lanes[0].contradicted) {
    Result *own = run->lanes[0].last[0];
    run->lanes[0].last[0] = NULL;
    return own;
  }
  Result *result = result_new(run->p->property, NULL);
  Text reasons;
  text_init(&reasons, NULL);
  Interner told;
  interner_init(&told, NULL);
  bool late = false, only_cuts = true;
  ReasonKind kind = REASON_GAVE_UP; // of the first that said anything, or a mistake of ours
  for (size_t i = 0; i < run->count; i++) {
    for (size_t k = 0; k < run->lanes[i].lane->count; k++) {
      const Result *said = run->lanes[i].last[k];
      if (!said) continue;
      const char *engine = run->lanes[i].lane->members[k].engine->name;
      if (said->answer == ANSWER_SAFE && run->lanes[i].contradicted) {
        kind = REASON_INTERNAL;
        add_named(&reasons, &told, engine, "internal error: it says SAFE in spite of a violation");
      }
      if (said->answer != ANSWER_UNKNOWN) continue;
      bool repeats = repeats_cuts(result, said);
      late = late || ran_out_of_time(said);
      if (!reasons.length || (said->why == REASON_INTERNAL && kind != REASON_INTERNAL)) kind = said->why;
      only_cuts = only_cuts && said->why == REASON_CUT;
      if (!repeats) add_named(&reasons, &told, engine, said->reason.data);
      add_named(&result->covered, &told, engine, said->covered.data);
    }
  }
  unsigned safe = safe_lanes(run);
  if (*run->p->interrupt->flag)
    result_stopped(result, STOP_SIGNAL);
  else if (safe > 0)
    result_unknown_for(result, REASON_AGREEMENT, "%u of %u engines said SAFE; %s", safe, run->p->agree, reasons.data);
  else if (late || (!reasons.length && run->p->deadline > 0))
    result_stopped(result, STOP_TIME);
  else if (reasons.length && only_cuts && kind == REASON_CUT && result->cuts.count)
    unknown_for_cuts_of_all(result);
  else
    result_unknown_for(result, kind, "%s", reasons.length ? reasons.data : "no engine could be run");
  interner_free(&told);
  text_free(&reasons);
  return result;
}

// What a lane is at, as far as it has said; its trail begins with its name.
static void add_lane_progress(const Run *run, size_t lane, Text *out) {
  const LaneState *state = &run->lanes[lane];
  const char *trail = run->phases[lane].text, *name = state->lane->members[state->member].engine->name;
  text_format(out, "; %s", trail && *trail ? trail : name);
}

// What the lane's settings have covered in their last attempts.
static void add_settled(const LaneState *state, Text *out) {
  for (size_t k = 0; k < state->lane->count; k++) {
    const Result *said = state->last[k];
    if (!said || !said->covered.length) continue;
    text_format(out, "; settled by %s: %s", state->lane->members[k].engine->name, said->covered.data);
  }
}

// The round, how long it takes, what the engines that run are at, and what has been covered before.
static void show_progress(const Run *run) {
  if (run->count < 2 || !run->p->log->terminal) return;
  Text text;
  text_init(&text, NULL);
  for (size_t i = 0; i < run->count; i++)
    if (run->children[i].running) add_lane_progress(run, i, &text);
  for (size_t i = 0; i < run->count; i++) add_settled(&run->lanes[i], &text);
  log_progress(run->p->log, "round %u: %.0f s%s", run->p->round + 1, clock_now() - run->started, text.data);
  text_free(&text);
}

static double sooner(double a, double b) { return a <= 0 || (b > 0 && b < a) ? b : a; }

Result *portfolio_run(const Portfolio *p) {
  assert(p->plan->count <= MOST_LANES && p->agree >= 1 && p->jobs >= 1);
  Run run = {.p = p, .count = p->plan->count, .started = clock_now(), .at_once = p->jobs > 1 ? 2 * p->jobs : 1};
  arena_init(&run.arena, NULL);
  for (size_t i = 0; i < run.count; i++) {
    run.lanes[i].lane = &p->plan->lanes[i];
    if (i == 0 && p->phase)
      run.phases[i] = *p->phase;
    else
      phase_init(&run.phases[i]);
  }
  while (!run.ended && !*p->interrupt->flag) {
    double later;
    size_t lane = next_lane(&run, &later);
    if (lane != NO_CHILD && (p->deadline <= 0 || clock_now() < p->deadline)) {
      start_attempt(&run, lane);
      if (run.children[lane].running) continue;
    } else {
      show_progress(&run);
      // A progress line wants to be drawn again.
      double redraw = p->log->terminal && run.count > 1 ? clock_now() + 0.5 : 0;
      double until = sooner(later, redraw);
      lane = children_wait(run.children, run.count, p->interrupt, until);
      if (lane == NO_CHILD && until > 0 && clock_now() >= until) continue;
      if (lane == NO_CHILD) break; // no lane is running, and none can begin
    }
    receive_from_child(&run, lane);
  }
  for (size_t i = 0; i < run.count; i++) {
    child_dismiss(&run.children[i]);
    child_report_free(&run.children[i].report);
  }
  log_progress_end(p->log);
  Result *result = run.verdict ? result_copy(run.verdict, NULL) : sum_up(&run);
  for (size_t i = 0; i < run.count; i++)
    for (size_t k = 0; k < MOST_SETTINGS; k++) result_free(run.lanes[i].last[k]);
  for (size_t i = p->phase ? 1 : 0; i < run.count; i++) phase_free(&run.phases[i]);
  ToldFindingVector_free(&run.told);
  arena_free(&run.arena);
  return result;
}
