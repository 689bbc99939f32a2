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

static int print_finding(const Options *options, const Finding *finding, Log *log) {
  bool good = options->output ? output_file(log, &finding->trace, options->output) : output_print(log, &finding->trace);
  return good ? STATUS_SAFE : STATUS_ERROR;
}

int show_command(const Options *options, Log *log) {
  if (!find_view(options->operands.data[0])) {
    log_error(log, "show knows cfa, cells and access, not '%s'", options->operands.data[0]);
    return STATUS_ERROR;
  }
  if (!output_possible(log, options->output)) return STATUS_ERROR;
  return output_of_work(options, show_work, print_finding, log);
}
