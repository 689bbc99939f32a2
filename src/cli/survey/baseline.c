#include "cli/survey/baseline.h"

#include "base/file.h"
#include "base/map.h"
#include "verdict/json.h"

#include <assert.h>

typedef struct Baseline {
  Map pairs, locks, objects; // fingerprint -> how many
  Map left_out;              // survey_name_key of an object -> pairs that were left out
} Baseline;

static void baseline_init(Baseline *baseline) {
  map_init(&baseline->pairs, NULL);
  map_init(&baseline->locks, NULL);
  map_init(&baseline->objects, NULL);
  map_init(&baseline->left_out, NULL);
}

static void baseline_free(Baseline *baseline) {
  map_free(&baseline->pairs);
  map_free(&baseline->locks);
  map_free(&baseline->objects);
  map_free(&baseline->left_out);
}

static void count(Map *map, uint64_t key) { map_put(map, key, map_get_or(map, key, 0) + 1); }

static bool take(Map *map, uint64_t key) {
  uint64_t left = map_get_or(map, key, 0);
  if (left) map_put(map, key, left - 1);
  return left != 0;
}

// --- reading ---

static bool read_fingerprint(const cJSON *object, uint64_t *value) {
  static const char digits[] = "0123456789abcdef";
  const char *text = json_string(object, "fingerprint");
  if (!text || strlen(text) != 16 || strspn(text, digits) != 16) return false;
  *value = 0;
  for (const char *c = text; *c; c++) *value = *value << 4 | (uint64_t)(strchr(digits, *c) - digits);
  return true;
}

// Does what stands so count as known? NULL is no standing.
static bool counts(const char *standing) {
  static const SurveyStanding known[] = {SURVEY_STANDS_CONFIRMED, SURVEY_STANDS_SLICED, SURVEY_STANDS_WARNED,
                                         SURVEY_STANDS_OPEN, SURVEY_STANDS_KNOWN};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(standing, survey_standing_name(known[i])) == 0) return true;
  return false;
}

// Counts an item by its fingerprint, unless its standing is another one. False: it has no such members.
static bool read_item(const cJSON *item, Map *map) {
  const char *standing = json_string(item, "standing");
  uint64_t fingerprint;
  if (!standing || !read_fingerprint(item, &fingerprint)) return false;
  if (counts(standing)) count(map, fingerprint);
  return true;
}

static bool read_object(const cJSON *object, Baseline *into) {
  const char *name = json_string(object, "name");
  const cJSON *pairs = cJSON_GetObjectItemCaseSensitive(object, "pairs"), *pair;
  uint32_t left_out;
  if (!name || !cJSON_IsArray(pairs) || !json_index(object, "pairs_left_out", &left_out)) return false;
  if (!read_item(object, &into->objects)) return false;
  uint64_t key = survey_name_key(name);
  if (map_get_or(&into->left_out, key, 0) <= left_out) map_put(&into->left_out, key, left_out);
  cJSON_ArrayForEach(pair, pairs) if (!read_item(pair, &into->pairs)) return false;
  return true;
}

static bool read_survey(const cJSON *root, Baseline *into) {
  const char *format = json_string(root, "format");
  const cJSON *objects = cJSON_GetObjectItemCaseSensitive(root, "objects");
  const cJSON *locks = cJSON_GetObjectItemCaseSensitive(root, "locks"), *item;
  uint32_t form;
  if (!format || strcmp(format, "heddle-survey") != 0 || !json_index(root, "form", &form) || form != 1) return false;
  if (!cJSON_IsArray(objects) || !cJSON_IsArray(locks)) return false;
  cJSON_ArrayForEach(item, objects) if (!read_object(item, into)) return false;
  cJSON_ArrayForEach(item, locks) if (!read_item(item, &into->locks)) return false;
  return true;
}

static bool read_file(const char *path, Baseline *into, Text *error) {
  Text text, fault;
  text_init(&text, NULL);
  text_init(&fault, NULL);
  bool good = file_read_named(&text, path, FILE_MOST_DATA, error);
  if (good) {
    cJSON *root = json_parse(text.data, text.length, &fault);
    good = root && read_survey(root, into);
    if (!good)
      text_format(error, "--baseline: %s is not the JSON of a survey%s%s", path, fault.length ? ": " : "", fault.data);
    cJSON_Delete(root);
  }
  text_free(&fault);
  text_free(&text);
  return good;
}

// --- marking ---

static void mark_known(SurveyMark *mark) {
  mark->known = true;
  if (mark->standing == SURVEY_STANDS_WARNED || mark->standing == SURVEY_STANDS_OPEN)
    mark->standing = SURVEY_STANDS_KNOWN;
}

static void mark_object(Baseline *baseline, SurveyReport *report, uint32_t index) {
  const SurveyObject *object = &report->survey->objects[index];
  SurveyMark *mark = &report->objects[index];
  if (object->status == SURVEY_PROVED) return;
  uint64_t left_out = 0;
  bool same = take(&baseline->objects, survey_object_fingerprint(object));
  bool named = map_get(&baseline->left_out, survey_name_key(object->name), &left_out);
  mark->known = named && object->pairs_left_out <= left_out && (same || object->status == SURVEY_WARNED);
  for (uint32_t i = 0; i < object->pair_count; i++)
    if (take(&baseline->pairs, object->pairs[i].fingerprint)) mark_known(&report->pairs[mark->first_pair + i]);
}

bool baseline_apply(const char *path, SurveyReport *report, Text *error) {
  Baseline baseline;
  baseline_init(&baseline);
  bool good = read_file(path, &baseline, error);
  for (uint32_t i = 0; good && i < report->survey->object_count; i++) mark_object(&baseline, report, i);
  for (uint32_t i = 0; good && i < report->survey->lock_count; i++)
    if (report->survey->locks[i].status != SURVEY_PROVED)
      report->locks[i].known = take(&baseline.locks, report->survey->locks[i].fingerprint);
  baseline_free(&baseline);
  return good;
}
