// replay_lasso: the judge of formulas. See lasso.h.
//
// State i is the state after i steps. The loop consists of the steps from `loop_start` on. The last state agrees with
// state `loop_start`; after the last letter, the word continues with the first letter that was read after that state.
#include "judge/lasso.h"

#include "judge/influence.h"
#include "judge/observed_letter.h"
#include "judge/schedule_run.h"
#include "judge/wording.h"

#include <assert.h>

// A thread in the states of the loop.
typedef struct LoopThread {
  bool moves;    // it takes a step of the loop
  bool needless; // it has ended, or was not created: it need not be enabled
  bool can;      // it is enabled in some state of the loop
  bool waits;    // it is blocked in some state of the loop
  bool cannot;   // it is not enabled in some state of the loop
  bool doubtful; // in some state of the loop it is not known whether it is enabled
} LoopThread;

typedef struct LassoJudge {
  ScheduleRun run;
  const Program *program;
  const LtlProperty *ltl;
  const Schedule *schedule;
  Influence influence;
  Concrete start;       // the state in which the loop begins
  U64Vector letters;    // read so far
  uint32_t loop_letter; // index of the first letter that is read in the loop
  LoopThread *threads;
  CellId undetermined; // a cell that an atom depends on and that may hold any value; NO_ID: none
  bool doubtful;       // an atom dereferenced a pointer that points to no object of the layout
  Text *message;
} LassoJudge;

static size_t step_count(const LassoJudge *judge) { return judge->schedule->steps.count; }
static bool has_empty_loop(const LassoJudge *judge) { return judge->schedule->loop_start == step_count(judge); }

static JudgeOutcome conclude(LassoJudge *judge, JudgeOutcome outcome, const char *why) {
  text_clear(judge->message);
  text_add(judge->message, why);
  return outcome;
}

static JudgeOutcome reject_for_thread(LassoJudge *judge, ThreadId thread, const char *why) {
  text_clear(judge->message);
  wording_thread(judge->message, judge->program, thread);
  text_add(judge->message, why);
  return JUDGE_NO_VIOLATION;
}

// The judge tries no wide inputs.
static JudgeOutcome doubt_thread(LassoJudge *judge, ThreadId thread, const char *why) {
  reject_for_thread(judge, thread, why);
  return JUDGE_DOUBT;
}

// --- letters ---

static uint64_t read_letter(LassoJudge *judge) {
  judge->doubtful |= concrete_letter_is_doubtful(&judge->run.state);
  return concrete_letter(&judge->run.state, &judge->undetermined);
}

// Does the formula read the state after the step `index`?
static bool is_read_after(const LassoJudge *judge, size_t index) {
  const Program *p = judge->program;
  EdgeId edge = judge->schedule->steps.data[index].edge;
  if (edge_first_step(p, edge)->kind == STEP_START) return false;
  return judge->run.ended || concrete_inside_section(&judge->run.state) == NO_ID;
}

// --- what threads can do in the loop ---

static void observe_thread(LassoJudge *judge, ThreadId t) {
  const Concrete *state = &judge->run.state;
  LoopThread *thread = &judge->threads[t];
  bool over = judge->program->locations.data[state->locations[t]].final;
  bool unborn = concrete_is_unborn(state, t);
  if (over || unborn) {
    thread->needless = thread->cannot = true;
    return;
  }
  switch (concrete_can_go_on(state, t)) {
  case RUN_YES: thread->can = true; break;
  case RUN_WAITS: thread->waits = thread->cannot = true; break;
  case RUN_NO: thread->cannot = true; break;
  case RUN_UNKNOWN: thread->doubtful = true; break;
  }
}

// Observes all threads in the present state, unless a thread is inside a section: the others then wait for its end.
static void observe_threads(LassoJudge *judge) {
  if (judge->run.ended || concrete_inside_section(&judge->run.state) != NO_ID) return;
  for (ThreadId t = 0; t < judge->program->threads.count; t++) {
    const LoopThread *thread = &judge->threads[t];
    bool decided = thread->moves || thread->needless;
    if (thread->can || thread->waits) decided |= thread->cannot || (!judge->ltl->fair && !has_empty_loop(judge));
    if (!decided) observe_thread(judge, t);
  }
}

static JudgeOutcome judge_thread(LassoJudge *judge, ThreadId t) {
  const LoopThread *thread = &judge->threads[t];
  if (thread->moves || thread->needless) return JUDGE_VIOLATION;
  if (has_empty_loop(judge) && thread->can) return reject_for_thread(judge, t, " can still take a step at the end");
  if (has_empty_loop(judge) && thread->doubtful)
    return doubt_thread(judge, t, " may be able to take a step at the end (it is not known): not confirmed");
  if (!thread->can && !thread->waits) {
    if (thread->doubtful)
      return doubt_thread(judge, t, " may be stopped for ever by an assumption (it is not known): not confirmed");
    return reject_for_thread(judge, t, " is stopped for ever by a false assumption or an invalid operation");
  }
  if (judge->ltl->fair && !thread->cannot && thread->doubtful)
    return doubt_thread(judge, t, " may be passed over for ever (it is not known): not confirmed");
  if (judge->ltl->fair && !thread->cannot)
    return reject_for_thread(judge, t, " could always run and is passed over for ever, which is unfair");
  return JUDGE_VIOLATION;
}

static JudgeOutcome judge_threads(LassoJudge *judge) {
  if (judge->run.ended) return JUDGE_VIOLATION; // the process has ended, so no thread is enabled
  for (ThreadId t = 0; t < judge->program->threads.count; t++) {
    JudgeOutcome outcome = judge_thread(judge, t);
    if (outcome != JUDGE_VIOLATION) return outcome;
  }
  return JUDGE_VIOLATION;
}

// --- running ---

// Here and below JUDGE_VIOLATION means that no reason against a violation was found so far.
static JudgeOutcome run_step(LassoJudge *judge, size_t index) {
  StepOutcome outcome;
  StepEffect effect;
  if (!schedule_run_step(&judge->run, index, &outcome, &effect)) return JUDGE_MISFIT;
  if (outcome == OUTCOME_TAKEN || outcome == OUTCOME_HALT || outcome == OUTCOME_ERROR) return JUDGE_VIOLATION;
  const ScheduleStep *step = &judge->schedule->steps.data[index];
  if (outcome == OUTCOME_CUT) return reject_for_thread(judge, step->thread, " meets a limit of the model on the way");
  text_clear(judge->message);
  text_add(judge->message, "the execution does not go on: ");
  wording_outcome(judge->message, judge->program, step->thread, step->edge, outcome, &effect);
  return JUDGE_NO_VIOLATION;
}

static void begin_loop(LassoJudge *judge) {
  assert(judge->letters.count > 0);
  concrete_copy(&judge->start, &judge->run.state);
  judge->loop_letter = (uint32_t)judge->letters.count;
  observe_threads(judge);
}

static JudgeOutcome run_once(LassoJudge *judge) {
  const Schedule *schedule = judge->schedule;
  for (size_t i = schedule->loop_start; i < schedule->steps.count; i++)
    if (schedule->steps.data[i].thread < judge->program->threads.count)
      judge->threads[schedule->steps.data[i].thread].moves = true;
  U64Vector_push(&judge->letters, read_letter(judge));
  if (schedule->loop_start == 0) begin_loop(judge);
  for (size_t i = 0; i < step_count(judge); i++) {
    JudgeOutcome outcome = run_step(judge, i);
    if (outcome != JUDGE_VIOLATION) return outcome;
    if (is_read_after(judge, i)) U64Vector_push(&judge->letters, read_letter(judge));
    if (i + 1 == schedule->loop_start)
      begin_loop(judge);
    else if (i >= schedule->loop_start)
      observe_threads(judge);
  }
  return JUDGE_VIOLATION;
}

static JudgeOutcome check_closed(LassoJudge *judge, const char *when) {
  Text difference;
  text_init(&difference, judge->message->account);
  bool closed = influence_agree(&judge->influence, &judge->start, &judge->run.state, &difference);
  if (!closed) {
    text_clear(judge->message);
    text_format(judge->message, "the loop does not close%s: %s", when, difference.data);
  }
  text_free(&difference);
  return closed ? JUDGE_VIOLATION : JUDGE_NO_VIOLATION;
}

// Executes the loop once more. A closed loop must have the same steps and letters again, and be closed again.
static JudgeOutcome run_again(LassoJudge *judge) {
  uint32_t next = judge->loop_letter;
  judge->run.trace = NULL;
  for (size_t i = judge->schedule->loop_start; i < step_count(judge); i++) {
    JudgeOutcome outcome = run_step(judge, i);
    if (outcome != JUDGE_VIOLATION) {
      text_add(judge->message, ", when the loop is executed again");
      return JUDGE_NO_VIOLATION;
    }
    if (!is_read_after(judge, i)) continue;
    assert(next < judge->letters.count); // the states after the same steps are read
    if (read_letter(judge) != judge->letters.data[next++])
      return conclude(judge, JUDGE_NO_VIOLATION, "the loop is not observed in the same way when it is executed again");
  }
  return check_closed(judge, " when it is executed again");
}

// --- the formula ---

static JudgeOutcome judge_word(LassoJudge *judge) {
  size_t count = judge->letters.count;
  assert(count > 0 && judge->loop_letter <= count);
  bool loop_is_read = judge->loop_letter < count;
  if (!loop_is_read && !has_empty_loop(judge))
    return conclude(judge, JUDGE_MISFIT, "no state of the loop is one that formulas read");
  LtlWord word = {.letters = judge->letters.data,
                  .length = (uint32_t)count,
                  .loop = loop_is_read ? judge->loop_letter : (uint32_t)count - 1};
  bool holds = ltl_holds(&judge->ltl->store, judge->ltl->formula, &word);
  text_clear(judge->message);
  text_add(judge->message, "the formula ");
  text_add(judge->message, judge->ltl->text);
  if (holds) {
    text_add(judge->message, " holds on this execution");
    return JUDGE_NO_VIOLATION;
  }
  text_add(judge->message, " is violated: ");
  if (has_empty_loop(judge))
    text_add(judge->message, judge->run.ended ? "the process ends, and its last state goes on for ever"
                                              : "no thread can go on, and the last state goes on for ever");
  else if (judge->schedule->loop_start + 1 == step_count(judge))
    text_format(judge->message, "step %u is repeated for ever", (unsigned)judge->schedule->loop_start);
  else
    text_format(judge->message, "steps %u to %zu go round for ever", (unsigned)judge->schedule->loop_start,
                step_count(judge) - 1);
  return JUDGE_VIOLATION;
}

static JudgeOutcome check_question(LassoJudge *judge) {
  const Schedule *schedule = judge->schedule;
  if (schedule->fingerprint != judge->program->fingerprint)
    return conclude(judge, JUDGE_MISFIT, "the schedule belongs to another program");
  if (schedule->property != PROPERTY_LTL || schedule->loop_start == NO_ID || schedule->loop_start > step_count(judge))
    return conclude(judge, JUDGE_MISFIT, "the schedule is not that of an infinite execution");
  if (judge->ltl->atoms.count != judge->program->observations.count)
    return conclude(judge, JUDGE_MISFIT, "the program does not observe the atoms of this formula");
  return JUDGE_VIOLATION;
}

static JudgeOutcome judge_lasso(LassoJudge *judge) {
  JudgeOutcome outcome = check_question(judge);
  if (outcome == JUDGE_VIOLATION) outcome = run_once(judge);
  if (outcome != JUDGE_VIOLATION) return outcome;
  if (!has_empty_loop(judge) && judge->run.ended)
    return conclude(judge, JUDGE_MISFIT, "the process has ended, and nothing can be repeated");
  if (!judge->run.ended && concrete_inside_section(&judge->run.state) != NO_ID)
    return conclude(judge, JUDGE_MISFIT, "the schedule ends inside an atomic section");
  if (!has_empty_loop(judge) && concrete_inside_section(&judge->start) != NO_ID)
    return conclude(judge, JUDGE_MISFIT, "the loop begins inside an atomic section");
  outcome = judge_threads(judge);
  if (outcome == JUDGE_VIOLATION && !has_empty_loop(judge)) {
    influence_init(&judge->influence, judge->program, judge->message->account);
    outcome = check_closed(judge, "");
    if (outcome == JUDGE_VIOLATION) outcome = run_again(judge);
    influence_free(&judge->influence);
  }
  if (outcome != JUDGE_VIOLATION) return outcome;
  if (judge->doubtful)
    return conclude(judge, JUDGE_NO_VIOLATION,
                    "the formula looks through a pointer that was not foreseen: not confirmed");
  if (judge->undetermined != NO_ID) {
    text_clear(judge->message);
    text_format(judge->message, "the formula reads %s, which holds any value at some point: not confirmed",
                judge->program->cells.data[judge->undetermined].name);
    return JUDGE_NO_VIOLATION;
  }
  return judge_word(judge);
}

JudgeOutcome replay_lasso(const Program *program, const LtlProperty *ltl, const Schedule *schedule, Trace *trace,
                          Text *message, Account *account) {
  LassoJudge judge = {.program = program, .ltl = ltl, .schedule = schedule, .undetermined = NO_ID, .message = message};
  size_t bytes = program->threads.count * sizeof *judge.threads;
  judge.threads = memory_allocate_zeroed(account, bytes);
  schedule_run_init(&judge.run, program, schedule, trace, message, account);
  concrete_init(&judge.start, program, account);
  U64Vector_init(&judge.letters, account);
  text_clear(message);
  JudgeOutcome outcome = judge_lasso(&judge);
  if (trace != NULL && outcome == JUDGE_VIOLATION) trace->violation = VIOLATION_FORMULA;
  U64Vector_free(&judge.letters);
  concrete_free(&judge.start);
  schedule_run_free(&judge.run);
  memory_free(account, judge.threads, bytes);
  return outcome;
}
