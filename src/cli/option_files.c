#include "cli/option_files.h"

#include "command/file_roles.h"

#include <errno.h>
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

bool option_files_possible(const Options *options, Log *log) {
  FileRoles roles;
  file_roles_init(&roles);
  for (size_t i = options->command == COMMAND_SHOW ? 1 : 0; i < options->operands.count; i++)
    file_roles_input(&roles, options->operands.data[i]);
  file_roles_input(&roles, options->standard_input);
  file_roles_input(&roles, options->property);
  file_roles_input(&roles, options->ltl);
  if (options->project) file_roles_input(&roles, options->project->database);
  if (options->settings) file_roles_input(&roles, options->settings->path);
  for (size_t i = 0; i < sizeof output_options / sizeof *output_options; i++)
    file_roles_output(&roles, output_options[i].option,
                      *(const char *const *)((const char *)options + output_options[i].field));
  bool possible = file_roles_check(&roles, log);
  file_roles_free(&roles);
  return possible && open_dump_folder(options->dump_smt, log);
}
