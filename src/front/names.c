#include "front/names.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

// Debug metadata is read through its operands; these are their places, as LLVM 19 lays them out.
enum { VARIABLE_NAME = 1, VARIABLE_TYPE = 3, TYPE_NAME = 2, TYPE_BASE = 3, TYPE_ELEMENTS = 4, SUBRANGE_COUNT = 0 };
enum { EXPRESSION_VARIABLE = 0 };
enum { MOST_PARTS = 2048 };

typedef struct Naming {
  Lowering *lowering;
  NamedPart *parts;
  uint32_t count;
  Text name; // of the part being visited
} Naming;

static LLVMValueRef operand(LLVMValueRef node, unsigned index) {
  unsigned count = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
  if (index >= count || count > 64) return NULL;
  LLVMValueRef operands[64];
  LLVMGetMDNodeOperands(node, operands);
  return operands[index];
}

static const char *string_operand(Lowering *l, LLVMValueRef node, unsigned index) {
  LLVMValueRef value = operand(node, index);
  unsigned length = 0;
  const char *text = value ? LLVMGetMDString(value, &length) : NULL;
  return text && length ? intern_format(&l->program->strings, "%.*s", (int)length, text) : NULL;
}

static LLVMMetadataKind kind_of(LLVMValueRef node) { return LLVMGetMetadataKind(LLVMValueAsMetadata(node)); }

static void visit_type(Naming *naming, LLVMValueRef type, uint64_t offset, unsigned depth);

static void visit_members(Naming *naming, LLVMValueRef elements, uint64_t offset, unsigned depth) {
  unsigned count = elements ? (unsigned)LLVMGetMDNodeNumOperands(elements) : 0;
  if (count == 0) return;
  LLVMValueRef *members = arena_allocate(&naming->lowering->scratch, count * sizeof *members);
  LLVMGetMDNodeOperands(elements, members);
  for (unsigned i = 0; i < count; i++) {
    if (!members[i] || kind_of(members[i]) != LLVMDIDerivedTypeMetadataKind) continue;
    size_t length = naming->name.length;
    const char *name = string_operand(naming->lowering, members[i], TYPE_NAME);
    // Reserved names are the library's own business: a mutex is called by its own name.
    if (name && strncmp(name, "__", 2) != 0) text_format(&naming->name, ".%s", name);
    uint64_t at = LLVMDITypeGetOffsetInBits(LLVMValueAsMetadata(members[i])) / 8;
    visit_type(naming, operand(members[i], TYPE_BASE), offset + at, depth + 1);
    naming->name.length = length;
    naming->name.data[length] = 0;
  }
}

// One dimension after the other: `dimension` indexes the subranges.
static void visit_array(Naming *naming, LLVMValueRef type, uint64_t offset, uint64_t bytes, unsigned dimension,
                        unsigned depth) {
  LLVMValueRef elements = operand(type, TYPE_ELEMENTS);
  LLVMValueRef range = operand(elements, dimension);
  if (!range) {
    visit_type(naming, operand(type, TYPE_BASE), offset, depth + 1);
    return;
  }
  LLVMValueRef limit = operand(range, SUBRANGE_COUNT);
  if (!limit || !LLVMIsAConstantInt(limit)) return;
  uint64_t count = LLVMConstIntGetZExtValue(limit);
  if (count == 0 || count > MOST_PARTS) return;
  for (uint64_t i = 0; i < count && naming->count < MOST_PARTS; i++) {
    size_t length = naming->name.length;
    text_format(&naming->name, "[%llu]", (unsigned long long)i);
    visit_array(naming, type, offset + i * (bytes / count), bytes / count, dimension + 1, depth);
    naming->name.length = length;
    naming->name.data[length] = 0;
  }
}

static bool is_array(LLVMValueRef type) {
  LLVMValueRef elements = operand(type, TYPE_ELEMENTS), first = elements ? operand(elements, 0) : NULL;
  return first && kind_of(first) == LLVMDISubrangeMetadataKind;
}

// Parts with reserved names only are told apart by their offset, except the first.
static void add_part(Naming *naming, uint64_t offset) {
  if (naming->count >= MOST_PARTS) return;
  Interner *strings = &naming->lowering->program->strings;
  bool unnamed = naming->name.length == 0 && offset > 0;
  const char *name =
      unnamed ? intern_format(strings, "+%llu", (unsigned long long)offset) : intern(strings, naming->name.data);
  naming->parts[naming->count++] = (NamedPart){(uint32_t)offset, name};
}

static void visit_type(Naming *naming, LLVMValueRef type, uint64_t offset, unsigned depth) {
  if (depth > 16 || naming->count >= MOST_PARTS) return;
  LLVMMetadataKind kind = type ? kind_of(type) : LLVMDIBasicTypeMetadataKind;
  if (kind == LLVMDICompositeTypeMetadataKind && is_array(type)) {
    visit_array(naming, type, offset, LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type)) / 8, 0, depth);
  } else if (kind == LLVMDICompositeTypeMetadataKind && operand(type, TYPE_ELEMENTS) && !operand(type, TYPE_BASE)) {
    visit_members(naming, operand(type, TYPE_ELEMENTS), offset, depth);
  } else if (kind == LLVMDIDerivedTypeMetadataKind && LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type)) == 0) {
    visit_type(naming, operand(type, TYPE_BASE), offset, depth + 1); // typedef, const, volatile, _Atomic
  } else {
    add_part(naming, offset);
  }
}

static void name_parts(Lowering *l, ObjectId object, LLVMValueRef type) {
  if (!type) return;
  Naming naming = {.lowering = l};
  naming.parts = arena_allocate(&l->scratch, MOST_PARTS * sizeof *naming.parts);
  text_init(&naming.name, l->account);
  visit_type(&naming, type, 0, 0);
  if (naming.count > 0) {
    Object *named = &l->program->objects.data[object];
    named->parts = arena_copy(&l->program->arena, naming.parts, naming.count * sizeof *naming.parts);
    named->part_count = naming.count;
  }
  text_free(&naming.name);
}

const char *names_local(Lowering *l, LLVMValueRef declaration) {
  return declaration ? string_operand(l, declaration, VARIABLE_NAME) : NULL;
}

void names_parts_of_local(Lowering *l, ObjectId object, LLVMValueRef declaration) {
  if (declaration) name_parts(l, object, operand(declaration, VARIABLE_TYPE));
}

void names_parts_of_global(Lowering *l, ObjectId object, LLVMValueRef global) {
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
  for (unsigned i = 0; i < count; i++) {
    LLVMMetadataRef metadata = LLVMValueMetadataEntriesGetMetadata(entries, i);
    if (LLVMGetMetadataKind(metadata) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
    LLVMValueRef variable = operand(LLVMMetadataAsValue(l->unit->context, metadata), EXPRESSION_VARIABLE);
    name_parts(l, object, operand(variable, VARIABLE_TYPE));
  }
  LLVMDisposeValueMetadataEntries(entries);
}
