#include "cli/answers/answers_json.h"
#include "cli/answers/answers_print.h"
#include "cli/answers/reports.h"
#include "cli/commands.h"
#include "cli/options/option_files.h"
#include "cli/run/findings.h"
#include "cli/run/supervised.h"
#include "command/limits.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

static unsigned processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (unsigned)count : 1;
}

static int answer_status(Answer answer) {
  return answer == ANSWER_SAFE ? STATUS_SAFE : answer == ANSWER_UNSAFE ? STATUS_UNSAFE : STATUS_UNKNOWN;
}

// Files first: the result is the last line whatever happens.
static int deliver(const Options *options, Log *log, CheckMessageVector *messages) {
  assert(messages->count > 0 && "each property that was asked has an answer");
  PropertyAnswerVector answers = {0};
  reports_complete(options, messages);
  answers_summarise(messages, &answers);
  bool good = true;
  Text text, verdict;
  text_init(&text, NULL);
  text_init(&verdict, NULL);
  if (options->json) {
    answers_write_json(options, &answers, &text);
    good = output_file(log, &text, options->json) && good;
    text_clear(&text);
  }
  good = reports_write(options, &answers, log) && good;
  for (size_t i = 0; i < messages->count; i++)
    for (size_t k = 0; k < messages->data[i].result->statistics.count; k++) {
      const Statistic *row = &messages->data[i].result->statistics.data[k];
      log_detail(log, "%s%s%s: %.15g", answers.count > 1 ? property_name(messages->data[i].result->property) : "",
                 answers.count > 1 ? ": " : "", row->name, row->value);
    }
  answers_print(options, &answers, &text);
  answers_print_verdict(&answers, &verdict);
  good = output_verdict(log, &text, &verdict) && good;
  int status = good ? answer_status(answers_worst(&answers)) : STATUS_ERROR;
  PropertyAnswerVector_free(&answers);
  text_free(&verdict);
  text_free(&text);
  return status;
}

// All properties are UNKNOWN for the same reason.
static void add_unknown_answers(const Options *options, ReasonKind why, const char *reason, bool interrupted,
                                CheckMessageVector *messages) {
  assert(messages->count == 0);
  for (unsigned i = 0; i < PROPERTY_COUNT; i++) {
    if (!properties_have(options->properties, (Property)i)) continue;
    CheckMessage *message = CheckMessageVector_push(messages, (CheckMessage){.result = NULL});
    check_message_init(message);
    message->result = result_new((Property)i, NULL);
    result_unknown_for(message->result, why, "%s", reason);
    if (interrupted) result_stopped(message->result, STOP_SIGNAL);
  }
}

// Seconds for a family whose engines had to be killed: what it has found before must not be lost with them. To free a
// process of some gigabytes takes a while.
static const double FINDINGS_GRACE = 2;

// What the family of children found, or an UNKNOWN that says why it found nothing; or an error in the input.
static void find_result(const Options *options, Check *check, Message *message) {
  Text reason;
  text_init(&reason, NULL);
  ReasonKind why;
  ChildLimits limits = {.deadline = check->deadline > 0 ? check->deadline + CHECK_GRACE + FINDINGS_GRACE : 0,
                        .grace = CHECK_GRACE,
                        .memory = check->memory,
                        .leads_group = true};
  Supervision supervision = {
      .limits = &limits, .interrupt = check->interrupt, .log = check->log, .kind = MESSAGE_FINDINGS};
  if (!output_supervise(&supervision, findings_run, check, message, &reason, &why)) {
    phase_tell(&check->phase, &reason);
    add_unknown_answers(options, why, reason.data, *check->interrupt->flag, &message->findings.answers);
  }
  text_free(&reason);
}

int check_command(const Options *options, Log *log) {
  assert(options->command == COMMAND_CHECK && options->operands.count > 0 && options->properties);
  if (!option_files_possible(options, log)) return STATUS_ERROR;
  Interrupt interrupt;
  if (!interrupt_init(&interrupt)) {
    log_error(log, "cannot watch for signals: %s", strerror(errno));
    return STATUS_ERROR;
  }
  Check check = {.options = options,
                 .interrupt = &interrupt,
                 .log = log,
                 .memory = options->memory_limit ? options->memory_limit : limits_default_memory(),
                 .jobs = options->jobs ? (unsigned)options->jobs : processors(),
                 .started = clock_now()};
  phase_init(&check.phase);
  output_tell_limit(options, log);
  if (options->time_limit > 0) check.deadline = check.started + options->time_limit;
  Message message;
  find_result(options, &check, &message);
  int status = STATUS_ERROR;
  if (message.kind == MESSAGE_ERROR)
    output_error(log, &message.error);
  else
    status = deliver(options, log, &message.findings.answers);
  message_free(&message);
  phase_free(&check.phase);
  interrupt_free(&interrupt);
  return status;
}
