#include "cli/options/launch.h"

#include "base/file.h"
#include "verdict/json.h"

#include <assert.h>

void launch_init(Launch *launch) {
  *launch = (Launch){0};
  arena_init(&launch->texts, NULL);
  StringVector_init(&launch->arguments, NULL);
  StringVector_init(&launch->environment, NULL);
  ByteVector_init(&launch->input, NULL);
}

void launch_free(Launch *launch) {
  StringVector_free(&launch->arguments);
  StringVector_free(&launch->environment);
  ByteVector_free(&launch->input);
  arena_free(&launch->texts);
}

void launch_set_name(Launch *launch, const char *file) {
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
  size_t length = dot && dot != base ? (size_t)(dot - base) : strlen(base);
  launch->front.name = arena_format(&launch->texts, "%.*s", (int)length, base);
}

// --- splitting into words as a shell does ---

typedef struct Words {
  const char *at;
  Text word;
} Words;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

// Reads the rest of '...' or "...". False: the end is missing.
static bool read_quoted(Words *words, char quote) {
  assert(*words->at == quote);
  for (words->at++; *words->at != quote; words->at++) {
    bool escape = quote == '"' && *words->at == '\\' && words->at[1] && strchr("\"\\$`", words->at[1]);
    if (escape) words->at++;
    if (!*words->at) return false;
    text_add_char(&words->word, *words->at);
  }
  words->at++;
  return true;
}

// Reads the next word. False: a quotation has no end, or a backslash is the last character.
static bool read_word(Words *words) {
  text_clear(&words->word);
  while (*words->at && !is_blank(*words->at)) {
    char c = *words->at;
    if (c == '\'' || c == '"') {
      if (!read_quoted(words, c)) return false;
      continue;
    }
    if (c == '\\' && !*++words->at) return false;
    text_add_char(&words->word, *words->at++);
  }
  return true;
}

bool launch_set_arguments(Launch *launch, const char *text, Text *error) {
  assert(launch->arguments.count == 0);
  Words words = {.at = text};
  text_init(&words.word, NULL);
  bool good = true;
  while (good) {
    while (is_blank(*words.at)) words.at++;
    if (!*words.at) break;
    good = read_word(&words);
    if (good) StringVector_push(&launch->arguments, arena_string(&launch->texts, words.word.data));
  }
  text_free(&words.word);
  if (!good) text_add(error, "--args: a quotation mark has no end, or a backslash is the last character");
  launch->front.arguments = &launch->arguments;
  return good;
}

// --- environment ---

// The length of the NAME of an entry; 0: the entry is not NAME=VALUE.
static size_t name_length(const char *entry) {
  const char *equals = strchr(entry, '=');
  return equals ? (size_t)(equals - entry) : 0;
}

static bool add_entry(Launch *launch, const char *entry, Text *error) {
  size_t length = name_length(entry);
  if (length == 0) {
    text_format(error, "--env wants NAME=VALUE, or none for an empty environment, not '%s'", entry);
    return false;
  }
  for (size_t i = 0; i < launch->environment.count; i++) {
    if (strncmp(launch->environment.data[i], entry, length + 1) != 0) continue;
    text_format(error, "--env gives %.*s twice", (int)length, entry);
    return false;
  }
  StringVector_push(&launch->environment, arena_string(&launch->texts, entry));
  return true;
}

bool launch_set_environment(Launch *launch, const StringVector *entries, Text *error) {
  assert(launch->environment.count == 0);
  launch->front.environment = &launch->environment;
  if (entries->count == 1 && strcmp(entries->data[0], "none") == 0) return true;
  for (size_t i = 0; i < entries->count; i++)
    if (!add_entry(launch, entries->data[i], error)) return false;
  return true;
}

// --- standard input ---

bool launch_set_input(Launch *launch, const char *path, Text *error) {
  Text content, fault;
  text_init(&content, NULL);
  text_init(&fault, NULL);
  bool good = file_read(&content, path, FRONT_MOST_INPUT, &fault);
  if (!good) text_format(error, "--stdin %s: %s", path, fault.data);
  for (size_t i = 0; i < content.length; i++) ByteVector_push(&launch->input, (uint8_t)content.data[i]);
  text_free(&fault);
  text_free(&content);
  launch->front.input = &launch->input;
  return good;
}

// --- JSON ---

// Adds a text. JSON is UTF-8, so a text that is not UTF-8 becomes an object with its bytes.
static void add_text(Text *out, const char *text) {
  if (utf8_is_valid(text)) {
    json_add_string(out, text);
    return;
  }
  text_add(out, "{ \"hex\": \"");
  for (; *text; text++) text_format(out, "%02x", (unsigned)(unsigned char)*text);
  text_add(out, "\" }");
}

static void add_list(Text *out, const char *separator, const char *name, const StringVector *texts) {
  if (!texts) return;
  text_format(out, "%s\"%s\": [", separator, name);
  for (size_t i = 0; i < texts->count; i++) {
    text_add(out, i ? ", " : "");
    add_text(out, texts->data[i]);
  }
  text_add(out, "]");
}

void launch_add_json(const Launch *launch, const char *separator, bool name, Text *out) {
  const FrontLaunch *front = &launch->front;
  if (name && front->name) {
    text_format(out, "%s\"name\": ", separator);
    add_text(out, front->name);
  }
  add_list(out, separator, "args", front->arguments);
  add_list(out, separator, "env", front->environment);
  if (!front->input) return;
  text_format(out, "%s\"stdin\": \"", separator);
  for (size_t i = 0; i < front->input->count; i++) text_format(out, "%02x", front->input->data[i]);
  text_add(out, "\"");
}

static bool fail(Text *error, const char *member) {
  text_format(error, "not a schedule: \"%s\" of \"lowering\" is malformed", member);
  return false;
}

static int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static bool read_bytes(const char *digits, ByteVector *into) {
  if (!digits || strlen(digits) > 2 * FRONT_MOST_INPUT) return false;
  for (; *digits; digits += 2) {
    int high = digit(digits[0]), low = high < 0 ? -1 : digit(digits[1]);
    if (low < 0) return false;
    ByteVector_push(into, (uint8_t)(high << 4 | low));
  }
  return true;
}

// Reads a text that add_text wrote; NULL: it is malformed.
static const char *read_text(Launch *launch, const cJSON *item) {
  if (cJSON_IsString(item)) return arena_string(&launch->texts, item->valuestring);
  const char *digits = cJSON_IsObject(item) ? json_string(item, "hex") : NULL;
  ByteVector bytes;
  ByteVector_init(&bytes, NULL);
  bool good = read_bytes(digits, &bytes) && (bytes.count == 0 || !memchr(bytes.data, '\0', bytes.count));
  const char *text = NULL;
  if (good) {
    ByteVector_push(&bytes, '\0');
    text = arena_string(&launch->texts, (const char *)bytes.data);
  }
  ByteVector_free(&bytes);
  return text;
}

static bool read_list(Launch *launch, const cJSON *list, StringVector *into) {
  const cJSON *item;
  if (!cJSON_IsArray(list)) return false;
  cJSON_ArrayForEach(item, list) {
    const char *text = read_text(launch, item);
    if (!text) return false;
    StringVector_push(into, text);
  }
  return true;
}

bool launch_read_json(Launch *launch, const cJSON *object, Text *error) {
  assert(launch->arguments.count == 0 && launch->environment.count == 0 && launch->input.count == 0);
  FrontLaunch *front = &launch->front;
  const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(object, "args");
  const cJSON *environment = cJSON_GetObjectItemCaseSensitive(object, "env");
  if (cJSON_HasObjectItem(object, "name")) {
    front->name = read_text(launch, cJSON_GetObjectItemCaseSensitive(object, "name"));
    if (!front->name) return fail(error, "name");
  }
  if (arguments) {
    if (!read_list(launch, arguments, &launch->arguments)) return fail(error, "args");
    front->arguments = &launch->arguments;
  }
  if (environment) {
    if (!read_list(launch, environment, &launch->environment)) return fail(error, "env");
    front->environment = &launch->environment;
  }
  if (cJSON_HasObjectItem(object, "stdin")) {
    if (!read_bytes(json_string(object, "stdin"), &launch->input)) return fail(error, "stdin");
    front->input = &launch->input;
  }
  return true;
}
