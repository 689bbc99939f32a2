// `heddle replay FILE… SCHEDULE.json`: runs a schedule that `heddle check --save-schedule` wrote.
#include "base/file.h"
#include "judge/lasso.h"

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/lowering.h"
#include "cli/output.h"
#include "cli/suppressions.h"
#include "verdict/json.h"

// Runs the schedule on the program; the result goes to `finding`, or an error that names the schedule's file.
static void replay_schedule(const Options *options, const char *path, const char *text, Program *program,
                            Finding *finding) {
  Text message, ignored; // `check` has warned
  text_init(&message, NULL);
  text_init(&ignored, NULL);
  Trace trace;
  trace_init(&trace, NULL);
  Schedule *schedule = schedule_read_json(text, program, &message, NULL);
  JudgeOutcome outcome = JUDGE_MISFIT;
  if (schedule && !options->no_suppressions)
    suppressions_apply(program, schedule->property, &options->suppressions, &ignored);
  if (schedule) schedule_label_threads(schedule, program);
  if (schedule && options->formula)
    outcome = replay_lasso(program, options->formula, schedule, &trace, &message, NULL);
  else if (schedule)
    outcome = judge_schedule(program, schedule, &trace, &message, NULL);
  text_one_line(&message);
  if (outcome == JUDGE_MISFIT) {
    text_line(&finding->error, "heddle: %s: %s", path, message.data);
  } else {
    bool violated = outcome == JUDGE_VIOLATION;
    Result *result = result_new(schedule->property, NULL);
    result->answer = violated ? ANSWER_UNSAFE : ANSWER_UNKNOWN;
    bool said = options->formula && message.length; // why it does not violate the formula
    if (!violated) result_unknown(result, "%s", said ? message.data : "the schedule ends without a violation");
    text_add(&result->violation, violated ? message.data : "");
    result->kind = trace.violation;
    result->schedule = schedule;
    schedule = NULL;
    output_trace(options, program, &trace, result, &finding->trace);
    result_write_json(result, NULL, &finding->result);
    result_free(result);
  }
  schedule_free(schedule);
  trace_free(&trace);
  text_free(&ignored);
  text_free(&message);
}

static void replay_files(const Options *options, const char *path, const Text *text, Lowering *lowering,
                         Finding *finding) {
  FrontUnit *unit = lowering_open(options, options->operands.data, options->operands.count - 1, &finding->error, NULL);
  if (!unit) return;
  Program *program = lowering_program(unit, lowering, NULL, &finding->error, NULL);
  if (program) {
    replay_schedule(options, path, text->data, program, finding);
    program_free(program);
  }
  front_close(unit);
}

static void replay_work(void *context, Text *out) {
  const Options *options = context;
  const char *path = *StringVector_last(&options->operands);
  Finding finding;
  finding_init(&finding);
  Text text, error;
  text_init(&text, NULL);
  text_init(&error, NULL);
  Lowering lowering;
  Launch launch;
  launch_init(&launch);
  if (!file_read_named(&text, path, FILE_MOST_DATA, &error))
    text_line(&finding.error, "heddle: %s", error.data);
  else if (!lowering_read_json(text.data, &lowering, &launch, &error))
    text_line(&finding.error, "heddle: %s: %s", path, error.data);
  else {
    lowering.formula = options->formula;
    replay_files(options, path, &text, &lowering, &finding);
    lowering_free(&lowering);
  }
  launch_free(&launch);
  text_free(&error);
  text_free(&text);
  finding_write(&finding, out);
  finding_free(&finding);
}

static int print_replay(const Options *options, const Finding *finding, Log *log) {
  Text out, verdict, error;
  text_init(&out, NULL);
  text_init(&verdict, NULL);
  text_init(&error, NULL);
  Result *result = result_read_json(finding->result.data, NULL, &error, NULL);
  int status = STATUS_ERROR;
  if (result) {
    text_format(&out, "property: %s\n", property_name(result->property));
    if (!options->quiet) text_add(&out, finding->trace.data);
    text_format(&verdict, "result: %s", answer_text(result->answer));
    if (result->answer == ANSWER_UNKNOWN) text_format(&verdict, " (%s)", result->reason.data);
    if (output_verdict(log, &out, &verdict)) status = result->answer == ANSWER_UNSAFE ? STATUS_UNSAFE : STATUS_UNKNOWN;
  } else {
    log_error(log, "internal error: %s", error.data);
  }
  result_free(result);
  text_free(&error);
  text_free(&verdict);
  text_free(&out);
  return status;
}

int replay_command(const Options *options, Log *log) { return output_of_work(options, replay_work, print_replay, log); }
