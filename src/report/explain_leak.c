// Leaks: where the block was allocated, and which step lost the last pointer to it.
#include "report/explain_parts.h"
#include "report/units.h"

static void add_place(const Explainer *e, size_t step) {
  text_add(e->out, " at ");
  words_place(&trace_step_row(e->index, step)->position, e->out);
}

// The name of what held the pointer.
static void add_holder(const Explainer *e, const TraceLoss *loss) {
  if (loss->object == NO_ID) {
    text_add(e->out, e->program->variables.data[loss->variable].name);
    return;
  }
  const Object *object = &e->program->objects.data[loss->object];
  for (CellId c = object->first_cell; c < object->first_cell + object->cell_count; c++) {
    const Cell *cell = &e->program->cells.data[c];
    uint64_t offset = cell->address - object->address;
    if (offset > loss->offset || loss->offset >= offset + cell->bytes) continue;
    Unit unit = unit_of_number(e->program, c);
    words_unit_name(e->program, &unit, e->out);
    return;
  }
  words_object(e->program, loss->object, e->out);
}

static void add_what_it_held(const Explainer *e, const TraceLoss *loss) {
  text_add(e->out, loss->direct ? ", the last pointer to it," : ", the last way to it,");
}

static void add_loss(const Explainer *e, const TraceLoss *loss) {
  text_add(e->out, "; ");
  switch (loss->cause) {
  case LOST_OVERWRITTEN:
    explain_add_thread(e, thread_of(e, loss->lost));
    text_add(e->out, " overwrote ");
    add_holder(e, loss);
    add_what_it_held(e, loss);
    break;
  case LOST_SCOPE:
    add_holder(e, loss);
    add_what_it_held(e, loss);
    text_format(e->out, " went out of scope when %s returned", trace_step_row(e->index, loss->lost)->position.function);
    break;
  case LOST_FREED:
    explain_add_thread(e, thread_of(e, loss->lost));
    text_add(e->out, " freed ");
    words_object(e->program, loss->object, e->out);
    text_add(e->out, " with ");
    add_holder(e, loss);
    text_add(e->out, loss->direct ? ", the last pointer to it," : ", the last way to it,");
    break;
  default:
    add_holder(e, loss);
    add_what_it_held(e, loss);
    text_add(e->out, " ended with ");
    explain_add_thread(e, thread_of(e, loss->lost));
    break;
  }
  add_place(e, loss->lost);
  words_calls(&trace_step_row(e->index, loss->lost)->position, e->out);
}

void explain_leak(const Explainer *e) {
  const TraceLoss *loss = &e->trace->loss;
  if (loss->cause == LOST_UNTOLD || loss->allocated == NO_ID) return;
  words_object(e->program, loss->block, e->out);
  text_add(e->out, " was allocated by ");
  explain_add_thread(e, thread_of(e, loss->allocated));
  add_place(e, loss->allocated);
  words_calls(&trace_step_row(e->index, loss->allocated)->position, e->out);
  if (loss->cause == LOST_NEVER_KEPT) {
    text_add(e->out, ", and no pointer to it was kept");
  } else if (loss->cause == LOST_KEPT) {
    text_add(e->out, "; ");
    add_holder(e, loss);
    text_add(e->out, " still points to it when the process ends");
  } else {
    add_loss(e, loss);
  }
}
