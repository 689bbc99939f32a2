// Files that users name: reading them within a size, and writing to what cannot be replaced.
//
// Only regular files are read, and /dev/null, which is empty. A pipe may never end or never begin, a device may have no
// end, and what comes from either cannot be read a second time; so both are refused before anything is read. Opening
// never waits.
#ifndef HEDDLE_BASE_FILE_H
#define HEDDLE_BASE_FILE_H

#include "base/text.h"

#include <stdbool.h>
#include <sys/types.h>

// Sizes to read at most.
enum {
  FILE_MOST_RULE = 1 << 20,  // what a person writes: property files, task definitions, settings
  FILE_MOST_DATA = 64 << 20, // what a program may write: formulas, schedules, witnesses, databases, results, sources
};

// Opens a file for reading. -1, with `fault` as a clause without the file's name ("Is a directory"), if it is not a
// regular file, has more than `most` bytes or cannot be opened. `fault` may be NULL here and below.
int file_open(const char *path, size_t most, Text *fault);
// Appends the whole file. False, with `fault` as above and nothing appended, if that fails.
bool file_read(Text *into, const char *path, size_t most, Text *fault);
// The same for a complaint of one line: "PATH: fault" is added to `error`.
bool file_read_named(Text *into, const char *path, size_t most, Text *error);

// What a path leads to by symbolic links, whether or not it exists. The caller frees it. NULL with errno set: links go
// in a circle, or a folder on the way cannot be searched.
char *file_target(const char *path);
// The folder of a path, such that "%s" and the base name make it up again: "." without a slash. The caller frees it.
char *file_folder(const char *path);
const char *file_base(const char *path); // behind the last slash

// Names below /dev and /proc stand for open descriptors and devices: they are written to, never replaced.
bool file_is_system_path(const char *path);
// Writes all, whatever the descriptor is. While a pipe or a terminal takes nothing, SIGINT and SIGTERM act as they do
// by default, also where the process blocks them. False with errno set.
bool file_write(int descriptor, const char *data, size_t count);
// Opens something that exists for appending, and writes. A pipe is waited for as file_write does. False with errno set.
bool file_append_in_place(const char *path, const char *data, size_t count);

#endif
