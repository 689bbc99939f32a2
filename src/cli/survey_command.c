// `heddle survey`: a whole program without inlining; see docs/survey.md.
//
// A child compiles, surveys and makes all texts; this process prints them and writes the files.
#include "cli/commands.h"
#include "cli/options/option_files.h"
#include "cli/run/lowering.h"
#include "cli/run/supervised.h"
#include "cli/survey/baseline.h"
#include "cli/survey/confirm.h"
#include "cli/survey/silence.h"
#include "command/limits.h"
#include "report/surveys/survey_report.h"

#include <assert.h>
#include <errno.h>

typedef struct Work {
  const Options *options;
  Interrupt *interrupt;
  Log *log;
  size_t memory;
  double deadline; // on clock_now's clock; 0: none
  Text error;      // in the input
  Arena arena;     // of texts that the report refers to
  const Code *code;
  FrontUnit *unit; // for --confirm; else NULL
} Work;

static const double SURVEY_GRACE = 1; // seconds after the time limit, for stations that watch it themselves
// The share of the time limit, and the most seconds, that --confirm leaves for the report.
static const double REPORT_SHARE = 0.05, MOST_REPORT_SECONDS = 2;

// --- the survey ---

static void tell_progress(void *context, const char *station, uint64_t done, uint64_t total) {
  Log *log = context;
  if (total)
    log_progress(log, "%s: %llu of %llu", station, (unsigned long long)done, (unsigned long long)total);
  else
    log_progress(log, "%s: %llu", station, (unsigned long long)done);
}

static bool entries_exist(const Work *work, const Code *code, Text *error) {
  const StringVector *entries = &work->options->entry;
  for (size_t i = 0; i < entries->count; i++) {
    uint32_t function = code_find_function(code, entries->data[i]);
    if (function != NO_CODE_ID && code->functions[function].defined) continue;
    text_format(error, "--entry: the program defines no function %s", entries->data[i]);
    return false;
  }
  return true;
}

// The unit stays open if it is asked again.
static Code *read_code(Work *work) {
  const Options *options = work->options;
  log_progress(work->log, "compiling");
  FrontUnit *unit = lowering_open(options, options->operands.data, options->operands.count, lowering_view(options),
                                  &work->error, NULL);
  Code *code = NULL;
  if (unit) {
    log_progress(work->log, "reading the code");
    code = code_read(unit, NULL);
  }
  if (!code && !work->error.length) text_add(&work->error, "the program cannot be compiled");
  if (code && options->confirm)
    work->unit = unit;
  else
    front_close(unit);
  return code;
}

static Survey *run_survey(Work *work, const Code *code) {
  const StringVector *entries = &work->options->entry;
  if (!entries_exist(work, code, &work->error)) return NULL;
  SurveyOptions options = {.entries = entries->data,
                           .entry_count = (uint32_t)entries->count,
                           .volatile_reading = lowering_view(work->options).volatile_reading,
                           .summarise_calls = work->options->confirm != 0,
                           .deadline = work->deadline,
                           .progress = tell_progress,
                           .progress_context = work->log};
  Survey *survey = survey_run(code, &options, &work->error, NULL);
  if (!survey && !work->error.length) text_add(&work->error, "the program cannot be surveyed");
  return survey;
}

// --- the report ---

// One message for each line.
static void tell_lines(Log *log, const Text *lines) {
  for (const char *line = lines->data; *line;) {
    size_t length = strcspn(line, "\n");
    log_note(log, "%.*s", (int)length, line);
    line += length + (line[length] == '\n');
  }
}

static bool has_warnings(const SurveyReport *report) {
  for (uint32_t i = 0; i < report->pair_count; i++)
    if (report->pairs[i].standing != SURVEY_STANDS_SUPPRESSED) return true;
  for (uint32_t i = 0; i < report->survey->object_count; i++)
    if (report->survey->objects[i].status == SURVEY_OPEN) return true;
  return false;
}

static double confirm_deadline(const Work *work) {
  if (work->deadline <= 0) return 0;
  double reserve = work->options->time_limit * REPORT_SHARE;
  return work->deadline - (reserve < MOST_REPORT_SECONDS ? reserve : MOST_REPORT_SECONDS);
}

// False with an error: there is no object of the number.
static bool confirm(Work *work, SurveyReport *report) {
  uint32_t object = NO_CODE_ID;
  long number = work->options->confirm;
  if (number != OPTION_ANY_NUMBER) object = survey_report_object_of(report, (uint32_t)number);
  if (number != OPTION_ANY_NUMBER && object == NO_CODE_ID) {
    text_format(&work->error, "--confirm: no object that is warned of or open has the number %ld", number);
    return false;
  }
  Confirmation confirmation = {.options = work->options,
                               .code = work->code,
                               .unit = work->unit,
                               .interrupt = work->interrupt,
                               .log = work->log,
                               .memory = work->memory,
                               .deadline = confirm_deadline(work)};
  if (has_warnings(report)) confirm_pairs(&confirmation, object, report, &work->arena);
  return true;
}

// What is known beside the survey. False with an error in the baseline.
static bool mark_report(Work *work, SurveyReport *report) {
  const Options *options = work->options;
  Text warnings;
  text_init(&warnings, NULL);
  bool good = !options->baseline || baseline_apply(options->baseline, report, &work->error);
  if (good && !options->no_suppressions) silence_apply(report, &options->suppressions, &work->arena, &warnings);
  if (!options->quiet) tell_lines(work->log, &warnings);
  if (good && options->confirm) good = confirm(work, report);
  if (good) survey_report_settle(report);
  text_free(&warnings);
  return good;
}

static int status_of(const SurveyReport *report) {
  if (survey_report_has_races(report)) return STATUS_UNSAFE;
  return survey_report_is_clean(report) ? STATUS_SAFE : STATUS_UNKNOWN;
}

static void make_texts(Work *work, const SurveyReport *report, SurveyMessage *message) {
  const Options *options = work->options;
  if (options->explain && !survey_report_explain(report, (uint32_t)options->explain, &message->text))
    text_format(&work->error,
                report->numbered ? "--explain: there is no number %ld; numbers are 1 to %u"
                                 : "--explain: there is no number %ld; nothing is warned of or open",
                options->explain, (unsigned)report->numbered);
  if (!options->explain && !options->quiet) survey_report_text(report, &message->text);
  survey_report_result(report, &message->verdict);
  if (options->json) survey_report_json(report, &message->json);
  if (options->sarif) survey_report_sarif(report, &message->sarif);
  if (options->report) survey_report_page(report, &message->page);
  message->status = status_of(report);
}

static void make_report(Work *work, const Survey *survey, SurveyMessage *message) {
  const Options *options = work->options;
  SurveyReport report;
  survey_report_init(&report, survey);
  report.all = options->all;
  report.files = options->operands.data;
  report.file_count = options->operands.count;
  report.project = options->project_directory;
  report.version = HEDDLE_VERSION;
  if (mark_report(work, &report)) make_texts(work, &report, message);
  survey_report_free(&report);
}

static void survey_work(void *context, Text *out) {
  Work *work = context;
  Message message;
  message_init(&message, MESSAGE_SURVEY);
  text_init(&work->error, NULL);
  arena_init(&work->arena, NULL);
  Code *code = read_code(work);
  work->code = code;
  Survey *survey = code ? run_survey(work, code) : NULL;
  if (survey) {
    make_report(work, survey, &message.survey);
    survey_free(survey);
  }
  if (code) code_free(code);
  if (work->unit) front_close(work->unit);
  message_send(&message, &work->error, out);
  arena_free(&work->arena);
  text_free(&work->error);
}

// --- the command ---

// Files first: the counts are the last line whatever happens.
static int deliver(const Options *options, SurveyMessage *message, Log *log) {
  const struct {
    const char *path;
    const Text *text;
  } files[] = {{options->json, &message->json}, {options->sarif, &message->sarif}, {options->report, &message->page}};
  bool good = true;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (files[i].path) good = output_file(log, files[i].text, files[i].path) && good;
  good = output_verdict(log, &message->text, &message->verdict) && good;
  return good ? message->status : STATUS_ERROR;
}

static int deliver_failure(const char *reason, Log *log) {
  Text text, verdict;
  text_init(&text, NULL);
  text_init(&verdict, NULL);
  text_format(&verdict, "survey: UNKNOWN (%s)", reason);
  bool good = output_verdict(log, &text, &verdict);
  text_free(&verdict);
  text_free(&text);
  return good ? STATUS_UNKNOWN : STATUS_ERROR;
}

// At an interrupt there is nothing to wait for, unless the engines of --confirm run, which end in order.
static int supervise(Work *work) {
  ChildLimits limits = {.deadline = work->deadline > 0 ? work->deadline + SURVEY_GRACE : 0,
                        .grace = work->options->confirm ? SURVEY_GRACE : 0,
                        .memory = work->memory,
                        .leads_group = true};
  Supervision supervision = {
      .limits = &limits, .interrupt = work->interrupt, .log = work->log, .kind = MESSAGE_SURVEY, .work = "the survey"};
  Message message;
  Text reason;
  text_init(&reason, NULL);
  ReasonKind why;
  int status = STATUS_ERROR;
  if (!output_supervise(&supervision, survey_work, work, &message, &reason, &why))
    status = deliver_failure(reason.data, work->log);
  else if (message.kind == MESSAGE_ERROR)
    output_error(work->log, &message.error);
  else
    status = deliver(work->options, &message.survey, work->log);
  message_free(&message);
  text_free(&reason);
  return status;
}

int survey_command(const Options *options, Log *log) {
  assert(options->command == COMMAND_SURVEY && options->operands.count > 0);
  if (!option_files_possible(options, log)) return STATUS_ERROR;
  Interrupt interrupt;
  if (!interrupt_init(&interrupt)) {
    log_error(log, "cannot watch for signals: %s", strerror(errno));
    return STATUS_ERROR;
  }
  Work work = {.options = options,
               .interrupt = &interrupt,
               .log = log,
               .memory = options->memory_limit ? options->memory_limit : limits_default_memory()};
  output_tell_limit(options, log);
  if (options->time_limit > 0) work.deadline = clock_now() + options->time_limit;
  int status = supervise(&work);
  interrupt_free(&interrupt);
  return status;
}
