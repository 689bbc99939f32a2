#include "front/code/types.h"

#include "front/module/unit.h"
#include "front/objects/source_names.h"

#include <llvm-c/DebugInfo.h>

enum { TAG_STRUCT = 0x13, TAG_UNION = 0x17, TAG_TYPEDEF = 0x16, DEEPEST = 64 };

static uint32_t type_of(TypeReader *t, LLVMValueRef node, unsigned depth);

static LLVMMetadataKind kind_of(LLVMValueRef node) { return LLVMGetMetadataKind(LLVMValueAsMetadata(node)); }
static uint64_t bits_of(LLVMValueRef node) { return LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(node)); }
static unsigned tag_of(LLVMValueRef node) { return LLVMGetDINodeTag(LLVMValueAsMetadata(node)); }

static const char *name_of(TypeReader *t, LLVMValueRef node) {
  LLVMValueRef value = debug_operand(node, DEBUG_TYPE_NAME);
  unsigned length = 0;
  const char *text = value ? LLVMGetMDString(value, &length) : NULL;
  return text && length ? arena_format(&t->code->arena, "%.*s", (int)length, text) : NULL;
}

static uint32_t add_type(TypeReader *t, CodeType type) {
  CodeTypeVector_push(&t->types, type);
  return (uint32_t)t->types.count - 1;
}

// --- arrays ---

static uint64_t count_of(LLVMValueRef elements, unsigned dimension) {
  LLVMValueRef limit = debug_operand(debug_operand(elements, dimension), DEBUG_SUBRANGE_COUNT);
  bool known = limit && LLVMIsAConstantInt(limit) && LLVMConstIntGetSExtValue(limit) > 0;
  return known ? LLVMConstIntGetZExtValue(limit) : 0;
}

// One type for each dimension, from the innermost one.
static uint32_t array_of(TypeReader *t, LLVMValueRef node, unsigned depth) {
  LLVMValueRef elements = debug_operand(node, DEBUG_TYPE_ELEMENTS);
  uint32_t type = type_of(t, debug_operand(node, DEBUG_TYPE_BASE), depth + 1);
  unsigned dimensions = (unsigned)LLVMGetMDNodeNumOperands(elements);
  for (unsigned d = dimensions; d-- > 0;) {
    uint64_t count = count_of(elements, d), size = type == NO_CODE_ID ? 0 : t->types.data[type].size;
    type = add_type(t, (CodeType){.kind = CODE_TYPE_ARRAY, .size = count * size, .count = count, .element = type});
  }
  return type;
}

// --- records ---

static CodeMember member_of(TypeReader *t, LLVMValueRef node, unsigned depth) {
  LLVMMetadataRef member = LLVMValueAsMetadata(node);
  uint64_t first = LLVMDITypeGetOffsetInBits(member), end = first + bits_of(node);
  bool bit_field = LLVMDITypeGetFlags(member) & LLVMDIFlagBitField;
  return (CodeMember){.name = name_of(t, node),
                      .offset = first / 8,
                      .size = (end + 7) / 8 - first / 8,
                      .type = type_of(t, debug_operand(node, DEBUG_TYPE_BASE), depth + 1),
                      .bit_field = bit_field};
}

static void add_members(TypeReader *t, uint32_t record, LLVMValueRef elements, unsigned depth) {
  unsigned count = elements ? (unsigned)LLVMGetMDNodeNumOperands(elements) : 0, used = 0;
  if (count == 0) return;
  LLVMValueRef *nodes = memory_allocate(t->account, count * sizeof(LLVMValueRef));
  LLVMGetMDNodeOperands(elements, nodes);
  CodeMember *members = arena_allocate(&t->code->arena, count * sizeof *members);
  for (unsigned i = 0; i < count; i++)
    if (nodes[i] && kind_of(nodes[i]) == LLVMDIDerivedTypeMetadataKind) members[used++] = member_of(t, nodes[i], depth);
  memory_free(t->account, nodes, count * sizeof(LLVMValueRef));
  t->types.data[record].members = members;
  t->types.data[record].member_count = used;
}

static uint32_t record_of(TypeReader *t, LLVMValueRef node, const char *name, unsigned depth) {
  bool is_union = tag_of(node) == TAG_UNION;
  if (name) name = arena_format(&t->code->arena, "%s %s", is_union ? "union" : "struct", name);
  CodeTypeKind kind = is_union ? CODE_TYPE_UNION : CODE_TYPE_STRUCT;
  uint32_t type = add_type(t, (CodeType){.kind = kind, .name = name, .size = bits_of(node) / 8, .element = NO_CODE_ID});
  map_put(&t->known, pointer_key(LLVMValueAsMetadata(node)), type);
  add_members(t, type, debug_operand(node, DEBUG_TYPE_ELEMENTS), depth);
  return type;
}

// --- all ---

static uint32_t new_type(TypeReader *t, LLVMValueRef node, unsigned depth) {
  if (debug_is_array(node)) return array_of(t, node, depth);
  const char *name = kind_of(node) == LLVMDIDerivedTypeMetadataKind ? NULL : name_of(t, node);
  bool record = kind_of(node) == LLVMDICompositeTypeMetadataKind && debug_operand(node, DEBUG_TYPE_ELEMENTS) &&
                (tag_of(node) == TAG_STRUCT || tag_of(node) == TAG_UNION);
  if (record) return record_of(t, node, name, depth);
  return add_type(t, (CodeType){.kind = CODE_TYPE_SCALAR, .name = name, .size = bits_of(node) / 8});
}

// The name that a typedef gives to a record without a name; NULL: none.
static const char *typedef_name(TypeReader *t, LLVMValueRef node) {
  const char *name = NULL;
  for (unsigned i = 0; i < DEEPEST && node && kind_of(node) == LLVMDIDerivedTypeMetadataKind && bits_of(node) == 0;
       i++) {
    if (tag_of(node) == TAG_TYPEDEF) name = name_of(t, node);
    node = debug_operand(node, DEBUG_TYPE_BASE);
  }
  return name;
}

static uint32_t type_of(TypeReader *t, LLVMValueRef node, unsigned depth) {
  LLVMValueRef stripped = node ? debug_strip(node) : NULL;
  if (!stripped || depth > DEEPEST) return NO_CODE_ID;
  uint64_t known, key = pointer_key(LLVMValueAsMetadata(stripped));
  if (!map_get(&t->known, key, &known)) {
    known = new_type(t, stripped, depth);
    map_put(&t->known, key, known);
  }
  CodeType *type = known == NO_CODE_ID ? NULL : &t->types.data[known];
  bool record = type && (type->kind == CODE_TYPE_STRUCT || type->kind == CODE_TYPE_UNION);
  if (record && !type->name && stripped != node) type->name = typedef_name(t, node);
  return (uint32_t)known;
}

uint32_t types_of_variable(TypeReader *t, LLVMValueRef variable) {
  return variable ? type_of(t, debug_operand(variable, DEBUG_VARIABLE_TYPE), 0) : NO_CODE_ID;
}

// --- which record an LLVM struct is ---

// "struct.queue 48": the name that clang gives to the LLVM struct, and the size.
static const char *record_key(TypeReader *t, bool is_union, const char *name, size_t length, uint64_t size) {
  return intern_format(&t->names, "%s.%.*s %llu", is_union ? "union" : "struct", (int)length, name,
                       (unsigned long long)size);
}

static void note_record(TypeReader *t, LLVMValueRef node) {
  uint32_t type = type_of(t, node, 0);
  if (type == NO_CODE_ID) return;
  const CodeType *record = &t->types.data[type];
  if ((record->kind != CODE_TYPE_STRUCT && record->kind != CODE_TYPE_UNION) || !record->name) return;
  const char *blank = strrchr(record->name, ' '), *name = blank ? blank + 1 : record->name;
  const char *key = record_key(t, record->kind == CODE_TYPE_UNION, name, strlen(name), record->size);
  if (!map_contains(&t->records, pointer_key(key))) map_put(&t->records, pointer_key(key), type);
}

static bool leads_to_types(LLVMValueRef node) {
  switch (kind_of(node)) {
  case LLVMMDTupleMetadataKind:
  case LLVMDIGlobalVariableExpressionMetadataKind:
  case LLVMDIGlobalVariableMetadataKind:
  case LLVMDILocalVariableMetadataKind:
  case LLVMDICompositeTypeMetadataKind:
  case LLVMDIDerivedTypeMetadataKind:
  case LLVMDISubroutineTypeMetadataKind:
  case LLVMDISubprogramMetadataKind:
  case LLVMDICompileUnitMetadataKind: return true;
  default: return false;
  }
}

typedef struct Nodes {
  Map seen;
  U64Vector waiting; // LLVMValueRefs
} Nodes;

static void reach(Nodes *nodes, LLVMValueRef node) {
  if (!node || !LLVMIsAMDNode(node) || !leads_to_types(node)) return;
  uint64_t key = pointer_key(LLVMValueAsMetadata(node));
  if (map_contains(&nodes->seen, key)) return;
  map_put(&nodes->seen, key, 1);
  U64Vector_push(&nodes->waiting, pointer_key(node));
}

static void reach_operands(TypeReader *t, Nodes *nodes, LLVMValueRef node) {
  unsigned count = (unsigned)LLVMGetMDNodeNumOperands(node);
  if (count == 0) return;
  LLVMValueRef *operands = memory_allocate(t->account, count * sizeof(LLVMValueRef));
  LLVMGetMDNodeOperands(node, operands);
  for (unsigned i = 0; i < count; i++) reach(nodes, operands[i]);
  memory_free(t->account, operands, count * sizeof(LLVMValueRef));
}

static void reach_roots(TypeReader *t, Nodes *nodes, LLVMModuleRef module) {
  unsigned count = LLVMGetNamedMetadataNumOperands(module, "llvm.dbg.cu");
  if (count > 0) {
    LLVMValueRef *units = memory_allocate(t->account, count * sizeof(LLVMValueRef));
    LLVMGetNamedMetadataOperands(module, "llvm.dbg.cu", units);
    for (unsigned i = 0; i < count; i++) reach(nodes, units[i]);
    memory_free(t->account, units, count * sizeof(LLVMValueRef));
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    if (subprogram) reach(nodes, LLVMMetadataAsValue(t->context, subprogram));
  }
}

// Of all records that the debug information mentions. Those with names come from typedefs, too, so that these are
// looked at as they are.
static void find_records(TypeReader *t, LLVMModuleRef module) {
  Nodes nodes;
  map_init(&nodes.seen, t->account);
  U64Vector_init(&nodes.waiting, t->account);
  reach_roots(t, &nodes, module);
  for (size_t i = 0; i < nodes.waiting.count; i++) {
    LLVMValueRef node = (LLVMValueRef)(uintptr_t)nodes.waiting.data[i];
    bool type = kind_of(node) == LLVMDICompositeTypeMetadataKind || kind_of(node) == LLVMDIDerivedTypeMetadataKind;
    if (type) note_record(t, node);
    reach_operands(t, &nodes, node);
  }
  map_free(&nodes.seen);
  U64Vector_free(&nodes.waiting);
}

static uint64_t struct_size(TypeReader *t, LLVMTypeRef type) {
  return LLVMTypeIsSized(type) ? LLVMABISizeOfType(t->layout, type) : 0;
}

static uint32_t find_struct(TypeReader *t, LLVMTypeRef type) {
  const char *name = LLVMIsLiteralStruct(type) ? NULL : LLVMGetStructName(type);
  if (!name || (!starts_with(name, "struct.") && !starts_with(name, "union."))) return NO_CODE_ID;
  bool is_union = name[0] == 'u';
  name = strchr(name, '.') + 1;
  size_t length = strlen(name);
  uint64_t size = struct_size(t, type), found;
  if (map_get(&t->records, pointer_key(record_key(t, is_union, name, length, size)), &found)) return (uint32_t)found;
  size_t bare = length; // without the number that a clash of names adds
  while (bare > 0 && name[bare - 1] >= '0' && name[bare - 1] <= '9') bare--;
  if (bare == length || bare < 2 || name[bare - 1] != '.') return NO_CODE_ID;
  return (uint32_t)map_get_or(&t->records, pointer_key(record_key(t, is_union, name, bare - 1, size)), NO_CODE_ID);
}

static LLVMTypeRef innermost(LLVMTypeRef type) {
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) type = LLVMGetElementType(type);
  return type;
}

static uint32_t innermost_record(TypeReader *t, uint32_t type) {
  while (type != NO_CODE_ID && t->types.data[type].kind == CODE_TYPE_ARRAY) type = t->types.data[type].element;
  bool record = type != NO_CODE_ID && t->types.data[type].kind != CODE_TYPE_SCALAR;
  return record ? type : NO_CODE_ID;
}

static void note_struct(TypeReader *t, LLVMTypeRef type, uint32_t record, unsigned depth);

// The member of the record that is at this offset and a record of this size gives its name to a struct without one.
static void note_inner(TypeReader *t, uint32_t record, LLVMTypeRef inner, uint64_t offset, unsigned depth) {
  for (uint32_t m = 0; m < t->types.data[record].member_count; m++) {
    const CodeMember *member = &t->types.data[record].members[m];
    uint32_t held = innermost_record(t, member->type);
    if (member->offset != offset || held == NO_CODE_ID || t->types.data[held].size != struct_size(t, inner)) continue;
    note_struct(t, inner, held, depth + 1);
    return;
  }
}

static void note_struct(TypeReader *t, LLVMTypeRef type, uint32_t record, unsigned depth) {
  if (depth > DEEPEST || map_get_or(&t->structs, pointer_key(type), NO_CODE_ID) != NO_CODE_ID) return;
  map_put(&t->structs, pointer_key(type), record);
  if (record == NO_CODE_ID || !LLVMTypeIsSized(type)) return;
  unsigned count = LLVMCountStructElementTypes(type);
  for (unsigned i = 0; i < count; i++) {
    LLVMTypeRef inner = innermost(LLVMStructGetTypeAtIndex(type, i));
    if (LLVMGetTypeKind(inner) == LLVMStructTypeKind)
      note_inner(t, record, inner, LLVMOffsetOfElement(t->layout, type, i), depth);
  }
}

uint32_t types_of_struct(TypeReader *t, LLVMTypeRef type) {
  uint64_t known;
  if (!map_get(&t->structs, pointer_key(type), &known)) {
    known = find_struct(t, type);
    note_struct(t, type, (uint32_t)known, 0);
  }
  return (uint32_t)known;
}

void types_init(TypeReader *t, LLVMModuleRef module, Code *code, Account *account) {
  *t = (TypeReader){.context = LLVMGetModuleContext(module),
                    .layout = LLVMGetModuleDataLayout(module),
                    .code = code,
                    .account = account};
  CodeTypeVector_init(&t->types, account);
  interner_init(&t->names, account);
  map_init(&t->known, account);
  map_init(&t->records, account);
  map_init(&t->structs, account);
  find_records(t, module);
}

void types_free(TypeReader *t) {
  CodeTypeVector_free(&t->types);
  interner_free(&t->names);
  map_free(&t->known);
  map_free(&t->records);
  map_free(&t->structs);
}
