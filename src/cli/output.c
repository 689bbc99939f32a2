#include "cli/output.h"

#include "cli/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

void output_error(Log *log, const Text *error) {
  log_progress_end(log);
  static const char name[] = "heddle: ";
  bool named = strstr(error->data, name) != NULL;
  fprintf(stderr, "%s%s", named ? "" : name, error->data);
  if (!error->length || error->data[error->length - 1] != '\n') fputc('\n', stderr);
}

bool output_print(Log *log, const Text *text) {
  fwrite(text->data, 1, text->length, stdout);
  if (fflush(stdout) == 0 && !ferror(stdout)) return true;
  if (errno == EPIPE) return true;
  log_error(log, "cannot write to standard output: %s", strerror(errno));
  return false;
}

// Names below /dev and /proc stand for open descriptors and devices: they are written to, never replaced.
static bool is_system_path(const char *path) {
  return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

static bool is_open_as(const char *path, int descriptor) {
  struct stat named, open_file;
  return stat(path, &named) == 0 && fstat(descriptor, &open_file) == 0 && named.st_dev == open_file.st_dev &&
         named.st_ino == open_file.st_ino;
}

static bool append_in_place(const Text *text, const char *path) {
  // Standard output is written through its own descriptor, which knows how far it has got.
  bool standard = is_open_as(path, STDOUT_FILENO);
  FILE *file = standard ? fdopen(dup(STDOUT_FILENO), "w") : fopen(path, "ae");
  if (!file) return false;
  bool good = fwrite(text->data, 1, text->length, file) == text->length;
  good = fflush(file) == 0 && good;
  int error = errno;
  fclose(file);
  errno = error;
  return good;
}

// A rename would replace a symbolic link, so its target is what is written.
static bool replace_target(const Text *text, const char *path) {
  char *target = realpath(path, NULL);
  bool system = is_system_path(path) || (target && is_system_path(target)) || is_open_as(path, STDOUT_FILENO);
  bool good = system ? append_in_place(text, path) : text_write_file(text, target ? target : path) == 0;
  int error = errno;
  free(target);
  errno = error;
  return good;
}

bool output_file(Log *log, const Text *text, const char *path) {
  if (replace_target(text, path)) return true;
  log_error(log, "cannot write %s: %s", path, strerror(errno));
  return false;
}

bool output_possible(Log *log, const char *path) {
  if (!path) return true;
  char *directory = strdup(path);
  if (!directory) memory_exhausted(NULL, strlen(path));
  char *slash = strrchr(directory, '/');
  if (slash == directory) slash++; // the root
  if (slash) *slash = '\0';
  // A file that exists and is not regular (a terminal, a pipe) is written in place.
  bool possible = access(slash ? directory : ".", W_OK | X_OK) == 0 || access(path, W_OK) == 0;
  if (!possible) log_error(log, "cannot write %s: %s", path, strerror(errno));
  free(directory);
  return possible;
}

// 0: not known.
static unsigned terminal_width(void) {
  const char *columns = getenv("COLUMNS");
  char *end;
  unsigned long number = columns ? strtoul(columns, &end, 10) : 0;
  if (columns && *columns >= '1' && *columns <= '9' && !*end && number < 10000) return (unsigned)number;
  struct winsize size;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

TraceStyle output_trace_style(const Options *options) {
  TraceStyle style = {.full = options->full, .width = (unsigned)options->width};
  if (!isatty(STDOUT_FILENO)) return style;
  const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
  style.colour = !(none && *none) && terminal && strcmp(terminal, "dumb") != 0;
  if (!style.width) style.width = terminal_width();
  return style;
}

bool output_supervise(const ChildLimits *limits, ChildWork work, void *context, Interrupt *interrupt, Log *log,
                      Finding *finding, Text *reason, ReasonKind *why) {
  ChildReport report;
  child_run(interrupt, limits, work, context, &report);
  if (log->terminal && log->level > LOG_QUIET) {
    log->line_open = true; // a child that was killed may have left its progress line
    log_progress_end(log);
  }
  bool done = report.end == CHILD_DONE;
  *why = child_end_reason(report.end);
  if (report.end == CHILD_CRASHED)
    text_format(reason, "internal error: the front end %s", report.reason.data);
  else
    text_add(reason, report.reason.data);
  if (done && !finding_read(finding, &report.output)) {
    text_add(reason, "internal error: a child's answer was cut off");
    done = false;
  }
  child_report_free(&report);
  return done;
}

int output_of_work(const Options *options, ChildWork work,
                   int (*print)(const Options *options, const Finding *finding, Log *log), Log *log) {
  Interrupt interrupt;
  if (!interrupt_init(&interrupt)) {
    log_error(log, "cannot watch for signals: %s", strerror(errno));
    return STATUS_ERROR;
  }
  Finding finding;
  finding_init(&finding);
  Text reason;
  text_init(&reason, NULL);
  ReasonKind why;
  ChildLimits limits = {.leads_group = true};
  int status = STATUS_ERROR;
  if (!output_supervise(&limits, work, (void *)options, &interrupt, log, &finding, &reason, &why)) {
    log_error(log, "%s", reason.data);
    status = STATUS_UNKNOWN;
  } else if (finding.error.length) {
    output_error(log, &finding.error);
  } else {
    status = print(options, &finding, log);
  }
  text_free(&reason);
  finding_free(&finding);
  interrupt_free(&interrupt);
  return status;
}
