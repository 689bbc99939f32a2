#include "front/calls/calls.h"
#include "front/module/atom.h"
#include "front/sites/sites.h"
#include "front/threads/threads.h"

#include <stdio.h>

enum { FIRST_OBSERVER = 1000 }; // more than main can create

static void lower_observer(Lowering *l, LLVMValueRef function, unsigned number) {
  Program *p = l->program;
  Position nowhere = {.function = value_name(function)};
  ThreadId thread = site_new_thread(l, value_name(function), 0, FIRST_OBSERVER + number, nowhere);
  assert(thread != NO_ID && "there is always room for observers");
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
  l->is_observer = true;
  for (size_t i = 0; i < l->unit->atom_count; i++) {
    char name[64];
    snprintf(name, sizeof name, ATOM_FUNCTION, i);
    LLVMValueRef function = LLVMGetNamedFunction(l->unit->user, name);
    assert(function && "front_open has seen it");
    lower_observer(l, function, (unsigned)i);
  }
}
