// Accesses of library models to the user's memory whose values do not matter: reads whose values are not used, and
// writes of any values. They are ordinary accesses, also inside models that synchronise.
//
// A block of constant length is one step, which the layout pass splits into cells; any other length runs a loop of the
// models. Reads are dropped unless the view asks for every access. A read of a constant object is dropped if its
// length is known to fit: nothing writes the object, and the read is valid.
#include "front/calls/calls.h"
#include "front/objects/objects.h"

#include <string.h>

// The constant object that `address` points into, or NO_ID.
static ObjectId constant_object(const Lowering *l, Term address) {
  if (!term_is_constant(l->terms, address)) return NO_ID;
  ObjectId object = program_object_at(l->program, (uint64_t)term_constant_value(l->terms, address));
  if (object == NO_ID || l->program->objects.data[object].storage != STORAGE_CONSTANT) return NO_ID;
  return l->program->objects.data[object].indeterminate || map_contains(&l->unmodelled, object) ? NO_ID : object;
}

static uint64_t room_behind(const Lowering *l, ObjectId object, Term address) {
  assert(term_is_constant(l->terms, address));
  const Object *o = &l->program->objects.data[object];
  return o->address + o->size - (uint64_t)term_constant_value(l->terms, address);
}

bool touch_constant_text(const Lowering *l, Term address, const char **text) {
  ObjectId object = constant_object(l, address);
  if (object == NO_ID) return false;
  const Object *o = &l->program->objects.data[object];
  uint64_t room = room_behind(l, object, address);
  *text = o->initial ? (const char *)o->initial + (o->size - room) : "";
  return room > 0 && (!o->initial || memchr(*text, 0, room) != NULL);
}

// Calls a model by its name.
static void run_model(Lowering *l, const char *name, const Term *arguments, size_t count) {
  LLVMValueRef model = unit_model(l->unit, name);
  assert(model);
  uint32_t results;
  call_function(l, model, arguments, count, &results);
}

static void touch_read(Lowering *l, Term from, Term bytes) {
  if (!l->view.every_access || l->current == NO_ID) return;
  ObjectId object = constant_object(l, from);
  if (!term_is_constant(l->terms, bytes)) {
    run_model(l, "__heddle_plain_read_bytes", (Term[]){from, bytes}, 2);
    return;
  }
  uint64_t length = (uint64_t)term_constant_value(l->terms, bytes);
  if (object == NO_ID || length > room_behind(l, object, from)) lower_user_block(l, STEP_READ, from, TERM_NONE, length);
}

static void touch_read_string(Lowering *l, Term from, Term most) {
  const char *text;
  if (!l->view.every_access || l->current == NO_ID || touch_constant_text(l, from, &text)) return;
  run_model(l, "__heddle_plain_read_string", (Term[]){from, most}, 2);
}

void touch_write_any(Lowering *l, Term to, Term bytes) {
  if (l->current == NO_ID) return;
  if (term_is_constant(l->terms, bytes))
    lower_user_block(l, STEP_FILL, to, TERM_NONE, (uint64_t)term_constant_value(l->terms, bytes));
  else
    run_model(l, "__heddle_plain_any_bytes", (Term[]){to, bytes}, 2);
}

// --- primitives ---

static void lower_touch(Lowering *l, LLVMValueRef call, void (*touch)(Lowering *, Term, Term)) {
  builder_flush(l);
  Term place = call_argument(l, call, 0), bytes = call_argument(l, call, 1);
  if (place != TERM_NONE && bytes != TERM_NONE) touch(l, place, bytes);
}

void lower_read_bytes(Lowering *l, LLVMValueRef call) { lower_touch(l, call, touch_read); }
void lower_read_string(Lowering *l, LLVMValueRef call) { lower_touch(l, call, touch_read_string); }
void lower_any_bytes(Lowering *l, LLVMValueRef call) { lower_touch(l, call, touch_write_any); }
