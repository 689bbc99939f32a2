// `heddle replay FILE… SCHEDULE.json`: executes a schedule that `heddle check --save-schedule` wrote.
#include "base/file.h"
#include "judge/lasso.h"

#include "base/printable.h"
#include "cli/commands.h"
#include "cli/run/lowering.h"
#include "cli/run/message.h"
#include "cli/run/settled_json.h"
#include "cli/run/supervised.h"
#include "cli/run/suppressions.h"

#include <assert.h>

// Executes the schedule on the program. `replay` gets the result, or `error` a line that names the schedule's file.
static void replay_schedule(const Options *options, const char *path, const char *text, Program *program,
                            ReplayMessage *replay, Text *error) {
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
  if (schedule && !settled_apply(text, program, &message)) {
    schedule_free(schedule);
    schedule = NULL;
  }
  if (schedule && options->formula)
    outcome = replay_lasso(program, options->formula, schedule, &trace, &message, NULL);
  else if (schedule)
    outcome = judge_schedule(program, schedule, &trace, &message, NULL);
  text_one_line(&message);
  if (outcome == JUDGE_MISFIT) {
    text_line(error, "heddle: %s: %s", path, message.data);
  } else {
    assert(schedule);
    bool violated = outcome == JUDGE_VIOLATION;
    Result *result = result_new(schedule->property, NULL);
    result->answer = violated ? ANSWER_UNSAFE : ANSWER_UNKNOWN;
    bool explained = options->formula && message.length; // the message says why it does not violate the formula
    if (!violated) result_unknown(result, "%s", explained ? message.data : "the schedule ends without a violation");
    text_add(&result->violation, violated ? message.data : "");
    result->kind = trace.violation;
    result->schedule = schedule;
    schedule = NULL;
    output_trace(options, program, &trace, result, &replay->trace);
    replay->result = result;
  }
  schedule_free(schedule);
  trace_free(&trace);
  text_free(&ignored);
  text_free(&message);
}

static void replay_files(const Options *options, const char *path, const Text *text, LoweringSettings *lowering,
                         ReplayMessage *replay, Text *error) {
  FrontUnit *unit =
      lowering_open(options, options->operands.data, options->operands.count - 1, lowering->view, error, NULL);
  if (!unit) return;
  Program *program = lowering_program(unit, lowering, NULL, error, NULL);
  if (program) {
    replay_schedule(options, path, text->data, program, replay, error);
    program_free(program);
  }
  front_close(unit);
}

static void replay_work(void *context, Text *out) {
  const Options *options = context;
  const char *path = *StringVector_last(&options->operands);
  Message message;
  message_init(&message, MESSAGE_REPLAY);
  Text text, fault, error;
  text_init(&text, NULL);
  text_init(&fault, NULL);
  text_init(&error, NULL);
  LoweringSettings lowering;
  Launch launch;
  launch_init(&launch);
  if (!file_read_named(&text, path, FILE_MOST_DATA, &fault))
    text_line(&error, "heddle: %s", fault.data);
  else if (!lowering_read_json(text.data, &lowering, &launch, &fault))
    text_line(&error, "heddle: %s: %s", path, fault.data);
  else {
    lowering.formula = options->formula;
    replay_files(options, path, &text, &lowering, &message.replay, &error);
    lowering_free(&lowering);
    if (!message.replay.result && !error.length) text_add(&error, "the program cannot be lowered");
  }
  launch_free(&launch);
  message_send(&message, &error, out);
  text_free(&error);
  text_free(&fault);
  text_free(&text);
}

static int print_replay(const Options *options, const Message *message, Log *log) {
  const Result *result = message->replay.result;
  assert(result && result->answer != ANSWER_SAFE && "a schedule proves nothing");
  Text out, verdict;
  text_init(&out, NULL);
  text_init(&verdict, NULL);
  int status = STATUS_ERROR;
  text_format(&out, "property: %s\n", property_name(result->property));
  if (!options->quiet) text_add(&out, message->replay.trace.data);
  text_format(&verdict, "result: %s", answer_text(result->answer));
  if (result->answer == ANSWER_UNKNOWN) text_format(&verdict, " (%s)", result->reason.data);
  if (output_verdict(log, &out, &verdict)) status = result->answer == ANSWER_UNSAFE ? STATUS_UNSAFE : STATUS_UNKNOWN;
  text_free(&verdict);
  text_free(&out);
  return status;
}

int replay_command(const Options *options, Log *log) {
  assert(options->command == COMMAND_REPLAY && options->operands.count >= 2);
  return output_of_work(options, MESSAGE_REPLAY, replay_work, print_replay, log);
}
