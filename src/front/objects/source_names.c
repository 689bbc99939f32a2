#include "front/objects/source_names.h"

#include <string.h>

enum { MOST_PARTS = 2048, MOST_ELEMENT_PARTS = 512 }; // of an object; of a block with several elements

typedef struct Naming {
  Lowering *lowering;
  NamedPart *parts;
  uint32_t count;
  uint64_t bytes; // of the object: an array of no length reaches to its end
  Text name;      // of the part being visited
} Naming;

LLVMValueRef debug_operand(LLVMValueRef node, unsigned index) {
  unsigned count = node ? (unsigned)LLVMGetMDNodeNumOperands(node) : 0;
  if (index >= count || count > 64) return NULL;
  LLVMValueRef operands[64];
  LLVMGetMDNodeOperands(node, operands);
  return operands[index];
}

const char *debug_string(Lowering *l, LLVMValueRef node, unsigned index) {
  LLVMValueRef value = debug_operand(node, index);
  unsigned length = 0;
  const char *text = value ? LLVMGetMDString(value, &length) : NULL;
  return text && length ? intern_format(&l->program->strings, "%.*s", (int)length, text) : NULL;
}

static LLVMMetadataKind kind_of(LLVMValueRef node) { return LLVMGetMetadataKind(LLVMValueAsMetadata(node)); }

static uint64_t debug_bytes(LLVMValueRef type) {
  return type ? LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type)) / 8 : 0;
}

LLVMValueRef debug_strip(LLVMValueRef type) {
  for (unsigned i = 0; i < 32 && type && kind_of(type) == LLVMDIDerivedTypeMetadataKind; i++) {
    if (LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(type)) != 0) break;
    type = debug_operand(type, DEBUG_TYPE_BASE);
  }
  return type;
}

bool debug_is_array(LLVMValueRef type) {
  if (!type || kind_of(type) != LLVMDICompositeTypeMetadataKind) return false;
  LLVMValueRef elements = debug_operand(type, DEBUG_TYPE_ELEMENTS),
               first = elements ? debug_operand(elements, 0) : NULL;
  return first && kind_of(first) == LLVMDISubrangeMetadataKind;
}

bool debug_is_record(LLVMValueRef type) {
  return type && kind_of(type) == LLVMDICompositeTypeMetadataKind && !debug_is_array(type) &&
         debug_operand(type, DEBUG_TYPE_ELEMENTS) && !debug_operand(type, DEBUG_TYPE_BASE);
}

static bool is_named(Lowering *l, LLVMValueRef type, const char *one, const char *other) {
  type = debug_strip(type);
  if (!type || kind_of(type) != LLVMDIBasicTypeMetadataKind) return false;
  const char *name = debug_string(l, type, DEBUG_TYPE_NAME);
  return name && (strcmp(name, one) == 0 || strcmp(name, other) == 0);
}

static Appearance debug_appearance(Lowering *l, LLVMValueRef type) {
  return is_named(l, type, "float", "double") ? SHOWN_AS_FLOATING : SHOWN_AS_NUMBER;
}

static void visit_type(Naming *naming, LLVMValueRef type, uint64_t offset, unsigned depth);

static void add_part(Naming *naming, uint64_t offset, uint64_t bytes, Appearance shown);

static uint64_t debug_first_bit(LLVMValueRef member) { return LLVMDITypeGetOffsetInBits(LLVMValueAsMetadata(member)); }
static uint64_t debug_bits(LLVMValueRef member) { return LLVMDITypeGetSizeInBits(LLVMValueAsMetadata(member)); }

static bool is_bit_field(LLVMValueRef member) {
  return member && kind_of(member) == LLVMDIDerivedTypeMetadataKind &&
         (LLVMDITypeGetFlags(LLVMValueAsMetadata(member)) & LLVMDIFlagBitField);
}

// The number of adjacent bit-fields at the beginning of the list: an access to one is an access to all of them.
static unsigned bit_field_run(LLVMValueRef *members, unsigned count) {
  unsigned run = 0;
  while (
      run < count && is_bit_field(members[run]) &&
      (run == 0 || debug_first_bit(members[run - 1]) + debug_bits(members[run - 1]) == debug_first_bit(members[run])))
    run++;
  return run;
}

// Bit-fields that share their bytes are one part: `.{low,high}`.
static void add_bit_fields(Naming *naming, LLVMValueRef *members, unsigned count, uint64_t offset) {
  assert(count > 1);
  enum { MOST_NAMES = 4 };
  size_t length = naming->name.length;
  for (unsigned i = 0; i < count && i < MOST_NAMES; i++) {
    const char *name = debug_string(naming->lowering, members[i], DEBUG_TYPE_NAME);
    text_format(&naming->name, "%s%s", i == 0 ? ".{" : ",", name ? name : "");
  }
  text_add(&naming->name, count > MOST_NAMES ? ",...}" : "}");
  uint64_t first = debug_first_bit(members[0]),
           last = debug_first_bit(members[count - 1]) + debug_bits(members[count - 1]);
  add_part(naming, offset + first / 8, (last + 7) / 8 - first / 8, SHOWN_AS_NUMBER);
  naming->name.length = length;
  naming->name.data[length] = 0;
}

static void visit_members(Naming *naming, LLVMValueRef elements, uint64_t offset, unsigned depth) {
  unsigned count = elements ? (unsigned)LLVMGetMDNodeNumOperands(elements) : 0;
  if (count == 0) return;
  LLVMValueRef *members = arena_allocate(&naming->lowering->scratch, count * sizeof *members);
  LLVMGetMDNodeOperands(elements, members);
  for (unsigned i = 0; i < count; i++) {
    if (!members[i] || kind_of(members[i]) != LLVMDIDerivedTypeMetadataKind) continue;
    unsigned run = bit_field_run(members + i, count - i);
    if (run > 1) {
      add_bit_fields(naming, members + i, run, offset);
      i += run - 1;
      continue;
    }
    size_t length = naming->name.length;
    const char *name = debug_string(naming->lowering, members[i], DEBUG_TYPE_NAME);
    // Members with reserved names are internal to the library: a mutex shows under the name of the variable.
    if (name && strncmp(name, "__", 2) != 0) text_format(&naming->name, ".%s", name);
    uint64_t at = LLVMDITypeGetOffsetInBits(LLVMValueAsMetadata(members[i])) / 8;
    visit_type(naming, debug_operand(members[i], DEBUG_TYPE_BASE), offset + at, depth + 1);
    naming->name.length = length;
    naming->name.data[length] = 0;
  }
}

static bool is_character(Lowering *l, LLVMValueRef type) {
  return debug_bytes(debug_strip(type)) == 1 && is_named(l, type, "char", "signed char");
}

// How many elements a dimension has; one without a length (a flexible member, a variable-length array) reaches to the
// end of the object if it is the only one.
static uint64_t array_count(const Naming *naming, LLVMValueRef type, uint64_t offset, unsigned dimension) {
  LLVMValueRef elements = debug_operand(type, DEBUG_TYPE_ELEMENTS);
  LLVMValueRef limit = debug_operand(debug_operand(elements, dimension), DEBUG_SUBRANGE_COUNT);
  bool known = limit && LLVMIsAConstantInt(limit) && LLVMConstIntGetSExtValue(limit) >= 0;
  if (known) return LLVMConstIntGetZExtValue(limit);
  uint64_t bytes = debug_bytes(debug_strip(debug_operand(type, DEBUG_TYPE_BASE)));
  bool only = dimension == 0 && !debug_operand(elements, 1);
  return only && bytes > 0 && offset < naming->bytes ? (naming->bytes - offset) / bytes : 0;
}

// One dimension after the other: `dimension` indexes the subranges.
static void visit_array(Naming *naming, LLVMValueRef type, uint64_t offset, uint64_t bytes, unsigned dimension,
                        unsigned depth) {
  LLVMValueRef element = debug_operand(type, DEBUG_TYPE_BASE), elements = debug_operand(type, DEBUG_TYPE_ELEMENTS);
  if (!debug_operand(elements, dimension)) {
    visit_type(naming, element, offset, depth + 1);
    return;
  }
  uint64_t count = array_count(naming, type, offset, dimension);
  if (count == 0 || count > MOST_PARTS) return;
  uint64_t stride = bytes ? bytes / count : debug_bytes(debug_strip(element));
  for (uint64_t i = 0; i < count && naming->count < MOST_PARTS; i++) {
    size_t length = naming->name.length;
    text_format(&naming->name, "[%llu]", (unsigned long long)i);
    visit_array(naming, type, offset + i * stride, stride, dimension + 1, depth);
    naming->name.length = length;
    naming->name.data[length] = 0;
  }
  bool text = !debug_operand(elements, dimension + 1) && is_character(naming->lowering, element);
  if (text) add_part(naming, offset, count, SHOWN_AS_TEXT);
}

// Parts without a name (all their members have reserved names) get their offset as name, except the first one.
static void add_part(Naming *naming, uint64_t offset, uint64_t bytes, Appearance shown) {
  if (naming->count >= MOST_PARTS) return;
  assert(naming->parts && naming->name.data);
  Interner *strings = &naming->lowering->program->strings;
  bool unnamed = naming->name.length == 0 && offset > 0;
  const char *name =
      unnamed ? intern_format(strings, "+%llu", (unsigned long long)offset) : intern(strings, naming->name.data);
  naming->parts[naming->count++] = (NamedPart){(uint32_t)offset, name, (uint32_t)bytes, shown};
}

static void visit_type(Naming *naming, LLVMValueRef type, uint64_t offset, unsigned depth) {
  type = debug_strip(type);
  if (depth > 16 || naming->count >= MOST_PARTS) return;
  if (debug_is_array(type))
    visit_array(naming, type, offset, debug_bytes(type), 0, depth);
  else if (debug_is_record(type))
    visit_members(naming, debug_operand(type, DEBUG_TYPE_ELEMENTS), offset, depth);
  else
    add_part(naming, offset, debug_bytes(type), debug_appearance(naming->lowering, type));
}

// The elements of a block that holds several values of the type.
static void visit_elements(Naming *naming, LLVMValueRef type, uint64_t stride) {
  for (uint64_t i = 0; (i + 1) * stride <= naming->bytes && naming->count < MOST_ELEMENT_PARTS; i++) {
    text_format(&naming->name, "[%llu]", (unsigned long long)i);
    visit_type(naming, type, i * stride, 0);
    text_clear(&naming->name);
  }
  if (is_character(naming->lowering, type)) add_part(naming, 0, naming->bytes, SHOWN_AS_TEXT);
}

// `several`: the object holds as many values of the type as fit into it.
static NamedPart *find_parts(Lowering *l, LLVMValueRef type, uint64_t bytes, bool several, uint32_t *count) {
  ArenaMark mark = arena_mark(&l->scratch);
  Naming naming = {.lowering = l, .bytes = bytes};
  naming.parts = arena_allocate(&l->scratch, MOST_PARTS * sizeof *naming.parts);
  text_init(&naming.name, l->account);
  if (several)
    visit_elements(&naming, type, debug_bytes(debug_strip(type)));
  else
    visit_type(&naming, type, 0, 0);
  *count = naming.count;
  assert(naming.count <= MOST_PARTS);
  NamedPart *parts = NULL;
  if (naming.count > 0) parts = arena_copy(&l->program->arena, naming.parts, naming.count * sizeof *naming.parts);
  text_free(&naming.name);
  arena_rollback(&l->scratch, mark);
  return parts;
}

static void name_parts(Lowering *l, ObjectId object, LLVMValueRef type) {
  assert(object < l->program->objects.count);
  if (!type) return;
  uint32_t count;
  NamedPart *parts = find_parts(l, type, l->program->objects.data[object].size, false, &count);
  l->program->objects.data[object].parts = parts;
  l->program->objects.data[object].part_count = count;
}

// Does the last member of a record have no length of its own? Then what follows the record belongs to it.
static bool is_flexible(LLVMValueRef type) {
  if (!debug_is_record(type)) return false;
  LLVMValueRef members = debug_operand(type, DEBUG_TYPE_ELEMENTS);
  unsigned count = (unsigned)LLVMGetMDNodeNumOperands(members);
  LLVMValueRef last = count > 0 ? debug_operand(members, count - 1) : NULL;
  LLVMValueRef held = last ? debug_strip(debug_operand(last, DEBUG_TYPE_BASE)) : NULL;
  return debug_is_array(held) && debug_bytes(held) == 0;
}

NamedPart *names_parts_of_block(Lowering *l, LLVMValueRef type, uint64_t bytes, uint32_t *count) {
  LLVMValueRef held = debug_strip(type);
  uint64_t one = debug_bytes(held);
  *count = 0;
  if (one == 0 || one > bytes) return NULL;
  bool several = bytes >= 2 * one && !is_flexible(held);
  if (!several && !debug_is_record(held) && one < bytes) return NULL;
  return find_parts(l, type, bytes, several, count);
}

const char *names_local(Lowering *l, LLVMValueRef declaration) {
  return declaration ? debug_string(l, declaration, DEBUG_VARIABLE_NAME) : NULL;
}

Appearance names_local_appearance(Lowering *l, LLVMValueRef declaration) {
  return declaration ? debug_appearance(l, debug_operand(declaration, DEBUG_VARIABLE_TYPE)) : SHOWN_AS_NUMBER;
}

void names_parts_of_local(Lowering *l, ObjectId object, LLVMValueRef declaration) {
  if (declaration) name_parts(l, object, debug_operand(declaration, DEBUG_VARIABLE_TYPE));
}

LLVMValueRef debug_global_variable(LLVMContextRef context, LLVMValueRef global) {
  size_t count;
  LLVMValueRef variable = NULL;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
  for (unsigned i = 0; i < count; i++) {
    LLVMMetadataRef metadata = LLVMValueMetadataEntriesGetMetadata(entries, i);
    if (LLVMGetMetadataKind(metadata) != LLVMDIGlobalVariableExpressionMetadataKind) continue;
    variable = debug_operand(LLVMMetadataAsValue(context, metadata), DEBUG_EXPRESSION_VARIABLE);
  }
  LLVMDisposeValueMetadataEntries(entries);
  return variable;
}

LLVMValueRef names_global_declaration(Lowering *l, LLVMValueRef global) {
  return debug_global_variable(l->unit->context, global);
}

void names_parts_of_global(Lowering *l, ObjectId object, LLVMValueRef global) {
  names_parts_of_local(l, object, names_global_declaration(l, global));
}
