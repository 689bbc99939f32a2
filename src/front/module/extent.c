#include "front/module/extent.h"

#include <llvm-c/DebugInfo.h>

void extents_init(Extents *extents, FrontUnit *unit, const FrontSlice *slice, unsigned recursion, uint64_t most,
                  Account *account) {
  *extents = (Extents){.unit = unit, .slice = slice, .recursion = recursion, .most = most, .account = account};
  FunctionExtentVector_init(&extents->functions, account);
  map_init(&extents->index, account);
}

void extents_free(Extents *extents) {
  for (size_t i = 0; i < extents->functions.count; i++) U64Vector_free(&extents->functions.data[i].callees);
  FunctionExtentVector_free(&extents->functions);
  map_free(&extents->index);
}

// --- one function ---

static bool is_silent(const char *callee) {
  return starts_with(callee, "llvm.dbg.") || starts_with(callee, "llvm.lifetime.");
}

// The body that a call of the function runs; NULL: it has none, or is replaced.
static LLVMValueRef body_of(const Extents *extents, LLVMValueRef function) {
  LLVMValueRef definition = unit_definition(extents->unit, function);
  return definition && unit_replaced(extents->slice, definition) ? NULL : definition;
}

static void add_callees(const Extents *extents, LLVMValueRef call, U64Vector *callees) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAGlobalAlias(callee)) callee = LLVMAliasGetAliasee(callee);
  if (LLVMIsAFunction(callee)) {
    LLVMValueRef definition = body_of(extents, callee);
    if (definition) U64Vector_push(callees, pointer_key(definition));
    return;
  }
  if (LLVMIsAInlineAsm(callee)) return;
  LLVMTypeRef type = LLVMGetCalledFunctionType(call);
  for (size_t i = 0; i < extents->unit->taken.count; i++) {
    LLVMValueRef candidate = (LLVMValueRef)(uintptr_t)extents->unit->taken.data[i];
    LLVMValueRef definition = body_of(extents, candidate);
    if (definition && LLVMGlobalGetValueType(candidate) == type) U64Vector_push(callees, pointer_key(definition));
  }
}

static uint64_t count_instruction(const Extents *extents, LLVMValueRef instruction, U64Vector *callees) {
  switch (LLVMGetInstructionOpcode(instruction)) {
  case LLVMLoad:
  case LLVMStore:
  case LLVMAtomicCmpXchg:
  case LLVMAtomicRMW: return 1;
  case LLVMBr:
  case LLVMSwitch:
  case LLVMIndirectBr: return LLVMGetNumSuccessors(instruction);
  case LLVMCall:
    if (is_silent(value_name(LLVMGetCalledValue(instruction)))) return 0;
    add_callees(extents, instruction, callees);
    return 1;
  default: return 0;
  }
}

static size_t function_index(Extents *extents, LLVMValueRef function) {
  assert(LLVMIsAFunction(function));
  uint64_t known;
  if (map_get(&extents->index, pointer_key(function), &known)) return known;
  FunctionExtent row = {.function = function, .own = 1};
  U64Vector_init(&row.callees, extents->account);
  const FunctionInfo *info = unit_function(extents->unit, function);
  for (size_t b = 0; b < info->block_count; b++)
    for (LLVMValueRef i = LLVMGetFirstInstruction(info->blocks[b]); i; i = LLVMGetNextInstruction(i))
      row.own += count_instruction(extents, i, &row.callees);
  size_t index = extents->functions.count;
  FunctionExtentVector_push(&extents->functions, row);
  map_put(&extents->index, pointer_key(function), index);
  return index;
}

static size_t callee_index(Extents *extents, size_t caller, size_t i) {
  assert(caller < extents->functions.count && i < extents->functions.data[caller].callees.count);
  uint64_t callee = extents->functions.data[caller].callees.data[i];
  return function_index(extents, (LLVMValueRef)(uintptr_t)callee);
}

// --- extents ---

// Walks the tree of calls until more than `most` edges are counted; every activation counts at least one.
static uint64_t count_tree(Extents *extents, size_t index, uint64_t counted) {
  assert(index < extents->functions.count);
  if (extents->functions.data[index].nesting >= extents->recursion) return counted + 1;
  counted += extents->functions.data[index].own;
  extents->functions.data[index].nesting++;
  for (size_t i = 0; i < extents->functions.data[index].callees.count && counted <= extents->most; i++)
    counted = count_tree(extents, callee_index(extents, index, i), counted);
  extents->functions.data[index].nesting--;
  return counted;
}

uint64_t extent_of(Extents *extents, LLVMValueRef definition) {
  size_t index = function_index(extents, definition);
  if (extents->functions.data[index].extent == 0) {
    uint64_t counted = count_tree(extents, index, 0);
    assert(counted > 0 && extents->functions.data[index].nesting == 0);
    extents->functions.data[index].extent = counted > extents->most ? extents->most + 1 : counted;
  }
  return extents->functions.data[index].extent;
}

// --- the whole program ---

// Functions in postorder of a walk over the calls: callees before callers, but for recursion.
typedef struct CallWalk {
  Extents *extents;
  U32Vector order;
  U32Vector place; // per function: its place in the order, + 1
} CallWalk;

enum { BEING_VISITED = UINT32_MAX };

static void visit_calls(CallWalk *walk, size_t index) {
  if (walk->place.count <= index) U32Vector_resize(&walk->place, index + 1);
  if (walk->place.data[index]) return;
  walk->place.data[index] = BEING_VISITED;
  for (size_t i = 0; i < walk->extents->functions.data[index].callees.count; i++)
    visit_calls(walk, callee_index(walk->extents, index, i));
  U32Vector_push(&walk->order, (uint32_t)index);
  walk->place.data[index] = (uint32_t)walk->order.count;
}

// A function that is passed as an argument (a routine, a callback) is a root of its own in the tree of calls.
static void visit_handed(CallWalk *walk, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) == function) continue;
    visit_calls(walk, function_index(walk->extents, function));
    return;
  }
}

static void walk_program(CallWalk *walk) {
  FrontUnit *unit = walk->extents->unit;
  for (LLVMValueRef f = LLVMGetFirstFunction(unit->user); f; f = LLVMGetNextFunction(f)) {
    if (LLVMCountBasicBlocks(f) == 0) continue;
    if (strcmp(value_name(f), "main") == 0)
      visit_calls(walk, function_index(walk->extents, f));
    else
      visit_handed(walk, f);
  }
}

// How often each function is copied, callers before callees. What nothing calls is entered once.
static double *count_copies(CallWalk *walk) {
  Extents *extents = walk->extents;
  double *copies = memory_allocate_zeroed(extents->account, extents->functions.count * sizeof *copies);
  for (size_t k = walk->order.count; k-- > 0;) {
    uint32_t index = walk->order.data[k];
    if (copies[index] == 0) copies[index] = 1;
    const U64Vector *callees = &extents->functions.data[index].callees;
    for (size_t i = 0; i < callees->count; i++) {
      size_t callee = callee_index(extents, index, i);
      if (walk->place.data[callee] < walk->place.data[index]) copies[callee] += copies[index];
    }
  }
  return copies;
}

static void add_place(LLVMValueRef function, Text *out) {
  text_add(out, value_name(function));
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
  if (!file) return;
  unsigned length;
  const char *name = LLVMDIFileGetFilename(file, &length);
  text_format(out, " (%.*s:%u)", (int)length, name, LLVMDISubprogramGetLine(subprogram));
}

enum { FUNCTIONS_NAMED = 3 };

static void name_largest(const Extents *extents, const double *copies, Text *out) {
  bool named[FUNCTIONS_NAMED] = {false};
  size_t chosen[FUNCTIONS_NAMED];
  for (size_t n = 0; n < FUNCTIONS_NAMED; n++) {
    size_t best = SIZE_MAX;
    double most = 0;
    for (size_t i = 0; i < extents->functions.count; i++) {
      bool taken = false;
      for (size_t k = 0; k < n; k++) taken |= named[k] && chosen[k] == i;
      double edges = copies[i] * (double)extents->functions.data[i].own;
      if (taken || edges <= most || LLVMGetGlobalParent(extents->functions.data[i].function) != extents->unit->user)
        continue;
      most = edges;
      best = i;
    }
    if (best == SIZE_MAX) return;
    named[n] = true;
    chosen[n] = best;
    text_add(out, n ? ", " : ", most in ");
    add_place(extents->functions.data[best].function, out);
  }
}

void extents_describe(Extents *extents, Text *out) {
  CallWalk walk = {.extents = extents};
  U32Vector_init(&walk.order, extents->account);
  U32Vector_init(&walk.place, extents->account);
  walk_program(&walk);
  double *copies = count_copies(&walk), edges = 0;
  size_t count = extents->functions.count;
  for (size_t i = 0; i < count; i++) edges += copies[i] * (double)extents->functions.data[i].own;
  text_format(out, edges < 1e9 ? "about %.0f edges" : "about %.0e edges", edges);
  name_largest(extents, copies, out);
  memory_free(extents->account, copies, count * sizeof *copies);
  U32Vector_free(&walk.order);
  U32Vector_free(&walk.place);
}
