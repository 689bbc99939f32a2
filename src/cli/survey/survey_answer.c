#include "cli/survey/survey_answer.h"

#include "base/file.h"
#include "cli/answers/reports.h"
#include "cli/run/engines.h"
#include "cli/run/plan.h"
#include "cli/run/suppressions.h"
#include "report/surveys/survey_words.h"
#include "survey/effects.h"

#include <assert.h>

// What it may take of the time that is left if other engines follow.
static const double SHARE_OF_TIME = 0.1;
static const double SHORTEST_TIME = 1, LONGEST_TIME = 30; // seconds
// What executions that might contradict a proof are given.
static const double TRYING_TIME = 2; // seconds

bool survey_answer_is_all(const Check *check) { return engine_find(check->options->engine) == &survey_engine; }

bool survey_answer_is_wanted(const Check *check) {
  return !check->no_survey && survey_engine.properties >> check->options->property_value & 1 &&
         plan_wants(&survey_engine, check->options);
}

// --- the answer ---

static void add_names(const Survey *survey, SurveyStatus status, Text *out) {
  enum { MOST_NAMES = 3 };
  uint64_t count = 0;
  for (uint32_t i = 0; i < survey->object_count; i++) {
    if (survey->objects[i].status != status || count++ >= MOST_NAMES) continue;
    text_add(out, count > 1 ? ", " : "");
    survey_word(survey->objects[i].name, out);
  }
  if (count > MOST_NAMES) text_add(out, ", ...");
}

// "2 objects may race (queue, total), 1 is not understood (log)"
static void say_unproved(const Survey *survey, Result *result) {
  uint64_t warned = survey->totals.warned, open = survey->totals.open;
  Text text;
  text_init(&text, NULL);
  if (warned) {
    text_format(&text, "%llu object%s may race (", (unsigned long long)warned, warned == 1 ? "" : "s");
    add_names(survey, SURVEY_WARNED, &text);
    text_add(&text, open ? "), " : ")");
  }
  if (open) {
    text_format(&text, "%llu %s not understood (", (unsigned long long)open, open == 1 ? "is" : "are");
    add_names(survey, SURVEY_OPEN, &text);
    text_add_char(&text, ')');
  }
  result_unknown(result, "%s; `heddle survey` tells why", text.data);
  text_free(&text);
}

// A line for each object. Those that no two accesses of different threads touch need no proof.
static void say_proved(const Survey *survey, CheckMessage *message) {
  Result *result = message->result;
  result->answer = ANSWER_SAFE;
  for (uint32_t i = 0; i < survey->object_count; i++) {
    const SurveyObject *object = &survey->objects[i];
    assert(object->status == SURVEY_PROVED);
    survey_word(object->name, &result->proof);
    text_add(&result->proof, ": ");
    survey_words_protection(object, &result->proof);
    text_add_char(&result->proof, '\n');
    if (object->protection != SURVEY_READ_ONLY && object->protection != SURVEY_ONE_THREAD)
      goals_add(&message->goals, object->name, true);
  }
  for (uint32_t i = 0; i < survey->assumption_count; i++) result_rest_on(result, ASSUME_SURVEY, survey->assumptions[i]);
}

// The functions of which nothing is known: what is taken for granted of undefined functions concerns these.
static void name_undefined(const Code *code, Result *result) {
  enum { MOST_NAMES = 12 };
  size_t count = 0;
  Text text;
  text_init(&text, NULL);
  for (uint32_t i = 0; i < code->function_count; i++) {
    const CodeFunction *function = &code->functions[i];
    if (function->defined || effect_of(function->name) || count++ >= MOST_NAMES) continue;
    text_add(&text, count > 1 ? ", " : "undefined functions: ");
    survey_word(function->name, &text);
  }
  if (count > MOST_NAMES) text_format(&text, ", and %zu more", count - MOST_NAMES);
  if (count > 0) result_rest_on(result, ASSUME_SURVEY, text.data);
  text_free(&text);
}

static void tell_result(const Check *check, const Survey *survey, CheckMessage *message) {
  Result *result = message->result = result_new(check->options->property_value, NULL);
  result_count(result, "survey_objects", (double)survey->object_count);
  result_count(result, "survey_proved", (double)survey->totals.proved);
  if (!survey->complete)
    result_unknown_for(result, REASON_TIME, "%s", survey->incomplete_reason);
  else if (survey->totals.warned + survey->totals.open > 0)
    say_unproved(survey, result);
  else
    say_proved(survey, message);
}

// --- what is asked of the other engines ---

// What other engines model, or name as not modelled, and surveys take not to happen; NULL: the program uses nothing of
// this. Processes share memory; functions that wait for such a mutex may return without it.
static const char *what_is_left_out(const Code *code, const Survey *survey) {
  static const char *const functions[] = {"fork",
                                          "vfork",
                                          "_Fork",
                                          "clone",
                                          "pthread_mutexattr_setrobust",
                                          "pthread_mutexattr_setprotocol",
                                          "pthread_mutexattr_setprioceiling"};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    uint32_t function = code_find_function(code, functions[i]);
    if (function != NO_CODE_ID && !code->functions[function].defined) return functions[i];
  }
  if (survey->built_format) return "a format that may be no constant text";
  if (survey->unset_lock) return "a lock that nothing initialises";
  if (survey->sent_addresses) return "an address that is written to a file, a pipe or a socket";
  if (code->file_assembly) return "assembly outside of functions";
  return code->counting_format ? "the conversion %n, or %m of scanf" : NULL;
}

static bool is_about(const SuppressionVector *rows, Property property) {
  for (size_t i = 0; i < rows->count; i++)
    if (rows->data[i].properties >> property & 1) return true;
  return false;
}

// Reads the comments of a file, unless that was done.
static void read_comments(const char *file, StringVector *files, SuppressionVector *rows, Arena *arena,
                          Text *warnings) {
  for (size_t i = 0; i < files->count; i++)
    if (strcmp(files->data[i], file) == 0) return;
  StringVector_push(files, file);
  Text source;
  text_init(&source, NULL);
  if (file_read(&source, file, FILE_MOST_DATA, NULL))
    suppressions_read(rows, file, source.data, source.length, arena, warnings);
  text_free(&source);
}

// Is something suppressed that the property asks about, or is there something to warn of? The other engines leave out
// suppressed lines, and tell that.
static bool has_suppressions(const Options *options, const Code *code) {
  if (options->no_suppressions) return false;
  SuppressionVector rows = {0};
  StringVector files = {0};
  Arena arena;
  arena_init(&arena, NULL);
  Text warnings;
  text_init(&warnings, NULL);
  const char *last = NULL;
  for (uint32_t i = 0; i < code->position_count; i++) {
    const char *file = code->positions[i].file;
    if (file && file != last) read_comments(file, &files, &rows, &arena, &warnings);
    last = file;
  }
  bool some = warnings.length || is_about(&rows, options->property_value) ||
              is_about(&options->suppressions, options->property_value);
  text_free(&warnings);
  arena_free(&arena);
  StringVector_free(&files);
  SuppressionVector_free(&rows);
  return some;
}

// --- its process ---

typedef struct Asking {
  Check *check;
  double deadline; // on clock_now's clock; 0: none
} Asking;

static void tell_station(void *context, const char *station, uint64_t done, uint64_t total) {
  const Check *check = context;
  (void)done;
  (void)total;
  phase_set(&check->phase, "survey: %s", station);
  if (check->log->terminal) log_progress(check->log, "survey: %s", station);
}

static void survey_code(const Asking *asking, const Code *code, CheckMessage *message, Text *error) {
  Check *check = asking->check;
  SurveyOptions options = {.volatile_reading = lowering_view(check->options).volatile_reading,
                           .strict = true,
                           .deadline = asking->deadline,
                           .progress = tell_station,
                           .progress_context = check};
  Survey *survey = survey_run(code, &options, error, NULL);
  if (!survey) return;
  tell_result(check, survey, message);
  Result *result = message->result;
  const char *left_out = what_is_left_out(code, survey);
  if (result->answer == ANSWER_SAFE) name_undefined(code, result);
  if (result->answer == ANSWER_SAFE && left_out)
    result_unknown(result, "the program uses %s, which surveys leave out", left_out);
  if (result->answer == ANSWER_SAFE && has_suppressions(check->options, code))
    result_unknown(result, "lines are suppressed, which a survey does not leave out of its question");
  survey_free(survey);
}

static void complete(const Check *check, double started, CheckMessage *message) {
  Result *result = message->result;
  result_count(result, "engine_seconds", clock_now() - started);
  result_seal(result);
  Budget budget;
  budget_init(&budget, 0, check->interrupt->flag);
  reports_make(check->options, result, NULL, NULL, &budget, message);
}

static void ask(void *context, Text *out) {
  const Asking *asking = context;
  Message message;
  message_init(&message, MESSAGE_CHECK);
  Text error;
  text_init(&error, NULL);
  double started = clock_now();
  tell_station(asking->check, "reading the code", 0, 0);
  Code *code = code_read(asking->check->unit, NULL);
  if (code)
    survey_code(asking, code, &message.check, &error);
  else
    text_add(&error, "the program cannot be surveyed");
  if (code) code_free(code);
  if (message.check.result) complete(asking->check, started, &message.check);
  message_send(&message, &error, out);
  text_free(&error);
}

// --- in the parent ---

// When it has to end; 0: never.
static double last_moment(const Check *check) {
  if (survey_answer_is_all(check)) return check->deadline;
  double now = clock_now(), time = LONGEST_TIME;
  if (check->deadline > 0) time = (check->deadline - now) * SHARE_OF_TIME;
  if (time < SHORTEST_TIME) time = SHORTEST_TIME;
  if (time > LONGEST_TIME) time = LONGEST_TIME;
  return check->deadline > 0 && now + time > check->deadline ? check->deadline : now + time;
}

static void lose(const Check *check, const ChildReport *report, const Text *fault, Message *message) {
  message_init(message, MESSAGE_CHECK);
  message->check.result = result_new(check->options->property_value, NULL);
  Result *result = message->check.result;
  if (report->end == CHILD_DONE)
    result_unknown_for(result, REASON_INTERNAL, "internal error: the survey gave no answer: %s", fault->data);
  else if (report->end == CHILD_CRASHED)
    result_unknown_for(result, REASON_CRASHED, "engine %s", report->reason.data);
  else
    result_unknown_for(result, child_end_reason(report->end), "%s", report->reason.data);
}

// A proof that executions contradict is a mistake of ours; reports of it are made anew.
static void take_back(CheckMessage *message, const Result *tried) {
  Text *texts[] = {&message->report, &message->witness, &message->sarif};
  result_unknown_for(message->result, tried->why, "%s", tried->reason.data);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) text_clear(texts[i]);
}

// Looks for an execution with a race, for a moment. Nothing is known if the program cannot be lowered by then.
static void try_proof(Check *check, CheckMessage *message) {
  double end = clock_now() + TRYING_TIME;
  ChildLimits limits = {.deadline = check->deadline > 0 && check->deadline < end ? check->deadline : end,
                        .grace = ROUND_GRACE,
                        .memory = check->memory};
  check->lowering = lowering_first(check->options);
  ChildReport report;
  child_run(check->interrupt, &limits, round_try_proof, check, &report);
  Message tried;
  Text fault;
  text_init(&fault, NULL);
  if (report.end == CHILD_DONE && message_read(&tried, MESSAGE_CHECK, child_output(&report), &fault)) {
    const Result *result = tried.kind == MESSAGE_CHECK ? tried.check.result : NULL;
    if (result && result->answer == ANSWER_UNKNOWN) take_back(message, result);
    if (result) result_count(message->result, "states_tried", result_statistic(result, "states_tried"));
    message_free(&tried);
  } else if (report.end == CHILD_DONE) {
    message_free(&tried);
  }
  text_free(&fault);
  child_report_free(&report);
  lowering_free(&check->lowering);
}

static void log_answer(const Check *check, const Message *message, double seconds) {
  const Result *result = message->kind == MESSAGE_CHECK ? message->check.result : NULL;
  const char *reason = result ? result->reason.data : message->error.data;
  log_detail(check->log, "survey: %s%s%s after %.2f s", answer_text(result ? result->answer : ANSWER_UNKNOWN),
             *reason ? ", " : "", reason, seconds);
  if (result && result->answer == ANSWER_UNKNOWN && result->why == REASON_INTERNAL)
    log_note(check->log, "survey: %s", reason);
}

void survey_answer_ask(Check *check, Message *message) {
  Asking asking = {.check = check, .deadline = last_moment(check)};
  ChildLimits limits = {.deadline = asking.deadline > 0 ? asking.deadline + ROUND_GRACE : 0,
                        .grace = ROUND_GRACE,
                        .memory = check->memory};
  double started = clock_now();
  ChildReport report;
  child_run(check->interrupt, &limits, ask, &asking, &report);
  Text fault;
  text_init(&fault, NULL);
  if (report.end != CHILD_DONE)
    lose(check, &report, &fault, message);
  else if (!message_read(message, MESSAGE_CHECK, child_output(&report), &fault))
    lose(check, &report, &fault, message);
  double seconds = clock_now() - started;
  if (message->kind == MESSAGE_CHECK) {
    assert(message->check.result);
    result_count(message->check.result, "survey_seconds", seconds);
    result_count(message->check.result, "peak_memory", report.peak_memory);
    if (message->check.result->answer == ANSWER_SAFE) try_proof(check, &message->check);
  }
  log_answer(check, message, seconds);
  phase_set(&check->phase, "%s", "");
  text_free(&fault);
  child_report_free(&report);
}

SurveyCounts survey_counts_of(const Result *result) {
  return (SurveyCounts){.seconds = result_statistic(result, "survey_seconds"),
                        .objects = result_statistic(result, "survey_objects"),
                        .proved = result_statistic(result, "survey_proved")};
}

void survey_counts_add(const SurveyCounts *counts, Result *result) {
  result_count(result, "survey_seconds", counts->seconds);
  result_count(result, "survey_objects", counts->objects);
  result_count(result, "survey_proved", counts->proved);
}
