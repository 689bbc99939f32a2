// The settings of a project: .heddle.yml.
//
//   properties: no-data-race          # one name
//   files: [main.c, queue.c]          # if the command line names none
//   clang-options: [-Iinclude, -DN=3] # those that compile_commands.h keeps
//   limits: { time-limit: 2m, memory-limit: 4GB, threads-limit: 8, jobs: 2 }
//   models: [stubs.c]                 # C files that belong to every program
//   suppressions:
//     - { property: no-data-race, file: "stats*.c", line: 10-20 } # property and line may be left out
//
// It is looked for in the directory of the first file, or of the project; if some parent has a .git, also in the
// parents up to the first such. Paths in it are meant from where it is. An unknown key is an error that names its line.
#ifndef HEDDLE_CLI_SETTINGS_H
#define HEDDLE_CLI_SETTINGS_H

#include "base/arena.h"
#include "cli/compile_commands.h"
#include "verdict/suppress.h"

typedef struct SettingsLimit {
  const char *option, *value; // of the table of options
  size_t line;
} SettingsLimit;
VECTOR(SettingsLimitVector, SettingsLimit);

typedef struct Settings {
  const char *path;
  SettingsLimitVector limits; // the property, too
  StringVector files, models; // seen from the working directory
  CompileOptions clang;
  SuppressionVector suppressions;
  Arena arena;
} Settings;

// The path of the file of settings for a program whose first file, or project, lies in `directory`; NULL if there is
// none. To be freed by the caller (free).
char *settings_find(const char *directory);
// NULL with one line in `error`, "PATH:LINE: ..." if it is malformed.
Settings *settings_read(const char *path, Text *error);
// The same for the contents of the file `path`.
Settings *settings_parse(const char *path, const Text *yaml, Text *error);
void settings_free(Settings *settings); // may be NULL

#endif
