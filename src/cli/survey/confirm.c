#include "cli/survey/confirm.h"

#include "cli/run/findings.h"
#include "cli/run/supervised.h"

#include <assert.h>
#include <unistd.h>

// The options of the check that the survey asks for: all comments count as accesses, and nothing is written.
static Options check_options(const Options *survey) {
  Options options = *survey;
  options.command = COMMAND_CHECK;
  options.properties = property_alone(PROPERTY_NO_DATA_RACE);
  options.property_value = PROPERTY_NO_DATA_RACE;
  options.no_suppressions = 1;
  options.json = options.sarif = options.report = NULL;
  return options;
}

// --- findings ---

static bool is_place(const FindingPlace *place, const SurveyAccess *access) {
  return access->position.file && strcmp(place->file, access->position.file) == 0 &&
         place->line == access->position.line;
}

// Does the finding have exactly the lines of the pair?
static bool has_lines(const Finding *finding, const SurveyPair *pair) {
  const FindingPlaceVector *places = &finding->places;
  if (places->count == 1) return is_place(&places->data[0], &pair->first) && is_place(&places->data[0], &pair->second);
  if (places->count != 2) return false;
  bool straight = is_place(&places->data[0], &pair->first) && is_place(&places->data[1], &pair->second);
  return straight || (is_place(&places->data[0], &pair->second) && is_place(&places->data[1], &pair->first));
}

// A goal is named by its object, a surveyed place by its part, too: "queue" and "queue.head".
static bool has_name(const SurveyObject *object, const char *goal) {
  size_t length = strlen(goal);
  if (strncmp(goal, object->name, length) != 0) return false;
  char next = object->name[length];
  return next == '\0' || next == '.' || next == '[';
}

// Goals of blocks are named by the line that allocates them (verdict/goals.h).
static bool is_block(const SurveyObject *object, const char *goal) {
  if (!object->position.file) return false;
  Text name;
  text_init(&name, NULL);
  text_format(&name, "block of %s:%u", object->position.file, (unsigned)object->position.line);
  bool same = strcmp(name.data, goal) == 0;
  text_free(&name);
  return same;
}

static bool is_about(const Finding *finding, const SurveyObject *object) {
  for (size_t i = 0; i < finding->goals.count; i++)
    if (has_name(object, finding->goals.data[i]) || is_block(object, finding->goals.data[i])) return true;
  return false;
}

// The race was executed; so it is told, whether or not the survey has such a pair. Survey and execution contradict each
// other if the survey proved the object.
static void add_other_race(SurveyReport *report, const CheckMessage *message, Arena *arena, Log *log) {
  StringVector_push(&report->other_races, arena_string(arena, message->trace.data));
  for (uint32_t i = 0; i < report->survey->object_count; i++) {
    const SurveyObject *object = &report->survey->objects[i];
    if (object->status == SURVEY_PROVED && is_about(&message->finding, object))
      log_error(log, "internal error: a race on %s was executed, and the survey proved that there is none",
                object->name);
  }
}

// A pair that the survey tells stands for all with the same threads and locks. So the race of an object may be at a
// line that no pair has, beside one that some pair has.
static bool shares_line(const Finding *finding, const SurveyObject *object) {
  for (size_t i = 0; i < finding->places.count; i++)
    for (uint32_t k = 0; k < object->pair_count; k++)
      if (is_place(&finding->places.data[i], &object->pairs[k].first) ||
          is_place(&finding->places.data[i], &object->pairs[k].second))
        return true;
  return false;
}

static bool mark_objects(SurveyReport *report, const CheckMessage *message, Arena *arena) {
  const char *trace = NULL;
  for (uint32_t i = 0; i < report->survey->object_count; i++) {
    const SurveyObject *object = &report->survey->objects[i];
    if (object->status == SURVEY_PROVED || !is_about(&message->finding, object)) continue;
    if (!shares_line(&message->finding, object)) continue;
    report->objects[i].standing = SURVEY_STANDS_CONFIRMED;
    if (!trace) report->objects[i].because = trace = arena_string(arena, message->trace.data);
  }
  return trace != NULL;
}

static void mark_finding(SurveyReport *report, const CheckMessage *message, Arena *arena, Log *log) {
  const char *trace = NULL;
  bool matched = false;
  for (uint32_t i = 0; i < report->survey->object_count; i++) {
    const SurveyObject *object = &report->survey->objects[i];
    if (object->status == SURVEY_PROVED || !is_about(&message->finding, object)) continue;
    for (uint32_t k = 0; k < object->pair_count; k++) {
      if (!has_lines(&message->finding, &object->pairs[k])) continue;
      SurveyMark *mark = &report->pairs[report->objects[i].first_pair + k];
      matched = true;
      if (mark->standing == SURVEY_STANDS_SUPPRESSED) continue;
      mark->standing = SURVEY_STANDS_CONFIRMED;
      if (!trace) mark->because = trace = arena_string(arena, message->trace.data); // it is told once
    }
  }
  if (!matched && !mark_objects(report, message, arena)) add_other_race(report, message, arena, log);
}

// --- a proof ---

static void exclude_all(SurveyReport *report, const Result *result, Arena *arena) {
  assert(result->answer == ANSWER_SAFE);
  report->excluded = true;
  for (uint32_t i = 0; i < report->pair_count; i++)
    if (report->pairs[i].standing != SURVEY_STANDS_CONFIRMED) report->pairs[i].standing = SURVEY_STANDS_EXCLUDED;
  Text line;
  text_init(&line, NULL);
  for (AssumptionCursor at = {0}; result_next_assumption(result, result->assumptions, &at, &line);)
    StringVector_push(&report->rests_on, arena_format(arena, "what is excluded: %s", line.data));
  text_free(&line);
}

static void take_answers(const Confirmation *confirmation, const CheckMessageVector *answers, SurveyReport *report,
                         Arena *arena) {
  for (size_t i = 0; i < answers->count; i++) {
    const CheckMessage *message = &answers->data[i];
    if (message->result->answer == ANSWER_UNSAFE) mark_finding(report, message, arena, confirmation->log);
  }
  bool proved = answers->count == 1 && answers->data[0].result->answer == ANSWER_SAFE;
  if (proved && !confirmation->options->entry.count) exclude_all(report, answers->data[0].result, arena);
}

void confirm_pairs(const Confirmation *confirmation, SurveyReport *report, Arena *arena) {
  Options options = check_options(confirmation->options);
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  Check check = {.options = &options,
                 .interrupt = confirmation->interrupt,
                 .log = confirmation->log,
                 .memory = confirmation->memory,
                 .jobs = options.jobs     ? (unsigned)options.jobs
                         : processors > 0 ? (unsigned)processors
                                          : 1,
                 .no_survey = true,
                 .started = clock_now(),
                 .deadline = confirmation->deadline};
  phase_init(&check.phase);
  ChildLimits limits = {
      .deadline = check.deadline > 0 ? check.deadline + CHECK_GRACE : 0, .grace = CHECK_GRACE, .memory = check.memory};
  Supervision supervision = {
      .limits = &limits, .interrupt = confirmation->interrupt, .log = confirmation->log, .kind = MESSAGE_FINDINGS};
  Message message;
  Text reason;
  text_init(&reason, NULL);
  ReasonKind why;
  bool done = output_supervise(&supervision, findings_run, &check, &message, &reason, &why);
  if (done && message.kind == MESSAGE_FINDINGS)
    take_answers(confirmation, &message.findings.answers, report, arena);
  else
    log_note(confirmation->log, "--confirm: %s", done ? message.error.data : reason.data);
  text_free(&reason);
  message_free(&message);
  phase_free(&check.phase);
}
