// Variable arguments of functions with a body, passed as the calling convention says, so that the code that clang makes
// of va_arg finds them.
//
// ILP32: all arguments stand in memory, one after the other, and a va_list is a pointer to the next one. LP64: the
// first six words and the first eight floating values, those of named parameters included, travel in registers, the
// rest in memory; a va_list is a record of two offsets and the two areas. Both areas are stack objects of the callee.
#include "front/calls/calls.h"
#include "front/objects/objects.h"

#include <string.h>

enum { GENERAL_BYTES = 48, FLOATING_SLOT = 16, FLOATING_END = 176, RECORD_BYTES = 24 };

// How much of each area the arguments so far have used.
typedef struct Convention {
  unsigned word;      // bytes
  bool registers;     // LP64
  uint64_t general;   // used of GENERAL_BYTES
  uint64_t floating;  // from GENERAL_BYTES on, used up to FLOATING_END
  uint64_t memory;    // bytes used
  uint64_t alignment; // of the memory area
} Convention;

static uint64_t round_up(uint64_t bytes, uint64_t to) {
  assert(to > 0);
  return (bytes + to - 1) / to * to;
}

static uint64_t take_memory(Convention *c, uint64_t bytes, uint64_t alignment) {
  assert(c->word == 4 || c->word == 8);
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
  assert(c->general <= GENERAL_BYTES && c->floating <= FLOATING_END);
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

// The areas that arguments are stored in.
typedef struct Areas {
  Term registers, memory; // addresses
} Areas;

static void store_leaves(Lowering *l, const CallArguments *a, size_t i, Term to) {
  assert(i < a->count && a->lists[i]);
  LeafVector leaves;
  LeafVector_init(&leaves, l->account);
  type_leaves(l->unit, LLVMTypeOf(LLVMGetOperand(a->call, (unsigned)i)), 0, &leaves);
  for (uint32_t leaf = 0; leaf < a->counts[i] && leaf < leaves.count; leaf++)
    builder_store(l, term_add_constant(l->terms, to, leaves.data[leaf].offset), a->lists[i][leaf], false);
  LeafVector_free(&leaves);
}

// Passes one argument. `areas` NULL: nothing is stored, its room is only counted in `c`.
static void pass_one(Lowering *l, Convention *c, const CallArguments *a, size_t i, const Areas *areas) {
  assert(a->call && i < a->count);
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

// Objects are aligned to 16 bytes; for a larger alignment the object gets more bytes and the area begins inside it.
static Term new_area(Lowering *l, uint64_t bytes, uint64_t alignment, const char *name) {
  assert(alignment >= 16 && (alignment & (alignment - 1)) == 0);
  uint64_t spare = bytes && alignment > 16 ? alignment - 16 : 0;
  ObjectId object = stack_hidden_object(l, bytes + spare, name);
  return object == NO_ID ? constant_address(l, 0)
                         : constant_address(l, round_up(l->program->objects.data[object].address, alignment));
}

void varargs_pass(Lowering *l, Activation *callee, const CallArguments *a) {
  size_t parameters = LLVMCountParams(callee->info->function);
  if (!a->call) return; // the model calls functions with their parameters only
  Convention start = after_parameters(l, a, parameters), end = start;
  for (size_t i = parameters; i < a->count; i++) pass_one(l, &end, a, i, NULL);
  // The area has the registers that are passed only: an access of va_arg behind them is invalid.
  uint64_t saved = end.floating > start.floating ? end.floating : end.general > start.general ? end.general : 0;
  Areas areas = {.registers = new_area(l, saved, 16, "variable arguments in registers"),
                 .memory = new_area(l, end.memory, end.alignment, "variable arguments")};
  callee->varargs = areas.memory;
  callee->registers = areas.registers;
  callee->used_general = start.general;
  callee->used_floating = start.floating;
  for (size_t i = parameters; i < a->count; i++) pass_one(l, &start, a, i, &areas);
}

void varargs_keep(Lowering *l, Activation *callee, const CallArguments *a) {
  callee->first_kept = l->bindings.count;
  callee->kept_call = a->call;
  for (size_t i = LLVMCountParams(callee->info->function); i < a->count; i++) {
    Binding kept = {.value = callee->info->function, .uses_left = 1, .variable = NO_ID};
    kept.term_count = a->lists[i] ? a->counts[i] : 0;
    kept.terms = arena_copy(&l->scratch, a->lists[i], kept.term_count * sizeof(Term));
    BindingVector_push(&l->bindings, kept);
  }
  callee->kept_count = l->bindings.count - callee->first_kept;
  assert(callee->kept_count <= a->count);
}

void lower_argument(Lowering *l, LLVMValueRef call) {
  Term number = call_argument(l, call, 0);
  if (number == TERM_NONE || l->current == NO_ID) return;
  assert(term_is_constant(l->terms, number));
  size_t index = (size_t)term_constant_value(l->terms, number);
  const Binding *kept = index < l->top->kept_count ? &l->bindings.data[l->top->first_kept + index] : NULL;
  if (!kept || kept->term_count != 1)
    builder_cut(l, CUT_CONSTRUCT, "a variable argument that is missing, or no number");
  else
    value_bind_one(l, call, term_resize_unsigned(l->terms, kept->terms[0], type_width(l->unit, LLVMTypeOf(call))));
}

// Stores the arguments that varargs_keep has kept as bindings.
static void pass_kept(Lowering *l) {
  Activation *top = l->top;
  if (top->varargs != TERM_NONE || !top->info->library || !LLVMIsFunctionVarArg(top->info->type)) return;
  builder_flush(l);
  size_t parameters = LLVMCountParams(top->info->function), count = parameters + top->kept_count;
  assert(top->first_kept + top->kept_count <= l->bindings.count);
  CallArguments a = {.count = count, .call = top->kept_call, .complete = true};
  a.lists = arena_allocate_zeroed(&l->scratch, count * sizeof *a.lists + 1);
  a.counts = arena_allocate_zeroed(&l->scratch, count * sizeof *a.counts + 1);
  for (size_t i = 0; i < top->kept_count; i++) {
    const Binding *kept = &l->bindings.data[top->first_kept + i];
    a.lists[parameters + i] = kept->terms;
    a.counts[parameters + i] = kept->term_count;
  }
  varargs_pass(l, top, &a);
}

// Initialises the va_list at the address `list`: it begins with the first variable argument.
static void begin_list(Lowering *l, Term list) {
  pass_kept(l);
  const Activation *top = l->top;
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

Term varargs_list(Lowering *l) {
  builder_flush(l);
  if (l->unit->pointer_width == 32) { // the list itself is the pointer
    pass_kept(l);
    return l->top->varargs;
  }
  Term list = object_address(l, stack_hidden_object(l, RECORD_BYTES, "argument list"));
  begin_list(l, list);
  return list;
}

void varargs_start(Lowering *l, LLVMValueRef call) {
  builder_flush(l);
  Term list = value_term(l, LLVMGetOperand(call, 0));
  if (list != TERM_NONE && l->current != NO_ID) begin_list(l, list);
}

void varargs_copy(Lowering *l, LLVMValueRef call) {
  builder_flush(l);
  Term to = value_term(l, LLVMGetOperand(call, 0)), from = value_term(l, LLVMGetOperand(call, 1));
  if (to == TERM_NONE || from == TERM_NONE) return;
  lower_block_operation(l, STEP_COPY, to, from, l->unit->pointer_width == 32 ? 4 : RECORD_BYTES);
}

// --- taking arguments, as va_arg does ---

enum { GENERAL_FIELD = 0, FLOATING_FIELD = 4, MEMORY_FIELD = 8, REGISTERS_FIELD = 16 };

ListPlace varargs_place(Lowering *l, Term list) {
  ListPlace place = {.memory = list}; // ILP32: the list is the pointer itself
  if (l->unit->pointer_width == 32) return place;
  place.general = builder_load(l, term_add_constant(l->terms, list, GENERAL_FIELD), 32, false, "general");
  place.floating = builder_load(l, term_add_constant(l->terms, list, FLOATING_FIELD), 32, false, "floating");
  place.memory = builder_load(l, term_add_constant(l->terms, list, MEMORY_FIELD), 64, false, "area");
  place.registers = builder_load(l, term_add_constant(l->terms, list, REGISTERS_FIELD), 64, false, "registers");
  return place;
}

Term varargs_next(Lowering *l, ListPlace *place, unsigned width, bool floating) {
  assert(width > 0 && width <= 64);
  TermStore *t = l->terms;
  unsigned word = l->unit->pointer_width / 8;
  Term address = place->memory, behind = term_add_constant(t, address, round_up(width / 8, word));
  if (l->unit->pointer_width == 64) {
    Term *used = floating ? &place->floating : &place->general;
    unsigned step = floating ? FLOATING_SLOT : word, end = floating ? FLOATING_END : GENERAL_BYTES;
    Term fits = term_binary(t, TERM_ULE, *used, term_constant(t, 32, end - step));
    Term saved = term_add(t, place->registers, term_zero_extend(t, *used, 64));
    address = term_ite(t, fits, saved, address);
    behind = term_ite(t, fits, place->memory, behind);
    *used = term_ite(t, fits, term_add_constant(t, *used, step), *used);
  }
  place->memory = behind;
  return builder_load(l, address, width, false, "argument");
}
