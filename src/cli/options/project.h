// A project: the files of one program, with the options with which a compilation database compiles them.
//
// The program consists of the files that the command line names and of the files that define functions that these call
// (front/module/complete.h chooses them among the `others`). If the command line names no file, the program consists of
// all C files of the database. If the database has several entries for a file, the first one is used; if another one
// has other options, a note says so. Preprocessed files and bitcode need no entry.
//
// Invariants: all C files in `files` and `others` have an entry; those that give a data model give the same one. A
// project owns everything that it holds; it is freed with project_close.
#ifndef HEDDLE_CLI_OPTIONS_PROJECT_H
#define HEDDLE_CLI_OPTIONS_PROJECT_H

#include "cli/options/compile_commands.h"

typedef struct ProjectFile {
  const char *name; // as it is named on the command line
  CompileOptions options;
} ProjectFile;
VECTOR(ProjectFileVector, ProjectFile);

typedef struct Project {
  Arena arena; // holds all texts
  const char *database;
  CompileEntryVector entries;
  U32Vector later;          // per entry: the next entry for the same file, or UINT32_MAX
  ByteVector repeated;      // per entry: an earlier entry is for the same file
  ProjectFileVector files;  // the program
  ProjectFileVector others; // C files that may be added to it
  unsigned pointer_width;   // by the options of the files, or 0
  Text notes;               // lines for the user
} Project;

// Reads DIRECTORY/compile_commands.json. NULL with one line in `error` if there is none, or it is malformed.
Project *project_open(const char *directory, Text *error);
void project_close(Project *project); // may be NULL

// Chooses the program's files: the `count` named ones, or all C files if that is 0. False with one line in `error` if
// one has no entry, or files are for different data models.
bool project_choose(Project *project, const char *const *names, size_t count, Text *error);

// Fills `others`: the C files of the database that were not chosen, whose options are accepted and fit the data model.
// If a file has several entries, the first one is used.
void project_find_others(Project *project);

// The options for clang for a file that was chosen; NULL: it has no entry.
const StringVector *project_options(const Project *project, const char *name);

#endif
