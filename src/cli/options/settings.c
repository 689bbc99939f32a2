#define _GNU_SOURCE // asprintf, realpath
#include "cli/options/settings.h"

#include "base/file.h"
#include "command/spelling.h"
#include "witness/yaml_load.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- finding the file ---

static char *path_in(const char *directory, const char *name) {
  char *path;
  if (asprintf(&path, "%s/%s", directory, name) < 0) memory_exhausted(NULL, strlen(directory));
  if (access(path, F_OK) == 0) return path;
  free(path);
  return NULL;
}

static bool has_repository(const char *directory) {
  char *path = path_in(directory, ".git");
  free(path);
  return path != NULL;
}

char *settings_find(const char *directory) {
  static const char name[] = ".heddle.yml";
  char *found = path_in(directory, name), *here = found ? NULL : realpath(directory, NULL), *candidate = NULL;
  for (char *slash = NULL; here; *slash = '\0') {
    if (!candidate) candidate = path_in(here, name);
    if (has_repository(here)) {
      found = candidate;
      candidate = NULL;
      break;
    }
    slash = strrchr(here, '/');
    if (!slash || slash == here) break;
  }
  free(candidate);
  free(here);
  return found;
}

// --- reading values ---

typedef struct Reader {
  Settings *settings;
  yaml_document_t document;
  const char *directory;    // of the file, absolute; paths are relative to it
  StringVector clang_words; // a command line: the first word is the compiler
  bool value_is_next;       // the last of them is an option whose value is the next one
  Text *error;
} Reader;

typedef bool ReadValue(Reader *r, const yaml_node_t *value, const char *key);
typedef struct Key {
  const char *name;
  ReadValue *read;
} Key;

static size_t line_of(const yaml_node_t *node) { return node->start_mark.line + 1; }

static bool fail(Reader *r, size_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool fail(Reader *r, size_t line, const char *format, ...) {
  text_format(r->error, "%s:%zu: ", r->settings->path, line);
  va_list arguments;
  va_start(arguments, format);
  text_vformat(r->error, format, arguments);
  va_end(arguments);
  return false;
}

// The text of a scalar, which must not be empty; NULL after reporting an error.
static const char *read_text(Reader *r, const yaml_node_t *node, const char *key) {
  bool good = node->type == YAML_SCALAR_NODE && node->data.scalar.length > 0 &&
              strlen((const char *)node->data.scalar.value) == node->data.scalar.length;
  if (!good) fail(r, line_of(node), "`%s` wants a text", key);
  return good ? arena_string(&r->settings->arena, (const char *)node->data.scalar.value) : NULL;
}

static bool read_mapping(Reader *r, const yaml_node_t *node, const char *what, const Key *keys, size_t count) {
  if (node->type != YAML_MAPPING_NODE) return fail(r, line_of(node), "%s must be a mapping", what);
  uint64_t seen = 0;
  assert(count <= 64);
  for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *name = yaml_document_get_node(&r->document, pair->key);
    const char *text = read_text(r, name, "a key");
    if (!text) return false;
    Spelling spelling;
    spelling_init(&spelling, text);
    const Key *key = NULL;
    for (size_t i = 0; i < count; i++) {
      spelling_try(&spelling, keys[i].name);
      if (strcmp(keys[i].name, text) == 0) key = &keys[i];
    }
    if (!key) {
      fail(r, line_of(name), "unknown key `%s` in %s", text, what);
      spelling_suggest(&spelling, "", r->error);
      return false;
    }
    uint64_t bit = UINT64_C(1) << (key - keys);
    if (seen & bit) return fail(r, line_of(name), "key `%s` is given twice", key->name);
    seen |= bit;
    if (!key->read(r, yaml_document_get_node(&r->document, pair->value), key->name)) return false;
  }
  return true;
}

// Calls `read` for the node itself or for each element of a sequence.
static bool read_each(Reader *r, const yaml_node_t *value, const char *key, ReadValue *read) {
  if (value->type != YAML_SEQUENCE_NODE) return read(r, value, key);
  for (yaml_node_item_t *item = value->data.sequence.items.start; item < value->data.sequence.items.top; item++)
    if (!read(r, yaml_document_get_node(&r->document, *item), key)) return false;
  return true;
}

static bool read_limit(Reader *r, const yaml_node_t *value, const char *key) {
  const char *text = read_text(r, value, key);
  if (text) SettingsLimitVector_push(&r->settings->limits, (SettingsLimit){key, text, line_of(value)});
  return text != NULL;
}

static bool read_limits(Reader *r, const yaml_node_t *value, const char *key) {
  static const Key keys[] = {
      {"time-limit", read_limit}, {"memory-limit", read_limit}, {"threads-limit", read_limit}, {"jobs", read_limit}};
  return read_mapping(r, value, key, keys, sizeof keys / sizeof *keys);
}

static bool read_property(Reader *r, const yaml_node_t *value, const char *key) {
  (void)key;
  return read_limit(r, value, "property");
}

static bool read_properties(Reader *r, const yaml_node_t *value, const char *key) {
  size_t before = r->settings->limits.count;
  if (!read_each(r, value, key, read_property)) return false;
  return r->settings->limits.count > before || fail(r, line_of(value), "`properties` wants a name");
}

static bool read_path(Reader *r, const yaml_node_t *value, StringVector *into, const char *key) {
  const char *text = read_text(r, value, key);
  const char *slash = strrchr(r->settings->path, '/');
  if (text && text[0] != '/' && slash)
    text = arena_format(&r->settings->arena, "%.*s%s", (int)(slash - r->settings->path + 1), r->settings->path, text);
  if (text) StringVector_push(into, text);
  return text != NULL;
}

static bool read_file(Reader *r, const yaml_node_t *value, const char *key) {
  return read_path(r, value, &r->settings->files, key);
}

static bool read_model(Reader *r, const yaml_node_t *value, const char *key) {
  return read_path(r, value, &r->settings->models, key);
}

static bool read_files(Reader *r, const yaml_node_t *value, const char *key) {
  return read_each(r, value, key, read_file);
}

static bool read_models(Reader *r, const yaml_node_t *value, const char *key) {
  return read_each(r, value, key, read_model);
}

static bool read_clang_word(Reader *r, const yaml_node_t *value, const char *key) {
  const char *text = read_text(r, value, key);
  if (!text) return false;
  bool expected = r->value_is_next;
  r->value_is_next = false;
  bool known = expected || compile_option_matters(text, &r->value_is_next) || strcmp(text, "-m32") == 0 ||
               strcmp(text, "-m64") == 0;
  if (!known) return fail(r, line_of(value), "`%s` does not take %s; give it behind -- on the command line", key, text);
  StringVector_push(&r->clang_words, text);
  return true;
}

static bool read_clang_options(Reader *r, const yaml_node_t *value, const char *key) {
  if (!read_each(r, value, key, read_clang_word)) return false;
  assert(r->clang_words.count >= 1);
  if (r->value_is_next)
    return fail(r, line_of(value), "`%s`: %s wants a value", key, *StringVector_last(&r->clang_words));
  CompileEntry entry = {.directory = r->directory, .command = r->clang_words};
  return compile_options_of(&entry, &r->settings->clang, &r->settings->arena, r->error);
}

// --- suppressions ---

static bool read_suppressed_property(Reader *r, const yaml_node_t *value, const char *key) {
  const char *text = read_text(r, value, key);
  if (!text) return false;
  Suppression *row = SuppressionVector_last(&r->settings->suppressions);
  Spelling spelling;
  spelling_init(&spelling, text);
  for (unsigned i = 0; i < PROPERTY_COUNT; i++) {
    spelling_try(&spelling, property_name((Property)i));
    if (strcmp(text, property_name((Property)i)) != 0) continue;
    row->properties |= 1u << i;
    return true;
  }
  fail(r, line_of(value), "unknown property '%s'", text);
  spelling_suggest(&spelling, "", r->error);
  return false;
}

static bool read_suppressed_properties(Reader *r, const yaml_node_t *value, const char *key) {
  return read_each(r, value, key, read_suppressed_property);
}

static bool read_pattern(Reader *r, const yaml_node_t *value, const char *key) {
  const char *text = read_text(r, value, key);
  SuppressionVector_last(&r->settings->suppressions)->file = text;
  return text != NULL;
}

static bool read_lines(Reader *r, const yaml_node_t *value, const char *key) {
  const char *text = read_text(r, value, key);
  if (!text) return false;
  Suppression *row = SuppressionVector_last(&r->settings->suppressions);
  char *end;
  unsigned long first = strtoul(text, &end, 10), last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
  bool good = text[0] >= '1' && text[0] <= '9' && !*end && first <= last && last < UINT32_MAX;
  row->first = (uint32_t)first;
  row->last = (uint32_t)last;
  return good || fail(r, line_of(value), "`%s` wants a line or lines such as 12 or 12-20, not '%s'", key, text);
}

static bool read_suppression(Reader *r, const yaml_node_t *value, const char *key) {
  static const Key keys[] = {{"property", read_suppressed_properties}, {"file", read_pattern}, {"line", read_lines}};
  (void)key;
  const char *by = arena_format(&r->settings->arena, "%s:%zu", r->settings->path, line_of(value));
  SuppressionVector_push(&r->settings->suppressions, (Suppression){.pattern = true, .last = UINT32_MAX, .by = by});
  if (!read_mapping(r, value, "a suppression", keys, sizeof keys / sizeof *keys)) return false;
  Suppression *row = SuppressionVector_last(&r->settings->suppressions);
  if (!row->properties) row->properties = (1u << PROPERTY_COUNT) - 1;
  return row->file || fail(r, line_of(value), "a suppression wants a `file`");
}

static bool read_suppressions(Reader *r, const yaml_node_t *value, const char *key) {
  if (value->type != YAML_SEQUENCE_NODE) return fail(r, line_of(value), "`%s` must be a list", key);
  return read_each(r, value, key, read_suppression);
}

// --- the file ---

static bool read_document(Reader *r, const Text *yaml) {
  static const Key keys[] = {
      {"properties", read_properties}, {"files", read_files},   {"clang-options", read_clang_options},
      {"limits", read_limits},         {"models", read_models}, {"suppressions", read_suppressions}};
  Text problem;
  text_init(&problem, NULL);
  size_t line;
  bool loaded = yaml_load(yaml->data, yaml->length, &r->document, &line, &problem);
  if (!loaded) fail(r, line, "%s", problem.data);
  text_free(&problem);
  if (!loaded) return false;
  const yaml_node_t *root = yaml_document_get_root_node(&r->document);
  bool good = !root || read_mapping(r, root, "the settings", keys, sizeof keys / sizeof *keys);
  yaml_document_delete(&r->document);
  return good;
}

Settings *settings_parse(const char *path, const Text *yaml, Text *error) {
  Settings *settings = memory_allocate_zeroed(NULL, sizeof *settings);
  arena_init(&settings->arena, NULL);
  settings->path = arena_string(&settings->arena, path);
  const char *slash = strrchr(path, '/');
  const char *directory = slash ? arena_format(&settings->arena, "%.*s", (int)(slash - path) + 1, path) : ".";
  Reader r = {.settings = settings, .directory = compile_path(".", directory, &settings->arena), .error = error};
  StringVector_push(&r.clang_words, "clang");
  bool good = read_document(&r, yaml);
  StringVector_free(&r.clang_words);
  assert(good || error->length > 0);
  if (good) return settings;
  settings_free(settings);
  return NULL;
}

Settings *settings_read(const char *path, Text *error) {
  Text yaml;
  text_init(&yaml, NULL);
  bool good = file_read_named(&yaml, path, FILE_MOST_RULE, error);
  Settings *settings = good ? settings_parse(path, &yaml, error) : NULL;
  text_free(&yaml);
  return settings;
}

void settings_free(Settings *settings) {
  if (!settings) return;
  SettingsLimitVector_free(&settings->limits);
  StringVector_free(&settings->files);
  StringVector_free(&settings->models);
  StringVector_free(&settings->clang.kept);
  SuppressionVector_free(&settings->suppressions);
  arena_free(&settings->arena);
  memory_free(NULL, settings, sizeof *settings);
}
