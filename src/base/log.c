#include "base/log.h"

#include "base/budget.h"
#include "base/printable.h"

#include <stdarg.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double REDRAW_INTERVAL = 0.1;

void log_init(Log *log, LogLevel level) {
  *log = (Log){.level = level, .terminal = isatty(STDERR_FILENO) == 1, .last_update = -REDRAW_INTERVAL};
}

// A message is one line, whatever is in its parts.
static void format_line(Text *line, const char *prefix, const char *format, va_list arguments) {
  text_init(line, NULL);
  text_add(line, prefix);
  text_vformat(line, format, arguments);
  text_one_line(line);
}

// In one piece: several processes write to the same place.
static void write_line(Log *log, const char *prefix, const char *format, va_list arguments) {
  log_progress_end(log);
  Text line;
  format_line(&line, prefix, format, arguments);
  text_add_char(&line, '\n');
  fwrite(line.data, 1, line.length, stderr);
  fflush(stderr);
  text_free(&line);
}

void log_error(Log *log, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  write_line(log, "heddle: ", format, arguments);
  va_end(arguments);
}

void log_note(Log *log, const char *format, ...) {
  if (log->level < LOG_NORMAL) return;
  va_list arguments;
  va_start(arguments, format);
  write_line(log, "", format, arguments);
  va_end(arguments);
}

void log_detail(Log *log, const char *format, ...) {
  if (log->level < LOG_VERBOSE) return;
  va_list arguments;
  va_start(arguments, format);
  write_line(log, "", format, arguments);
  va_end(arguments);
}

// A line that is longer than the terminal is wide could not be redrawn in place.
static void draw(const char *prefix, const char *format, va_list arguments) {
  struct winsize size = {0};
  bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  Text line;
  format_line(&line, prefix, format, arguments);
  fprintf(stderr, "\r\033[K%.*s", known ? size.ws_col - 1 : LOG_TRAIL, line.data); // first column, clear the line
  fflush(stderr);
  text_free(&line);
}

void log_progress(Log *log, const char *format, ...) {
  bool shown = log->level != LOG_QUIET && (log->terminal || log->level >= LOG_VERBOSE);
  if (!shown && !log->trail) return;
  double now = clock_now();
  if (now - log->last_update < REDRAW_INTERVAL) return;
  log->last_update = now;
  va_list arguments;
  if (log->trail) {
    va_start(arguments, format);
    vsnprintf(log->trail, LOG_TRAIL, format, arguments);
    va_end(arguments);
  }
  if (!shown) return;
  va_start(arguments, format);
  if (log->terminal) {
    draw(log->topic ? log->topic : "", format, arguments);
    log->line_open = true;
  } else {
    write_line(log, log->topic ? log->topic : "", format, arguments);
  }
  va_end(arguments);
}

void log_progress_end(Log *log) {
  if (!log->line_open) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  log->line_open = false;
}
