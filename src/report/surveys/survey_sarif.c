// A survey as SARIF 2.1.0: a result for each object and each lock finding that is warned of or confirmed, with both
// places. Open objects are notifications: programs that show results take each for an alert.
#include "base/map.h"
#include "report/sarif_parts.h"
#include "report/surveys/survey_words.h"
#include "verdict/json.h"

#include <assert.h>

typedef struct Rule {
  const char *id, *name, *title, *help;
} Rule;

enum { RULE_RACE, RULE_LOCKS };
static const Rule rules[] = {
    [RULE_RACE] =
        {"survey-data-race", "PossibleDataRace", "Two threads may access the same memory without order",
         "Protect both accesses with the same lock, make the object atomic, or order the accesses by creating "
         "or joining a thread. heddle survey --explain N says what is missing."},
    [RULE_LOCKS] = {"survey-lock-order", "PossibleDeadlock", "Threads may wait for each other's locks",
                    "Take locks in the same order everywhere, and do not wait while a lock is held."}};
enum { RULE_COUNT = sizeof rules / sizeof *rules };

static void add_rules(Text *out) {
  text_add(out, "\"rules\": [");
  for (unsigned i = 0; i < RULE_COUNT; i++) {
    text_add(out, i ? ",\n          {" : "\n          {");
    sarif_add_member(out, "id", rules[i].id);
    text_add(out, ", ");
    sarif_add_member(out, "name", rules[i].name);
    text_add(out, ",\n           \"shortDescription\": ");
    sarif_add_message(out, rules[i].title);
    text_add(out, ",\n           \"fullDescription\": ");
    sarif_add_message(out, rules[i].title);
    text_add(out, ",\n           \"help\": ");
    sarif_add_message(out, rules[i].help);
    text_add(out, ",\n           \"defaultConfiguration\": {\"level\": \"warning\"},\n           \"properties\": "
                  "{\"tags\": [\"concurrency\", \"correctness\"], \"precision\": \"medium\", "
                  "\"problem.severity\": \"warning\"}}");
  }
  text_add(out, "]");
}

typedef struct Writer {
  const SurveyReport *report;
  SarifFiles files;
  bool any;    // a result was added
  Map related; // hashes of the related locations of the present result, which may not be equal
  Text *out;
} Writer;

static void begin_result(Writer *w, unsigned rule, const char *level, const char *message) {
  text_format(w->out, "%s\n       {\"ruleId\": \"%s\", \"ruleIndex\": %u, \"kind\": \"fail\", \"level\": \"%s\",\n",
              w->any ? "," : "", rules[rule].id, rule, level);
  text_add(w->out, "        \"message\": ");
  sarif_add_message(w->out, message);
  w->any = true;
  map_clear(&w->related);
}

static void add_location(Writer *w, const SurveyAccess *access, const char *message) {
  Position position = {.file = access->position.file ? access->position.file : w->report->files[0],
                       .line = access->position.file && access->position.line ? access->position.line : 1,
                       .function = access->function};
  sarif_add_location(&w->files, &position, message, w->out);
}

static void end_result(Writer *w, uint64_t fingerprint) {
  text_format(w->out, "],\n        \"partialFingerprints\": {\"heddleSurvey/v1\": \"%016llx\"}}",
              (unsigned long long)fingerprint);
}

// `words` tell related locations apart, with the place.
static void add_related(Writer *w, const SurveyAccess *access, const Text *words) {
  uint64_t place = access->position.file ? hash_bytes(access->position.file, strlen(access->position.file)) : 0;
  uint64_t hash = hash_mix(hash_bytes(words->data, words->length) ^ hash_mix(place + access->position.line));
  if (map_contains(&w->related, hash)) return;
  if (w->related.count) text_add(w->out, ", ");
  add_location(w, access, words->data);
  map_put(&w->related, hash, 1);
}

static void add_related_access(Writer *w, const SurveyAccess *access) {
  Text words;
  text_init(&words, NULL);
  survey_words_access(access, &words);
  add_related(w, access, &words);
  text_free(&words);
}

static void add_related_step(Writer *w, const SurveyLockStep *step) {
  Text words;
  text_init(&words, NULL);
  survey_words_step(step, &words);
  add_related(w, &step->at, &words);
  text_free(&words);
}

// The pair that is told first: the confirmed one, or the most likely one that counts.
static uint32_t leading_pair(const SurveyReport *report, uint32_t object) {
  const SurveyMark *mark = &report->objects[object];
  uint32_t count = report->survey->objects[object].pair_count;
  for (uint32_t i = 0; i < count; i++)
    if (report->pairs[mark->first_pair + i].standing == mark->standing) return i;
  return 0;
}

static const char *rests_of_pair(const SurveyReport *report, uint32_t object, uint32_t pair) {
  return report->pairs[report->objects[object].first_pair + pair].rests;
}

static void add_object(Writer *w, uint32_t index) {
  const SurveyObject *object = &w->report->survey->objects[index];
  const SurveyMark *mark = &w->report->objects[index];
  bool confirmed = survey_standing_is_race(mark->standing);
  if (!object->pair_count || (!confirmed && mark->standing != SURVEY_STANDS_WARNED)) return;
  uint32_t lead = leading_pair(w->report, index);
  const SurveyPair *pair = &object->pairs[lead];
  Text message;
  text_init(&message, NULL);
  text_add(&message, confirmed ? "data race on " : "possible data race on ");
  survey_word(object->name, &message);
  text_add(&message, ": ");
  survey_words_pair(pair, &message);
  const char *rests = mark->rests ? mark->rests : rests_of_pair(w->report, index, lead);
  if (rests) text_format(&message, ". Confirmed in a slice, which rests on: %s", rests);
  if (pair->reason && *pair->reason) text_format(&message, ". Why: %s", pair->reason);
  if (pair->remedy && *pair->remedy) text_format(&message, ". What would exclude it: %s", pair->remedy);
  begin_result(w, RULE_RACE, confirmed ? "error" : "warning", message.data);
  text_add(w->out, ",\n        \"locations\": [");
  add_location(w, &pair->first, NULL);
  text_add(w->out, "],\n        \"relatedLocations\": [");
  add_related_access(w, &pair->second);
  for (uint32_t i = 0; i < object->pair_count; i++) {
    if (i == lead || w->report->pairs[mark->first_pair + i].standing > SURVEY_STANDS_OPEN) continue;
    add_related_access(w, &object->pairs[i].first);
    add_related_access(w, &object->pairs[i].second);
  }
  end_result(w, pair->fingerprint);
  text_free(&message);
}

static void add_lock(Writer *w, uint32_t index) {
  const SurveyLockFinding *finding = &w->report->survey->locks[index];
  if (w->report->locks[index].standing != SURVEY_STANDS_WARNED || !finding->step_count) return;
  Text message;
  text_init(&message, NULL);
  text_format(&message, "%s ", survey_words_lock_kind(finding->kind));
  survey_words_lock(finding, &message);
  begin_result(w, RULE_LOCKS, "warning", message.data);
  text_add(w->out, ",\n        \"locations\": [");
  add_location(w, &finding->steps[0].at, NULL);
  text_add(w->out, "],\n        \"relatedLocations\": [");
  for (uint32_t i = 1; i < finding->step_count; i++) add_related_step(w, &finding->steps[i]);
  end_result(w, finding->fingerprint);
  text_free(&message);
}

// --- the run ---

static void add_notification(Writer *w, const char **separator, const char *message) {
  text_format(w->out, "%s{\"level\": \"note\", \"message\": ", *separator);
  sarif_add_message(w->out, message);
  text_add_char(w->out, '}');
  *separator = ",\n         ";
}

static void add_open(Writer *w, const char **separator) {
  const Survey *survey = w->report->survey;
  for (uint32_t i = 0; i < survey->object_count; i++) {
    if (w->report->objects[i].standing != SURVEY_STANDS_OPEN) continue;
    Text message;
    text_init(&message, NULL);
    text_add(&message, "open: ");
    survey_word(survey->objects[i].name, &message);
    text_add(&message, ": ");
    survey_words_doubt(&survey->objects[i], &message);
    add_notification(w, separator, message.data);
    text_free(&message);
  }
}

static void add_invocation(Writer *w) {
  const SurveyReport *report = w->report;
  bool clean = survey_report_is_clean(report), confirmed = survey_report_has_races(report);
  Text result;
  text_init(&result, NULL);
  survey_report_result(report, &result);
  text_format(w->out, "      \"invocations\": [{\"executionSuccessful\": %s, \"exitCode\": %d, ",
              report->survey->complete ? "true" : "false",
              confirmed ? 1
              : clean   ? 0
                        : 3);
  text_add(w->out, "\n        \"toolExecutionNotifications\": [");
  const char *separator = "";
  add_notification(w, &separator, result.data);
  add_open(w, &separator);
  text_add(w->out, "]}],\n");
  text_free(&result);
}

void survey_report_sarif(const SurveyReport *report, Text *out) {
  assert(report->file_count && report->version);
  Writer w = {.report = report, .out = out};
  map_init(&w.related, NULL);
  sarif_files_init(&w.files, report->project);
  for (size_t i = 0; i < report->file_count; i++) sarif_file_index(&w.files, report->files[i]);
  text_add(out, "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n"
                "  \"runs\": [\n    {\n      \"tool\": {\"driver\": {");
  sarif_add_member(out, "name", "Heddle");
  text_add(out, ", ");
  sarif_add_member(out, "version", report->version);
  text_add(out, ",\n        ");
  add_rules(out);
  text_add(out, "}},\n");
  add_invocation(&w);
  sarif_add_bases(&w.files, out);
  text_add(out, "      \"columnKind\": \"unicodeCodePoints\",\n      \"results\": [");
  for (uint32_t i = 0; i < report->survey->object_count; i++) add_object(&w, i);
  for (uint32_t i = 0; i < report->survey->lock_count; i++) add_lock(&w, i);
  text_add(out, "],\n");
  sarif_add_artifacts(&w.files, out);
  text_add(out, "    }\n  ]\n}\n");
  sarif_files_free(&w.files);
  map_free(&w.related);
}
