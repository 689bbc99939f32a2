#include "bench/task.h"

#include "base/file.h"
#include "witness/yaml_load.h"

#include <assert.h>
#include <string.h>

typedef struct Reader {
  Task *task;
  Arena *arena;
  yaml_document_t document;
  Text *error;
} Reader;

// The value of one key. Returns false after reporting an error.
typedef bool ReadValue(Reader *reader, const yaml_node_t *value);

typedef struct Key {
  const char *name;
  ReadValue *read;
  bool required;
} Key;

static bool fail_at_line(Reader *reader, size_t line, const char *format, ...) __attribute__((format(printf, 3, 4)));

static bool fail_at_line(Reader *reader, size_t line, const char *format, ...) {
  text_format(reader->error, "%s:%zu: ", reader->task->path, line);
  va_list arguments;
  va_start(arguments, format);
  text_vformat(reader->error, format, arguments);
  va_end(arguments);
  return false;
}

static size_t line_of(const yaml_node_t *node) { return node->start_mark.line + 1; }

static const char *scalar_text(const yaml_node_t *node) {
  assert(node->type == YAML_SCALAR_NODE);
  return (const char *)node->data.scalar.value;
}

// A text that is not empty, or NULL after reporting an error.
static const char *read_text(Reader *reader, const yaml_node_t *node, const char *what) {
  if (node->type != YAML_SCALAR_NODE) {
    fail_at_line(reader, line_of(node), "%s must be a text", what);
    return NULL;
  }
  // A zero byte would hide the rest of the text from us.
  if (node->data.scalar.length == 0 || strlen(scalar_text(node)) != node->data.scalar.length) {
    fail_at_line(reader, line_of(node), "%s is empty or has a zero byte", what);
    return NULL;
  }
  return arena_string(reader->arena, scalar_text(node));
}

static const Key *find_key(const Key *keys, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(keys[i].name, name) == 0) return &keys[i];
  return NULL;
}

static bool read_mapping(Reader *reader, const yaml_node_t *node, const char *what, const Key *keys, size_t count) {
  if (node->type != YAML_MAPPING_NODE) return fail_at_line(reader, line_of(node), "%s must be a mapping", what);
  uint64_t seen = 0;
  assert(count <= 64);
  for (yaml_node_pair_t *pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *name = yaml_document_get_node(&reader->document, pair->key);
    const yaml_node_t *value = yaml_document_get_node(&reader->document, pair->value);
    const Key *key = name->type == YAML_SCALAR_NODE ? find_key(keys, count, scalar_text(name)) : NULL;
    if (!key)
      return fail_at_line(reader, line_of(name), "unknown key `%s` in %s",
                          name->type == YAML_SCALAR_NODE ? scalar_text(name) : "?", what);
    uint64_t bit = UINT64_C(1) << (key - keys);
    if (seen & bit) return fail_at_line(reader, line_of(name), "key `%s` is given twice", key->name);
    seen |= bit;
    if (key->read && !key->read(reader, value)) return false;
  }
  for (size_t i = 0; i < count; i++)
    if (keys[i].required && !(seen >> i & 1))
      return fail_at_line(reader, line_of(node), "%s lacks the key `%s`", what, keys[i].name);
  return true;
}

// A path of the task definition, seen from the working directory.
static const char *beside_task(Reader *reader, const char *path) {
  const char *slash = strrchr(reader->task->path, '/');
  if (path[0] == '/' || !slash) return path;
  return arena_format(reader->arena, "%.*s%s", (int)(slash - reader->task->path + 1), reader->task->path, path);
}

static bool read_version(Reader *reader, const yaml_node_t *value) {
  static const char *const versions[] = {"1.0", "2.0", "2.1"};
  const char *text = read_text(reader, value, "format_version");
  if (!text) return false;
  for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
    if (strcmp(text, versions[i]) == 0) return true;
  return fail_at_line(reader, line_of(value), "format_version `%s` is not 1.0, 2.0 or 2.1", text);
}

static bool read_input(Reader *reader, const yaml_node_t *value) {
  const char *text = read_text(reader, value, "an input file");
  if (!text) return false;
  StringVector_push(&reader->task->inputs, beside_task(reader, text));
  return true;
}

// Calls `read` for the node itself or for each element of a sequence.
static bool read_each(Reader *reader, const yaml_node_t *value, ReadValue *read) {
  if (value->type != YAML_SEQUENCE_NODE) return read(reader, value);
  for (yaml_node_item_t *item = value->data.sequence.items.start; item < value->data.sequence.items.top; item++)
    if (!read(reader, yaml_document_get_node(&reader->document, *item))) return false;
  return true;
}

static bool read_inputs(Reader *reader, const yaml_node_t *value) {
  if (!read_each(reader, value, read_input)) return false;
  if (StringVector_empty(&reader->task->inputs)) return fail_at_line(reader, line_of(value), "input_files is empty");
  return true;
}

static bool read_property_file(Reader *reader, const yaml_node_t *value) {
  const char *text = read_text(reader, value, "property_file");
  if (!text) return false;
  TaskProperty *property = TaskPropertyVector_last(&reader->task->properties);
  property->file = beside_task(reader, text);
  const char *slash = strrchr(text, '/');
  char *name = arena_string(reader->arena, slash ? slash + 1 : text);
  char *dot = strrchr(name, '.');
  if (dot) *dot = 0;
  if (name[0] == 0) return fail_at_line(reader, line_of(value), "property_file `%s` names no property", text);
  property->name = name;
  return true;
}

static bool read_expected_verdict(Reader *reader, const yaml_node_t *value) {
  const char *text = read_text(reader, value, "expected_verdict");
  if (!text) return false;
  TaskProperty *property = TaskPropertyVector_last(&reader->task->properties);
  if (strcmp(text, "true") == 0)
    property->expected = EXPECTED_TRUE;
  else if (strcmp(text, "false") == 0)
    property->expected = EXPECTED_FALSE;
  else
    return fail_at_line(reader, line_of(value), "expected_verdict `%s` is neither true nor false", text);
  return true;
}

static bool read_subproperty(Reader *reader, const yaml_node_t *value) {
  const char *text = read_text(reader, value, "subproperty");
  TaskPropertyVector_last(&reader->task->properties)->subproperty = text;
  return text != NULL;
}

static bool read_property(Reader *reader, const yaml_node_t *value) {
  static const Key keys[] = {{"property_file", read_property_file, true},
                             {"expected_verdict", read_expected_verdict, false},
                             {"subproperty", read_subproperty, false}};
  TaskPropertyVector_push(&reader->task->properties, (TaskProperty){0});
  return read_mapping(reader, value, "a property", keys, sizeof keys / sizeof *keys);
}

static bool read_properties(Reader *reader, const yaml_node_t *value) {
  if (value->type != YAML_SEQUENCE_NODE) return fail_at_line(reader, line_of(value), "properties must be a list");
  return read_each(reader, value, read_property);
}

static bool read_language(Reader *reader, const yaml_node_t *value) {
  const char *text = read_text(reader, value, "language");
  if (!text) return false;
  if (strcmp(text, "C") == 0) return true;
  return fail_at_line(reader, line_of(value), "language `%s` is not C", text);
}

static bool read_data_model(Reader *reader, const yaml_node_t *value) {
  const char *text = read_text(reader, value, "data_model");
  if (!text) return false;
  if (strcmp(text, "ILP32") != 0 && strcmp(text, "LP64") != 0)
    return fail_at_line(reader, line_of(value), "data_model `%s` is neither ILP32 nor LP64", text);
  reader->task->data_model = text;
  return true;
}

static bool read_options(Reader *reader, const yaml_node_t *value) {
  static const Key keys[] = {{"language", read_language, false}, {"data_model", read_data_model, false}};
  return read_mapping(reader, value, "options", keys, sizeof keys / sizeof *keys);
}

// Options with blanks between them.
static bool read_more_options(Reader *reader, const yaml_node_t *value) {
  const char *text = read_text(reader, value, "an option");
  if (!text) return false;
  static const char blanks[] = " \t\n";
  for (const char *at = text + strspn(text, blanks); *at; at += strspn(at, blanks)) {
    size_t length = strcspn(at, blanks);
    StringVector_push(&reader->task->options, arena_format(reader->arena, "%.*s", (int)length, at));
    at += length;
  }
  return true;
}

static bool read_whole_option(Reader *reader, const yaml_node_t *value) {
  const char *text = read_text(reader, value, "an option");
  if (text) StringVector_push(&reader->task->options, text);
  return text != NULL;
}

static bool read_our_options(Reader *reader, const yaml_node_t *value) {
  return read_each(reader, value, value->type == YAML_SEQUENCE_NODE ? read_whole_option : read_more_options);
}

static bool read_our_verdict(Reader *reader, const yaml_node_t *value) {
  const char *text = read_text(reader, value, "verdict");
  if (!text) return false;
  if (strcmp(text, "UNKNOWN") != 0)
    return fail_at_line(reader, line_of(value), "verdict `%s` is not UNKNOWN; use expected_verdict", text);
  reader->task->must_be_unknown = true;
  return true;
}

static bool read_our_reason(Reader *reader, const yaml_node_t *value) {
  reader->task->unknown_reason = read_text(reader, value, "reason");
  return reader->task->unknown_reason != NULL;
}

static bool read_heddle(Reader *reader, const yaml_node_t *value) {
  static const Key keys[] = {
      {"options", read_our_options, false}, {"verdict", read_our_verdict, false}, {"reason", read_our_reason, false}};
  if (!read_mapping(reader, value, "heddle", keys, sizeof keys / sizeof *keys)) return false;
  if (reader->task->unknown_reason && !reader->task->must_be_unknown)
    return fail_at_line(reader, line_of(value), "`reason` needs `verdict: UNKNOWN`");
  return true;
}

static bool read_task(Reader *reader) {
  static const Key keys[] = {{"format_version", read_version, true}, {"input_files", read_inputs, true},
                             {"properties", read_properties, true},  {"options", read_options, false},
                             {"heddle", read_heddle, false},         {"required_files", NULL, false},
                             {"additional_information", NULL, false}};
  const yaml_node_t *root = yaml_document_get_root_node(&reader->document);
  if (!root) return fail_at_line(reader, 1, "the file is empty");
  return read_mapping(reader, root, "the task definition", keys, sizeof keys / sizeof *keys);
}

bool task_parse(Task *task, Arena *arena, const char *path, const char *yaml, size_t length, Text *error) {
  *task = (Task){.path = arena_string(arena, path), .data_model = "ILP32"};
  Reader reader = {.task = task, .arena = arena, .error = error};
  Text problem;
  text_init(&problem, arena->account);
  size_t line;
  bool loaded = yaml_load(yaml, length, &reader.document, &line, &problem), read = loaded && read_task(&reader);
  if (loaded)
    yaml_document_delete(&reader.document);
  else
    fail_at_line(&reader, line, "%s", problem.data);
  text_free(&problem);
  assert(!read || task->inputs.count > 0);
  if (!read) task_free(task);
  return read;
}

bool task_read(Task *task, Arena *arena, const char *path, Text *error) {
  *task = (Task){0};
  Text yaml;
  text_init(&yaml, arena->account);
  bool read = file_read_named(&yaml, path, FILE_MOST_RULE, error) &&
              task_parse(task, arena, path, yaml.data, yaml.length, error);
  text_free(&yaml);
  return read;
}

void task_free(Task *task) {
  StringVector_free(&task->inputs);
  TaskPropertyVector_free(&task->properties);
  StringVector_free(&task->options);
  *task = (Task){0};
}
