// SARIF of several answers: the results and notifications of all in one run.
#include "report/report.h"
#include "verdict/json.h"

#include <assert.h>

static cJSON *member(const cJSON *object, const char *name) { return cJSON_GetObjectItemCaseSensitive(object, name); }

static cJSON *only_run(const cJSON *document) {
  cJSON *run = cJSON_GetArrayItem(member(document, "runs"), 0);
  assert(run);
  return run;
}

static bool same_text(const cJSON *a, const cJSON *b, const char *name) {
  const char *left = cJSON_GetStringValue(member(a, name)), *right = cJSON_GetStringValue(member(b, name));
  return left && right ? strcmp(left, right) == 0 : left == right;
}

// The index of the file that a location names, among the artifacts; -1: it is not there.
static int artifact_index(const cJSON *artifacts, const cJSON *location) {
  int index = 0;
  const cJSON *artifact;
  cJSON_ArrayForEach(artifact, artifacts) {
    const cJSON *named = member(artifact, "location");
    if (same_text(named, location, "uri") && same_text(named, location, "uriBaseId")) return index;
    index++;
  }
  return -1;
}

// Locations refer to artifacts by their index, which is another one after merging.
static void renumber(const cJSON *artifacts, cJSON *value) {
  cJSON *index = member(value, "index"), *inner;
  int number = index && member(value, "uri") ? artifact_index(artifacts, value) : -1;
  if (number >= 0) cJSON_SetNumberValue(index, number);
  cJSON_ArrayForEach(inner, value) if (cJSON_IsObject(inner) || cJSON_IsArray(inner)) renumber(artifacts, inner);
}

static bool has_equal(const cJSON *list, const cJSON *item) {
  const cJSON *other;
  cJSON_ArrayForEach(other, list) if (cJSON_Compare(other, item, true)) return true;
  return false;
}

// Moves the elements of a list to another one, which gets none that it has.
static void move_elements(cJSON *from, cJSON *to) {
  while (from && from->child) {
    cJSON *item = cJSON_DetachItemViaPointer(from, from->child);
    if (has_equal(to, item) || !cJSON_AddItemToArray(to, item)) cJSON_Delete(item);
  }
}

static const char *fingerprint_of(const cJSON *result) {
  return cJSON_GetStringValue(member(member(result, "partialFingerprints"), "heddleViolation/v1"));
}

// Equal statements of one function have equal fingerprints; programs that show results take them for one result.
static void tell_apart(const cJSON *results, cJSON *result) {
  const char *own = fingerprint_of(result);
  unsigned equal = 0;
  const cJSON *other;
  cJSON_ArrayForEach(other, results) {
    const char *name = fingerprint_of(other);
    equal += own && name && strncmp(own, name, strlen(own)) == 0;
  }
  if (!equal) return;
  Text name;
  text_init(&name, NULL);
  text_format(&name, "%s:%u", own, equal + 1);
  cJSON *fingerprints = member(result, "partialFingerprints");
  cJSON_ReplaceItemInObjectCaseSensitive(fingerprints, "heddleViolation/v1", cJSON_CreateString(name.data));
  text_free(&name);
}

static void move_artifacts(cJSON *from, cJSON *to) {
  while (from && from->child) {
    cJSON *item = cJSON_DetachItemViaPointer(from, from->child);
    if (artifact_index(to, member(item, "location")) >= 0 || !cJSON_AddItemToArray(to, item)) cJSON_Delete(item);
  }
}

static void move_notifications(cJSON *from, cJSON *to) {
  static const char name[] = "toolExecutionNotifications";
  if (!member(from, name)) return;
  cJSON *list = member(to, name);
  if (!list) list = cJSON_AddArrayToObject(to, name);
  if (!list) memory_exhausted(NULL, 0);
  move_elements(member(from, name), list);
  if (cJSON_IsFalse(member(from, "executionSuccessful")))
    cJSON_ReplaceItemInObjectCaseSensitive(to, "executionSuccessful", cJSON_CreateFalse());
}

// Adds what the second run has and the first has not.
static void merge_run(cJSON *into, cJSON *run) {
  cJSON *artifacts = member(into, "artifacts"), *results = member(into, "results");
  move_artifacts(member(run, "artifacts"), artifacts);
  renumber(artifacts, member(run, "results"));
  renumber(artifacts, member(run, "invocations"));
  cJSON *result;
  cJSON_ArrayForEach(result, member(run, "results")) tell_apart(results, result);
  move_elements(member(run, "results"), results);
  move_notifications(cJSON_GetArrayItem(member(run, "invocations"), 0),
                     cJSON_GetArrayItem(member(into, "invocations"), 0));
}

static void set_answer(cJSON *run, Answer answer) {
  static const int exit_codes[] = {[ANSWER_SAFE] = 0, [ANSWER_UNSAFE] = 1, [ANSWER_UNKNOWN] = 3};
  cJSON *invocation = cJSON_GetArrayItem(member(run, "invocations"), 0);
  cJSON_SetNumberValue(member(invocation, "exitCode"), exit_codes[answer]);
  cJSON_SetValuestring(member(invocation, "exitCodeDescription"), "UNKNOWN"); // the longest: it has room for the others
  cJSON_SetValuestring(member(invocation, "exitCodeDescription"), answer_text(answer));
}

void report_merge_sarif(Answer answer, const Text *const *documents, size_t count, Text *out) {
  assert(count > 0);
  Text error;
  text_init(&error, NULL);
  cJSON *all = json_parse(documents[0]->data, documents[0]->length, &error);
  assert(all && "Heddle wrote it");
  for (size_t i = 1; i < count; i++) {
    cJSON *next = json_parse(documents[i]->data, documents[i]->length, &error);
    assert(next);
    merge_run(only_run(all), only_run(next));
    cJSON_Delete(next);
  }
  set_answer(only_run(all), answer);
  char *text = cJSON_Print(all);
  if (!text) memory_exhausted(NULL, 0);
  text_format(out, "%s\n", text);
  cJSON_free(text);
  cJSON_Delete(all);
  text_free(&error);
}
