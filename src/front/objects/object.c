// Addresses of objects in the address space of the data model.
//
// Every object of the model has an address of its own, even if no execution has all of them (blocks of both branches
// of a condition, slots that are never handed out). Where the address space has no room for another object, there is a
// cut. An allocation that no execution can have room for fails instead, as it does in reality.
#include "front/objects/objects.h"

ObjectId lower_object(Lowering *l, uint64_t bytes, uint64_t alignment, Storage storage, ThreadId owner,
                      const char *name) {
  if (alignment < OBJECT_ALIGNMENT) alignment = OBJECT_ALIGNMENT;
  assert((alignment & (alignment - 1)) == 0);
  ObjectId object = program_add_aligned_object(l->program, bytes, alignment, storage, owner, name);
  assert(object == NO_ID || l->program->objects.data[object].address % alignment == 0);
  if (object == NO_ID)
    builder_cut(l, CUT_SIZE, intern_format(&l->program->strings, "no room for %s in the model's address space", name));
  return object;
}

// --- what cannot fit ---

// May a block be freed before the present point, by the code lowered so far or by another thread?
static bool may_have_freed(const Lowering *l) {
  if (l->thread != 0 || l->work.count > 0 || lower_in_loop(l)) return true;
  for (size_t s = 0; s < l->program->steps.count; s++)
    if (l->program->steps.data[s].kind == STEP_FREE) return true;
  return false;
}

// A lower bound of the bytes that every execution which reaches this point has allocated. The way back is followed as
// long as it has no forks.
static uint64_t allocated_on_the_way(const Lowering *l) {
  assert(l->current < l->program->locations.count);
  const Program *p = l->program;
  uint64_t bytes = 0;
  EdgeId *entering = memory_allocate(l->account, p->locations.count * sizeof *entering);
  bool *several = memory_allocate_zeroed(l->account, p->locations.count);
  for (size_t i = 0; i < p->locations.count; i++) entering[i] = NO_ID;
  for (EdgeId e = 0; e < p->edges.count; e++) {
    LocationId to = p->edges.data[e].to;
    several[to] |= entering[to] != NO_ID;
    entering[to] = e;
  }
  LocationId at = l->current;
  for (size_t i = 0; i < p->locations.count && !several[at] && entering[at] != NO_ID; i++) {
    const Step *step = edge_first_step(p, entering[at]);
    if (step->kind == STEP_ALLOCATE) bytes += p->objects.data[step->target].size;
    at = p->edges.data[entering[at]].from;
  }
  memory_free(l->account, entering, p->locations.count * sizeof *entering);
  memory_free(l->account, several, p->locations.count);
  return bytes;
}

bool object_cannot_fit(const Lowering *l, Bits bytes) {
  Bits space = l->unit->pointer_width == 32 ? (Bits)1 << 32 : (Bits)1 << 47;
  if (bytes >= space) return true;
  return !may_have_freed(l) && bytes + allocated_on_the_way(l) >= space;
}

// --- addresses as numbers ---

// Is the result of `user` the same for every layout? So are differences of pointers, and the bits below the alignment
// of all objects.
static bool is_layout_independent(LLVMValueRef conversion, LLVMValueRef user) {
  LLVMOpcode op = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : LLVMCall;
  if (op == LLVMIntToPtr) return true;
  if (op != LLVMSub && op != LLVMAnd && op != LLVMOr && op != LLVMXor && op != LLVMAdd) return false;
  bool right = LLVMGetOperand(user, 0) == conversion;
  LLVMValueRef other = LLVMGetOperand(user, right ? 1 : 0);
  if (op == LLVMSub) return LLVMIsAPtrToIntInst(other);
  if (!LLVMIsAConstantInt(other)) return false;
  int64_t bits = LLVMConstIntGetSExtValue(other);
  return bits >= -OBJECT_ALIGNMENT && bits < OBJECT_ALIGNMENT;
}

void address_as_number(Lowering *l, LLVMValueRef conversion) {
  if (l->current == NO_ID || l->top->info->library) return;
  for (LLVMUseRef use = LLVMGetFirstUse(conversion); use; use = LLVMGetNextUse(use))
    if (!is_layout_independent(conversion, LLVMGetUser(use))) l->program->assumptions |= 1u << ASSUME_ADDRESSES;
}
