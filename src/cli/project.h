// A project: the files of one program with the options that each is compiled with, by a compilation database.
//
// The program is what the files that are named make up together, and the other files that define functions which these
// call (front/module/complete.h finds them among the `others`); if none is named, all C files of the database. If the
// database has several entries for a file, the first one counts, and a
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
  U32Vector later;     // per entry: the next one for the same file, or UINT32_MAX
  ByteVector repeated; // per entry: there is one before it for the same file
  ProjectFileVector files;
  ProjectFileVector others; // C files that may be added to those
  unsigned pointer_width;   // what the files say of it, or 0
  Text notes;               // lines for people
} Project;

// Reads DIRECTORY/compile_commands.json. NULL with one line in `error` if there is none, or it is malformed.
Project *project_open(const char *directory, Text *error);
void project_close(Project *project); // may be NULL

// Chooses the program's files: the `count` named ones, or all C files if that is 0. False with one line in `error` if
// one has no entry, or files are for different data models.
bool project_choose(Project *project, const char *const *names, size_t count, Text *error);

// Fills `others`: C files of the database that were not chosen, whose options can be read and fit the data model.
// Theirs are the first entries, too.
void project_find_others(Project *project);

// What clang is to be told for this file, which was chosen; NULL if nothing is known of it.
const StringVector *project_options(const Project *project, const char *name);

#endif
