#include "cli/run/settled_json.h"

#include "verdict/json.h"

#include <assert.h>

void settled_add_member(const CheckMessageVector *answers, size_t first, Text *schedule) {
  assert(first <= answers->count);
  bool some = false;
  for (size_t i = first; i < answers->count; i++) {
    if (answers->data[i].finding.kind == VIOLATION_NONE) continue;
    text_add(schedule, some ? ",\n    " : ",\n  \"settled\": [");
    finding_write_json(&answers->data[i].finding, schedule);
    some = true;
  }
  if (some) text_add_char(schedule, ']');
}

static bool settle(const cJSON *object, Program *program, Text *error) {
  Finding finding;
  finding_init(&finding, VIOLATION_NONE);
  bool good = finding_read_json(object, &finding, error) && finding_settle(&finding, program);
  if (!good && !error->length) text_add(error, "a finding without places");
  finding_free(&finding);
  return good;
}

bool settled_apply(const char *schedule, Program *program, Text *error) {
  Text what;
  text_init(&what, NULL);
  cJSON *root = json_parse(schedule, strlen(schedule), &what);
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "settled"), *item;
  bool good = root && (!list || cJSON_IsArray(list));
  cJSON_ArrayForEach(item, list) good = good && settle(item, program, &what);
  if (!good) text_format(error, "not a schedule: \"settled\" is malformed%s%s", what.length ? ": " : "", what.data);
  cJSON_Delete(root);
  text_free(&what);
  return good;
}
