#include "base/printable.h"
#include "cli/commands.h"
#include "cli/option_files.h"
#include "cli/reports.h"
#include "cli/round.h"
#include "cli/supervised.h"
#include "command/limits.h"

#include <errno.h>
#include <unistd.h>

static unsigned processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (unsigned)count : 1;
}

static void print_assumptions(const Result *result, uint32_t assumptions, Text *out) {
  if (!assumptions) return;
  text_add(out, "this rests on:\n");
  for (unsigned i = 0; i < ASSUMPTION_COUNT; i++)
    if (assumptions >> i & 1) {
      text_add(out, "  ");
      result_add_assumption_line(result, (Assumption)i, out);
      text_add_char(out, '\n');
    }
}

// Assumptions of a violation: it needs none, except that functions without a body may behave as the execution shows.
static uint32_t told_assumptions(const Result *result) {
  uint32_t shown = 1u << ASSUME_UNDEFINED_FUNCTION | 1u << ASSUME_ASSEMBLY | 1u << ASSUME_ADDRESSES;
  return result->answer == ANSWER_SAFE     ? result->assumptions
         : result->answer == ANSWER_UNSAFE ? result->assumptions & shown
                                           : 0;
}

// As messages of a compiler that have no place.
static void print_gcc_details(const Result *result, const CheckMessage *message, Text *out) {
  if (result->answer == ANSWER_UNSAFE) text_add(out, message->trace.data);
  Text notes;
  text_init(&notes, NULL);
  result_tell_notes(result, &notes);
  for (const char *line = notes.data; *line; line += strcspn(line, "\n") + 1) {
    bool marked = strncmp(line, "note: ", 6) == 0;
    text_format(out, "heddle: note: %.*s\n", (int)strcspn(line, "\n") - (marked ? 6 : 0), line + (marked ? 6 : 0));
  }
  text_free(&notes);
  for (unsigned i = 0; i < ASSUMPTION_COUNT; i++) {
    if (!(told_assumptions(result) >> i & 1)) continue;
    text_add(out, "heddle: note: this rests on: ");
    result_add_assumption_line(result, (Assumption)i, out);
    text_add_char(out, '\n');
  }
  if (result->answer != ANSWER_UNKNOWN) return;
  if (result->covered.length) text_format(out, "heddle: note: covered: %s\n", result->covered.data);
  for (size_t i = 0; i < result->cuts.count; i++)
    text_format(out, "heddle: warning: %s: %s\n", cut_kind_text(result->cuts.data[i].kind),
                result->cuts.data[i].what.data);
}

static void print_details(const Result *result, const CheckMessage *message, Text *out) {
  if (result->answer == ANSWER_UNSAFE) text_add(out, message->trace.data);
  result_tell_notes(result, out);
  print_assumptions(result, told_assumptions(result), out);
  if (result->answer != ANSWER_UNKNOWN) return;
  if (result->covered.length) text_format(out, "covered: %s\n", result->covered.data);
  if (result->cuts.count) text_add(out, "limits met:\n");
  for (size_t i = 0; i < result->cuts.count; i++)
    text_format(out, "  %s: %s\n", cut_kind_text(result->cuts.data[i].kind), result->cuts.data[i].what.data);
}

static void print_formula(const Options *options, Text *out) {
  text_add(out, "formula: ");
  text_add_printable(out, options->formula->text, strlen(options->formula->text), PRINTABLE_LINE);
  text_add(out, options->fair ? " (fair)\n" : "\n");
}

// What was taken out of the question, whatever the answer.
static void print_suppressed(const Options *options, const Result *result, Text *out) {
  size_t count = 0;
  for (size_t i = 0; i < result->rests_on.count; i++) count += result->rests_on.data[i].assumption == ASSUME_SUPPRESSED;
  if (!count) return;
  text_format(out, "%s%zu suppressed: ", output_is_gcc(options) ? "heddle: note: " : "", count);
  const char *separator = "";
  for (size_t i = 0; i < result->rests_on.count; i++) {
    if (result->rests_on.data[i].assumption != ASSUME_SUPPRESSED) continue;
    text_format(out, "%s%s", separator, result->rests_on.data[i].what.data);
    separator = ", ";
  }
  text_add_char(out, '\n');
}

static void print_result(const Options *options, const Result *result, const CheckMessage *message, Text *out) {
  text_format(out, "property: %s\n", property_name(result->property));
  if (options->formula && !options->quiet) print_formula(options, out);
  if (options->quiet)
    result_tell_notes_of(result, NOTE_UNDEFINED, out); // without it the answer would say more than is known
  else
    (output_is_gcc(options) ? print_gcc_details : print_details)(result, message, out);
  if (!options->quiet) print_suppressed(options, result, out);
}

static void print_verdict(const Result *result, Text *out) {
  text_format(out, "result: %s", answer_text(result->answer));
  if (result->answer != ANSWER_UNKNOWN) return;
  text_add(out, " (");
  result_add_reason(result, out);
  text_add_char(out, ')');
}

static int answer_status(Answer answer) {
  return answer == ANSWER_SAFE ? STATUS_SAFE : answer == ANSWER_UNSAFE ? STATUS_UNSAFE : STATUS_UNKNOWN;
}

// The result, what the program was started with, and the schedule.
static void write_json(const Options *options, const CheckMessage *message, Text *out) {
  text_add(out, "{\n");
  result_add_members(message->result, NULL, out);
  launch_add_json(options->launch, ",\n  ", false, out);
  if (message->schedule.length && message->result->answer == ANSWER_UNSAFE)
    text_format(out, ",\n  \"schedule\": %s}\n", message->schedule.data);
  else
    text_add(out, "\n}\n");
}

// Files first: the result is the last line whatever happens.
static int deliver(const Options *options, Log *log, CheckMessage *message) {
  const Result *result = message->result;
  bool good = true;
  Text text, verdict;
  text_init(&text, NULL);
  text_init(&verdict, NULL);
  if (options->json) {
    write_json(options, message, &text);
    good = output_file(log, &text, options->json) && good;
    text_clear(&text);
  }
  if (options->save_schedule && result->answer == ANSWER_UNSAFE)
    good = output_file(log, &message->schedule, options->save_schedule) && good;
  good = reports_write(options, message, log) && good;
  for (size_t i = 0; i < result->statistics.count; i++)
    log_detail(log, "%s: %.15g", result->statistics.data[i].name, result->statistics.data[i].value);
  print_result(options, result, message, &text);
  print_verdict(result, &verdict);
  good = output_verdict(log, &text, &verdict) && good;
  text_free(&verdict);
  text_free(&text);
  return good ? answer_status(result->answer) : STATUS_ERROR;
}

// What the family of children found, or an UNKNOWN that says why it found nothing; or an error in the input.
static void find_result(const Options *options, Check *check, Message *message) {
  Text reason;
  text_init(&reason, NULL);
  ReasonKind why;
  ChildLimits limits = {.deadline = check->deadline > 0 ? check->deadline + CHECK_GRACE : 0,
                        .grace = CHECK_GRACE,
                        .memory = check->memory,
                        .leads_group = true};
  Supervision supervision = {
      .limits = &limits, .interrupt = check->interrupt, .log = check->log, .kind = MESSAGE_CHECK};
  if (!output_supervise(&supervision, rounds_run, check, message, &reason, &why)) {
    phase_tell(&check->phase, &reason);
    message->check.result = result_new(options->property_value, NULL);
    result_unknown_for(message->check.result, why, "%s", reason.data);
  }
  text_free(&reason);
  if (message->kind == MESSAGE_ERROR) return;
  Result *result = message->check.result;
  // An interrupted engine may have its own word for it; a time limit and an interrupt are told the same way always.
  if (result->answer == ANSWER_UNKNOWN && *check->interrupt->flag) result_stopped(result, STOP_SIGNAL);
  result_count(result, "seconds", clock_now() - check->started);
}

int check_command(const Options *options, Log *log) {
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
    status = deliver(options, log, &message.check);
  message_free(&message);
  phase_free(&check.phase);
  interrupt_free(&interrupt);
  return status;
}
