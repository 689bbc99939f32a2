// Names of areas and places, for people; and what the analysis rests on.
#include "survey/pointing/collected.h"

static void add_position(const Code *code, uint32_t position, Text *out) {
  if (position == NO_CODE_ID || position >= code->position_count || !code->positions[position].file) return;
  text_format(out, " (%s:%u)", code->positions[position].short_file, code->positions[position].line);
}

static void name_object(const Code *code, const Area *area, Text *out) {
  const CodeObject *object = &code->objects[area->object];
  if (area->kind == AREA_AUTOMATIC) text_format(out, "%s: ", code->functions[area->function].name);
  if (object->name)
    text_add(out, object->name);
  else
    text_add(out, area->kind == AREA_AUTOMATIC ? "unnamed object" : "unnamed constant");
  if (!object->name) add_position(code, object->position, out);
}

static void name_block(const Code *code, const Area *area, Text *out) {
  const CodeStatement *call = &code->statements[area->statement];
  CodeOperand callee = code_operand(code, call, 0);
  const char *allocator = callee.kind == CODE_FUNCTION ? code->functions[callee.id].name : "block";
  const char *type = code_type_name(code, area->type), *function = code->functions[area->function].name;
  if (!type) {
    text_format(out, "%s in %s", allocator, function);
    add_position(code, call->position, out);
    return;
  }
  const CodePosition *at = &code->positions[call->position];
  text_format(out, "%s (%s in %s", type, allocator, function);
  if (at->file) text_format(out, ", %s:%u", at->short_file, at->line);
  text_add_char(out, ')');
}

void pointing_area_name(const Pointing *p, uint32_t index, Text *out) {
  const Code *code = p->solver.code;
  const Area *area = pointing_area(p, index);
  switch (area->kind) {
  case AREA_STATIC:
  case AREA_THREAD_LOCAL:
  case AREA_AUTOMATIC: name_object(code, area, out); break;
  case AREA_HEAP: name_block(code, area, out); break;
  case AREA_FUNCTION: text_add(out, code->functions[area->function].name); break;
  case AREA_OUTSIDE:
    text_add(out, index == p->solver.library_area ? "memory of the library" : "memory outside of the program");
    break;
  }
}

// The part at an offset that may be any of several is named without indices; a place all over the area, by the area.
void pointing_place_name(const Pointing *p, AreaPlace place, Text *out) {
  const Code *code = p->solver.code;
  const Area *area = pointing_area(p, place.area);
  pointing_area_name(p, place.area, out);
  uint64_t size = area->type == NO_CODE_ID ? 0 : code_type_size(code, area->type);
  if (size == 0 || place.stride == 1 || place.offset < 0) return;
  bool any_index = place.stride != 0;
  uint64_t offset = (uint64_t)place.offset;
  if (area->kind == AREA_HEAP && offset >= size) { // an element of an array of the type
    any_index = true;
    offset %= size;
  }
  if (offset >= size) return;
  code_part_name(code, area->type, offset, any_index, out);
}

void pointing_assumptions(Text *out) {
  text_add(out,
           "no access leaves the object that its pointer was made for\n"
           "functions of the C and POSIX libraries do with memory what their standards say; formats contain no %n, %m "
           "or conversions of the program's own\n"
           "addresses do not leave the program through files, pipes, sockets or shared memory and come back, nor are "
           "they made of texts or of what conditions decide\n"
           "an undefined function calls only functions, and uses only objects, that it was handed the address of\n");
}
