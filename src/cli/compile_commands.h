// The compilation database that build systems write (compile_commands.json): how each file of a project is compiled.
//
// An entry has a "directory", a "file" and either "arguments" or a "command" with the quoting of a shell. Of the
// options only those are kept that decide what the program means: macros, included files, search paths, the language
// standard, and the few -f options about types and linkage. Optimisation, warnings, debug information, dependency files
// and the output are dropped, and so is _FORTIFY_SOURCE, whose functions have no models. Paths among the options are
// made absolute, since clang runs in another directory than the compiler did.
//
// Limits: response files (@FILE) are not read; -march and other options for a processor are dropped with their macros.
#ifndef HEDDLE_CLI_COMPILE_COMMANDS_H
#define HEDDLE_CLI_COMPILE_COMMANDS_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vector.h"

typedef struct CompileOptions {
  StringVector kept;      // for clang
  unsigned pointer_width; // by -m32 or -m64, or 0
  bool no_asserts;        // NDEBUG is defined
} CompileOptions;

typedef struct CompileEntry {
  const char *file;      // absolute, without symbolic links if it exists
  const char *directory; // absolute
  StringVector command;  // the compiler, then its arguments
} CompileEntry;
VECTOR(CompileEntryVector, CompileEntry);

// Reads the database `path`; texts live in the arena. False, with one line in `error`, if it cannot be read or is
// malformed.
bool compile_commands_read(CompileEntryVector *entries, const char *path, Arena *arena, Text *error);
// The same for the contents of the database.
bool compile_commands_parse(CompileEntryVector *entries, const char *path, const Text *text, Arena *arena, Text *error);
void compile_commands_free(CompileEntryVector *entries);

// What matters of the entry's options. False, with one line in `error`, for options that would make it another language
// than the one that is checked.
bool compile_options_of(const CompileEntry *entry, CompileOptions *options, Arena *arena, Text *error);

// Is `word` an option that is kept, with `wants_next` saying whether its value is the next word?
bool compile_option_matters(const char *word, bool *wants_next);

// Splits a command line as a POSIX shell does, without expansions. False if a quotation does not end.
bool compile_command_split(const char *command, StringVector *words, Arena *arena);
// `path` seen from `directory`, absolute, without symbolic links if it exists; in the arena.
const char *compile_path(const char *directory, const char *path, Arena *arena);

#endif
