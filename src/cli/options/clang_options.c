#include "cli/options/clang_options.h"

#include <assert.h>

// Options whose value is the next word if they have none in their own word.
static const char *const with_value[] = {
    "-o",        "-x",           "-MF",      "-MT",      "-MQ",       "-MJ",     "-arch",
    "-Xclang",   "-Xassembler",  "-Xlinker", "-L",       "-l",        "-u",      "-Xpreprocessor",
    "-aux-info", "-T",           "-target",  "-z",       "-mllvm",    "--param", "-wrapper",
    "-iprefix",  "-iwithprefix", "-G",       "--output", "--language"};

// The same, for options that are kept from a compilation database and that may stand after `--`.
static const char *const kept_with_value[] = {"-include",    "-imacros",     "-isystem",     "-iquote",  "-idirafter",
                                              "-I",          "-isysroot",    "-D",           "-U",       "-F",
                                              "-iframework", "-include-pch", "-ivfsoverlay", "--sysroot"};

// Options with which clang does not compile, or writes other files.
static const char *const other_purposes[] = {"-E",
                                             "-S",
                                             "-c",
                                             "-M",
                                             "-MM",
                                             "-MD",
                                             "-MMD",
                                             "-MP",
                                             "-MG",
                                             "-###",
                                             "--help",
                                             "--version",
                                             "-emit-ast",
                                             "-emit-pch",
                                             "--analyze",
                                             "--precompile",
                                             "-emit-obj",
                                             "-dumpversion",
                                             "-dumpmachine",
                                             "-fsyntax-only",
                                             "-rewrite-objc",
                                             "--compile",
                                             "--assemble",
                                             "--preprocess",
                                             "-help",
                                             "-version",
                                             "-fdriver-only",
                                             "-rewrite-legacy-objc"};

// The same, for options that are the beginning of a word.
static const char *const other_purposes_begin[] = {
    "-o", "-MF", "-MT", "-MQ", "-MJ", "-print-", "--print-", "-save-temps", "--save-temps", "-ccc-", "--output",
    "--language", "--config", "-emit-interface-stubs",
    // They write files beside the program.
    "--write-dependencies", "--write-user-dependencies", "-dependency-", "--serialize-diagnostics",
    "-serialize-diagnostic-file", "-ftime-trace", "-fsave-optimization-record", "-foptimization-record-file",
    "-save-stats", "--save-stats", "-stats-file", "-fstack-usage", "-ftest-coverage", "-fproc-stat-report",
    "-header-include-file", "-emit-symbol-graph", "-fmodule-output"};

#define COUNT_OF(list) (sizeof list / sizeof *list)

static bool is_one_of(const char *word, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(word, list[i]) == 0) return true;
  return false;
}

bool clang_option_is_unknown(const char *word, Text *error) {
  bool unknown = starts_with(word, "-fopenmp") || strcmp(word, "-fopenacc") == 0;
  if (unknown) text_format(error, "compiled with %s: threads of that kind are not known", word);
  if (word[0] == '@') {
    text_format(error, "compiled with a response file (%s), which is not read", word);
    unknown = true;
  }
  return unknown;
}

bool clang_option_passes_on(const char *word, const char *next, Text *error) {
  return strcmp(word, "-Xclang") == 0 && next[0] == '-' && clang_option_is_unknown(next, error);
}

bool clang_option_takes_next(const char *word) { return is_one_of(word, with_value, COUNT_OF(with_value)); }

static bool has_other_purpose(const char *word) {
  if (is_one_of(word, other_purposes, COUNT_OF(other_purposes))) return true;
  for (size_t i = 0; i < COUNT_OF(other_purposes_begin); i++)
    if (starts_with(word, other_purposes_begin[i])) return true;
  return false;
}

static bool is_possible(const char *word, Text *error) {
  Text fault;
  text_init(&fault, NULL);
  if (clang_option_is_unknown(word, &fault))
    text_format(error, "what follows -- is %s", fault.data);
  else if (word[0] != '-' || word[1] == '\0')
    text_format(error, "'%s' follows --, where options for clang stand; files stand before it", word);
  else if (has_other_purpose(word))
    text_format(error, "%s is not for heddle, which compiles the files by itself; leave it out", word);
  text_free(&fault);
  return error->length == 0;
}

// What -Xclang hands on: an option with another purpose, or one that writes files, is refused there, too.
static bool is_handed_on(const char *word, Text *error) {
  if (word[0] != '-') return false;
  is_possible(word, error);
  return error->length > 0;
}

bool clang_options_possible(const StringVector *options, Text *error) {
  assert(error->length == 0);
  for (size_t i = 0; i < options->count; i++) {
    const char *word = options->data[i];
    if (!is_possible(word, error)) return false;
    if (strcmp(word, "-Xclang") == 0 && i + 1 < options->count && is_handed_on(options->data[i + 1], error))
      return false;
    if (!clang_option_takes_next(word) && !is_one_of(word, kept_with_value, COUNT_OF(kept_with_value))) continue;
    if (++i < options->count) continue;
    text_format(error, "%s wants a value", word);
    return false;
  }
  return true;
}
