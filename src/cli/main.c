#include "bench/bench.h"
#include "cli/commands.h"
#include "cli/run/supervised.h"
#include "command/spelling.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

typedef struct CommandEntry {
  const char *name;
  Command command;
  int (*run)(const Options *options, Log *log);
} CommandEntry;

static const CommandEntry entries[] = {{"check", COMMAND_CHECK, check_command},
                                       {"replay", COMMAND_REPLAY, replay_command},
                                       {"show", COMMAND_SHOW, show_command},
                                       {"survey", COMMAND_SURVEY, survey_command},
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

static void print_notes(const Options *options, Log *log) {
  const char *line = options->project ? options->project->notes.data : "";
  for (size_t length; *line; line += length + 1) {
    length = strcspn(line, "\n");
    log_note(log, "%.*s", (int)length, line);
  }
}

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
    print_notes(&options, log);
    status = entry->run(&options, log);
  }
  options_free(&options);
  text_free(&error);
  return status;
}

static int print_completion(Log *log, const char *shell) {
  if (strcmp(shell, "bash") == 0) return print_text(log, completion_print_bash);
  log_error(log, "--completion wants the name of a shell it knows: bash");
  return STATUS_ERROR;
}

static int complain_unknown(Log *log, const char *name) {
  Spelling spelling;
  spelling_init(&spelling, name);
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) spelling_try(&spelling, entries[i].name);
  spelling_try(&spelling, "bench");
  spelling_try(&spelling, "help");
  if (spelling.nearest)
    log_error(log, "unknown command '%s'; did you mean %s?", name, spelling.nearest);
  else
    log_error(log, "unknown command '%s'; heddle --help lists all", name);
  return STATUS_ERROR;
}

static int print_help_of(Log *log, const char *name) {
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (strcmp(name, entries[i].name) == 0) return print_help(log, entries[i].command);
  char *arguments[] = {"bench", "--help"};
  return strcmp(name, "bench") == 0 ? bench_command(2, arguments, log) : complain_unknown(log, name);
}

// If a standard descriptor is closed, the next file that is opened would get its number. Here it becomes /dev/null,
// opened for reading, so that writing to it stays an error.
static void reserve_standard_descriptors(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != descriptor) return;
}

// `heddle FILE.c` is `heddle check FILE.c`, with options before or after it.
static bool is_file_or_option(const char *word) {
  return word[0] == '-' || strpbrk(word, "./") || access(word, F_OK) == 0;
}

int main(int argc, char **argv) {
  reserve_standard_descriptors();
  signal(SIGPIPE, SIG_IGN); // if the reader of a pipe has ended, the write fails
  signal(SIGXFSZ, SIG_IGN); // if a file would exceed the limit on sizes, the write fails
  Log log;
  log_init(&log, LOG_NORMAL);
  if (argc < 2) {
    log_error(&log, "no command; heddle --help lists all");
    return STATUS_ERROR;
  }
  const char *name = argv[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
    return argc > 2 ? print_help_of(&log, argv[2]) : print_text(&log, help_print_all);
  }
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) return print_text(&log, print_version);
  if (strcmp(name, "--man") == 0) return print_text(&log, help_print_man); // docs/heddle.1 is its output
  if (strcmp(name, "--completion") == 0) return print_completion(&log, argc > 2 ? argv[2] : "");
  if (strcmp(name, "bench") == 0) return bench_command(argc - 1, argv + 1, &log);
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    if (strcmp(name, entries[i].name) == 0) return run_entry(&entries[i], argc - 2, argv + 2, &log);
  if (is_file_or_option(name)) return run_entry(&entries[0], argc - 1, argv + 1, &log);
  return complain_unknown(&log, name);
}
