#include "front/objects/scope.h"
#include "front/objects/objects.h"

#include <llvm-c/DebugInfo.h>

// --- blocks of the source ---

enum { PARENT_OPERAND = 1 }; // of a lexical block, as LLVM 19 lays it out

static LLVMMetadataRef place_of(LLVMValueRef instruction) {
  return LLVMIsAInstruction(instruction) ? LLVMInstructionGetDebugLoc(instruction) : NULL;
}

static LLVMMetadataRef parent_of(LLVMContextRef context, LLVMMetadataRef scope) {
  assert(scope);
  LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
  if (kind != LLVMDILexicalBlockMetadataKind && kind != LLVMDILexicalBlockFileMetadataKind) return NULL;
  LLVMValueRef operands[8], node = LLVMMetadataAsValue(context, scope);
  unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node);
  if (count <= PARENT_OPERAND || count > 8) return NULL;
  LLVMGetMDNodeOperands(node, operands);
  return operands[PARENT_OPERAND] ? LLVMValueAsMetadata(operands[PARENT_OPERAND]) : NULL;
}

static bool is_inside(LLVMContextRef context, LLVMMetadataRef scope, LLVMMetadataRef outer) {
  while (scope && scope != outer) scope = parent_of(context, scope);
  return scope != NULL;
}

static LLVMMetadataRef common_scope(LLVMContextRef context, LLVMMetadataRef a, LLVMMetadataRef b) {
  while (a && !is_inside(context, b, a)) a = parent_of(context, a);
  return a;
}

static bool is_marker(LLVMValueRef instruction, const char *prefix) {
  if (!LLVMIsACallInst(instruction) || !LLVMIsAFunction(LLVMGetCalledValue(instruction))) return false;
  return starts_with(value_name(LLVMGetCalledValue(instruction)), prefix);
}

// --- which allocas ---

bool scope_is_fixed(const FunctionInfo *info, LLVMValueRef alloca) {
  return LLVMGetInstructionParent(alloca) == info->blocks[0] && LLVMIsAConstantInt(LLVMGetOperand(alloca, 0));
}

// Sets `*scope` to the innermost block that contains all uses of the value and of addresses computed from it. False: a
// use has no debug location, or there is no common block.
static bool add_uses(LLVMContextRef context, LLVMValueRef value, LLVMMetadataRef *scope, unsigned depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (is_marker(user, "llvm.dbg.")) continue;
    LLVMMetadataRef place = place_of(user), here = place ? LLVMDILocationGetScope(place) : NULL;
    if (!here || depth > 16) return false;
    *scope = *scope ? common_scope(context, *scope, here) : here;
    if (!*scope) return false;
    bool derived = LLVMIsAGetElementPtrInst(user) || LLVMIsACastInst(user) || LLVMIsAPHINode(user);
    if (derived && !add_uses(context, user, scope, depth + 1)) return false;
  }
  return true;
}

static LLVMMetadataRef declared_scope(LLVMContextRef context, LLVMValueRef declaration) {
  LLVMValueRef operands[16];
  (void)context;
  if (LLVMGetMDNodeNumOperands(declaration) > 16) return NULL;
  LLVMGetMDNodeOperands(declaration, operands);
  return operands[0] ? LLVMValueAsMetadata(operands[0]) : NULL;
}

static bool is_parameter(LLVMValueRef alloca) {
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && LLVMIsAArgument(LLVMGetOperand(user, 0))) return true;
  }
  return false;
}

// The first access to the slot in this block: 1 a load, -1 a store, 0 none.
static int first_touch(LLVMBasicBlockRef block, LLVMValueRef slot) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == slot) return 1;
    if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == slot) return -1;
  }
  return 0;
}

// Does some way from the entry lead to a load without a store before it? That is impossible for the slots that clang
// itself makes, except for that of the result. It is possible for a variable whose declaration is unreachable: the
// bitcode has no declaration of it then.
static bool may_be_read_first(FrontUnit *unit, const FunctionInfo *info, LLVMValueRef slot) {
  bool *seen = memory_allocate_zeroed(unit->account, info->block_count * sizeof *seen), again = true, found = false;
  seen[0] = true;
  while (again && !found) {
    again = false;
    for (size_t b = 0; b < info->block_count && !found; b++) { // mostly one round: successors come later
      int touch = seen[b] ? first_touch(info->blocks[b], slot) : -1;
      LLVMValueRef last = LLVMGetBasicBlockTerminator(info->blocks[b]);
      found = touch > 0;
      for (unsigned s = 0; touch == 0 && last && s < LLVMGetNumSuccessors(last); s++) {
        uint64_t next = map_get_or(&info->block_index, pointer_key(LLVMGetSuccessor(last, s)), 0);
        again |= !seen[next];
        seen[next] = true;
      }
    }
  }
  memory_free(unit->account, seen, info->block_count * sizeof *seen);
  return found;
}

static void find_one(FrontUnit *unit, FunctionInfo *info, LLVMValueRef alloca) {
  LLVMValueRef declaration = (LLVMValueRef)(uintptr_t)map_get_or(&info->declarations, pointer_key(alloca), 0);
  bool memory = map_get_or(&info->allocas, pointer_key(alloca), ALLOCA_MEMORY) == ALLOCA_MEMORY;
  if (map_contains(&info->lifetimes, pointer_key(alloca)) || !scope_is_fixed(info, alloca)) return;
  if (is_parameter(alloca) || info->scoped.count >= MOST_SCOPED) return;
  if (!memory && !declaration && !may_be_read_first(unit, info, alloca)) return;
  LLVMMetadataRef scope = declaration ? declared_scope(unit->context, declaration) : NULL;
  if (!declaration && !add_uses(unit->context, alloca, &scope, 0)) return;
  if (!scope || !parent_of(unit->context, scope)) return; // the function's own
  assert(info->scoped.count < MOST_SCOPED);
  map_put(&info->scopes, pointer_key(alloca), info->scoped.count);
  ScopedVector_push(&info->scoped, (Scoped){.alloca = alloca, .scope = scope, .forgets = declaration || !memory});
}

bool scope_has(const FunctionInfo *info, LLVMValueRef alloca) {
  return map_contains(&info->scopes, pointer_key(alloca));
}

// --- where control is ---

// Does this debug location belong to the end of the block? Code that runs there (cleanup functions) has a location
// outside the block: the same as the ends of the block's variables.
static bool is_end_of(FrontUnit *unit, const FunctionInfo *info, LLVMMetadataRef place, LLVMMetadataRef scope) {
  for (size_t b = 0; b < info->block_count; b++) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(info->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
      if (place_of(i) != place || !is_marker(i, "llvm.lifetime.end")) continue;
      for (LLVMUseRef use = LLVMGetFirstUse(LLVMGetOperand(i, 1)); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef start = LLVMGetUser(use);
        LLVMMetadataRef begun = is_marker(start, "llvm.lifetime.start") ? place_of(start) : NULL;
        if (begun && is_inside(unit->context, LLVMDILocationGetScope(begun), scope)) return true;
      }
    }
  }
  return false;
}

// The scoped allocas (as bits) whose block contains this debug location.
static uint64_t mask_of(FrontUnit *unit, FunctionInfo *info, LLVMMetadataRef place) {
  uint64_t mask = 0;
  assert(info->scoped.count <= MOST_SCOPED);
  if (map_get(&info->place_masks, pointer_key(place), &mask)) return mask;
  for (size_t i = 0; i < info->scoped.count; i++) {
    LLVMMetadataRef scope = info->scoped.data[i].scope;
    bool inside = is_inside(unit->context, LLVMDILocationGetScope(place), scope) || is_end_of(unit, info, place, scope);
    if (inside) mask |= UINT64_C(1) << i;
  }
  map_put(&info->place_masks, pointer_key(place), mask);
  return mask;
}

// Does the debug location of the instruction say in which block control is? (Branches may have the location of the
// statement around them.)
static bool shows_scope(LLVMValueRef instruction) {
  return place_of(instruction) && !LLVMIsATerminatorInst(instruction) && !LLVMIsAAllocaInst(instruction) &&
         !is_marker(instruction, "llvm.dbg.");
}

// Changes the state to that at the end of a basic block; unchanged if no instruction in it shows where control is.
static void leave_block(FrontUnit *unit, FunctionInfo *info, size_t block, uint64_t *inside, uint64_t *outside) {
  assert(block < info->block_count);
  for (LLVMValueRef i = LLVMGetLastInstruction(info->blocks[block]); i; i = LLVMGetPreviousInstruction(i)) {
    if (!shows_scope(i)) continue;
    *inside = mask_of(unit, info, place_of(i));
    *outside = ~*inside;
    return;
  }
}

// Computes the states at the beginning of all basic blocks: a fixed point over the control flow.
static void find_states(FrontUnit *unit, FunctionInfo *info) {
  bool again = true;
  info->scope_states[0].outside = ~UINT64_C(0);
  while (again) {
    again = false;
    for (size_t b = 0; b < info->block_count; b++) {
      uint64_t inside = info->scope_states[b].inside, outside = info->scope_states[b].outside;
      leave_block(unit, info, b, &inside, &outside);
      LLVMValueRef last = LLVMGetBasicBlockTerminator(info->blocks[b]);
      for (unsigned s = 0; last && s < LLVMGetNumSuccessors(last); s++) {
        ScopeState *next =
            &info->scope_states[map_get_or(&info->block_index, pointer_key(LLVMGetSuccessor(last, s)), 0)];
        again |= (inside & ~next->inside) || (outside & ~next->outside);
        next->inside |= inside;
        next->outside |= outside;
      }
    }
  }
}

void scope_find(FrontUnit *unit, FunctionInfo *info) {
  if (info->library || !LLVMGetSubprogram(info->function)) return;
  for (LLVMValueRef i = LLVMGetFirstInstruction(info->blocks[0]); i; i = LLVMGetNextInstruction(i))
    if (LLVMIsAAllocaInst(i)) find_one(unit, info, i);
  if (info->scoped.count == 0) return;
  info->scope_states = memory_allocate_zeroed(unit->account, info->block_count * sizeof *info->scope_states);
  find_states(unit, info);
}

void scope_enter_block(Lowering *l, size_t block) {
  assert(block < l->top->info->block_count);
  const FunctionInfo *info = l->top->info;
  if (info->scoped.count) l->top->scope = info->scope_states[block];
}

void scope_enter(Lowering *l, LLVMValueRef instruction) {
  FunctionInfo *info = l->top->info;
  if (info->scoped.count == 0 || !shows_scope(instruction)) return;
  ScopeState *state = &l->top->scope;
  uint64_t now = mask_of(l->unit, info, place_of(instruction));
  uint64_t ends = state->inside & ~now, births = state->outside & now;
  *state = (ScopeState){.inside = now, .outside = ~now};
  for (size_t i = 0; (ends | births) && i < info->scoped.count; i++) {
    const Scoped *scoped = &info->scoped.data[i];
    if (ends >> i & 1) stack_end(l, scoped->alloca);
    if (births >> i & 1) stack_birth(l, scoped->alloca, scoped->forgets);
  }
}
