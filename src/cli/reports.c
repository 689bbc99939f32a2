#include "cli/reports.h"

#include "cli/supervised.h"
#include "symbolic/constant_bits.h"

// A kind of report: its option, its text, and the function that makes it.
typedef struct ReportKind {
  size_t path; // in Options
  size_t text; // in CheckMessage
  void (*make)(const Report *report, Text *out);
} ReportKind;

static const ReportKind kinds[] = {
    {offsetof(Options, report), offsetof(CheckMessage, report), report_html},
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
  Text always;
  text_init(&always, NULL);
  bool proved = result->answer == ANSWER_SAFE && result->property == PROPERTY_UNREACH_CALL;
  if (proved && program && (options->witness || options->report))
    constant_bits_print(program, result->property, budget, &always, NULL);
  Report report = {.result = result,
                   .program = program,
                   .trace = result->answer == ANSWER_UNSAFE ? trace : NULL,
                   .always = always.data,
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
  text_free(&always);
}

bool reports_write(const Options *options, CheckMessage *message, Log *log) {
  const Result *result = message->result;
  bool made = true, good = true;
  for (size_t i = 0; i < KINDS; i++) made &= !path_of(&kinds[i], options) || text_of(&kinds[i], message)->length;
  if (!made && result->answer == ANSWER_UNKNOWN) reports_make(options, result, NULL, NULL, NULL, message);
  for (size_t i = 0; i < KINDS; i++) {
    const Text *text = text_of(&kinds[i], message);
    const char *path = path_of(&kinds[i], options);
    if (path && text->length) good &= output_file(log, text, path);
    if (!path || text->length || result->answer == ANSWER_UNKNOWN) continue;
    if (claims_too_much(result)) log_note(log, "%s is not written: a witness has no form for what is suppressed", path);
    if (result->answer == ANSWER_UNSAFE)
      log_note(log, "%s is not written: the violation is in no statement that can be named", path);
  }
  return good;
}
