// Names of parts of values: members, and elements of arrays.
//
// Members with reserved names belong to the library, so that a mutex shows under the name of the variable.
#include "front/code/types.h"

enum { DEEPEST = 64 };

const char *code_type_name(const Code *code, uint32_t type) {
  assert(type == NO_CODE_ID || type < code->type_count);
  return type == NO_CODE_ID ? NULL : code->types[type].name;
}

uint64_t code_type_size(const Code *code, uint32_t type) {
  assert(type == NO_CODE_ID || type < code->type_count);
  return type == NO_CODE_ID ? 0 : code->types[type].size;
}

// A member of size 0 is an array without a length: it reaches to the end.
static bool contains(const CodeType *type, const CodeMember *member, uint64_t offset) {
  bool flexible = member->size == 0 && member + 1 == type->members + type->member_count;
  return offset >= member->offset && (flexible || offset < member->offset + member->size);
}

// Bit-fields that share a byte have one name: an access to one is an access to all of them.
static bool name_bit_fields(const CodeType *type, uint64_t offset, Text *out) {
  enum { MOST_NAMES = 4 };
  unsigned count = 0;
  for (uint32_t i = 0; i < type->member_count; i++)
    if (contains(type, &type->members[i], offset)) count += type->members[i].bit_field;
  if (count < 2 || type->kind == CODE_TYPE_UNION) return false;
  unsigned named = 0;
  for (uint32_t i = 0; i < type->member_count && named < MOST_NAMES; i++) {
    const CodeMember *member = &type->members[i];
    if (!member->bit_field || !contains(type, member, offset)) continue;
    text_format(out, "%s%s", named++ == 0 ? ".{" : ",", member->name ? member->name : "");
  }
  text_add(out, count > MOST_NAMES ? ",...}" : "}");
  return true;
}

static void name_part(const Code *code, uint32_t id, uint64_t offset, bool any_index, unsigned depth, Text *out);

static void name_element(const Code *code, const CodeType *type, uint64_t offset, bool any_index, unsigned depth,
                         Text *out) {
  uint64_t one = code_type_size(code, type->element);
  if (one == 0) return;
  if (any_index)
    text_add(out, "[]");
  else
    text_format(out, "[%llu]", (unsigned long long)(offset / one));
  name_part(code, type->element, offset % one, any_index, depth, out);
}

static void name_member(const Code *code, const CodeType *type, uint64_t offset, bool any_index, unsigned depth,
                        Text *out) {
  if (name_bit_fields(type, offset, out)) return;
  for (uint32_t i = 0; i < type->member_count; i++) {
    const CodeMember *member = &type->members[i];
    if (!contains(type, member, offset)) continue;
    if (member->name && !starts_with(member->name, "__")) text_format(out, ".%s", member->name);
    name_part(code, member->type, offset - member->offset, any_index, depth, out);
    return;
  }
}

static void name_part(const Code *code, uint32_t id, uint64_t offset, bool any_index, unsigned depth, Text *out) {
  if (id == NO_CODE_ID || depth > DEEPEST) return;
  assert(id < code->type_count);
  const CodeType *type = &code->types[id];
  if (type->kind == CODE_TYPE_ARRAY)
    name_element(code, type, offset, any_index, depth + 1, out);
  else if (type->kind != CODE_TYPE_SCALAR)
    name_member(code, type, offset, any_index, depth + 1, out);
}

void code_part_name(const Code *code, uint32_t type, uint64_t offset, bool any_index, Text *out) {
  name_part(code, type, offset, any_index, 0, out);
}
