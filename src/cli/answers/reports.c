#include "cli/answers/reports.h"

#include "base/file.h"
#include "cli/options/option_files.h"
#include "command/output.h"
#include "symbolic/constant_bits.h"

#include <assert.h>
#include <string.h>

// A kind of report: its option, its text, and the function that makes it.
typedef struct ReportKind {
  size_t path; // in Options
  size_t text; // in CheckMessage
  void (*make)(const Report *report, Text *out);
} ReportKind;

static const ReportKind kinds[] = {
    {offsetof(Options, report), offsetof(CheckMessage, report), report_page_data},
    {offsetof(Options, witness), offsetof(CheckMessage, witness), report_witness},
    {offsetof(Options, sarif), offsetof(CheckMessage, sarif), report_sarif},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char *path_of(const ReportKind *kind, const Options *options) {
  return *(const char *const *)((const char *)options + kind->path);
}

static Text *text_of(const ReportKind *kind, CheckMessage *message) { return (Text *)((char *)message + kind->text); }

// Would a witness of correctness claim more than was proved? The format cannot express suppressed places.
static bool claims_too_much(const Result *result) {
  return result->answer == ANSWER_SAFE && result->assumptions >> ASSUME_SUPPRESSED & 1;
}

void reports_make(const Options *options, const Result *result, Program *program, const Trace *trace, Budget *budget,
                  CheckMessage *message) {
  assert(result->answer != ANSWER_UNSAFE || program);
  assert(result->answer != ANSWER_UNSAFE || trace);
  Text invariant;
  text_init(&invariant, NULL);
  bool proved = result->answer == ANSWER_SAFE && result->property == PROPERTY_UNREACH_CALL;
  if (proved && program && (options->witness || options->report))
    constant_bits_print(program, result->property, budget, &invariant, NULL);
  Report report = {.result = result,
                   .program = program,
                   .trace = result->answer == ANSWER_UNSAFE ? trace : NULL,
                   .invariant = invariant.data,
                   .files = options->operands.data,
                   .file_count = options->operands.count,
                   .project = options->project_directory,
                   .version = HEDDLE_VERSION,
                   .data_model = options->data_model};
  for (size_t i = 0; i < KINDS; i++) {
    Text *text = text_of(&kinds[i], message);
    if (!path_of(&kinds[i], options)) continue;
    text_clear(text);
    if (kinds[i].make == report_witness && claims_too_much(result)) continue;
    kinds[i].make(&report, text);
  }
  text_free(&invariant);
}

void reports_complete(const Options *options, CheckMessageVector *messages) {
  for (size_t i = 0; i < messages->count; i++) {
    CheckMessage *message = &messages->data[i];
    bool made = true;
    for (size_t k = 0; k < KINDS; k++) made &= !path_of(&kinds[k], options) || text_of(&kinds[k], message)->length;
    if (!made && message->result->answer == ANSWER_UNKNOWN)
      reports_make(options, message->result, NULL, NULL, NULL, message);
  }
}

// --- one file of all answers ---

VECTOR(TextPointerVector, const Text *);

// Calls `add` for the messages that are reported: the findings of each property, or what is said about it if it has
// none.
static void each_told(const PropertyAnswerVector *answers, void (*add)(void *context, const CheckMessage *message),
                      void *context) {
  for (size_t i = 0; i < answers->count; i++) {
    const PropertyAnswer *answer = &answers->data[i];
    for (size_t k = 0; k < answer->violations; k++) add(context, &answer->findings[k]);
    for (size_t k = 0; k < answer->contradictions; k++) add(context, &answer->contradicted[k]);
    if (!answer->violations && !answer->contradictions) add(context, answer->rest);
  }
}

static void add_report(void *context, const CheckMessage *message) {
  if (message->report.length) TextPointerVector_push(context, &message->report);
}

static void add_sarif(void *context, const CheckMessage *message) {
  if (message->sarif.length) TextPointerVector_push(context, &message->sarif);
}

static void join_data(const PropertyAnswerVector *answers, const TextPointerVector *texts, Text *out) {
  size_t bytes = answers->count * sizeof(PageRow);
  PageRow *rows = memory_allocate_zeroed(NULL, bytes);
  for (size_t i = 0; i < answers->count; i++) {
    const PropertyAnswer *row = &answers->data[i];
    const Result *unknown = answer_unknown(row);
    rows[i] = (PageRow){.property = row->property,
                        .answer = row->answer,
                        .reason = unknown ? unknown->reason.data : "",
                        .goals = row->goals,
                        .proved = row->proved,
                        .violated = row->violated,
                        .open = row->open};
  }
  report_join_data(answers_worst(answers), rows, answers->count, texts->data, texts->count, out);
  memory_free(NULL, rows, bytes);
}

static bool write_page(const Options *options, const PropertyAnswerVector *answers, Log *log) {
  TextPointerVector texts = {0};
  each_told(answers, add_report, &texts);
  Text data, page;
  text_init(&data, NULL);
  text_init(&page, NULL);
  if (texts.count == 1 && !answers_are_several(answers))
    text_add(&data, texts.data[0]->data);
  else if (texts.count)
    join_data(answers, &texts, &data);
  report_page(answers_worst(answers), options->operands.data[0], data.data, &page);
  bool good = !texts.count || output_file(log, &page, options->report);
  text_free(&page);
  text_free(&data);
  TextPointerVector_free(&texts);
  return good;
}

static bool write_sarif(const Options *options, const PropertyAnswerVector *answers, Log *log) {
  TextPointerVector texts = {0};
  each_told(answers, add_sarif, &texts);
  Text merged;
  text_init(&merged, NULL);
  if (texts.count > 1) report_merge_sarif(answers_worst(answers), texts.data, texts.count, &merged);
  bool good = !texts.count || output_file(log, texts.count > 1 ? &merged : texts.data[0], options->sarif);
  text_free(&merged);
  TextPointerVector_free(&texts);
  return good;
}

// --- a file per execution ---

typedef struct Series {
  const Options *options;
  const char *path; // of the first file
  size_t written;
  bool witness;    // witnesses, not schedules
  bool violations; // only of violations
  bool good;
  Log *log;
} Series;

// "F.yml", then "F-2.yml".
static void add_numbered(const char *path, size_t number, Text *out) {
  assert(number > 0);
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
  size_t stem = dot && dot != name ? (size_t)(dot - path) : strlen(path);
  if (number == 1)
    text_add(out, path);
  else
    text_format(out, "%.*s-%zu%s", (int)stem, path, number, path + stem);
}

static void write_next(Series *series, const Text *text) {
  Text path;
  text_init(&path, NULL);
  add_numbered(series->path, ++series->written, &path);
  if (series->written == 1)
    series->good &= output_file(series->log, text, path.data);
  else if (!file_is_system_path(series->path) &&
           option_files_further(series->options, series->witness ? "--witness" : "--save-schedule", path.data, text,
                                series->log))
    series->good &= output_file(series->log, text, path.data);
  text_free(&path);
}

static void add_execution(void *context, const CheckMessage *message) {
  Series *series = context;
  const Result *result = message->result;
  const Text *text = series->witness ? &message->witness : &message->schedule;
  if (series->violations && result->answer != ANSWER_UNSAFE) return;
  if (text->length) {
    write_next(series, text);
    return;
  }
  if (!series->witness || result->answer == ANSWER_UNKNOWN) return;
  if (claims_too_much(result))
    log_note(series->log, "%s is not written: a witness has no form for what is suppressed", series->path);
  if (result->answer == ANSWER_UNSAFE)
    log_note(series->log, "%s is not written: the violation is in no statement that can be named", series->path);
}

static bool write_series(const Options *options, const PropertyAnswerVector *answers, const char *path, bool witness,
                         Log *log) {
  assert(path);
  bool violated = answers_worst(answers) == ANSWER_UNSAFE;
  Series series = {.options = options,
                   .path = path,
                   .witness = witness,
                   .violations = violated || !witness,
                   .good = true,
                   .log = log};
  each_told(answers, add_execution, &series);
  return series.good;
}

bool reports_write(const Options *options, const PropertyAnswerVector *answers, Log *log) {
  bool good = true;
  if (options->save_schedule) good &= write_series(options, answers, options->save_schedule, false, log);
  if (options->report) good &= write_page(options, answers, log);
  if (options->witness) good &= write_series(options, answers, options->witness, true, log);
  if (options->sarif) good &= write_sarif(options, answers, log);
  return good;
}
