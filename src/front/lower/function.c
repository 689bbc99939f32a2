// Facts about a function, computed before it is inlined first: block order, cycles, uses, kinds of allocas.
#include "front/objects/scope.h"

#include <string.h>

// Post-order over reachable blocks, with an explicit stack.
typedef struct OrderFrame {
  LLVMBasicBlockRef block;
  unsigned next;
} OrderFrame;
VECTOR(OrderStack, OrderFrame);

static void order_blocks(FunctionInfo *info, Account *account) {
  size_t total = LLVMCountBasicBlocks(info->function), filled = total;
  LLVMBasicBlockRef *order = memory_allocate_zeroed(account, total * sizeof *order);
  OrderStack stack;
  OrderStack_init(&stack, account);
  Map seen;
  map_init(&seen, account);
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(info->function);
  map_put(&seen, pointer_key(entry), 1);
  OrderStack_push(&stack, (OrderFrame){entry, 0});
  while (!OrderStack_empty(&stack)) {
    OrderFrame *frame = OrderStack_last(&stack);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(frame->block);
    if (end && frame->next < LLVMGetNumSuccessors(end)) {
      LLVMBasicBlockRef successor = LLVMGetSuccessor(end, frame->next++);
      if (map_contains(&seen, pointer_key(successor))) continue;
      map_put(&seen, pointer_key(successor), 1);
      OrderStack_push(&stack, (OrderFrame){successor, 0});
    } else {
      order[--filled] = frame->block;
      OrderStack_pop(&stack);
    }
  }
  info->block_count = total - filled;
  assert(info->block_count > 0 && info->block_count <= total);
  info->blocks = memory_allocate(account, info->block_count * sizeof *order);
  memcpy(info->blocks, order + filled, info->block_count * sizeof *order);
  for (size_t i = 0; i < info->block_count; i++) map_put(&info->block_index, pointer_key(info->blocks[i]), i);
  memory_free(account, order, total * sizeof *order);
  OrderStack_free(&stack);
  map_free(&seen);
}

// A block is in a cycle if it can reach itself. The search runs once per block, and only in functions that have a
// backward edge.
static bool reaches_itself(const FunctionInfo *info, size_t start, U32Vector *stack, uint8_t *seen) {
  assert(start < info->block_count);
  memset(seen, 0, info->block_count);
  U32Vector_clear(stack);
  U32Vector_push(stack, (uint32_t)start);
  while (!U32Vector_empty(stack)) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(info->blocks[U32Vector_pop(stack)]);
    for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++) {
      size_t next = map_get_or(&info->block_index, pointer_key(LLVMGetSuccessor(end, s)), 0);
      if (next == start) return true;
      if (!seen[next]) {
        seen[next] = 1;
        U32Vector_push(stack, (uint32_t)next);
      }
    }
  }
  return false;
}

static bool has_retreating_edge(const FunctionInfo *info) {
  for (size_t i = 0; i < info->block_count; i++) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(info->blocks[i]);
    for (unsigned s = 0; end && s < LLVMGetNumSuccessors(end); s++)
      if (map_get_or(&info->block_index, pointer_key(LLVMGetSuccessor(end, s)), 0) <= i) return true;
  }
  return false;
}

static void find_cycles(FunctionInfo *info, Account *account) {
  info->in_cycle = memory_allocate_zeroed(account, info->block_count * sizeof *info->in_cycle);
  if (!has_retreating_edge(info)) return;
  U32Vector stack;
  U32Vector_init(&stack, account);
  uint8_t *seen = memory_allocate(account, info->block_count);
  for (size_t i = 0; i < info->block_count; i++) info->in_cycle[i] = reaches_itself(info, i, &stack, seen);
  memory_free(account, seen, info->block_count);
  U32Vector_free(&stack);
}

static bool is_call_to(LLVMValueRef instruction, const char *prefix) {
  if (!LLVMIsACallInst(instruction)) return false;
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  if (!LLVMIsAFunction(callee)) return false;
  return starts_with(value_name(callee), prefix);
}

static bool is_scalar(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 128;
  case LLVMPointerTypeKind:
  case LLVMFloatTypeKind:
  case LLVMDoubleTypeKind: return true;
  default: return false;
  }
}

// Is there exactly one store, in the block of the alloca and before any load? So it is for a parameter or an
// initialised local that never changes.
static bool stored_once_at_entry(LLVMValueRef alloca) {
  LLVMValueRef store = NULL;
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
    if (!LLVMIsAStoreInst(LLVMGetUser(use))) continue;
    if (store) return false;
    store = LLVMGetUser(use);
  }
  if (!store || LLVMGetInstructionParent(store) != LLVMGetInstructionParent(alloca)) return false;
  for (LLVMValueRef i = LLVMGetNextInstruction(alloca); i && i != store; i = LLVMGetNextInstruction(i))
    if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == alloca) return false;
  return true;
}

// An alloca stays a variable when every use loads or stores it whole.
static AllocaKind classify_alloca(LLVMValueRef alloca, LLVMTargetDataRef layout) {
  assert(LLVMIsAAllocaInst(alloca));
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (!is_scalar(type) || !LLVMIsAConstantInt(count) || LLVMConstIntGetZExtValue(count) != 1) return ALLOCA_MEMORY;
  unsigned long long bits = LLVMSizeOfTypeInBits(layout, type);
  for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsALoadInst(user)) {
      if (!is_scalar(LLVMTypeOf(user)) || LLVMSizeOfTypeInBits(layout, LLVMTypeOf(user)) != bits ||
          LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic)
        return ALLOCA_MEMORY;
    } else if (LLVMIsAStoreInst(user)) {
      LLVMTypeRef stored = LLVMTypeOf(LLVMGetOperand(user, 0));
      if (LLVMGetOperand(user, 1) != alloca || LLVMGetOperand(user, 0) == alloca || !is_scalar(stored) ||
          LLVMSizeOfTypeInBits(layout, stored) != bits || LLVMGetOrdering(user) != LLVMAtomicOrderingNotAtomic)
        return ALLOCA_MEMORY;
    } else if (!is_call_to(user, "llvm.lifetime.") && !is_call_to(user, "llvm.dbg.")) {
      return ALLOCA_MEMORY;
    }
  }
  return stored_once_at_entry(alloca) ? ALLOCA_ONCE : ALLOCA_VARIABLE;
}

static void count_use(FunctionInfo *info, LLVMValueRef value) {
  if (LLVMIsAInstruction(value) || LLVMIsAArgument(value))
    map_put(&info->uses, pointer_key(value), map_get_or(&info->uses, pointer_key(value), 0) + 1);
}

// A struct passed by value is copied by the call, whether or not the callee uses it.
static void count_copies(FunctionInfo *info) {
  for (unsigned i = 0; i < LLVMCountParams(info->function); i++)
    if (LLVMGetEnumAttributeAtIndex(info->function, i + 1, attribute_kind("byval")))
      count_use(info, LLVMGetParam(info->function, i));
}

static void note_declaration(FunctionInfo *info, LLVMValueRef call) {
  assert(LLVMGetNumArgOperands(call) >= 2);
  LLVMValueRef wrapped = LLVMGetOperand(call, 0), alloca = NULL;
  if (LLVMGetMDNodeNumOperands(wrapped) == 1) LLVMGetMDNodeOperands(wrapped, &alloca);
  if (alloca) map_put(&info->declarations, pointer_key(alloca), pointer_key(LLVMGetOperand(call, 1)));
}

static void scan_instruction(FrontUnit *unit, FunctionInfo *info, LLVMValueRef instruction) {
  if (LLVMIsAAllocaInst(instruction))
    map_put(&info->allocas, pointer_key(instruction), (uint64_t)classify_alloca(instruction, unit->layout));
  if (LLVMIsAReturnInst(instruction)) info->return_count++;
  if (is_call_to(instruction, "llvm.lifetime.start"))
    map_put(&info->lifetimes, pointer_key(LLVMGetOperand(instruction, 1)), 1);
  if (is_call_to(instruction, "llvm.dbg.declare")) note_declaration(info, instruction);
  if (is_call_to(instruction, "llvm.dbg.")) return;
  int operands = LLVMGetNumOperands(instruction);
  for (int i = 0; i < operands; i++) count_use(info, LLVMGetOperand(instruction, (unsigned)i));
}

// Finds calls of alloca() in cycles. Their memory lives until the function returns. (An array of variable length,
// which the source declares, ends with its scope.)
static void find_repeated(FunctionInfo *info) {
  for (size_t b = 1; b < info->block_count; b++) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(info->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
      bool repeated = info->in_cycle[b] && LLVMIsAAllocaInst(i);
      if (repeated && !map_contains(&info->declarations, pointer_key(i)))
        U64Vector_push(&info->repeated, pointer_key(i));
    }
  }
}

FunctionInfo *unit_function(FrontUnit *unit, LLVMValueRef function) {
  uint64_t index;
  if (map_get(&unit->function_infos, pointer_key(function), &index)) return unit->functions.data[index];
  body_read(function);
  assert(LLVMCountBasicBlocks(function) > 0);
  FunctionInfo *info = memory_allocate_zeroed(unit->account, sizeof *info);
  info->function = function;
  info->type = LLVMGlobalGetValueType(function);
  info->name = value_name(function);
  info->library = LLVMGetGlobalParent(function) == unit->models;
  info->plain = starts_with(info->name, "__heddle_plain_");
  info->peek = starts_with(info->name, "__heddle_peek_");
  info->section = starts_with(info->name, "__VERIFIER_atomic_");
  map_init(&info->block_index, unit->account);
  map_init(&info->uses, unit->account);
  map_init(&info->allocas, unit->account);
  map_init(&info->lifetimes, unit->account);
  map_init(&info->declarations, unit->account);
  U64Vector_init(&info->repeated, unit->account);
  ScopedVector_init(&info->scoped, unit->account);
  map_init(&info->scopes, unit->account);
  map_init(&info->place_masks, unit->account);
  order_blocks(info, unit->account);
  find_cycles(info, unit->account);
  for (size_t b = 0; b < info->block_count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(info->blocks[b]); i; i = LLVMGetNextInstruction(i))
      scan_instruction(unit, info, i);
  count_copies(info);
  scope_find(unit, info);
  find_repeated(info);
  map_put(&unit->function_infos, pointer_key(function), unit->functions.count);
  FunctionVector_push(&unit->functions, info);
  return info;
}
