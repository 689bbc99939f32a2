// LLVM's intrinsic functions, and variable arguments.
#include "front/code/reader.h"

typedef enum Meaning {
  MEANS_NOTHING,  // a result, if there is one, is no address
  MEANS_ARGUMENT, // the result is the first argument
  MEANS_NUMBER,   // the result is the number that the first argument is
  MEANS_COMPUTED,
  MEANS_COPY,
  MEANS_FILL,
  MEANS_START_ARGUMENTS,
  MEANS_COPY_ARGUMENTS,
  MEANS_OPAQUE
} Meaning;

// By the beginning of the name; the first row that fits.
static const struct {
  const char *start;
  Meaning meaning;
} rows[] = {{"llvm.dbg.", MEANS_NOTHING},
            {"llvm.lifetime.", MEANS_NOTHING},
            {"llvm.frameaddress", MEANS_OPAQUE},
            {"llvm.addressofreturnaddress", MEANS_OPAQUE},
            {"llvm.sponentry", MEANS_OPAQUE},
            {"llvm.local", MEANS_OPAQUE},
            {"llvm.thread.pointer", MEANS_OPAQUE},
            {"llvm.eh.", MEANS_OPAQUE},
            {"llvm.init.trampoline", MEANS_OPAQUE},
            {"llvm.adjust.trampoline", MEANS_OPAQUE},
            {"llvm.read_", MEANS_OPAQUE},
            {"llvm.memcpy.element.", MEANS_OPAQUE},
            {"llvm.memmove.element.", MEANS_OPAQUE},
            {"llvm.memset.element.", MEANS_OPAQUE},
            {"llvm.memcpy.", MEANS_COPY},
            {"llvm.memmove.", MEANS_COPY},
            {"llvm.memset.", MEANS_FILL},
            {"llvm.va_start", MEANS_START_ARGUMENTS},
            {"llvm.va_copy", MEANS_COPY_ARGUMENTS},
            {"llvm.va_end", MEANS_NOTHING},
            {"llvm.assume", MEANS_NOTHING},
            {"llvm.donothing", MEANS_NOTHING},
            {"llvm.sideeffect", MEANS_NOTHING},
            {"llvm.prefetch", MEANS_NOTHING},
            {"llvm.trap", MEANS_NOTHING},
            {"llvm.debugtrap", MEANS_NOTHING},
            {"llvm.ubsantrap", MEANS_NOTHING},
            {"llvm.invariant.", MEANS_NOTHING},
            {"llvm.stacksave", MEANS_NOTHING},
            {"llvm.stackrestore", MEANS_NOTHING},
            {"llvm.returnaddress", MEANS_NOTHING},
            {"llvm.objectsize.", MEANS_NOTHING},
            {"llvm.is.constant.", MEANS_NOTHING},
            {"llvm.readcyclecounter", MEANS_NOTHING},
            {"llvm.readsteadycounter", MEANS_NOTHING},
            {"llvm.experimental.noalias.scope.decl", MEANS_NOTHING},
            {"llvm.var.annotation", MEANS_NOTHING},
            {"llvm.codeview.annotation", MEANS_NOTHING},
            {"llvm.x86.sse2.pause", MEANS_NOTHING},
            {"llvm.expect.", MEANS_NUMBER},
            {"llvm.annotation.", MEANS_ARGUMENT},
            {"llvm.ptr.annotation.", MEANS_ARGUMENT},
            {"llvm.launder.invariant.group", MEANS_ARGUMENT},
            {"llvm.strip.invariant.group", MEANS_ARGUMENT},
            {"llvm.threadlocal.address", MEANS_ARGUMENT},
            {"llvm.ssa.copy", MEANS_ARGUMENT}};

// Memory effects are bits for each kind of memory; none is 0.
static bool touches_no_memory(LLVMValueRef function) {
  LLVMAttributeRef attribute =
      LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute_kind("memory"));
  return attribute && LLVMGetEnumAttributeValue(attribute) == 0;
}

static Meaning meaning_of(LLVMValueRef function, const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (starts_with(name, rows[i].start)) return rows[i].meaning;
  return touches_no_memory(function) ? MEANS_COMPUTED : MEANS_OPAQUE;
}

static LLVMValueRef result_of(LLVMValueRef call) { return reader_has_value(call) ? call : NULL; }

// With the first `count` arguments.
static CodeStatement *emit_arguments(Reader *r, CodeStatementKind kind, LLVMValueRef call, unsigned count) {
  size_t mark = r->pending.count;
  for (unsigned i = 0; i < count; i++) reader_push(r, LLVMGetOperand(call, i));
  return reader_emit(r, kind, result_of(call), mark);
}

// --- blocks ---

static void read_block_operation(Reader *r, LLVMValueRef call, CodeStatementKind kind) {
  LLVMValueRef size = LLVMGetOperand(call, 2), is_volatile = LLVMGetOperand(call, 3);
  bool known = LLVMIsAConstantInt(size);
  if (known && LLVMConstIntGetZExtValue(size) == 0) return;
  CodeStatement *statement = emit_arguments(r, kind, call, kind == CODE_COPY_BLOCK ? 2 : 1);
  statement->size = known ? LLVMConstIntGetZExtValue(size) : 0;
  statement->is_volatile = LLVMIsAConstantInt(is_volatile) && LLVMConstIntGetZExtValue(is_volatile);
}

// --- variable arguments ---

enum { MOST_POINTERS = 2 };
typedef struct ListLayout {
  const char *target; // beginning of the name
  uint64_t bytes;     // of a va_list
  uint64_t pointers[MOST_POINTERS];
  unsigned pointer_count;
} ListLayout;
// Where the pointers to the arguments are in a va_list.
static const ListLayout layouts[] = {
    {"x86_64", 24, {8, 16}, 2}, {"i386", 4, {0}, 1}, {"i486", 4, {0}, 1}, {"i586", 4, {0}, 1}, {"i686", 4, {0}, 1}};

static const ListLayout *list_layout(const Reader *r) {
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
    if (starts_with(LLVMGetTarget(r->module), layouts[i].target)) return &layouts[i];
  return NULL;
}

static CodeOperand moved(Reader *r, CodeOperand base, int64_t offset, uint64_t stride) {
  size_t mark = r->pending.count;
  reader_push_operand(r, base);
  CodeOperand result = reader_emit_new(r, CODE_MOVE, mark);
  CodeStatement *statement = CodeStatementVector_last(&r->statements);
  statement->offset = offset;
  statement->stride = stride;
  return result;
}

static void store(Reader *r, CodeOperand place, CodeOperand value, uint64_t size) {
  size_t mark = r->pending.count;
  reader_push_operand(r, place);
  reader_push_operand(r, value);
  reader_emit(r, CODE_STORE, NULL, mark)->size = size;
}

static void push_variable_parameters(Reader *r) {
  const CodeFunction *f = &r->functions.data[r->function];
  unsigned own = LLVMCountParams((LLVMValueRef)(uintptr_t)r->bodies.data[r->function]);
  for (uint32_t i = own; i < f->parameter_count; i++)
    reader_push_operand(r, (CodeOperand){.kind = CODE_REGISTER, .id = f->first_parameter + i});
}

// A new automatic object gets all arguments, in any order, and the va_list points to it.
static void start_arguments(Reader *r, LLVMValueRef call) {
  const ListLayout *layout = list_layout(r);
  size_t mark = r->pending.count;
  CodeOperand list = read_operand(r, LLVMGetOperand(call, 0));
  if (!layout) {
    reader_push_operand(r, list);
    push_variable_parameters(r);
    reader_emit(r, CODE_OPAQUE, NULL, mark)->note = "va_start";
    return;
  }
  CodeOperand area = reader_emit_new(r, CODE_LOCAL, mark);
  CodeStatementVector_last(&r->statements)->object = reader_local(r, "...", 0);
  CodeOperand anywhere = moved(r, area, 0, 1);
  uint64_t slot = 2 * r->code->pointer_bytes; // for numbers and aggregates
  push_variable_parameters(r);
  for (size_t i = mark; i < r->pending.count; i++) store(r, anywhere, r->pending.data[i], slot);
  r->pending.count = mark;
  for (unsigned i = 0; i < layout->pointer_count; i++)
    store(r, moved(r, list, (int64_t)layout->pointers[i], 0), area, r->code->pointer_bytes);
}

static void copy_arguments(Reader *r, LLVMValueRef call) {
  const ListLayout *layout = list_layout(r);
  emit_arguments(r, CODE_COPY_BLOCK, call, 2)->size = layout ? layout->bytes : 0;
}

// --- intrinsics ---

void read_intrinsic(Reader *r, LLVMValueRef call, const char *name) {
  unsigned count = LLVMGetNumArgOperands(call);
  switch (meaning_of(LLVMGetCalledValue(call), name)) {
  case MEANS_NOTHING:
    if (reader_has_value(call)) reader_emit(r, CODE_COMPUTE, call, r->pending.count);
    break;
  case MEANS_ARGUMENT: emit_arguments(r, CODE_CHOICE, call, 1); break;
  case MEANS_NUMBER: {
    size_t mark = r->pending.count;
    reader_push(r, LLVMGetOperand(call, 0));
    reader_emit_exactly(r, CODE_COMPUTE, call, mark);
    break;
  }
  case MEANS_COMPUTED:
    if (reader_has_value(call)) emit_arguments(r, CODE_COMPUTE, call, count);
    break;
  case MEANS_COPY: read_block_operation(r, call, CODE_COPY_BLOCK); break;
  case MEANS_FILL: read_block_operation(r, call, CODE_FILL_BLOCK); break;
  case MEANS_START_ARGUMENTS: start_arguments(r, call); break;
  case MEANS_COPY_ARGUMENTS: copy_arguments(r, call); break;
  case MEANS_OPAQUE: emit_arguments(r, CODE_OPAQUE, call, count)->note = arena_string(&r->code->arena, name); break;
  }
}
