#define _GNU_SOURCE // realpath
#include "cli/options/compile_commands.h"

#include "base/file.h"
#include "cli/options/clang_options.h"
#include "verdict/json.h"

#include <assert.h>
#include <stdlib.h>

// --- texts ---

bool compile_command_split(const char *command, StringVector *words, Arena *arena) {
  Text word;
  text_init(&word, NULL);
  bool open = false; // a word was begun; it may be empty ("")
  char quote = '\0';
  for (const char *c = command; *c; c++) {
    bool blank = *c == ' ' || *c == '\t' || *c == '\n';
    // Between double quotes a backslash is an ordinary character unless one of these follows.
    bool escapes = *c == '\\' && c[1] && (quote == '\0' || (quote == '"' && strchr("\"\\$`", c[1])));
    if (!quote && blank) {
      if (open) StringVector_push(words, arena_string(arena, word.data));
      text_clear(&word);
      open = false;
      continue;
    }
    open = true;
    if (escapes)
      text_add_char(&word, *++c);
    else if (quote ? *c == quote : *c == '"' || *c == '\'')
      quote = quote ? '\0' : *c;
    else
      text_add_char(&word, *c);
  }
  if (open) StringVector_push(words, arena_string(arena, word.data));
  text_free(&word);
  return !quote;
}

const char *compile_path(const char *directory, const char *path, Arena *arena) {
  const char *joined = path[0] == '/' ? arena_string(arena, path) : arena_format(arena, "%s/%s", directory, path);
  char *real = realpath(joined, NULL);
  if (!real) return joined;
  assert(real[0] == '/');
  const char *kept = arena_string(arena, real);
  free(real);
  return kept;
}

// --- the options that matter ---

typedef enum KeptKind {
  KEPT_FLAG,   // the whole word
  KEPT_PREFIX, // the beginning of a word
  KEPT_VALUE,  // its value is in the same word, or is the next word
  KEPT_PATH    // the same; the value is a path
} KeptKind;

typedef struct KeptOption {
  const char *name;
  KeptKind kind;
} KeptOption;

// An option that begins with the name of another option comes before it.
static const KeptOption kept_options[] = {
    {"-include", KEPT_PATH},
    {"-imacros", KEPT_PATH},
    {"-isystem", KEPT_PATH},
    {"-iquote", KEPT_PATH},
    {"-idirafter", KEPT_PATH},
    {"-isysroot", KEPT_PATH},
    {"--sysroot=", KEPT_PATH},
    {"-I", KEPT_PATH},
    {"-D", KEPT_VALUE},
    {"-U", KEPT_VALUE},
    {"-std=", KEPT_PREFIX},
    {"-ansi", KEPT_FLAG},
    {"-pthread", KEPT_FLAG},
    {"-trigraphs", KEPT_FLAG},
    {"-nostdinc", KEPT_FLAG},
    {"-undef", KEPT_FLAG},
    {"-fcommon", KEPT_FLAG},
    {"-fno-common", KEPT_FLAG},
    {"-fgnu89-inline", KEPT_FLAG},
    {"-fno-gnu89-inline", KEPT_FLAG},
    {"-ffreestanding", KEPT_FLAG},
    {"-fsigned-char", KEPT_FLAG},
    {"-fno-signed-char", KEPT_FLAG},
    {"-funsigned-char", KEPT_FLAG},
    {"-fno-unsigned-char", KEPT_FLAG},
    {"-fshort-enums", KEPT_FLAG},
    {"-fno-short-enums", KEPT_FLAG},
    {"-fshort-wchar", KEPT_FLAG},
    {"-fpack-struct", KEPT_PREFIX},
    {"-fms-extensions", KEPT_FLAG},
    {"-fdollars-in-identifiers", KEPT_FLAG},
    {"-fno-dollars-in-identifiers", KEPT_FLAG},
    {"-fblocks", KEPT_FLAG},
};

static const KeptOption *find_kept(const char *word) {
  for (size_t i = 0; i < sizeof kept_options / sizeof *kept_options; i++) {
    const KeptOption *option = &kept_options[i];
    if (option->kind == KEPT_FLAG ? strcmp(word, option->name) == 0 : starts_with(word, option->name)) return option;
  }
  return NULL;
}

bool compile_option_matters(const char *word, bool *wants_next) {
  const KeptOption *option = find_kept(word);
  *wants_next = option && option->kind >= KEPT_VALUE && !word[strlen(option->name)];
  return option != NULL;
}

static bool is_macro(const char *definition, const char *name) {
  size_t length = strlen(name);
  return strncmp(definition, name, length) == 0 && (definition[length] == '\0' || definition[length] == '=');
}

static void keep_macro(CompileOptions *options, const char *option, const char *value) {
  if (is_macro(value, "_FORTIFY_SOURCE")) return;
  if (is_macro(value, "NDEBUG")) options->no_asserts = option[1] == 'D';
  StringVector_push(&options->kept, option);
  StringVector_push(&options->kept, value);
}

// Handles an option with a value; `next` is the word after it, or NULL. True if that word was the value.
static bool keep_value(CompileOptions *options, const CompileEntry *entry, const KeptOption *option, const char *word,
                       const char *next, Arena *arena) {
  assert(option->kind >= KEPT_VALUE && starts_with(word, option->name));
  const char *joined = word + strlen(option->name);
  const char *value = *joined ? joined : next;
  if (!value) return false;
  if (option->kind == KEPT_VALUE) {
    keep_macro(options, option->name, value);
  } else if (option->name[1] == '-') { // --sysroot=DIR is one word
    const char *path = compile_path(entry->directory, value, arena);
    StringVector_push(&options->kept, arena_format(arena, "%s%s", option->name, path));
  } else {
    // An included file may also be one that the search path finds.
    bool searched = starts_with(option->name, "-include") || starts_with(option->name, "-imacros");
    const char *path = compile_path(entry->directory, value, arena);
    char *exists = searched ? realpath(path, NULL) : NULL;
    StringVector_push(&options->kept, option->name);
    StringVector_push(&options->kept, searched && !exists ? value : path);
    free(exists);
  }
  return !*joined;
}

bool compile_options_of(const CompileEntry *entry, CompileOptions *options, Arena *arena, Text *error) {
  *options = (CompileOptions){0};
  const StringVector *command = &entry->command;
  assert(entry->directory);
  for (size_t i = 1; i < command->count; i++) {
    const char *word = command->data[i], *next = i + 1 < command->count ? command->data[i + 1] : NULL;
    const KeptOption *option = find_kept(word);
    if (clang_option_is_unknown(word, error) || (next && clang_option_passes_on(word, next, error))) {
      StringVector_free(&options->kept);
      return false;
    }
    if (strcmp(word, "-m32") == 0 || strcmp(word, "-m64") == 0)
      options->pointer_width = word[2] == '3' ? 32 : 64;
    else if (option && (option->kind == KEPT_FLAG || option->kind == KEPT_PREFIX))
      StringVector_push(&options->kept, word);
    else if (option ? keep_value(options, entry, option, word, next, arena) : clang_option_takes_next(word))
      i++;
  }
  return true;
}

// --- the database ---

static bool read_arguments(const cJSON *list, StringVector *words, Arena *arena) {
  const cJSON *item;
  cJSON_ArrayForEach(item, list) {
    if (!cJSON_IsString(item)) return false;
    StringVector_push(words, arena_string(arena, item->valuestring));
  }
  return words->count > 0;
}

static bool read_entry(const cJSON *object, const char *here, CompileEntry *entry, Arena *arena) {
  const char *directory = json_string(object, "directory"), *file = json_string(object, "file");
  const char *command = json_string(object, "command");
  const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(object, "arguments");
  *entry = (CompileEntry){0};
  if (!directory || !file) return false;
  entry->directory = compile_path(here, directory, arena);
  entry->file = compile_path(entry->directory, file, arena);
  bool good = cJSON_IsArray(arguments) ? read_arguments(arguments, &entry->command, arena)
              : command                ? compile_command_split(command, &entry->command, arena)
                                       : false;
  if (!good) StringVector_free(&entry->command);
  return good;
}

static bool read_entries(const cJSON *root, const char *path, CompileEntryVector *entries, Arena *arena, Text *error) {
  if (!cJSON_IsArray(root)) {
    text_format(error, "%s: not a list of compile commands", path);
    return false;
  }
  // A "directory" should be absolute; a relative one is taken as relative to the directory of the database.
  const char *slash = strrchr(path, '/');
  const char *here = slash ? arena_format(arena, "%.*s", (int)(slash - path) + 1, path) : ".";
  here = compile_path(".", here, arena);
  const cJSON *object;
  size_t number = 0;
  cJSON_ArrayForEach(object, root) {
    number++;
    CompileEntry entry;
    if (!read_entry(object, here, &entry, arena)) {
      text_format(error, "%s: entry %zu wants \"directory\", \"file\" and \"command\" or \"arguments\"", path, number);
      return false;
    }
    CompileEntryVector_push(entries, entry);
  }
  return true;
}

bool compile_commands_parse(CompileEntryVector *entries, const char *path, const Text *text, Arena *arena,
                            Text *error) {
  Text fault;
  text_init(&fault, NULL);
  cJSON *root = json_parse(text->data, text->length, &fault);
  if (!root) text_format(error, "%s: %s", path, fault.data);
  bool good = root && read_entries(root, path, entries, arena, error);
  cJSON_Delete(root);
  if (!good) compile_commands_free(entries);
  assert(good || error->length > 0);
  text_free(&fault);
  return good;
}

bool compile_commands_read(CompileEntryVector *entries, const char *path, Arena *arena, Text *error) {
  Text text;
  text_init(&text, NULL);
  bool good =
      file_read_named(&text, path, FILE_MOST_DATA, error) && compile_commands_parse(entries, path, &text, arena, error);
  text_free(&text);
  return good;
}

void compile_commands_free(CompileEntryVector *entries) {
  for (size_t i = 0; i < entries->count; i++) StringVector_free(&entries->data[i].command);
  CompileEntryVector_free(entries);
}
