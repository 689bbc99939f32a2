// Messages for people, on standard error.
//
// `log_*` take the Log explicitly (no globals). Levels: quiet shows errors only. A progress line is redrawn in place
// when standard error is a terminal, and dropped otherwise (unless verbose, when it is printed as plain lines).
//
// A message is one line and is made printable (base/printable.h), so that its parts may be of any bytes.
#ifndef HEDDLE_BASE_LOG_H
#define HEDDLE_BASE_LOG_H

#include <stdbool.h>
#include <stdio.h>

typedef enum LogLevel { LOG_QUIET, LOG_NORMAL, LOG_VERBOSE } LogLevel;

typedef struct Log {
  LogLevel level;
  bool terminal;      // standard error is a terminal
  bool line_open;     // a progress line is on the screen
  double last_update; // when the progress line was last drawn
  const char *topic;  // begins each progress line; NULL: none
  char *trail;        // gets the last progress line, whether it is shown or not; LOG_TRAIL bytes, or NULL
} Log;
enum { LOG_TRAIL = 256 };

void log_init(Log *log, LogLevel level);
void log_error(Log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));    // "heddle: ..."
void log_note(Log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));     // normal and verbose
void log_detail(Log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));   // verbose only
void log_progress(Log *log, const char *format, ...) __attribute__((format(printf, 2, 3))); // at most 10 a second
void log_progress_end(Log *log);                                                            // clears the live line

#endif
