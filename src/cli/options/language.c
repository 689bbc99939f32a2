#include "cli/options/language.h"

#include "cli/options/compile_commands.h"

#include <assert.h>
#include <string.h>

bool language_take_option(StringVector *options, int argc, char **argv, int *index, Text *error) {
  assert(*index >= 0 && *index < argc);
  bool wants_next = false;
  const char *word = argv[*index];
  if (strncmp(word, "-x", 2) == 0)
    wants_next = word[2] == '\0';
  else if (!compile_option_matters(word, &wants_next))
    return false;
  if (wants_next && (*index + 1 >= argc || strcmp(argv[*index + 1], "--") == 0)) {
    text_format(error, "%s wants a value", word);
    return false;
  }
  StringVector_push(options, word);
  if (wants_next) StringVector_push(options, argv[++*index]);
  return true;
}

static const char *language_of_suffix(const char *file) {
  static const struct {
    const char *suffix, *language;
  } rows[] = {{".cc", "C++"},  {".cpp", "C++"}, {".cxx", "C++"},  {".c++", "C++"}, {".C", "C++"},
              {".hh", "C++"},  {".hpp", "C++"}, {".hxx", "C++"},  {".ii", "C++"},  {".m", "Objective-C"},
              {".rs", "Rust"}, {".go", "Go"},   {".java", "Java"}};
  const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
  for (size_t i = 0; dot && i < sizeof rows / sizeof *rows; i++)
    if (strcmp(dot, rows[i].suffix) == 0) return rows[i].language;
  return NULL;
}

// The language other than C that an option chooses; NULL: it chooses C or none. `next`: the word after it, or NULL.
static const char *language_of_option(const char *option, const char *next) {
  bool standard = strncmp(option, "-std=", 5) == 0;
  if (standard) return strstr(option, "++") ? "C++" : NULL;
  if (strncmp(option, "-x", 2) != 0) return NULL;
  const char *named = option[2] ? option + 2 : next;
  if (!named || strcmp(named, "c") == 0 || strcmp(named, "cpp-output") == 0 || strcmp(named, "none") == 0) return NULL;
  return strstr(named, "c++") ? "C++" : named;
}

bool language_is_c(const StringVector *files, const StringVector *options, Text *error) {
  for (size_t i = 0; i < files->count; i++) {
    const char *language = language_of_suffix(files->data[i]);
    if (!language) continue;
    const char *article = language[0] == 'O' ? "an" : "a";
    text_format(error, "%s is %s %s file; heddle checks C", files->data[i], article, language);
    return false;
  }
  for (size_t i = 0; i < options->count; i++) {
    bool last = i + 1 == options->count;
    const char *language = language_of_option(options->data[i], last ? NULL : options->data[i + 1]);
    if (!language) continue;
    text_format(error, "%s asks for %s; heddle checks C", options->data[i], language);
    return false;
  }
  return true;
}
