// Automatic objects whose address is never used after their life: CodeObject.lasting.
//
// Clang marks where the lives of most variables begin and end. What has the address by moves, casts and choices is
// followed to its uses. A use that an end may come before is too late; one that names the object itself is not if the
// object begins again in between, but one behind a phi may have kept the address of an earlier life. Objects without
// marks (compound literals, temporaries) count as ended, unless debug information says that they are variables of the
// function's outermost block.
//
// Direction of the fact: must.
#include "front/code/reader.h"

#include <llvm-c/DebugInfo.h>

enum { MOST_USES = 4096 };
// What is of interest at an instruction, as bits.
enum { BEGINS = 1, ENDS = 2, USED = 4, USED_BEHIND_PHI = 8, HAS_ADDRESS = 16, HAS_ADDRESS_BEHIND_PHI = 32 };
// What may have happened on some way to a place, as bits: an end that no begin followed, any end.
enum { ENDED = 1, EVER_ENDED = 2 };

typedef struct Lives {
  Reader *reader;
  Map marks;      // instruction -> bits
  U64Vector work; // instructions with the address that are still to be followed
  Map eventful;   // blocks with an instruction of interest
  uint32_t uses;
  bool ends;
} Lives;

static void note(Lives *l, LLVMValueRef i, uint64_t bits) {
  uint64_t key = pointer_key(i);
  map_put(&l->marks, key, map_get_or(&l->marks, key, 0) | bits);
  if (bits & (BEGINS | ENDS | USED | USED_BEHIND_PHI))
    map_put(&l->eventful, pointer_key(LLVMGetInstructionParent(i)), 1);
}

static bool is_marker(LLVMValueRef i, const char *name) {
  if (!LLVMIsACallInst(i) || !LLVMIsAFunction(LLVMGetCalledValue(i))) return false;
  return starts_with(value_name(LLVMGetCalledValue(i)), name);
}

static bool hands_on(LLVMValueRef user) {
  switch (LLVMGetInstructionOpcode(user)) {
  case LLVMGetElementPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMFreeze:
  case LLVMSelect:
  case LLVMPHI: return true;
  default: return false;
  }
}

static void use(Lives *l, LLVMValueRef user, bool behind_phi) {
  l->uses++;
  if (hands_on(user)) {
    bool phi = behind_phi || LLVMGetInstructionOpcode(user) == LLVMPHI;
    uint64_t bit = phi ? HAS_ADDRESS_BEHIND_PHI : HAS_ADDRESS;
    if (map_get_or(&l->marks, pointer_key(user), 0) & bit) return;
    note(l, user, bit);
    U64Vector_push(&l->work, pointer_key(user));
  } else if (is_marker(user, "llvm.lifetime.")) {
    bool ends = is_marker(user, "llvm.lifetime.end");
    note(l, user, ends ? ENDS : BEGINS);
    l->ends |= ends;
  } else {
    note(l, user, behind_phi ? USED_BEHIND_PHI : USED);
  }
}

static void follow(Lives *l, LLVMValueRef alloca) {
  U64Vector_push(&l->work, pointer_key(alloca));
  while (l->work.count > 0 && l->uses < MOST_USES) {
    LLVMValueRef value = (LLVMValueRef)(uintptr_t)U64Vector_pop(&l->work);
    bool behind_phi = map_get_or(&l->marks, pointer_key(value), 0) & HAS_ADDRESS_BEHIND_PHI;
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) use(l, LLVMGetUser(u), behind_phi);
  }
}

// What may have happened at the end of the block; false: a use comes too late.
static bool go_through(const Lives *l, LLVMBasicBlockRef block, uint8_t *state) {
  if (!map_contains(&l->eventful, pointer_key(block))) return true;
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    uint64_t bits = map_get_or(&l->marks, pointer_key(i), 0);
    if ((bits & USED && *state & ENDED) || (bits & USED_BEHIND_PHI && *state & EVER_ENDED)) return false;
    if (bits & BEGINS) *state &= (uint8_t)~ENDED;
    if (bits & ENDS) *state = ENDED | EVER_ENDED;
  }
  return true;
}

static bool send(Lives *l, LLVMBasicBlockRef block, uint8_t state, ByteVector *states, uint32_t first) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  bool grown = false;
  for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
    uint64_t target;
    if (!map_get(&l->reader->block_ids, pointer_key(LLVMGetSuccessor(end, i)), &target)) continue;
    uint8_t *known = ByteVector_at(states, target - first);
    grown |= (*known | state) != *known;
    *known |= state;
  }
  return grown;
}

static bool all_in_time(Lives *l) {
  Reader *r = l->reader;
  uint32_t first = r->functions.data[r->function].first_block;
  ByteVector states;
  ByteVector_init(&states, r->account);
  ByteVector_resize(&states, r->order.count);
  bool good = true;
  for (bool grown = true; good && grown;) {
    grown = false;
    for (size_t b = 0; good && b < r->order.count; b++) {
      uint8_t state = states.data[b];
      good = go_through(l, r->order.data[b], &state);
      grown |= good && state && send(l, r->order.data[b], state, &states, first);
    }
  }
  ByteVector_free(&states);
  return good;
}

static bool is_of_whole_function(LLVMValueRef variable) {
  if (!variable) return false;
  LLVMMetadataRef scope = LLVMDIVariableGetScope(LLVMValueAsMetadata(variable));
  return scope && LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind;
}

bool reader_local_lasts(Reader *r, LLVMValueRef alloca, LLVMValueRef variable) {
  bool at_entry = LLVMGetInstructionParent(alloca) == r->order.data[0];
  if (!at_entry || !LLVMIsAConstantInt(LLVMGetOperand(alloca, 0))) return false;
  Lives l = {.reader = r};
  map_init(&l.marks, r->account);
  map_init(&l.eventful, r->account);
  U64Vector_init(&l.work, r->account);
  follow(&l, alloca);
  bool lasts = l.uses < MOST_USES && (l.ends ? all_in_time(&l) : is_of_whole_function(variable));
  U64Vector_free(&l.work);
  map_free(&l.eventful);
  map_free(&l.marks);
  return lasts;
}
