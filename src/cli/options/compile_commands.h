// The compilation database that build systems write (compile_commands.json). It says how each file of a project is
// compiled.
//
// An entry has a "directory", a "file" and either "arguments" or a "command" with the quoting of a shell. Only those
// options are kept that determine the meaning of the program: macros, included files, search paths, the language
// standard, and the few -f options about types and linkage. Options for optimisation, warnings, debug information,
// dependency files and the output are dropped. So is _FORTIFY_SOURCE, whose functions have no models. Paths among the
// options are made absolute, because clang runs in another directory than the compiler did.
//
// Ownership: all texts are in the caller's arena; the vectors of an entry or of options are freed by their owner. Any
// input is accepted: a database of the wrong form is an error with a message. Limits: response files (@FILE) are not
// read; -march and other options for a processor are dropped, and with them the macros that they define.
#ifndef HEDDLE_CLI_OPTIONS_COMPILE_COMMANDS_H
#define HEDDLE_CLI_OPTIONS_COMPILE_COMMANDS_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vector.h"

typedef struct CompileOptions {
  StringVector kept;      // the options for clang
  unsigned pointer_width; // 32 or 64 by -m32 or -m64, else 0
  bool no_asserts;        // NDEBUG is defined
} CompileOptions;

typedef struct CompileEntry {
  const char *file;      // absolute, without symbolic links if it exists
  const char *directory; // absolute
  StringVector command;  // the compiler, then its arguments
} CompileEntry;
VECTOR(CompileEntryVector, CompileEntry);

// Reads the database `path`. False, with one line in `error`, if it cannot be read or is malformed; `entries` is empty
// then.
bool compile_commands_read(CompileEntryVector *entries, const char *path, Arena *arena, Text *error);
// The same for the contents of the database.
bool compile_commands_parse(CompileEntryVector *entries, const char *path, const Text *text, Arena *arena, Text *error);
void compile_commands_free(CompileEntryVector *entries);

// Fills the options that are kept of an entry. False, with one line in `error`, if an option changes the program into
// one that Heddle does not model.
bool compile_options_of(const CompileEntry *entry, CompileOptions *options, Arena *arena, Text *error);

// Is `word` an option that is kept? *wants_next: its value is the next word.
bool compile_option_matters(const char *word, bool *wants_next);

// Splits a command line as a POSIX shell does, without expansions. False if a quotation does not end.
bool compile_command_split(const char *command, StringVector *words, Arena *arena);
// The absolute path of `path`, which is relative to `directory`; if the file exists, without symbolic links. In the
// arena.
const char *compile_path(const char *directory, const char *path, Arena *arena);

#endif
