#include "cli/run/suppressions.h"

#include "base/file.h"

#include "command/spelling.h"

#include <assert.h>
#include <ctype.h>

// --- comments ---

typedef struct Scanner {
  const char *path, *at, *end;
  uint32_t line;
  bool code; // there is code before `at` in this line
  SuppressionVector *into;
  Arena *arena;
  Text *warnings;
} Scanner;

static const char *skip_blanks(const char *at, const char *end) {
  while (at < end && isspace((unsigned char)*at)) at++;
  return at;
}

// The text after `word`, if the text begins with it; else NULL.
static const char *after_word(const char *at, const char *end, const char *word) {
  size_t length = strlen(word);
  return (size_t)(end - at) >= length && strncmp(at, word, length) == 0 ? at + length : NULL;
}

static bool find_property(const char *name, size_t length, unsigned *bit) {
  for (unsigned i = 0; i < PROPERTY_COUNT; i++) {
    const char *known = property_name((Property)i);
    if (strlen(known) != length || strncmp(known, name, length) != 0) continue;
    *bit = 1u << i;
    return true;
  }
  return false;
}

static void warn_unknown(Scanner *s, uint32_t line, const char *name, size_t length) {
  Text word;
  text_init(&word, NULL);
  text_add_bytes(&word, name, length);
  Spelling spelling;
  spelling_init(&spelling, word.data);
  for (unsigned i = 0; i < PROPERTY_COUNT; i++) spelling_try(&spelling, property_name((Property)i));
  text_format(s->warnings, "%s:%u: warning: a comment ignores the unknown property '", s->path, (unsigned)line);
  text_add_flat(s->warnings, word.data);
  text_add(s->warnings, "': it has no effect");
  spelling_suggest(&spelling, "", s->warnings);
  text_add_char(s->warnings, '\n');
  text_free(&word);
}

// The properties (bits) of `name, name -- why`; all properties if there is no name.
static unsigned read_names(Scanner *s, uint32_t line, const char *at, const char *end) {
  unsigned properties = 0;
  bool named = false;
  for (at = skip_blanks(at, end); at < end && !after_word(at, end, "--"); at = skip_blanks(at, end)) {
    const char *name = at;
    while (at < end && !isspace((unsigned char)*at) && *at != ',') at++;
    unsigned bit = 0;
    if (at > name && !find_property(name, (size_t)(at - name), &bit)) warn_unknown(s, line, name, (size_t)(at - name));
    properties |= bit;
    named = named || at > name;
    at = skip_blanks(at, end);
    if (at < end && *at == ',') at++;
  }
  return named ? properties : (1u << PROPERTY_COUNT) - 1;
}

// Reads a comment, without its marks, that begins on line `line`. The scanner is at its end.
static void read_comment(Scanner *s, uint32_t line, const char *text, const char *end) {
  const char *at = after_word(skip_blanks(text, end), end, "heddle:");
  at = at ? after_word(skip_blanks(at, end), end, "ignore") : NULL;
  if (!at || (at < end && !isspace((unsigned char)*at))) return;
  assert(text <= end && end <= s->at && line <= s->line);
  unsigned properties = read_names(s, line, at, end);
  if (!properties) return;
  const char *rest = s->at;
  while (rest < s->end && (*rest == ' ' || *rest == '\t' || *rest == '\r')) rest++;
  bool alone = !s->code && (rest == s->end || *rest == '\n');
  uint32_t first = alone ? s->line + 1 : line;
  SuppressionVector_push(s->into,
                         (Suppression){.properties = properties,
                                       .file = s->path,
                                       .first = first,
                                       .last = alone ? first : s->line,
                                       .by = arena_format(s->arena, "a comment at %s:%u", s->path, (unsigned)line)});
}

static void skip_quoted(Scanner *s) {
  assert(s->at < s->end);
  char quote = *s->at++;
  while (s->at < s->end && *s->at != quote && *s->at != '\n') s->at += *s->at == '\\' && s->at + 1 < s->end ? 2 : 1;
  if (s->at < s->end && *s->at == quote) s->at++;
  if (s->at > s->end) s->at = s->end;
}

static void scan_comment(Scanner *s, bool block) {
  assert(s->at + 2 <= s->end);
  const char *text = s->at += 2;
  uint32_t line = s->line;
  while (s->at < s->end && (block ? !after_word(s->at, s->end, "*/") : *s->at != '\n')) s->line += *s->at++ == '\n';
  const char *end = s->at;
  if (block && s->at < s->end) s->at += 2;
  read_comment(s, line, text, end);
}

static void scan(Scanner *s) {
  while (s->at < s->end) {
    bool block = after_word(s->at, s->end, "/*") != NULL;
    if (block || after_word(s->at, s->end, "//")) {
      scan_comment(s, block);
    } else if (*s->at == '\n') {
      s->line++;
      s->at++;
      s->code = false;
    } else {
      s->code = s->code || !isspace((unsigned char)*s->at);
      if (*s->at == '"' || *s->at == '\'')
        skip_quoted(s);
      else
        s->at++;
    }
  }
}

void suppressions_read(SuppressionVector *into, const char *path, const char *source, size_t length, Arena *arena,
                       Text *warnings) {
  Scanner s = {.path = path,
               .at = source,
               .end = source + length,
               .line = 1,
               .into = into,
               .arena = arena,
               .warnings = warnings};
  scan(&s);
}

// --- the program ---

static bool is_known(const StringVector *files, const char *file) {
  for (size_t i = 0; i < files->count; i++)
    if (files->data[i] == file) return true;
  return false;
}

// Reads the comments of the files of all steps. Names of files are interned, so they are compared as pointers.
static void read_files(SuppressionVector *into, const Program *program, Arena *arena, Text *warnings) {
  StringVector files = {0};
  const char *last = NULL;
  for (size_t i = 0; i < program->steps.count; i++) {
    const char *file = program->steps.data[i].position.file;
    if (!file || file == last || is_known(&files, file)) continue;
    StringVector_push(&files, last = file);
    Text source;
    text_init(&source, NULL);
    if (file_read(&source, file, FILE_MOST_DATA, NULL))
      suppressions_read(into, file, source.data, source.length, arena, warnings);
    text_free(&source);
  }
  StringVector_free(&files);
}

void suppressions_apply(Program *program, Property property, const SuppressionVector *given, Text *warnings) {
  SuppressionVector all = {0};
  Arena arena;
  arena_init(&arena, NULL);
  for (size_t i = 0; i < given->count; i++) SuppressionVector_push(&all, given->data[i]);
  read_files(&all, program, &arena, warnings);
  suppress_places(program, property, &all);
  SuppressionVector_free(&all);
  arena_free(&arena);
}
