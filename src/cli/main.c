#include "cli/bench.h"
#include "cli/commands.h"
#include "cli/output.h"

#include <signal.h>

typedef struct CommandEntry {
  const char *name;
  Command command;
  int (*run)(const Options *options, Log *log);
} CommandEntry;

static const CommandEntry entries[] = {{"check", COMMAND_CHECK, check_command},
                                       {"replay", COMMAND_REPLAY, replay_command},
                                       {"show", COMMAND_SHOW, show_command},
                                       {"validate", COMMAND_VALIDATE, validate_command}};

static int print_text(Log *log, void (*print)(Text *out)) {
  Text text;
  text_init(&text, NULL);
  print(&text);
  bool good = output_print(log, &text);
  text_free(&text);
  return good ? STATUS_SAFE : STATUS_ERROR;
}

static int print_help(Log *log, Command command) {
  Text text;
  text_init(&text, NULL);
  help_print(command, &text);
  bool good = output_print(log, &text);
  text_free(&text);
  return good ? STATUS_SAFE : STATUS_ERROR;
}

static void print_version(Text *out) { text_add(out, "heddle " HEDDLE_VERSION "\n"); }

static int run_entry(const CommandEntry *entry, int argc, char **argv, Log *log) {
  Options options;
  Text error;
  text_init(&error, NULL);
  int status = STATUS_ERROR;
  if (!options_parse(&options, entry->command, argc, argv, &error)) {
    log_error(log, "%s", error.data);
  } else if (options.help) {
    status = print_help(log, entry->command);
  } else {
    log->level = options.quiet ? LOG_QUIET : options.verbose ? LOG_VERBOSE : LOG_NORMAL;
    status = entry->run(&options, log);
  }
  options_free(&options);
  text_free(&error);
  return status;
}

int main(int argc, char **argv) {
  signal(SIGPIPE, SIG_IGN); // a reader that goes away is seen as a failed write
  Log log;
  log_init(&log, LOG_NORMAL);
  if (argc < 2) {
    log_error(&log, "no command; heddle --help lists all");
    return STATUS_ERROR;
  }
  const char *name = argv[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    for (size_t i = 0; argc > 2 && i < sizeof entries / sizeof *entries; i++)
      if (strcmp(argv[2], entries[i].name) == 0) return print_help(&log, entries[i].command);
    return print_text(&log, help_print_all);
  }
  if (strcmp(name, "--version") == 0) return print_text(&log, print_version);
  if (strcmp(name, "--man") == 0) return print_text(&log, help_print_man); // docs/heddle.1 is made with it
  if (strcmp(name, "bench") == 0) return bench_command(argc - 1, argv + 1, &log);
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (strcmp(name, entries[i].name) == 0) return run_entry(&entries[i], argc - 2, argv + 2, &log);
  log_error(&log, "unknown command '%s'; heddle --help lists all", name);
  return STATUS_ERROR;
}
