// A project: the files of one program with the options that each is compiled with, by a compilation database.
//
// The program is what the files that are named make up together; if none is named, all C files of the database. Files
// are never added to those that are named. If the database has several entries for a file, the first one counts, and a
// note says so if the others have other options. Preprocessed files and bitcode need no entry.
#ifndef HEDDLE_CLI_PROJECT_H
#define HEDDLE_CLI_PROJECT_H

#include "cli/compile_commands.h"

typedef struct ProjectFile {
  const char *name; // as it is named on the command line
  CompileOptions options;
} ProjectFile;
VECTOR(ProjectFileVector, ProjectFile);

typedef struct Project {
  Arena arena; // all texts
  const char *database;
  CompileEntryVector entries;
  ProjectFileVector files;
  unsigned pointer_width; // what the files say of it, or 0
  Text notes;             // lines for people
} Project;

// Reads DIRECTORY/compile_commands.json. NULL with one line in `error` if there is none, or it is malformed.
Project *project_open(const char *directory, Text *error);
void project_close(Project *project); // may be NULL

// Chooses the program's files: the `count` named ones, or all C files if that is 0. False with one line in `error` if one
// has no entry, or files are for different data models.
bool project_choose(Project *project, const char *const *names, size_t count, Text *error);

// What clang is to be told for this file, which was chosen; NULL if nothing is known of it.
const StringVector *project_options(const Project *project, const char *name);

#endif
