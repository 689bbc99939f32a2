#include "cli/finding.h"

#include "verdict/json.h"

void finding_init(Finding *finding) {
#define X(member) text_init(&finding->member, NULL);
  FINDING_TEXTS(X)
#undef X
}

void finding_free(Finding *finding) {
#define X(member) text_free(&finding->member);
  FINDING_TEXTS(X)
#undef X
}

void finding_write(const Finding *finding, Text *out) {
  const char *separator = "{";
#define X(member)                                                                                                      \
  text_format(out, "%s\"%s\":", separator, #member);                                                                   \
  json_add_string(out, finding->member.data);                                                                          \
  separator = ",";
  FINDING_TEXTS(X)
#undef X
  (void)separator;
  text_add(out, "}");
}

static bool read_member(const cJSON *root, const char *name, Text *into) {
  const char *value = json_string(root, name);
  if (value) text_add(into, value);
  return value != NULL;
}

bool finding_read(Finding *finding, const Text *text) {
  Text error;
  text_init(&error, NULL);
  cJSON *root = json_parse(text->data, text->length, &error);
  bool good = root != NULL;
#define X(member) good = good && read_member(root, #member, &finding->member);
  FINDING_TEXTS(X)
#undef X
  cJSON_Delete(root);
  text_free(&error);
  return good;
}
