#include "cli/options/option_files.h"

#include "base/file.h"
#include "base/printable.h"
#include "command/file_roles.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The options that name an output.
static const struct {
  const char *option;
  size_t field; // in Options
} output_options[] = {{"--json", offsetof(Options, json)},     {"--save-schedule", offsetof(Options, save_schedule)},
                      {"--report", offsetof(Options, report)}, {"--witness", offsetof(Options, witness)},
                      {"--sarif", offsetof(Options, sarif)},   {"--output", offsetof(Options, output)}};

enum { OUTPUT_OPTION_COUNT = sizeof output_options / sizeof *output_options };

static const char *output_path(const Options *options, size_t i) {
  assert(i < OUTPUT_OPTION_COUNT);
  return *(const char *const *)((const char *)options + output_options[i].field);
}

// Any file of the database may become a part of the program.
static void add_project(FileRoles *roles, const Project *project) {
  file_roles_input(roles, project->database);
  for (size_t i = 0; i < project->entries.count; i++) file_roles_input(roles, project->entries.data[i].file);
}

static void add_standard_input(FileRoles *roles, const StandardInputFile *file) {
  file_roles_input_known(roles, FRONT_STANDARD_INPUT, (FileIdentity){.device = file->device, .inode = file->inode});
}

// --dump-smt: the folder exists and takes files, or can be created.
static bool open_dump_folder(const char *folder, Log *log) {
  if (!folder) return true;
  struct stat status;
  bool good = mkdir(folder, 0777) == 0 || errno == EEXIST;
  if (good && stat(folder, &status) == 0 && !S_ISDIR(status.st_mode))
    errno = ENOTDIR;
  else if (good && access(folder, W_OK | X_OK) == 0)
    return true;
  log_error(log, "--dump-smt: cannot write files in %s: %s", folder, strerror(errno));
  return false;
}

static void add_roles(const Options *options, FileRoles *roles) {
  for (size_t i = options->command == COMMAND_SHOW ? 1 : 0; i < options->operands.count; i++)
    file_roles_input(roles, options->operands.data[i]);
  file_roles_input(roles, options->standard_input);
  for (size_t i = 0; i < options->property.count; i++) file_roles_input(roles, options->property.data[i]);
  file_roles_input(roles, options->ltl);
  file_roles_input(roles, options->baseline);
  if (options->project) add_project(roles, options->project);
  if (options->standard_input_file.known) add_standard_input(roles, &options->standard_input_file);
  if (options->settings) file_roles_input(roles, options->settings->path);
  for (size_t i = 0; i < OUTPUT_OPTION_COUNT; i++)
    file_roles_output(roles, output_options[i].option, output_path(options, i));
}

bool option_files_possible(const Options *options, Log *log) {
  FileRoles roles;
  file_roles_init(&roles);
  add_roles(options, &roles);
  bool possible = file_roles_check(&roles, log);
  file_roles_free(&roles);
  return possible && open_dump_folder(options->dump_smt, log);
}

// Does the file begin like the text? Then an earlier run has written it.
static bool is_alike(const char *path, const Text *text) {
  char begin[30];
  if (text->length < sizeof begin) return false;
  FILE *file = fopen(path, "r");
  if (!file) return errno == ENOENT;
  bool alike = fread(begin, 1, sizeof begin, file) == sizeof begin && memcmp(begin, text->data, sizeof begin) == 0;
  fclose(file);
  return alike;
}

bool option_files_further(const Options *options, const char *option, const char *path, const Text *text, Log *log) {
  FileRoles roles;
  file_roles_init(&roles);
  add_roles(options, &roles);
  file_roles_output(&roles, option, path);
  bool possible = file_roles_check(&roles, log);
  file_roles_free(&roles);
  if (!possible || is_alike(path, text)) return possible;
  log_error(log, "%s: %s is not written: a file of that name is there already", option, path);
  return false;
}

// --- headers ---

// What outputs would replace: regular files that exist.
static void find_replaced(const Options *options, FileRoleVector *replaced) {
  for (size_t i = 0; i < OUTPUT_OPTION_COUNT; i++) {
    const char *path = output_path(options, i);
    struct stat status;
    if (!path || file_is_system_path(path) || stat(path, &status) != 0 || !S_ISREG(status.st_mode)) continue;
    FileRole role = {.option = output_options[i].option, .path = path, .identity = file_identity(&status)};
    FileRoleVector_push(replaced, role);
  }
}

// `name` has no end of its own.
static const FileRole *find_replaced_by_name(const FileRoleVector *replaced, const char *name, size_t length) {
  char *path = strndup(name, length);
  struct stat status;
  bool exists = path && stat(path, &status) == 0;
  free(path);
  if (!exists) return NULL;
  FileIdentity identity = file_identity(&status);
  for (size_t i = 0; i < replaced->count; i++)
    if (file_identity_is_same(&replaced->data[i].identity, &identity)) return &replaced->data[i];
  return NULL;
}

bool option_files_keep_headers(const Options *options, const FrontOptions *front, size_t index, Text *error) {
  assert(index < front->file_count);
  FileRoleVector replaced = {0};
  find_replaced(options, &replaced);
  Text names;
  text_init(&names, NULL);
  if (replaced.count) front_files_read(front, index, &names);
  const FileRole *found = NULL;
  for (const char *name = names.data; *name && !found;) {
    size_t length = strcspn(name, "\n");
    found = find_replaced_by_name(&replaced, name, length);
    if (found)
      text_line(error, "heddle: %s %s would replace %.*s, which %s includes; name another file", found->option,
                found->path, (int)length, name, front->files[index]);
    name += length + (name[length] == '\n');
  }
  bool good = found == NULL;
  text_free(&names);
  FileRoleVector_free(&replaced);
  return good;
}
