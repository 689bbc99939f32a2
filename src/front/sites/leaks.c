// Blocks that are not freed: how many of the program's blocks live is counted in an object of the model, and a CHECK
// step looks at it where the process ends.
//
// A block is counted by a step behind its ALLOCATE step and taken off by a step before its FREE step. So at least as
// many blocks live as are counted, and each violation that is found is one. None is missed: a thread that ends the
// process between the two steps of an allocation may end it after them, too, and one that ends it between the two
// steps of a deallocation may end it before them.
#include "front/objects/objects.h"
#include "front/sites/sites.h"

#include <string.h>

enum { COUNT_BYTES = 4 };

static bool counts(Lowering *l) {
  if (!l->view.leaks || l->current == NO_ID) return false;
  if (l->block_count == NO_ID)
    l->block_count = lower_object(l, COUNT_BYTES, COUNT_BYTES, STORAGE_GLOBAL, NO_ID, "blocks that are not freed");
  return l->block_count != NO_ID && l->current != NO_ID;
}

static Step count_step(Lowering *l) {
  assert(l->block_count != NO_ID);
  Step step = builder_step(l);
  step.access.address = object_address(l, l->block_count);
  step.access.bytes = COUNT_BYTES;
  step.access.reads = step.access.synchronises = step.access.unordered = true;
  step.access.into = builder_temporary(l, 8 * COUNT_BYTES, "blocks");
  return step;
}

// Adds one for a pointer that is not null, or takes one off.
static void change_count(Lowering *l, Term pointer, TermOperator change) {
  assert(pointer != TERM_NONE && (change == TERM_ADD || change == TERM_SUB));
  builder_flush(l);
  Step step = count_step(l);
  Term one = term_resize_unsigned(l->terms, term_is_nonzero(l->terms, pointer), 8 * COUNT_BYTES);
  step.access.writes = true;
  step.access.stored = term_binary(l->terms, change, variable_term(l->program, step.access.into), one);
  builder_emit(l, &step);
}

void leaks_allocated(Lowering *l, LLVMValueRef call) {
  if (!counts(l)) return;
  builder_save_values_here(l);
  Term pointer = value_term(l, call);
  if (pointer != TERM_NONE) change_count(l, pointer, TERM_ADD);
}

void leaks_freed(Lowering *l, Term pointer) {
  if (counts(l)) change_count(l, pointer, TERM_SUB);
}

// Has main returned, or is the thread past its routine?
static bool has_no_stack(const Lowering *l) {
  const Activation *at = l->top;
  while (at && at->info->library && strcmp(at->info->name, "__heddle_thread_end") != 0) at = at->caller;
  return !at || at->info->library;
}

void leaks_check(Lowering *l) {
  if (!counts(l)) return;
  builder_flush(l);
  Step look = count_step(l);
  builder_emit(l, &look);
  for (CheckSubject subject = CHECK_CLEANUP; subject <= CHECK_TRACK; subject++) {
    const PropertyCheck left = {.subject = subject, .no_stack = has_no_stack(l)};
    Step check = builder_step(l);
    check.kind = STEP_CHECK;
    check.operand = term_is_nonzero(l->terms, variable_term(l->program, look.access.into));
    check.check = arena_copy(&l->program->arena, &left, sizeof left);
    if (subject == CHECK_TRACK)
      check.target =
          program_add_cut(l->program, CUT_CONSTRUCT, "pointers to blocks that are left at the end", l->position);
    builder_emit(l, &check);
  }
}
