#include "cli/run/portfolio.h"

#include "solver/inspection.h"
#include "verdict/question.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

// The first slice of a lane with several settings when there is no time limit, in slices of turns.
static const double LONG_SLICE = 20;
// What a setting of a lane may take of the time that is left when further ones follow.
static const double SHARE_OF_SETTING = 0.5;

// Lanes beyond the number of processors give way: who begins is more likely to decide.
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
} LaneState;

typedef struct Run {
  const Portfolio *p;
  size_t count, at_once;
  LaneState lanes[MOST_LANES];
  Child children[MOST_LANES]; // one per lane
  Phase phases[MOST_LANES];   // the progress of each; the first is the caller's, if it gave one
  double started;
  unsigned unwound; // learned: see Context
  Result *verdict;  // NULL: none yet
  bool ended;       // nothing more is to be expected
} Run;

// --- an engine, in its process ---

typedef struct EngineJob {
  const Run *run;
  const Member *member;
  bool again; // Context.again
  double deadline;
  size_t memory;
  char *trail; // for its progress; may be NULL
} EngineJob;

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
                            .account = &account};
  Inspection inspection;
  if (!inspection_init(&inspection, p->dump_folder, job->member->engine->name, p->cross_check, &log))
    log_error(&log, "--dump-smt: cannot create a folder in %s: %s", p->dump_folder, strerror(errno));
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
  size_t first = state->turns ? state->member + 1 : 0;
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
                   .trail = run->phases[lane].text};
  phase_set(&run->phases[lane], "%s", "");
  ChildLimits limits = {.deadline = job.deadline > 0 ? job.deadline + ENGINE_GRACE : 0,
                        .grace = ENGINE_GRACE,
                        .nice = run->at_once > 1 && lane >= p->jobs ? LATER_LANE_NICE : 0,
                        .memory = job.memory};
  if (run->count > 1)
    log_detail(p->log, "%s%s: begins after %.2f s", job.member->engine->name, job.member->settings,
               clock_now() - run->started);
  state->turns++;
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
    result = result_read_json(report->output.data, p->program, &error, NULL);
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

// A schedule that is not executed is worth nothing, whatever engine made it.
static void confirm(const Portfolio *p, Result *result, bool has_other_way) {
  result->confirmed = false;
  if (result->answer != ANSWER_UNSAFE) return;
  Text why;
  text_init(&why, NULL);
  JudgeOutcome outcome = JUDGE_MISFIT;
  if (!result->schedule)
    text_add(&why, "it has no schedule");
  else if (result->schedule->property != p->property)
    text_add(&why, "it is one to another property");
  else
    outcome = p->confirm(p->context, result, &why);
  result->confirmed = outcome == JUDGE_VIOLATION;
  ReasonKind kind = unconfirmed_reason(p, outcome, has_other_way);
  const char *whose = kind == REASON_INTERNAL ? "internal error: " : "";
  if (!result->confirmed)
    result_unknown_for(result, kind, "%sthe counterexample was not confirmed: %s", whose, why.data);
  text_free(&why);
}

static void add_command(const Portfolio *p, const Member *member, const char *says, Text *out) {
  text_format(out, "%s says %s (%s --engine %s%s)", member->engine->name, says, p->repeat, member->engine->name,
              member->settings);
}

// Somebody said SAFE, and now there is a confirmed violation.
static void report_contradiction(Run *run, const Member *unsafe, Result *result) {
  Text text;
  text_init(&text, NULL);
  text_format(&text,
              "internal error: contradiction in program %016llx: ", (unsigned long long)run->p->program->fingerprint);
  for (size_t i = 0; i < run->count; i++) {
    if (!run->lanes[i].safe) continue;
    add_command(run->p, &run->lanes[i].lane->members[run->lanes[i].member], "SAFE", &text);
    text_add(&text, "; ");
  }
  add_command(run->p, unsafe, "UNSAFE", &text);
  result_unknown_for(result, REASON_INTERNAL, "%s", text.data);
  text_free(&text);
}

static unsigned safe_lanes(const Run *run) {
  unsigned count = 0;
  for (size_t i = 0; i < run->count; i++) count += run->lanes[i].safe;
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
static void hear_unknown(Run *run, LaneState *state, const Result *result, bool again) {
  double unwound = result_statistic(result, "unwound");
  if (unwound > run->unwound) run->unwound = (unsigned)unwound;
  if ((!ran_out_of_time(result) || state->whole) && !again) state->spent |= 1u << state->member;
  if (wants_growth(run->p, result)) run->ended = true;
}

static void hear(Run *run, size_t lane) {
  const Portfolio *p = run->p;
  assert(lane < run->count && !run->children[lane].running);
  LaneState *state = &run->lanes[lane];
  const Member *member = &state->lane->members[state->member];
  Result *result = read_result(p, &run->children[lane], &run->phases[lane]);
  result_count(result, "engine_seconds", clock_now() - state->started);
  result_count(result, "peak_memory", run->children[lane].report.peak_memory);
  child_report_free(&run->children[lane].report);
  bool claimed = result->answer == ANSWER_UNSAFE;
  bool has_other_way = (member->engine->tries_again >> p->property & 1) && !state->again;
  confirm(p, result, has_other_way);
  bool again = has_other_way && claimed && !result->confirmed;
  state->again = state->again || again;
  result_seal(result);
  if (run->count > 1)
    log_detail(p->log, "%s%s: %s%s%s after %.2f s", member->engine->name, member->settings, answer_text(result->answer),
               result->answer == ANSWER_UNKNOWN ? ", " : "", result->reason.data, clock_now() - state->started);
  if (run->count > 1 && result->answer == ANSWER_UNKNOWN && result->why == REASON_INTERNAL)
    log_note(p->log, "%s: %s", member->engine->name, result->reason.data);
  result_free(state->last[state->member]);
  state->last[state->member] = result;
  if (result->answer == ANSWER_UNKNOWN) {
    hear_unknown(run, state, result, again);
    return;
  }
  Text name;
  text_init(&name, NULL);
  text_format(&name, "decided_by_%s", member->engine->name);
  if (run->count > 1) result_count(result, name.data, 1);
  text_free(&name);
  state->spent = (1u << state->lane->count) - 1;
  if (result->answer == ANSWER_UNSAFE) {
    if (safe_lanes(run) > 0) report_contradiction(run, member, result);
    take_verdict(run, result);
    return;
  }
  state->safe = true;
  if (safe_lanes(run) >= p->agree) take_verdict(run, result);
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

// Nobody decided it: what each of them said. A single engine speaks for itself.
static Result *sum_up(Run *run) {
  if (run->count == 1 && run->lanes[0].lane->count == 1 && run->lanes[0].last[0]) {
    Result *own = run->lanes[0].last[0];
    run->lanes[0].last[0] = NULL;
    return own;
  }
  Result *result = result_new(run->p->property, NULL);
  Text reasons;
  text_init(&reasons, NULL);
  Interner told;
  interner_init(&told, NULL);
  bool late = false;
  ReasonKind kind = REASON_GAVE_UP; // of the first that said anything, or a mistake of ours
  for (size_t i = 0; i < run->count; i++) {
    for (size_t k = 0; k < run->lanes[i].lane->count; k++) {
      const Result *said = run->lanes[i].last[k];
      if (!said || said->answer != ANSWER_UNKNOWN) continue;
      const char *engine = run->lanes[i].lane->members[k].engine->name;
      result_add_cuts_of(result, said);
      late = late || ran_out_of_time(said);
      if (!reasons.length || said->why == REASON_INTERNAL) kind = said->why;
      add_named(&reasons, &told, engine, said->reason.data);
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
      if (lane == NO_CHILD) break; // nobody is running, and nobody can begin
    }
    hear(&run, lane);
  }
  for (size_t i = 0; i < run.count; i++) {
    if (!run.children[i].running) continue;
    child_dismiss(&run.children[i]);
    child_report_free(&run.children[i].report);
  }
  log_progress_end(p->log);
  Result *result = run.verdict ? result_copy(run.verdict, NULL) : sum_up(&run);
  for (size_t i = 0; i < run.count; i++)
    for (size_t k = 0; k < MOST_SETTINGS; k++) result_free(run.lanes[i].last[k]);
  for (size_t i = p->phase ? 1 : 0; i < run.count; i++) phase_free(&run.phases[i]);
  return result;
}
