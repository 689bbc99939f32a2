// The files that a command reads and writes. It is checked that each output can be written, and that it is neither an
// input nor another output.
//
// Files are compared, not names: by device and inode, so that links and different spellings of a path are recognised. A
// file that does not exist yet is compared by its folder and its name there. Devices, pipes and names below /dev or
// /proc are written in place, so several outputs may name them. The file to which standard output or standard error is
// redirected counts as an output.
//
// FileRoles owns the targets of the outputs; paths and options belong to the caller.
#ifndef HEDDLE_COMMAND_FILE_ROLES_H
#define HEDDLE_COMMAND_FILE_ROLES_H

#include "base/log.h"
#include "base/vector.h"

#include <sys/types.h>

struct stat;

// A file on the disk, or a place for one.
typedef struct FileIdentity {
  dev_t device; // of the file, or of the folder
  ino_t inode;
  const char *name; // in the folder; NULL: the file exists
} FileIdentity;

FileIdentity file_identity(const struct stat *status); // of a file that exists
bool file_identity_is_same(const FileIdentity *a, const FileIdentity *b);

typedef struct FileRole {
  const char *option; // of an output, such as "--json"; NULL: an input
  const char *path;
  FileIdentity identity;
  char *target; // of an output, where links lead; owned
} FileRole;
VECTOR(FileRoleVector, FileRole);

typedef struct FileRoles {
  FileRoleVector inputs, outputs;
} FileRoles;

void file_roles_init(FileRoles *roles);
void file_roles_free(FileRoles *roles);
// The path may be NULL: no such file was given. An input that does not exist is no input.
void file_roles_input(FileRoles *roles, const char *path);
void file_roles_input_known(FileRoles *roles, const char *path, FileIdentity identity);
void file_roles_output(FileRoles *roles, const char *option, const char *path);
// False, after one line on standard error, if an output cannot be written, or is an input or another output.
bool file_roles_check(FileRoles *roles, Log *log);

#endif
