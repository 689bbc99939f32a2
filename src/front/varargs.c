// Variable arguments of functions with a body, passed as the calling convention says, so that the code that clang makes of
// va_arg finds them.
//
// ILP32: all arguments stand in memory, one after the other, and a va_list is a pointer to the next one. LP64: the
// first six words and the first eight floating values, those of named parameters included, travel in registers, the rest
// in memory; a va_list is a record of two offsets and the two areas. Both areas are stack objects of the callee.
#include "front/lower.h"

#include <string.h>

enum { GENERAL_BYTES = 48, FLOATING_SLOT = 16, FLOATING_END = 176, RECORD_BYTES = 24 };

// Where the next argument goes.
typedef struct Convention {
  unsigned word;      // bytes
  bool registers;     // LP64
  uint64_t general;   // used of GENERAL_BYTES
  uint64_t floating;  // from GENERAL_BYTES on, used up to FLOATING_END
  uint64_t memory;    // bytes used
  uint64_t alignment; // of the memory area
} Convention;

static uint64_t round_up(uint64_t bytes, uint64_t to) { return (bytes + to - 1) / to * to; }

static uint64_t take_memory(Convention *c, uint64_t bytes, uint64_t alignment) {
  if (alignment < c->word) alignment = c->word;
  if (alignment > c->alignment) c->alignment = alignment;
  uint64_t at = round_up(c->memory, alignment);
  c->memory = at + round_up(bytes, c->word);
  return at;
}

static bool is_floating(LLVMTypeRef type) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMVectorTypeKind;
}

// The place of an argument that is one LLVM value: `*in_registers` says in which of the areas.
static uint64_t take_place(Convention *c, LLVMTypeRef type, uint64_t bytes, bool *in_registers) {
  uint64_t words = round_up(bytes, c->word), at;
  *in_registers = true;
  if (c->registers && is_floating(type) && c->floating + FLOATING_SLOT <= FLOATING_END) {
    at = c->floating;
    c->floating += FLOATING_SLOT;
    return at;
  }
  if (c->registers && !is_floating(type) && c->general + words <= GENERAL_BYTES) {
    at = c->general;
    c->general += words;
    return at;
  }
  *in_registers = false;
  return take_memory(c, bytes, c->registers && bytes > c->word ? 2 * c->word : c->word);
}

// The struct that argument `i` points to is passed by value, in memory; NULL: it is no such argument.
static LLVMTypeRef struct_by_value(const CallArguments *a, size_t i) {
  LLVMAttributeRef attribute =
      a->call ? LLVMGetCallSiteEnumAttribute(a->call, (LLVMAttributeIndex)i + 1, attribute_kind("byval")) : NULL;
  return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static uint64_t by_value_alignment(const CallArguments *a, size_t i) {
  LLVMAttributeRef attribute =
      LLVMGetCallSiteEnumAttribute(a->call, (LLVMAttributeIndex)i + 1, attribute_kind("align"));
  return attribute ? LLVMGetEnumAttributeValue(attribute) : 1;
}

// One walk over the arguments: with `areas` they are stored, without it their room is counted.
typedef struct Areas {
  Term registers, memory; // addresses
} Areas;

static void store_leaves(Lowering *l, const CallArguments *a, size_t i, Term to) {
  LeafVector leaves;
  LeafVector_init(&leaves, l->account);
  type_leaves(l->unit, LLVMTypeOf(LLVMGetOperand(a->call, (unsigned)i)), 0, &leaves);
  for (uint32_t leaf = 0; leaf < a->counts[i] && leaf < leaves.count; leaf++)
    builder_store(l, term_add_constant(l->terms, to, leaves.data[leaf].offset), a->lists[i][leaf], false);
  LeafVector_free(&leaves);
}

static void pass_one(Lowering *l, Convention *c, const CallArguments *a, size_t i, const Areas *areas) {
  LLVMTypeRef by_value = struct_by_value(a, i), type = LLVMTypeOf(LLVMGetOperand(a->call, (unsigned)i));
  if (by_value) {
    uint64_t bytes = type_bytes(l->unit, by_value), at = take_memory(c, bytes, by_value_alignment(a, i));
    if (areas && a->lists[i])
      lower_block_operation(l, STEP_COPY, term_add_constant(l->terms, areas->memory, at), a->lists[i][0], bytes);
    return;
  }
  bool in_registers;
  uint64_t at = take_place(c, type, type_bytes(l->unit, type), &in_registers);
  Term area = !areas ? TERM_NONE : in_registers ? areas->registers : areas->memory;
  if (areas && a->lists[i]) store_leaves(l, a, i, term_add_constant(l->terms, area, at));
}

static Convention after_parameters(Lowering *l, const CallArguments *a, size_t parameters) {
  Convention c = {.word = l->unit->pointer_width / 8, .registers = l->unit->pointer_width == 64};
  c.floating = GENERAL_BYTES;
  c.alignment = 16;
  for (size_t i = 0; i < parameters && i < a->count; i++) pass_one(l, &c, a, i, NULL);
  c.memory = 0; // what follows is found through the area's own address
  return c;
}

// Objects are aligned to 16 bytes; a larger alignment is made by room to spare.
static Term new_area(Lowering *l, uint64_t bytes, uint64_t alignment, const char *name) {
  uint64_t spare = bytes && alignment > 16 ? alignment - 16 : 0;
  ObjectId object = memory_local_object(l, bytes + spare, name);
  return constant_address(l, round_up(l->program->objects.data[object].address, alignment));
}

void varargs_pass(Lowering *l, Activation *callee, const CallArguments *a) {
  size_t parameters = LLVMCountParams(callee->info->function);
  if (!a->call) return; // the model calls functions with their parameters only
  Convention start = after_parameters(l, a, parameters), end = start;
  for (size_t i = parameters; i < a->count; i++) pass_one(l, &end, a, i, NULL);
  // Only as much as is passed: what va_arg takes beyond it is no argument.
  uint64_t saved = end.floating > start.floating ? end.floating : end.general > start.general ? end.general : 0;
  Areas areas = {.registers = new_area(l, saved, 16, "variable arguments in registers"),
                 .memory = new_area(l, end.memory, end.alignment, "variable arguments")};
  callee->varargs = areas.memory;
  callee->registers = areas.registers;
  callee->used_general = start.general;
  callee->used_floating = start.floating;
  for (size_t i = parameters; i < a->count; i++) pass_one(l, &start, a, i, &areas);
}

void varargs_start(Lowering *l, LLVMValueRef call) {
  builder_flush(l);
  const Activation *top = l->top;
  Term list = value_term(l, LLVMGetOperand(call, 0));
  if (list == TERM_NONE || l->current == NO_ID) return;
  if (top->varargs == TERM_NONE) {
    builder_cut(l, CUT_CONSTRUCT, "va_start without variable arguments");
    return;
  }
  if (l->unit->pointer_width == 32) {
    builder_store(l, list, top->varargs, false);
    return;
  }
  builder_store(l, list, term_constant(l->terms, 32, top->used_general), false);
  builder_store(l, term_add_constant(l->terms, list, 4), term_constant(l->terms, 32, top->used_floating), false);
  builder_store(l, term_add_constant(l->terms, list, 8), top->varargs, false);
  builder_store(l, term_add_constant(l->terms, list, 16), top->registers, false);
}

void varargs_copy(Lowering *l, LLVMValueRef call) {
  builder_flush(l);
  Term to = value_term(l, LLVMGetOperand(call, 0)), from = value_term(l, LLVMGetOperand(call, 1));
  if (to == TERM_NONE || from == TERM_NONE) return;
  lower_block_operation(l, STEP_COPY, to, from, l->unit->pointer_width == 32 ? 4 : RECORD_BYTES);
}
