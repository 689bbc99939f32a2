#include "front/clang.h"
#include "front/lower.h"

#include <stdio.h>

static void lower_observer(Lowering *l, LLVMValueRef function) {
  Program *p = l->program;
  ThreadId thread = site_new_thread(l, value_name(function), NO_ID, 0, (Position){.function = value_name(function)});
  lower_thread_begin(l, thread);
  l->position = lower_function_position(l, function);
  uint32_t count;
  const Term *result = call_function(l, function, NULL, 0, &count);
  if (l->current == NO_ID || !result || count != 1) return;
  uint64_t control = p->objects.data[p->threads.data[thread].control].address;
  builder_store(l, constant_address(l, control + CONTROL_RESULT), result[0], false);
  Step step = builder_step(l);
  builder_emit_to(l, &step, p->threads.data[thread].final, true);
}

void lower_observers(Lowering *l) {
  for (size_t i = 0; i < l->unit->atom_count; i++) {
    char name[64];
    snprintf(name, sizeof name, ATOM_FUNCTION, i);
    LLVMValueRef function = LLVMGetNamedFunction(l->unit->user, name);
    assert(function && "clang has compiled all atoms");
    lower_observer(l, function);
  }
}
