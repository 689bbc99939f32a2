#include "command/file_roles.h"

#include "base/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

FileIdentity file_identity(const struct stat *status) {
  return (FileIdentity){.device = status->st_dev, .inode = status->st_ino};
}

void file_roles_init(FileRoles *roles) { *roles = (FileRoles){0}; }

void file_roles_free(FileRoles *roles) {
  for (size_t i = 0; i < roles->outputs.count; i++) free(roles->outputs.data[i].target);
  FileRoleVector_free(&roles->inputs);
  FileRoleVector_free(&roles->outputs);
}

void file_roles_input(FileRoles *roles, const char *path) {
  struct stat status;
  if (!path || stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return;
  FileRole role = {.path = path, .identity = file_identity(&status)};
  FileRoleVector_push(&roles->inputs, role);
}

void file_roles_input_known(FileRoles *roles, const char *path, FileIdentity identity) {
  FileRoleVector_push(&roles->inputs, (FileRole){.path = path, .identity = identity});
}

void file_roles_output(FileRoles *roles, const char *option, const char *path) {
  assert(option && "only an input has no option");
  if (path) FileRoleVector_push(&roles->outputs, (FileRole){.option = option, .path = path});
}

bool file_identity_is_same(const FileIdentity *a, const FileIdentity *b) {
  if (a->device != b->device || a->inode != b->inode || !a->name != !b->name) return false;
  return !a->name || strcmp(a->name, b->name) == 0;
}

// --- can it be written? ---

static bool complain(const FileRole *role, int error, Log *log) {
  log_error(log, "%s: cannot write %s: %s", role->option, role->path, strerror(error));
  return false;
}

// A sticky folder lets only owners replace a file.
static bool may_replace(const struct stat *folder, const struct stat *file) {
  uid_t user = geteuid();
  return !(folder->st_mode & S_ISVTX) || user == 0 || user == file->st_uid || user == folder->st_uid;
}

// The kernel alone makes files below /proc.
static bool is_kernels(const char *folder) {
  struct statfs system;
  return statfs(folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

// A file that is written by a rename: its folder has to take it. `file`: what is there, or NULL.
static bool check_folder(FileRole *role, const struct stat *file, Log *log) {
  assert(role->target);
  const char *name = file_base(role->target);
  if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return complain(role, file ? EISDIR : ENOENT, log);
  char *folder = file_folder(role->target);
  struct stat status;
  int error = 0;
  if (stat(folder, &status) != 0 || access(folder, W_OK | X_OK) != 0)
    error = errno;
  else if (!S_ISDIR(status.st_mode))
    error = ENOTDIR;
  else if (!file && is_kernels(folder))
    error = ENOENT;
  else if (file && !may_replace(&status, file))
    error = EPERM;
  free(folder);
  if (error) return complain(role, error, log);
  if (!file) role->identity = (FileIdentity){.device = status.st_dev, .inode = status.st_ino, .name = name};
  return true;
}

// What is written in place. A terminal may be there without being this session's; a pipe is not opened, as that waits.
static bool check_in_place(const FileRole *role, const struct stat *file, Log *log) {
  if (access(role->path, W_OK) != 0) return complain(role, errno, log);
  if (!S_ISCHR(file->st_mode)) return true;
  int descriptor = open(role->path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return complain(role, errno, log);
  close(descriptor);
  return true;
}

// Finds out which file the output is, and whether it can be written. *shared: it is written in place.
static bool examine(FileRole *role, bool *shared, Log *log) {
  assert(role->path && !role->target && "examined once");
  struct stat status;
  *shared = false;
  bool exists = stat(role->path, &status) == 0;
  if (!exists && errno != ENOENT) return complain(role, errno, log);
  if (exists && S_ISDIR(status.st_mode)) return complain(role, EISDIR, log);
  role->target = file_target(role->path);
  if (!role->target) return complain(role, errno, log);
  if (exists) role->identity = file_identity(&status);
  bool system = file_is_system_path(role->path) || file_is_system_path(role->target);
  *shared = exists && (system || !S_ISREG(status.st_mode));
  if (*shared) return check_in_place(role, &status, log);
  return check_folder(role, exists ? &status : NULL, log);
}

// --- is it another one? ---

static const FileRole *find_same(const FileRoleVector *roles, size_t count, const FileIdentity *identity) {
  assert(count <= roles->count);
  for (size_t i = 0; i < count; i++)
    if (file_identity_is_same(&roles->data[i].identity, identity)) return &roles->data[i];
  return NULL;
}

// The stream of this process that is redirected to the file, or NULL.
static const char *find_stream(const FileIdentity *identity) {
  static const char *const names[] = {[STDOUT_FILENO] = "standard output", [STDERR_FILENO] = "standard error"};
  for (int i = STDOUT_FILENO; i <= STDERR_FILENO; i++) {
    struct stat status;
    if (fstat(i, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    FileIdentity stream = file_identity(&status);
    if (file_identity_is_same(&stream, identity)) return names[i];
  }
  return NULL;
}

bool file_roles_check(FileRoles *roles, Log *log) {
  for (size_t i = 0; i < roles->outputs.count; i++) {
    FileRole *role = &roles->outputs.data[i];
    bool shared;
    if (!examine(role, &shared, log)) return false;
    const FileRole *input = find_same(&roles->inputs, roles->inputs.count, &role->identity);
    const FileRole *output = shared ? NULL : find_same(&roles->outputs, i, &role->identity);
    if (input)
      log_error(log, "%s %s would replace the input %s; name another file", role->option, role->path, input->path);
    else if (output)
      log_error(log, "%s %s is the same file as %s %s; name another file", role->option, role->path, output->option,
                output->path);
    const char *stream = shared || input || output ? NULL : find_stream(&role->identity);
    if (stream) log_error(log, "%s %s is %s; name another file", role->option, role->path, stream);
    if (input || output || stream) return false;
  }
  return true;
}
