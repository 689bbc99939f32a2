// The commands behind main.c. Each returns the exit status.
#ifndef HEDDLE_CLI_COMMANDS_H
#define HEDDLE_CLI_COMMANDS_H

#include "base/log.h"
#include "cli/options/options.h"

enum { STATUS_SAFE = 0, STATUS_UNSAFE = 1, STATUS_ERROR = 2, STATUS_UNKNOWN = 3 };

int check_command(const Options *options, Log *log);
int replay_command(const Options *options, Log *log);
int show_command(const Options *options, Log *log);
int survey_command(const Options *options, Log *log);
int validate_command(const Options *options, Log *log);

// The table of commands (help.c), for help, the man page and completion.
typedef struct CommandRow {
  Command command;
  const char *name, *synopsis, *summary, *description;
} CommandRow;
extern const CommandRow command_rows[];
extern const size_t command_row_count;

void help_print(Command command, Text *out); // of one command
void help_print_all(Text *out);              // `heddle --help`
void help_print_man(Text *out);              // the man page
void completion_print_bash(Text *out);       // for a shell to source

#endif
