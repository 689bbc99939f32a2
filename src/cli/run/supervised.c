#include "cli/run/supervised.h"

#include "base/file.h"
#include "base/printable.h"
#include "cli/commands.h"
#include "cli/run/round.h"
#include "command/limits.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

// 0: not known.
static unsigned terminal_width(void) {
  const char *columns = getenv("COLUMNS");
  char *end;
  unsigned long number = columns ? strtoul(columns, &end, 10) : 0;
  if (columns && *columns >= '1' && *columns <= '9' && !*end && number < 10000) return (unsigned)number;
  struct winsize size;
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static TraceStyle trace_style(const Options *options) {
  TraceStyle style = {.full = options->full, .width = (unsigned)options->width};
  if (!isatty(STDOUT_FILENO)) return style;
  style.colour = output_is_coloured();
  if (!style.width) style.width = terminal_width();
  return style;
}

bool output_is_gcc(const Options *options) { return strcmp(options->format, "gcc") == 0; }

void output_trace(const Options *options, const Program *program, const Trace *trace, const Result *result, Text *out) {
  assert(options->operands.count > 0);
  TraceStyle style = trace_style(options);
  if (output_is_gcc(options))
    trace_print_gcc(program, trace, result, &style, options->operands.data[0], out);
  else
    trace_print_text(program, trace, result, &style, out);
}

bool output_supervise(const Supervision *supervision, ChildWork work, void *context, Message *message, Text *reason,
                      ReasonKind *why) {
  Log *log = supervision->log;
  ChildReport report;
  child_run(supervision->interrupt, supervision->limits, work, context, &report);
  if (log->terminal && log->level > LOG_QUIET) {
    log->line_open = true; // a child that was killed may have left its progress line
    log_progress_end(log);
  }
  bool done = report.end == CHILD_DONE;
  *why = child_end_reason(report.end);
  if (report.end == CHILD_CRASHED)
    text_format(reason, "internal error: %s %s", supervision->work ? supervision->work : "the front end",
                report.reason.data);
  else
    text_add(reason, report.reason.data);
  Text fault;
  text_init(&fault, NULL);
  if (done && !message_read(message, supervision->kind, report.output.data, &fault)) {
    text_format(reason, "internal error: a child's answer was cut off: %s", fault.data);
    done = false;
  } else if (!done) {
    message_init(message, supervision->kind);
  }
  text_free(&fault);
  child_report_free(&report);
  return done;
}

void output_tell_limit(const Options *options, Log *log) {
  if (!log->terminal || options->time_limit <= 0 || options_given(options, "time-limit")) return;
  log_note(log, "time limit: %.0f minutes (--time-limit TIME; none lifts it)", options->time_limit / 60);
}

// Work that did not come back: the commands that answer have an answer all the same.
static void print_failure(const Options *options, const char *reason, Log *log) {
  const char *what = options->command == COMMAND_REPLAY ? "result" : "witness";
  Text out;
  text_init(&out, NULL);
  text_format(&out, "%s: UNKNOWN (%s)\n", what, reason);
  if (options->command == COMMAND_SHOW || !output_print(log, &out)) log_error(log, "%s", reason);
  text_free(&out);
}

static const double WORK_GRACE = 1; // seconds after the time limit, for work that watches it itself

int output_of_work(const Options *options, MessageKind kind, ChildWork work,
                   int (*print)(const Options *options, const Message *message, Log *log), Log *log) {
  Interrupt interrupt;
  if (!interrupt_init(&interrupt)) {
    log_error(log, "cannot watch for signals: %s", strerror(errno));
    return STATUS_ERROR;
  }
  Message message;
  Text reason;
  text_init(&reason, NULL);
  ReasonKind why;
  bool limited = options->time_limit > 0;
  output_tell_limit(options, log);
  ChildLimits limits = {.deadline = limited ? clock_now() + options->time_limit + WORK_GRACE : 0,
                        .grace = CHECK_GRACE,
                        .memory = limits_default_memory(),
                        .leads_group = true};
  Supervision supervision = {.limits = &limits, .interrupt = &interrupt, .log = log, .kind = kind};
  int status = STATUS_ERROR;
  if (!output_supervise(&supervision, work, (void *)options, &message, &reason, &why)) {
    print_failure(options, reason.data, log);
    status = STATUS_UNKNOWN;
  } else if (message.kind == MESSAGE_ERROR) {
    output_error(log, &message.error);
  } else {
    assert(message.kind == kind);
    status = print(options, &message, log);
  }
  text_free(&reason);
  message_free(&message);
  interrupt_free(&interrupt);
  return status;
}
