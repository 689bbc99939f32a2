#include "cli/commands.h"
#include "cli/lowering.h"
#include "cli/output.h"
#include "program/dot.h"
#include "program/passes.h"

#include <errno.h>

typedef struct View {
  const char *name;
  void (*print)(const Program *program, Text *out);
} View;

static const View views[] = {
    {"cfa", program_print_dot}, {"cells", program_print_cells}, {"access", program_print_access}};

static const View *find_view(const char *name) {
  for (size_t i = 0; i < sizeof views / sizeof *views; i++)
    if (strcmp(views[i].name, name) == 0) return &views[i];
  return NULL;
}

static void print_view(const Options *options, Program *program, Text *out) {
  const View *view = find_view(options->operands.data[0]);
  bool large = strcmp(options->passes, "large") == 0;
  if (!large && strcmp(options->passes, "reduced") != 0) {
    view->print(program, out);
    return;
  }
  Program *reduced = program_view(program);
  passes_reduce(reduced, property_preserves(options->property_value), large);
  view->print(reduced, out);
  program_free_view(reduced);
}

static void show_work(void *context, Text *out) {
  const Options *options = context;
  Finding finding;
  finding_init(&finding);
  FrontUnit *unit =
      lowering_open(options, options->operands.data + 1, options->operands.count - 1, &finding.error, NULL);
  if (unit) {
    Lowering lowering = lowering_first(options);
    bool lowered = strcmp(options->passes, "lowered") == 0;
    Program *program = lowered ? front_lower(unit, &lowering.limits, lowering.view, &finding.error, NULL)
                               : lowering_program(unit, &lowering, &finding.error, NULL);
    if (program) {
      print_view(options, program, &finding.trace);
      program_free(program);
    }
    front_close(unit);
  }
  finding_write(&finding, out);
  finding_free(&finding);
}

int show_command(const Options *options, Log *log) {
  if (!find_view(options->operands.data[0])) {
    log_error(log, "show knows cfa, cells and access, not '%s'", options->operands.data[0]);
    return STATUS_ERROR;
  }
  if (!output_possible(log, options->output)) return STATUS_ERROR;
  Interrupt interrupt;
  if (!interrupt_init(&interrupt)) {
    log_error(log, "cannot watch for signals: %s", strerror(errno));
    return STATUS_ERROR;
  }
  Finding finding;
  finding_init(&finding);
  Text reason;
  text_init(&reason, NULL);
  ChildLimits limits = {.leads_group = true};
  int status = STATUS_ERROR;
  if (!output_supervise(&limits, show_work, (void *)options, &interrupt, log, &finding, &reason)) {
    log_error(log, "%s", reason.data);
    status = STATUS_UNKNOWN;
  } else if (finding.error.length) {
    output_error(log, &finding.error);
  } else {
    bool good = options->output ? output_file(log, &finding.trace, options->output) : output_print(log, &finding.trace);
    status = good ? STATUS_SAFE : STATUS_ERROR;
  }
  text_free(&reason);
  finding_free(&finding);
  interrupt_free(&interrupt);
  return status;
}
