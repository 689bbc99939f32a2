#include "circuit/liveness.h"
#include "circuit/model/aiger.h"
#include "cli/commands.h"
#include "cli/lowering.h"
#include "cli/option_files.h"
#include "cli/output.h"
#include "front/library.h"
#include "program/dot.h"
#include "program/passes/passes.h"
#include "reach/reach.h"
#include "verdict/question.h"

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
  Program *reduced = question_view(program, options->property_value, FAULTS_SPLIT, large ? BLOCK_LARGE : BLOCK_STEP);
  view->print(reduced, out);
  program_free_view(reduced);
}

static bool wants_invariants(const Options *options) { return strcmp(options->operands.data[0], "invariants") == 0; }

// The invariants of a proof by `reach`; without a proof there are none.
static void print_invariants(const Options *options, Program *program, Finding *finding) {
  Budget budget;
  budget_init(&budget, options->time_limit, NULL);
  Log log;
  log_init(&log, LOG_QUIET);
  Context context = {.program = program,
                     .property = options->property_value,
                     .options = &options->engine_options,
                     .budget = &budget,
                     .log = &log};
  Result *result = reach_engine.run(&context);
  if (result->answer == ANSWER_SAFE)
    text_add(&finding->trace, result->proof.length ? result->proof.data : "no condition is needed anywhere\n");
  else if (result->answer == ANSWER_UNSAFE)
    text_add(&finding->error, "there is no proof: a violation was found; see heddle check");
  else
    text_format(&finding->error, "no proof was found: %s",
                result->reason.length ? result->reason.data : "a limit of the model was met; see heddle check");
  result_free(result);
}

// --- circuits ---

static bool wants_circuit(const Options *options) { return strcmp(options->operands.data[0], "circuit") == 0; }

// A file gets the binary form unless its name ends in .aag; standard output gets the ascii form.
static bool wants_binary(const Options *options) {
  static const char ascii[] = ".aag";
  if (!options->output) return false;
  size_t length = strlen(options->output), tail = strlen(ascii);
  return length < tail || strcmp(options->output + length - tail, ascii) != 0;
}

// Findings are text, so bytes travel as pairs of hexadecimal digits.
static void bytes_to_digits(const Text *bytes, Text *digits) {
  for (size_t i = 0; i < bytes->length; i++) {
    text_add_char(digits, "0123456789abcdef"[(unsigned char)bytes->data[i] >> 4]);
    text_add_char(digits, "0123456789abcdef"[bytes->data[i] & 15]);
  }
}

static int digit_value(char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; }

static void digits_to_bytes(const Text *digits, Text *bytes) {
  for (size_t i = 0; i + 1 < digits->length; i += 2)
    text_add_char(bytes, (char)(digit_value(digits->data[i]) << 4 | digit_value(digits->data[i + 1])));
}

static void add_aiger(const Options *options, const Aiger *aiger, Finding *finding) {
  Text bytes;
  text_init(&bytes, NULL);
  aiger_write(aiger, wants_binary(options), &bytes);
  bytes_to_digits(&bytes, &finding->trace);
  text_free(&bytes);
}

// Of a formula: an execution that violates it, as a question of justice.
static void print_formula_circuit(const Options *options, Program *program, Finding *finding) {
  Budget budget;
  budget_init(&budget, options->time_limit, NULL);
  LivenessModel model;
  Scheduling scheduling = circuit_options(&options->engine_options).scheduling;
  const char *flaw = liveness_model_init(&model, program, options->formula, scheduling, &budget, NULL);
  if (flaw) {
    text_format(&finding->error, "there is no circuit: %s", flaw);
  } else {
    const Monitor *monitor = &model.monitor;
    Aiger aiger;
    aiger_init_lasso(&aiger, monitor->circuit, monitor->always, monitor->limit, &monitor->untils, &monitor->fairness,
                     NULL);
    add_aiger(options, &aiger, finding);
    aiger_free(&aiger);
  }
  liveness_model_free(&model);
}

static void print_circuit(const Options *options, Program *program, Finding *finding) {
  if (options->formula) {
    print_formula_circuit(options, program, finding);
    return;
  }
  Budget budget;
  budget_init(&budget, options->time_limit, NULL);
  CircuitModel model;
  const char *flaw = circuit_model_init(&model, program, options->property_value, BLOCK_LARGE,
                                        circuit_options(&options->engine_options).scheduling, &budget, NULL);
  if (flaw) {
    text_format(&finding->error, "there is no circuit: %s", flaw);
  } else {
    Aiger aiger;
    aiger_init_property(&aiger, &model.circuit, NULL);
    add_aiger(options, &aiger, finding);
    aiger_free(&aiger);
  }
  circuit_model_free(&model);
}

// What the engine would refuse, said before any work.
static bool circuit_possible(const Options *options, Log *log) {
  Text error;
  text_init(&error, NULL);
  bool possible = circuit_engine.accepts(&options->engine_options, &error);
  if (possible && !(circuit_engine.properties >> options->property_value & 1)) {
    possible = false;
    text_format(&error, "circuits do not know the property %s", property_name(options->property_value));
  }
  if (!possible) log_error(log, "%s", error.data);
  text_free(&error);
  return possible;
}

// --- the command ---

static bool wants_library(const Options *options) { return strcmp(options->operands.data[0], "library") == 0; }

static void print_program(const Options *options, FrontUnit *unit, Finding *finding) {
  Lowering lowering = lowering_first(options);
  bool lowered = strcmp(options->passes, "lowered") == 0;
  Program *program = lowered ? front_lower(unit, &lowering.limits, lowering.view, &finding->error, NULL)
                             : lowering_program(unit, &lowering, NULL, &finding->error, NULL);
  if (!program) return;
  if (wants_invariants(options))
    print_invariants(options, program, finding);
  else if (wants_circuit(options))
    print_circuit(options, program, finding);
  else
    print_view(options, program, &finding->trace);
  program_free(program);
}

static void show_work(void *context, Text *out) {
  const Options *options = context;
  Finding finding;
  finding_init(&finding);
  size_t files = options->operands.count - 1;
  FrontUnit *unit = lowering_open(options, files ? options->operands.data + 1 : NULL, files, &finding.error, NULL);
  if (unit && wants_library(options))
    front_library(unit, &finding.trace);
  else if (unit)
    print_program(options, unit, &finding);
  front_close(unit);
  finding_write(&finding, out);
  finding_free(&finding);
}

static int print_finding(const Options *options, const Finding *finding, Log *log) {
  Text bytes;
  text_init(&bytes, NULL);
  if (wants_circuit(options))
    digits_to_bytes(&finding->trace, &bytes);
  else
    text_add(&bytes, finding->trace.data);
  bool (*print)(Log *, const Text *) = wants_circuit(options) ? output_bytes : output_print;
  bool good = options->output ? output_file(log, &bytes, options->output) : print(log, &bytes);
  text_free(&bytes);
  return good ? STATUS_SAFE : STATUS_ERROR;
}

int show_command(const Options *options, Log *log) {
  bool known = find_view(options->operands.data[0]) || wants_invariants(options) || wants_circuit(options);
  if (!known && !wants_library(options)) {
    log_error(log, "show knows cfa, cells, access, invariants, circuit and library, not '%s'",
              options->operands.data[0]);
    return STATUS_ERROR;
  }
  if (wants_circuit(options) && !circuit_possible(options, log)) return STATUS_ERROR;
  if (!option_files_possible(options, log)) return STATUS_ERROR;
  return output_of_work(options, show_work, print_finding, log);
}
