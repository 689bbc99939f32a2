#include "verdict/schedule_builder.h"

void schedule_builder_init(ScheduleBuilder *builder, const Program *program, Property property, Account *account) {
  size_t cells = program->cells.count;
  *builder = (ScheduleBuilder){.program = program, .schedule = schedule_new(account), .account = account};
  builder->schedule->fingerprint = program->fingerprint;
  builder->schedule->property = property;
  builder->open = memory_allocate_zeroed(account, cells * sizeof(bool));
  builder->value = memory_allocate_zeroed(account, cells * sizeof(Bits));
  BitsVector_init(&builder->choices, account);
  for (CellId c = 0; c < cells; c++) builder->open[c] = program->cells.data[c].initial == TERM_NONE;
}

void schedule_builder_free(ScheduleBuilder *builder) {
  size_t cells = builder->program->cells.count;
  BitsVector_free(&builder->choices);
  memory_free(builder->account, builder->value, cells * sizeof(Bits));
  memory_free(builder->account, builder->open, cells * sizeof(bool));
}

void schedule_builder_initial(ScheduleBuilder *builder, CellId cell, Bits value) { builder->value[cell] = value; }

static void visit_cells(ScheduleBuilder *builder, const Access *access, const BuiltStep *step) {
  const Program *p = builder->program;
  CellId first = program_cell_at(p, step->address);
  bool forgets = access->writes && access->stored == VALUE_INDETERMINATE;
  uint32_t covered = 0;
  for (CellId c = first; c < p->cells.count && covered < access->bytes; c++) {
    unsigned width = 8 * p->cells.data[c].bytes;
    if (access->reads && builder->open[c]) {
      BitsVector_push(&builder->choices, builder->value[c] & bits_mask(width));
      builder->open[c] = false;
    }
    if (access->writes) {
      builder->open[c] = forgets;
      builder->value[c] = step->forgotten >> 8 * covered & bits_mask(width);
    }
    covered += p->cells.data[c].bytes;
  }
}

void schedule_builder_add(ScheduleBuilder *builder, const BuiltStep *step) {
  const Program *p = builder->program;
  const Access *access = &p->steps.data[p->edges.data[step->edge].first_step].access;
  BitsVector_clear(&builder->choices);
  for (size_t i = 0; i < step->fresh_count; i++) BitsVector_push(&builder->choices, step->fresh[i]);
  if (access->address != TERM_NONE) visit_cells(builder, access, step);
  schedule_add(builder->schedule, step->thread, step->edge, builder->choices.data, builder->choices.count);
}
