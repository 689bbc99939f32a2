// An engine in a process of its own: what it is given, and what it says before it ends.
#include "cli/lanes/lane_state.h"

#include "solver/inspection.h"
#include "verdict/finding.h"
#include "verdict/json.h"
#include "verdict/question.h"

#include <assert.h>
#include <errno.h>

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

void lane_run_engine(void *context, Text *out) {
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
