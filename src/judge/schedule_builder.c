#include "judge/schedule_builder.h"

#include <assert.h>

void schedule_builder_init(ScheduleBuilder *builder, const Program *program, Property property, Account *account) {
  size_t cells = program->cells.count;
  *builder = (ScheduleBuilder){.program = program, .schedule = schedule_new(account), .account = account};
  builder->schedule->fingerprint = program->fingerprint;
  builder->schedule->property = property;
  builder->open = memory_allocate_zeroed(account, cells * sizeof(bool));
  builder->cells = memory_allocate_zeroed(account, cells * sizeof(Bits));
  builder->variables = memory_allocate_zeroed(account, program->variables.count * sizeof(Bits));
  BitsVector_init(&builder->choices, account);
  BitsVector_init(&builder->values, account);
  for (CellId c = 0; c < cells; c++) {
    Term initial = program->cells.data[c].initial;
    builder->open[c] = initial == TERM_NONE;
    if (initial != TERM_NONE) builder->cells[c] = term_constant_value(program->terms, initial);
  }
}

void schedule_builder_free(ScheduleBuilder *builder) {
  const Program *p = builder->program;
  BitsVector_free(&builder->values);
  BitsVector_free(&builder->choices);
  memory_free(builder->account, builder->variables, p->variables.count * sizeof(Bits));
  memory_free(builder->account, builder->cells, p->cells.count * sizeof(Bits));
  memory_free(builder->account, builder->open, p->cells.count * sizeof(bool));
}

void schedule_builder_initial(ScheduleBuilder *builder, CellId cell, Bits value) {
  assert(cell < builder->program->cells.count && builder->program->cells.data[cell].initial == TERM_NONE);
  builder->cells[cell] = value;
}

static Bits value_of(void *context, Term variable) {
  const ScheduleBuilder *builder = context;
  VariableId id = program_variable_of_term(builder->program, variable);
  return id == NO_ID ? 0 : builder->variables[id];
}

static Bits evaluate(ScheduleBuilder *builder, Term t) {
  TermValuation valuation = {.value_of = value_of, .context = builder};
  return term_evaluate(builder->program->terms, t, &valuation);
}

// Reads `access->bytes` bytes from cell `first` on, least significant first. The value of an indeterminate cell becomes
// a choice.
static Bits load(ScheduleBuilder *builder, const Access *access, CellId first) {
  const Program *p = builder->program;
  Bits loaded = 0;
  uint32_t covered = 0;
  for (CellId c = first; c < p->cells.count && covered < access->bytes; c++) {
    Bits value = builder->cells[c] & bits_mask(8 * p->cells.data[c].bytes);
    if (builder->open[c]) BitsVector_push(&builder->choices, value);
    builder->open[c] = false;
    loaded |= value << 8 * covered;
    covered += p->cells.data[c].bytes;
  }
  return loaded;
}

static void store(ScheduleBuilder *builder, const Access *access, CellId first, Bits stored) {
  const Program *p = builder->program;
  uint32_t covered = 0;
  for (CellId c = first; c < p->cells.count && covered < access->bytes; c++) {
    builder->cells[c] = stored >> 8 * covered & bits_mask(8 * p->cells.data[c].bytes);
    builder->open[c] = access->stored == VALUE_INDETERMINATE;
    covered += p->cells.data[c].bytes;
  }
}

// The value that the engine chose for a fresh variable. It is 0 if the reduced step has no such assignment: then
// nothing depends on it.
static Bits chosen_value(const BuiltStep *built, VariableId variable) {
  const Step *reduced = built->reduced;
  size_t fresh = 0;
  for (uint32_t i = 0; i < reduced->assignment_count; i++) {
    if (!value_is_fresh(reduced->assignments[i].value)) continue;
    if (reduced->assignments[i].variable == variable) return built->fresh[fresh];
    fresh++;
  }
  return 0;
}

static void choose_variables(ScheduleBuilder *builder, const Step *step, const BuiltStep *built) {
  for (uint32_t i = 0; i < step->assignment_count; i++)
    if (value_is_fresh(step->assignments[i].value))
      BitsVector_push(&builder->choices, chosen_value(built, step->assignments[i].variable));
}

static void assign(ScheduleBuilder *builder, const Step *step, const BuiltStep *built) {
  const Program *p = builder->program;
  BitsVector_clear(&builder->values);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    const Assignment *assignment = &step->assignments[i];
    bool chosen = value_is_fresh(assignment->value);
    Bits value = chosen ? chosen_value(built, assignment->variable) : evaluate(builder, assignment->value);
    BitsVector_push(&builder->values, value);
  }
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    VariableId v = step->assignments[i].variable;
    builder->variables[v] = builder->values.data[i] & bits_mask(term_width(p->terms, variable_term(p, v)));
  }
}

void schedule_builder_add(ScheduleBuilder *builder, const BuiltStep *built) {
  const Program *p = builder->program;
  const Step *step = edge_first_step(p, built->edge);
  const Access *access = &step->access;
  assert(p->edges.data[built->edge].step_count == 1 && built->thread < p->threads.count);
  BitsVector_clear(&builder->choices);
  choose_variables(builder, step, built);
  CellId first = NO_ID;
  if (access->address != TERM_NONE) first = program_cell_at(p, (uint64_t)evaluate(builder, access->address));
  if (first != NO_ID && access->reads) builder->variables[access->into] = load(builder, access, first);
  if (first != NO_ID && access->writes) {
    bool forgets = access->stored == VALUE_INDETERMINATE;
    store(builder, access, first, forgets ? built->forgotten : evaluate(builder, access->stored));
  }
  assign(builder, step, built);
  schedule_add(builder->schedule, built->thread, built->edge, builder->choices.data, builder->choices.count);
}
