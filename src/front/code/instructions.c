// Instructions as statements: one for each that has a result or an effect.
#include "front/code/reader.h"

uint64_t reader_size(const Reader *r, LLVMTypeRef type) {
  return LLVMTypeIsSized(type) ? LLVMStoreSizeOfType(r->layout, type) : 0;
}

bool reader_has_value(LLVMValueRef instruction) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(instruction));
  return kind != LLVMVoidTypeKind && kind != LLVMMetadataTypeKind && kind != LLVMLabelTypeKind;
}

static LLVMValueRef result_of(LLVMValueRef instruction) { return reader_has_value(instruction) ? instruction : NULL; }

// With the operands from `first` on.
static CodeStatement *emit_operands(Reader *r, CodeStatementKind kind, LLVMValueRef i, unsigned first) {
  size_t mark = r->pending.count;
  unsigned count = (unsigned)LLVMGetNumOperands(i);
  for (unsigned k = first; k < count; k++) reader_push(r, LLVMGetOperand(i, k));
  return reader_emit(r, kind, result_of(i), mark);
}

static void read_opaque(Reader *r, LLVMValueRef i, const char *note) {
  emit_operands(r, CODE_OPAQUE, i, 0)->note = note;
}

// --- objects ---

uint32_t reader_local(Reader *r, const char *name, uint64_t size) {
  CodeObjectVector_push(&r->objects, (CodeObject){.kind = CODE_AUTOMATIC,
                                                  .name = name,
                                                  .function = r->function,
                                                  .position = r->position,
                                                  .type = NO_CODE_ID,
                                                  .size = size});
  return (uint32_t)r->objects.count - 1;
}

static uint64_t local_size(Reader *r, LLVMValueRef alloca) {
  LLVMTypeRef type = LLVMGetAllocatedType(alloca);
  LLVMValueRef count = LLVMGetOperand(alloca, 0);
  if (!LLVMIsAConstantInt(count)) return 0;
  return LLVMABISizeOfType(r->layout, type) * LLVMConstIntGetZExtValue(count);
}

static void read_alloca(Reader *r, LLVMValueRef alloca) {
  uint64_t key = map_get_or(&r->declarations, pointer_key(alloca), 0);
  LLVMValueRef variable = (LLVMValueRef)(uintptr_t)key;
  uint32_t object = reader_local(r, reader_variable_name(r, variable), local_size(r, alloca));
  if (variable) {
    r->objects.data[object].position = reader_variable_position(r, variable);
    r->objects.data[object].type = types_of_variable(&r->types, variable);
  }
  r->objects.data[object].lasting = reader_local_lasts(r, alloca, variable);
  CodeStatement *statement = reader_emit(r, CODE_LOCAL, alloca, r->pending.count);
  statement->object = object;
  if (variable) statement->position = r->objects.data[object].position;
}

// --- accesses ---

static void set_access(Reader *r, CodeStatement *statement, LLVMValueRef i, LLVMTypeRef type, bool atomic) {
  statement->size = reader_size(r, type);
  statement->atomic = atomic;
  statement->is_volatile = LLVMGetVolatile(i);
}

static void read_load(Reader *r, LLVMValueRef i) {
  bool atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
  set_access(r, emit_operands(r, CODE_LOAD, i, 0), i, LLVMTypeOf(i), atomic);
}

static void read_store(Reader *r, LLVMValueRef i) {
  bool atomic = LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
  size_t mark = r->pending.count;
  reader_push(r, LLVMGetOperand(i, 1));
  reader_push(r, LLVMGetOperand(i, 0));
  set_access(r, reader_emit(r, CODE_STORE, NULL, mark), i, LLVMTypeOf(LLVMGetOperand(i, 0)), atomic);
}

static void read_exchange(Reader *r, LLVMValueRef i, bool may_fail) {
  size_t mark = r->pending.count;
  reader_push(r, LLVMGetOperand(i, 0));
  reader_push(r, LLVMGetOperand(i, may_fail ? 2 : 1));
  if (may_fail) reader_push(r, LLVMGetOperand(i, 1));
  CodeStatement *statement = reader_emit(r, CODE_EXCHANGE, i, mark);
  set_access(r, statement, i, LLVMTypeOf(LLVMGetOperand(i, 1)), true);
  statement->computed = !may_fail && LLVMGetAtomicRMWBinOp(i) != LLVMAtomicRMWBinOpXchg;
}

// --- values ---

// From blocks that cannot be reached nothing comes.
static void read_phi(Reader *r, LLVMValueRef phi) {
  size_t mark = r->pending.count;
  for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
    LLVMValueRef value = LLVMGetIncomingValue(phi, i);
    bool possible = map_contains(&r->block_ids, pointer_key(LLVMGetIncomingBlock(phi, i)));
    if (possible && value != phi) reader_push(r, value);
  }
  reader_emit(r, CODE_CHOICE, phi, mark)->selects = true;
}

// The flag that says whether an exchange happened is not an address.
static void read_extracted(Reader *r, LLVMValueRef i) {
  bool flag = LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(i, 0)) && LLVMGetIndices(i)[0] == 1;
  if (flag)
    reader_emit(r, CODE_COMPUTE, i, r->pending.count);
  else
    emit_operands(r, CODE_CHOICE, i, 0);
}

// True if the result has all bits of the operand, and no others.
static bool keeps_value(const Reader *r, LLVMValueRef i, LLVMOpcode opcode) {
  LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(i, 0)), to = LLVMTypeOf(i);
  unsigned pointer = LLVMPointerSize(r->layout) * 8;
  switch (opcode) {
  case LLVMPtrToInt: return LLVMGetTypeKind(to) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(to) == pointer;
  case LLVMIntToPtr: return LLVMGetTypeKind(from) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(from) == pointer;
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
  case LLVMFreeze: return true;
  default: return false;
  }
}

static bool is_bit(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

// Comparisons without a sign are not among the comparisons of the code; their result is just computed. "Less than a
// number" is kept.
static void read_unsigned_compare(Reader *r, LLVMValueRef i) {
  LLVMIntPredicate predicate = LLVMGetICmpPredicate(i);
  bool turned = predicate == LLVMIntUGT || predicate == LLVMIntUGE;
  bool equal = predicate == LLVMIntULE || predicate == LLVMIntUGE;
  LLVMValueRef left = LLVMGetOperand(i, turned), right = LLVMGetOperand(i, !turned);
  bool known = (turned || equal || predicate == LLVMIntULT) && is_bit(i) && LLVMIsAConstantInt(right) &&
               LLVMGetIntTypeWidth(LLVMTypeOf(right)) <= 64 && !LLVMIsAConstant(left);
  CodeOperand tested = known ? read_operand(r, left) : nothing_operand();
  CodeStatement *statement = reader_emit(r, CODE_COMPUTE, i, r->pending.count);
  if (tested.kind != CODE_REGISTER) return;
  uint64_t number = LLVMConstIntGetZExtValue(right), half = UINT64_C(1) << (LLVMGetIntTypeWidth(LLVMTypeOf(right)) - 1);
  if (number >= half) return; // with sign, it is negative
  statement->index = tested.id;
  statement->below = number + equal;
}

static void read_compare(Reader *r, LLVMValueRef i) {
  static const struct {
    LLVMIntPredicate predicate;
    CodeComparison comparison;
  } rows[] = {{LLVMIntEQ, CODE_EQUAL},    {LLVMIntNE, CODE_UNEQUAL}, {LLVMIntSLT, CODE_LESS},
              {LLVMIntSLE, CODE_AT_MOST}, {LLVMIntSGT, CODE_MORE},   {LLVMIntSGE, CODE_AT_LEAST}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    if (rows[k].predicate != LLVMGetICmpPredicate(i) || !is_bit(i)) continue;
    emit_operands(r, CODE_COMPARE, i, 0)->comparison = rows[k].comparison;
    return;
  }
  read_unsigned_compare(r, i);
}

// Values of less than a pointer's size that are put together may make an address that none of them is.
static bool joins_parts(const Reader *r, LLVMValueRef i) {
  uint64_t pointer = LLVMPointerSize(r->layout);
  bool joins = false;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
    joins |= reader_size(r, LLVMTypeOf(LLVMGetOperand(i, k))) < pointer;
  return joins && reader_size(r, LLVMTypeOf(i)) >= pointer;
}

static void read_joined(Reader *r, LLVMValueRef i) {
  CodeStatement *statement = emit_operands(r, joins_parts(r, i) ? CODE_COMPUTE : CODE_CHOICE, i, 0);
  if (statement->kind == CODE_COMPUTE) statement->size = reader_size(r, LLVMTypeOf(i));
}

// A flag in memory is 0 or 1 in a byte.
static bool is_flag(LLVMValueRef value) { return LLVMIsAZExtInst(value) && is_bit(LLVMGetOperand(value, 0)); }

// True if the result is 0 exactly if the operand is.
static bool keeps_zero(LLVMValueRef i, LLVMOpcode opcode) {
  return opcode == LLVMZExt || opcode == LLVMSExt || (opcode == LLVMTrunc && is_flag(LLVMGetOperand(i, 0)));
}

static void read_computed(Reader *r, LLVMValueRef i, LLVMOpcode opcode) {
  size_t mark = r->pending.count;
  for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) reader_push(r, LLVMGetOperand(i, k));
  CodeStatement *statement =
      keeps_zero(i, opcode) ? reader_emit_exactly(r, CODE_COMPUTE, i, mark) : reader_emit(r, CODE_COMPUTE, i, mark);
  statement->size = reader_size(r, LLVMTypeOf(i));
  statement->adds =
      opcode == LLVMAdd && statement->operand_count == 2 && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
}

// Clang writes `!condition` as an exclusive or with 1.
static void read_xor(Reader *r, LLVMValueRef i) {
  size_t mark = r->pending.count;
  LLVMValueRef right = LLVMGetOperand(i, 1);
  if (!is_bit(i) || !LLVMIsAConstantInt(right) || LLVMConstIntGetZExtValue(right) != 1) {
    read_computed(r, i, LLVMXor);
    return;
  }
  reader_push(r, LLVMGetOperand(i, 0));
  reader_push_operand(r, number_operand(0));
  reader_emit(r, CODE_COMPARE, i, mark)->comparison = CODE_EQUAL;
}

static void read_value(Reader *r, LLVMValueRef i, LLVMOpcode opcode) {
  switch (opcode) {
  case LLVMPHI: read_phi(r, i); break;
  case LLVMSelect: emit_operands(r, CODE_CHOICE, i, 1)->selects = true; break;
  case LLVMExtractValue: read_extracted(r, i); break;
  case LLVMInsertValue:
  case LLVMExtractElement:
  case LLVMInsertElement:
  case LLVMShuffleVector: read_joined(r, i); break;
  case LLVMXor: read_xor(r, i); break;
  case LLVMICmp: read_compare(r, i); break;
  case LLVMFCmp: reader_emit(r, CODE_COMPUTE, i, r->pending.count); break;
  default:
    if (keeps_value(r, i, opcode))
      emit_operands(r, CODE_CHOICE, i, 0)->selects = true;
    else
      read_computed(r, i, opcode);
  }
}

// --- all ---

void read_instruction(Reader *r, LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  switch (opcode) {
  case LLVMBr:
  case LLVMSwitch:
  case LLVMIndirectBr:
  case LLVMUnreachable: break;
  case LLVMRet: emit_operands(r, CODE_RETURN, i, 0); break;
  case LLVMAlloca: read_alloca(r, i); break;
  case LLVMLoad: read_load(r, i); break;
  case LLVMStore: read_store(r, i); break;
  case LLVMAtomicRMW: read_exchange(r, i, false); break;
  case LLVMAtomicCmpXchg: read_exchange(r, i, true); break;
  case LLVMFence: reader_emit(r, CODE_FENCE, NULL, r->pending.count); break;
  case LLVMGetElementPtr: read_move_instruction(r, i); break;
  case LLVMCall:
  case LLVMInvoke:
  case LLVMCallBr: read_call(r, i); break;
  case LLVMVAArg: read_opaque(r, i, "va_arg"); break;
  case LLVMResume:
  case LLVMLandingPad:
  case LLVMCleanupRet:
  case LLVMCatchRet:
  case LLVMCatchPad:
  case LLVMCleanupPad:
  case LLVMCatchSwitch: read_opaque(r, i, "exception"); break;
  default: read_value(r, i, opcode); break;
  }
}
