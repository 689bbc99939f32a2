// The settings of a project: .heddle.yml.
//
//   properties: no-data-race          # a name, or a list
//   files: [main.c, queue.c]          # if the command line names none
//   clang-options: [-Iinclude, -DN=3] # those that compile_commands.h keeps
//   limits: { time-limit: 2m, memory-limit: 4GB, threads-limit: 8, jobs: 2 }
//   models: [stubs.c]                 # C files that belong to every program
//   suppressions:
//     - { property: no-data-race, file: "stats*.c", line: 10-20 } # property and line may be left out
//
// The file is searched in the directory of the first file, or of the project. If a parent directory has a .git, the
// file is also searched in the parents up to the first such directory. Paths are relative to the directory of the file.
// An unknown key is an error that names its line.
//
// Any text is accepted; one that is malformed is an error with a message. Settings own all that they hold; free them
// with settings_free.
#ifndef HEDDLE_CLI_OPTIONS_SETTINGS_H
#define HEDDLE_CLI_OPTIONS_SETTINGS_H

#include "base/arena.h"
#include "cli/options/compile_commands.h"
#include "verdict/suppress.h"

typedef struct SettingsLimit {
  const char *option, *value; // as in the table of options, the option without its dashes
  size_t line;                // in the file, for messages
} SettingsLimit;
VECTOR(SettingsLimitVector, SettingsLimit);

typedef struct Settings {
  const char *path;
  SettingsLimitVector limits; // limits and the property
  StringVector files, models; // paths from the working directory
  CompileOptions clang;
  SuppressionVector suppressions;
  Arena arena;
} Settings;

// The path of the file of settings for a program whose first file, or project, is in `directory`; NULL if there is
// none. The caller frees it with free().
char *settings_find(const char *directory);
// NULL with one line in `error`, "PATH:LINE: ..." if it is malformed.
Settings *settings_read(const char *path, Text *error);
// The same for the contents of the file `path`.
Settings *settings_parse(const char *path, const Text *yaml, Text *error);
void settings_free(Settings *settings); // may be NULL

#endif
