#include "base/names.h"
#include "circuit/liveness.h"
#include "circuit/model/aiger.h"
#include "cli/commands.h"
#include "cli/options/option_files.h"
#include "cli/run/lowering.h"
#include "cli/run/supervised.h"
#include "front/code/code.h"
#include "front/library.h"
#include "program/dot.h"
#include "program/passes/passes.h"
#include "reach/reach.h"
#include "verdict/question.h"

#include <assert.h>
#include <errno.h>

// What is shown, and after which passes.
typedef enum Subject {
  SUBJECT_CFA,
  SUBJECT_CELLS,
  SUBJECT_ACCESS,
  SUBJECT_INVARIANTS,
  SUBJECT_CIRCUIT,
  SUBJECT_LIBRARY,
  SUBJECT_CODE
} Subject;
static const char *const subjects[] = {[SUBJECT_CFA] = "cfa",         [SUBJECT_CELLS] = "cells",
                                       [SUBJECT_ACCESS] = "access",   [SUBJECT_INVARIANTS] = "invariants",
                                       [SUBJECT_CIRCUIT] = "circuit", [SUBJECT_LIBRARY] = "library",
                                       [SUBJECT_CODE] = "code"};
static const NameTable subject_names = NAME_TABLE(subjects);

typedef enum ShownPasses { SHOWN_LOWERED, SHOWN_PREPARED, SHOWN_REDUCED, SHOWN_LARGE } ShownPasses;
static const char *const shown_passes[] = {
    [SHOWN_LOWERED] = "lowered", [SHOWN_PREPARED] = "prepared", [SHOWN_REDUCED] = "reduced", [SHOWN_LARGE] = "large"};

static Subject subject_of(const Options *options) {
  return (Subject)name_parse(subject_names, options->operands.data[0]);
}

static ShownPasses passes_of(const Options *options) {
  return (ShownPasses)name_parse((NameTable)NAME_TABLE(shown_passes), options->passes);
}

static void print_automata(Subject subject, const Program *program, Text *out) {
  if (subject == SUBJECT_CFA)
    program_print_dot(program, out);
  else if (subject == SUBJECT_CELLS)
    program_print_cells(program, out);
  else
    program_print_access(program, out);
}

static void print_view(const Options *options, Program *program, Text *out) {
  ShownPasses passes = passes_of(options);
  if (passes == SHOWN_LOWERED || passes == SHOWN_PREPARED) {
    print_automata(subject_of(options), program, out);
    return;
  }
  BlockSize size = passes == SHOWN_LARGE ? BLOCK_LARGE : BLOCK_STEP;
  Program *reduced = question_view(program, options->property_value, FAULTS_SPLIT, size);
  print_automata(subject_of(options), reduced, out);
  program_free_view(reduced);
}

// The invariants of a proof by `reach`; without a proof there are none.
static void print_invariants(const Options *options, Program *program, Text *out, Text *error) {
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
    text_add(out, result->proof.length ? result->proof.data : "no condition is needed anywhere\n");
  else if (result->answer == ANSWER_UNSAFE)
    text_add(error, "there is no proof: a violation was found; see heddle check");
  else
    text_format(error, "no proof was found: %s",
                result->reason.length ? result->reason.data : "a limit of the model was met; see heddle check");
  result_free(result);
}

// --- circuits ---

// A file gets the binary form unless its name ends in .aag; standard output gets the ascii form.
static bool wants_binary(const Options *options) { return options->output && !ends_with(options->output, ".aag"); }

// Of a formula: an execution that violates it, as a question of justice.
static void print_formula_circuit(const Options *options, Program *program, Text *out, Text *error) {
  Budget budget;
  budget_init(&budget, options->time_limit, NULL);
  LivenessModel model;
  Scheduling scheduling = circuit_options(&options->engine_options).scheduling;
  const char *flaw = liveness_model_init(&model, program, options->formula, scheduling, &budget, NULL);
  if (flaw) {
    text_format(error, "there is no circuit: %s", flaw);
  } else {
    const Monitor *monitor = &model.monitor;
    Aiger aiger;
    aiger_init_lasso(&aiger, monitor->circuit, monitor->constraint, monitor->limit, &monitor->untils,
                     &monitor->fairness, NULL);
    aiger_write(&aiger, wants_binary(options), out);
    aiger_free(&aiger);
  }
  liveness_model_free(&model);
}

static void print_circuit(const Options *options, Program *program, Text *out, Text *error) {
  if (options->formula) {
    print_formula_circuit(options, program, out, error);
    return;
  }
  Budget budget;
  budget_init(&budget, options->time_limit, NULL);
  CircuitModel model;
  const char *flaw = circuit_model_init(&model, program, options->property_value, BLOCK_LARGE,
                                        circuit_options(&options->engine_options).scheduling, false, &budget, NULL);
  if (flaw) {
    text_format(error, "there is no circuit: %s", flaw);
  } else {
    Aiger aiger;
    aiger_init_property(&aiger, &model.circuit, NULL);
    aiger_write(&aiger, wants_binary(options), out);
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

static void print_program(const Options *options, FrontUnit *unit, Text *out, Text *error) {
  LoweringSettings lowering = lowering_first(options);
  bool lowered = passes_of(options) == SHOWN_LOWERED;
  Program *program = lowered ? front_lower(unit, &lowering.limits, lowering.view, error, NULL)
                             : lowering_program(unit, &lowering, NULL, error, NULL);
  if (!program) return;
  switch (subject_of(options)) {
  case SUBJECT_INVARIANTS: print_invariants(options, program, out, error); break;
  case SUBJECT_CIRCUIT: print_circuit(options, program, out, error); break;
  default: print_view(options, program, out); break;
  }
  program_free(program);
}

static void print_code(FrontUnit *unit, Text *out) {
  Code *code = code_read(unit, NULL);
  code_print(code, out);
  code_free(code);
}

static void show_work(void *context, Text *out) {
  const Options *options = context;
  Message message;
  message_init(&message, MESSAGE_SHOW);
  message.show.binary = subject_of(options) == SUBJECT_CIRCUIT;
  Text error;
  text_init(&error, NULL);
  size_t files = options->operands.count - 1;
  FrontUnit *unit =
      lowering_open(options, files ? options->operands.data + 1 : NULL, files, lowering_view(options), &error, NULL);
  if (unit && subject_of(options) == SUBJECT_LIBRARY)
    front_library(unit, &message.show.content);
  else if (unit && subject_of(options) == SUBJECT_CODE)
    print_code(unit, &message.show.content);
  else if (unit)
    print_program(options, unit, &message.show.content, &error);
  front_close(unit);
  message_send(&message, &error, out);
  text_free(&error);
}

static int print_shown(const Options *options, const Message *message, Log *log) {
  const ShowMessage *shown = &message->show;
  bool (*print)(Log *, const Text *) = shown->binary ? output_bytes : output_print;
  bool good = options->output ? output_file(log, &shown->content, options->output) : print(log, &shown->content);
  return good ? STATUS_SAFE : STATUS_ERROR;
}

int show_command(const Options *options, Log *log) {
  assert(options->command == COMMAND_SHOW && options->operands.count > 0);
  if (!name_known(subject_names, options->operands.data[0])) {
    log_error(log, "show knows cfa, cells, access, invariants, circuit, library and code, not '%s'",
              options->operands.data[0]);
    return STATUS_ERROR;
  }
  if (subject_of(options) == SUBJECT_CIRCUIT && !circuit_possible(options, log)) return STATUS_ERROR;
  if (!option_files_possible(options, log)) return STATUS_ERROR;
  return output_of_work(options, MESSAGE_SHOW, show_work, print_shown, log);
}
