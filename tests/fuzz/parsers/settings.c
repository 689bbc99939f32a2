// The settings of a project, and comments that suppress violations.
#include "fuzz/parsers/target.h"

#include "cli/options/settings.h"
#include "cli/run/suppressions.h"

static void parse_settings(const Text *text, Text *error) {
  Settings *settings = settings_parse("folder/.heddle.yml", text, error);
  target_judge(settings != NULL, error);
  settings_free(settings);
}

static void parse_comments(const Text *text) {
  Text warnings;
  text_init(&warnings, NULL);
  Arena arena;
  arena_init(&arena, NULL);
  SuppressionVector found = {0};
  suppressions_read(&found, "a.c", text->data, text->length, &arena, &warnings);
  SuppressionVector_free(&found);
  arena_free(&arena);
  text_free(&warnings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Text text, error;
  text_init(&text, NULL);
  text_init(&error, NULL);
  text_add_bytes(&text, (const char *)data, size);
  parse_settings(&text, &error);
  parse_comments(&text);
  text_free(&error);
  text_free(&text);
  return 0;
}
