// Which files a command reads and which it writes: an output is a file of its own, and can be written.
//
// Files are compared, not names: by device and inode, so that links and other spellings are seen; a file that does not
// exist yet by its folder and its name there. What cannot be replaced (a device, a pipe, a name below /dev or /proc)
// may be named by several outputs. What standard output or standard error is redirected to counts as an output.
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
