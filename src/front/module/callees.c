#include "front/module/callees.h"

#include "base/bitset.h"

typedef uint32_t NodeId;
// Fixed nodes: no function; every function; values stored through an unknown pointer; values read through one;
// arguments of library functions; routines of threads.
enum { NODE_NOTHING, NODE_EVERYTHING, NODE_STORED, NODE_POINTED, NODE_LIBRARY, NODE_ROUTINES, FIRST_NODE };

typedef struct Flow {
  NodeId from, to;
} Flow;
VECTOR(FlowVector, Flow);
VECTOR(BitsetVector, Bitset);

struct Callees {
  const FrontUnit *unit;
  size_t functions;
  BitsetVector sets; // by NodeId: functions; one more bit: any function
  FlowVector flows;
  Map values;  // value -> NodeId of what it holds; global or alloca -> of what is stored there
  Map places;  // the same for memory
  Map fields;  // size and offset -> NodeId
  Map results; // function -> NodeId of what it returns
  Map indices; // function -> index in unit->taken
  Account *account;
};

static NodeId new_node(Callees *c) {
  Bitset set;
  bitset_init(&set, c->functions + 1, c->account);
  BitsetVector_push(&c->sets, set);
  return (NodeId)(c->sets.count - 1);
}

static NodeId node_in(Callees *c, Map *map, uint64_t key) {
  uint64_t known;
  if (map_get(map, key, &known)) return (NodeId)known;
  NodeId node = new_node(c);
  map_put(map, key, node);
  return node;
}

static void flow(Callees *c, NodeId from, NodeId to) {
  assert(from < c->sets.count && to < c->sets.count);
  if (from != NODE_NOTHING && from != to) FlowVector_push(&c->flows, (Flow){from, to});
}

static bool is_user_function(const Callees *c, LLVMValueRef function) {
  LLVMValueRef definition = unit_definition(c->unit, function);
  return definition && LLVMGetGlobalParent(definition) == c->unit->user;
}

// --- memory ---

enum { MOST_LEVELS = 8 };
typedef struct Places {
  NodeId nodes[MOST_LEVELS];
  size_t count; // the innermost field first; 0: not known
} Places;

static NodeId field_node(Callees *c, uint64_t size, uint64_t offset) {
  return node_in(c, &c->fields, hash_mix(size * 0x9e3779b97f4a7c15u + offset));
}

static bool is_gep(LLVMValueRef value) {
  return LLVMIsAGetElementPtrInst(value) ||
         (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

// The fields that the indices of a GEP go through; elements of arrays are one.
static void add_fields(Callees *c, LLVMValueRef gep, Places *places) {
  assert(is_gep(gep));
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep), structs[MOST_LEVELS];
  uint64_t offsets[MOST_LEVELS];
  size_t count = 0;
  for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind) {
      type = LLVMGetElementType(type);
      continue;
    }
    unsigned field = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gep, i));
    uint64_t offset = LLVMOffsetOfElement(c->unit->layout, type, field);
    for (size_t k = 0; k < count; k++) offsets[k] += offset;
    if (count < MOST_LEVELS) {
      structs[count] = type;
      offsets[count++] = offset;
    }
    type = LLVMStructGetTypeAtIndex(type, field);
  }
  while (count-- > 0 && places->count < MOST_LEVELS)
    places->nodes[places->count++] = field_node(c, LLVMABISizeOfType(c->unit->layout, structs[count]), offsets[count]);
}

static Places places_of(Callees *c, LLVMValueRef pointer) {
  Places places = {.count = 0};
  for (unsigned depth = 0; depth < 32; depth++) {
    if (is_gep(pointer)) {
      add_fields(c, pointer, &places);
      pointer = LLVMGetOperand(pointer, 0);
    } else if (LLVMIsABitCastInst(pointer)) {
      pointer = LLVMGetOperand(pointer, 0);
    } else {
      break;
    }
  }
  bool own = LLVMIsAAllocaInst(pointer) || LLVMIsAGlobalVariable(pointer);
  if (own && places.count < MOST_LEVELS) places.nodes[places.count++] = node_in(c, &c->places, pointer_key(pointer));
  return places;
}

static NodeId loaded(Callees *c, LLVMValueRef pointer) {
  Places places = places_of(c, pointer);
  return places.count ? places.nodes[0] : NODE_POINTED;
}

static void store(Callees *c, NodeId value, LLVMValueRef pointer) {
  Places places = places_of(c, pointer);
  for (size_t i = 0; i < places.count; i++) flow(c, value, places.nodes[i]);
  if (places.count == 0) flow(c, value, NODE_STORED);
}

// The address is used as a value: what is stored there may be read through any pointer.
static void expose(Callees *c, LLVMValueRef pointer) {
  if (!is_gep(pointer) && !LLVMIsAAllocaInst(pointer) && !LLVMIsAGlobalVariable(pointer)) return;
  Places places = places_of(c, pointer);
  for (size_t i = 0; i < places.count; i++) flow(c, places.nodes[i], NODE_POINTED);
}

// --- values ---

static NodeId value_node(Callees *c, LLVMValueRef value);

static NodeId function_node(Callees *c, LLVMValueRef function) {
  uint64_t index;
  NodeId node = node_in(c, &c->values, pointer_key(function));
  if (map_get(&c->indices, pointer_key(function), &index)) bitset_set(&c->sets.data[node], index);
  return node;
}

static NodeId result_node(Callees *c, LLVMValueRef function) {
  return node_in(c, &c->results, pointer_key(unit_definition(c->unit, function)));
}

static bool may_be_called_by(LLVMValueRef function, LLVMTypeRef type) {
  LLVMTypeRef own = LLVMGlobalGetValueType(function);
  return LLVMIsFunctionVarArg(type) || LLVMCountParamTypes(own) == LLVMCountParamTypes(type);
}

static LLVMValueRef taken_function(const Callees *c, size_t index) {
  assert(index < c->functions);
  return (LLVMValueRef)(uintptr_t)c->unit->taken.data[index];
}

static NodeId call_result(Callees *c, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(callee)) return is_user_function(c, callee) ? result_node(c, callee) : NODE_LIBRARY;
  NodeId node = node_in(c, &c->values, pointer_key(call));
  for (size_t i = 0; i < c->functions; i++)
    if (may_be_called_by(taken_function(c, i), LLVMGetCalledFunctionType(call)) &&
        is_user_function(c, taken_function(c, i)))
      flow(c, result_node(c, taken_function(c, i)), node);
  return node;
}

// The value may be any of its operands, from `first` on.
static NodeId mixed(Callees *c, LLVMValueRef value, unsigned first) {
  uint64_t known;
  if (map_get(&c->values, pointer_key(value), &known)) return (NodeId)known;
  NodeId node = node_in(c, &c->values, pointer_key(value));
  unsigned count = (unsigned)LLVMGetNumOperands(value);
  for (unsigned i = first; i < count; i++) flow(c, value_node(c, LLVMGetOperand(value, i)), node);
  return node;
}

static NodeId instruction_node(Callees *c, LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMLoad:
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg: return loaded(c, LLVMGetOperand(value, 0));
  case LLVMCall: return LLVMIsAInlineAsm(LLVMGetCalledValue(value)) ? NODE_EVERYTHING : call_result(c, value);
  case LLVMSelect: return mixed(c, value, 1);
  case LLVMPHI:
  case LLVMBitCast:
  case LLVMIntToPtr:
  case LLVMPtrToInt:
  case LLVMFreeze:
  case LLVMExtractValue:
  case LLVMInsertValue:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
  case LLVMAdd:
  case LLVMSub: return mixed(c, value, 0);
  default: return NODE_NOTHING; // the address of an object, a number
  }
}

static NodeId value_node(Callees *c, LLVMValueRef value) {
  while (LLVMIsAGlobalAlias(value)) value = LLVMAliasGetAliasee(value);
  if (LLVMIsAFunction(value)) return function_node(c, value);
  if (LLVMIsAArgument(value)) return node_in(c, &c->values, pointer_key(value));
  if (LLVMIsAInstruction(value)) return instruction_node(c, value);
  if (LLVMIsAConstantExpr(value) && !is_gep(value)) return mixed(c, value, 0);
  return NODE_NOTHING;
}

// --- the module ---

static void enter(Callees *c, LLVMValueRef call, LLVMValueRef function) {
  assert(is_user_function(c, function));
  LLVMValueRef definition = unit_definition(c->unit, function);
  unsigned count = LLVMGetNumArgOperands(call), parameters = LLVMCountParams(definition);
  for (unsigned i = 0; i < count; i++) {
    NodeId passed = value_node(c, LLVMGetOperand(call, i));
    if (passed == NODE_NOTHING) continue;
    flow(c, passed, i < parameters ? value_node(c, LLVMGetParam(definition, i)) : NODE_STORED);
  }
}

// Position of the routine among the arguments of a function that starts a thread; -1: it is none.
static int routine_argument(const char *name) {
  return strcmp(name, "pthread_create") == 0 ? 2 : strcmp(name, "thrd_create") == 0 ? 1 : -1;
}

static void scan_call(Callees *c, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  const char *name = LLVMIsAFunction(callee) ? value_name(callee) : "";
  if (starts_with(name, "llvm.memcpy") || starts_with(name, "llvm.memmove")) {
    store(c, loaded(c, LLVMGetOperand(call, 1)), LLVMGetOperand(call, 0));
  } else if (starts_with(name, "llvm.")) {
    return;
  } else if (!LLVMIsAFunction(callee)) {
    value_node(c, callee);
    for (size_t i = 0; i < c->functions; i++)
      if (may_be_called_by(taken_function(c, i), LLVMGetCalledFunctionType(call)) &&
          is_user_function(c, taken_function(c, i)))
        enter(c, call, taken_function(c, i));
  } else if (is_user_function(c, callee)) {
    enter(c, call, callee);
  } else {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
      flow(c, value_node(c, LLVMGetOperand(call, i)), (int)i == routine_argument(name) ? NODE_ROUTINES : NODE_LIBRARY);
  }
}

static void expose_operands(Callees *c, LLVMValueRef i) {
  unsigned count = (unsigned)LLVMGetNumOperands(i);
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  bool call = opcode == LLVMCall, silent = opcode == LLVMLoad || opcode == LLVMGetElementPtr || opcode == LLVMICmp;
  if (call && LLVMIsAFunction(LLVMGetCalledValue(i))) silent = starts_with(value_name(LLVMGetCalledValue(i)), "llvm.");
  for (unsigned k = 0; !silent && k < count; k++)
    if (opcode != LLVMStore || k == 0) expose(c, LLVMGetOperand(i, k));
}

static void scan_instruction(Callees *c, LLVMValueRef i) {
  expose_operands(c, i);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMStore: store(c, value_node(c, LLVMGetOperand(i, 0)), LLVMGetOperand(i, 1)); break;
  case LLVMAtomicRMW: store(c, value_node(c, LLVMGetOperand(i, 1)), LLVMGetOperand(i, 0)); break;
  case LLVMAtomicCmpXchg: store(c, value_node(c, LLVMGetOperand(i, 2)), LLVMGetOperand(i, 0)); break;
  case LLVMCall: scan_call(c, i); break;
  default: break;
  }
}

static void scan_function(Callees *c, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      scan_instruction(c, i);
      if (LLVMIsAReturnInst(i) && LLVMGetNumOperands(i) == 1)
        flow(c, value_node(c, LLVMGetOperand(i, 0)), result_node(c, function));
    }
}

// Functions in the initialiser of a global: in the fields of all structs around them, and in the global itself.
typedef struct Level {
  uint64_t size, offset; // of a struct; where in it the constant stands
} Level;

static void scan_initial(Callees *c, LLVMValueRef global, LLVMValueRef value, Level *levels, size_t depth) {
  assert(depth <= MOST_LEVELS && (depth == 0 || levels));
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (LLVMIsNull(value) || LLVMIsUndef(value)) return;
  if (kind == LLVMArrayTypeKind && LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind) return;
  if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) {
    NodeId held = value_node(c, value);
    expose(c, value);
    flow(c, held, node_in(c, &c->places, pointer_key(global)));
    for (size_t i = 0; held != NODE_NOTHING && i < depth; i++)
      flow(c, held, field_node(c, levels[i].size, levels[i].offset));
    return;
  }
  bool is_struct = kind == LLVMStructTypeKind && depth < MOST_LEVELS;
  uint64_t count = kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength2(type);
  for (uint64_t i = 0; i < count; i++) {
    Level inner[MOST_LEVELS];
    if (levels) memcpy(inner, levels, depth * sizeof *levels);
    uint64_t at = kind == LLVMStructTypeKind ? LLVMOffsetOfElement(c->unit->layout, type, (unsigned)i) : 0;
    for (size_t k = 0; k < depth; k++) inner[k].offset += at;
    if (is_struct) inner[depth] = (Level){LLVMABISizeOfType(c->unit->layout, type), at};
    scan_initial(c, global, LLVMGetAggregateElement(value, (unsigned)i), inner, depth + is_struct);
  }
}

static void solve(Callees *c) {
  bool again = true;
  while (again) {
    again = false;
    for (size_t i = 0; i < c->flows.count; i++)
      again |= bitset_union(&c->sets.data[c->flows.data[i].to], &c->sets.data[c->flows.data[i].from]);
  }
}

static void scan_module(Callees *c) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(c->unit->user); g; g = LLVMGetNextGlobal(g))
    if (!LLVMIsDeclaration(g) && !starts_with(value_name(g), "llvm."))
      scan_initial(c, g, LLVMGetInitializer(g), NULL, 0);
  for (LLVMValueRef f = LLVMGetFirstFunction(c->unit->user); f; f = LLVMGetNextFunction(f))
    if (LLVMCountBasicBlocks(f) > 0) scan_function(c, f);
  // What was handed to the library comes back as an argument of what it calls.
  for (size_t i = 0; i < c->functions; i++)
    for (unsigned k = 0; is_user_function(c, taken_function(c, i)) && k < LLVMCountParams(taken_function(c, i)); k++)
      flow(c, NODE_LIBRARY, value_node(c, LLVMGetParam(unit_definition(c->unit, taken_function(c, i)), k)));
}

Callees *callees_new(const FrontUnit *unit) {
  Callees *c = memory_allocate_zeroed(unit->account, sizeof *c);
  *c = (Callees){.unit = unit, .functions = unit->taken.count, .account = unit->account};
  BitsetVector_init(&c->sets, c->account);
  FlowVector_init(&c->flows, c->account);
  Map *maps[] = {&c->values, &c->places, &c->fields, &c->results, &c->indices};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_init(maps[i], c->account);
  for (size_t i = 0; i < c->functions; i++) map_put(&c->indices, unit->taken.data[i], i);
  while (c->sets.count < FIRST_NODE) new_node(c);
  assert(c->sets.count == FIRST_NODE);
  bitset_set(&c->sets.data[NODE_EVERYTHING], c->functions);
  flow(c, NODE_STORED, NODE_POINTED);
  scan_module(c);
  solve(c);
  return c;
}

void callees_free(Callees *c) {
  if (!c) return;
  for (size_t i = 0; i < c->sets.count; i++) bitset_free(&c->sets.data[i]);
  BitsetVector_free(&c->sets);
  FlowVector_free(&c->flows);
  Map *maps[] = {&c->values, &c->places, &c->fields, &c->results, &c->indices};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) map_free(maps[i]);
  memory_free(c->account, c, sizeof *c);
}

static bool may_hold(const Callees *c, NodeId node, size_t index) {
  assert(node < c->sets.count && index < c->functions);
  return bitset_get(&c->sets.data[node], index) || bitset_get(&c->sets.data[node], c->functions) ||
         bitset_get(&c->sets.data[NODE_STORED], index) || bitset_get(&c->sets.data[NODE_STORED], c->functions);
}

bool callees_may_call(Callees *c, LLVMValueRef called, size_t index) {
  return may_hold(c, value_node(c, called), index); // the node exists since the module was scanned
}

bool callees_may_start(const Callees *c, size_t index) { return may_hold(c, NODE_ROUTINES, index); }
