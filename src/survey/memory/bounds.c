#include "survey/memory/bounds.h"

// What is accessed: bytes from `low` to `high` behind where the pointer was made, and as many as the access has.
typedef struct Reach {
  int64_t low, high;
  uint64_t bytes;
  bool writes;
} Reach;

static const int64_t FARTHEST = INT64_C(1) << 40;

static bool is_far(int64_t bytes) { return bytes > FARTHEST || bytes < -FARTHEST; }

// --- indices ---

static bool is_not_negative(const PointerValues *v, const Known *known, uint32_t reg) {
  if (known->flags.data[reg] & KNOWN_NOT_NEGATIVE) return true;
  const Code *code = v->facts->code;
  const CodeStatement *s = known_definition(code, (CodeOperand){CODE_REGISTER, reg, 0});
  if (!s || s->kind != CODE_CHOICE || !s->selects || s->operand_count == 0) return false;
  for (uint32_t i = 0; i < s->operand_count; i++) { // it counts from a number on
    CodeOperand operand = code_operand(code, s, i);
    if (operand.kind == CODE_NUMBER && operand.number >= 0) continue;
    const CodeStatement *next = known_definition(code, operand);
    if (!next || next->kind != CODE_COMPUTE || !(v->registers.data[operand.id] & VALUE_COUNTED)) return false;
    CodeOperand from = code_operand(code, next, 0);
    if (from.kind != CODE_REGISTER || from.id != reg) return false;
  }
  return true;
}

// The index is from 0 to `most`. A change of width keeps a number that is not negative.
static bool index_bounds(const PointerValues *v, const Known *known, const CodeStatement *move, int64_t *most) {
  if (move->bounded && move->most <= INT32_MAX) {
    *most = (int64_t)move->most;
    return true;
  }
  for (uint32_t reg = move->index; reg != NO_CODE_ID;) {
    if (known->below.data[reg] < FARTHEST && is_not_negative(v, known, reg)) {
      *most = known->below.data[reg] - 1;
      return *most >= 0;
    }
    const CodeStatement *s = known_definition(v->facts->code, (CodeOperand){CODE_REGISTER, reg, 0});
    if (!s || s->kind != CODE_COMPUTE || s->operand_count != 1) return false;
    CodeOperand from = code_operand(v->facts->code, s, 0);
    reg = from.kind == CODE_REGISTER ? from.id : NO_CODE_ID;
  }
  return false;
}

static bool add_move(const PointerValues *v, const Known *known, const CodeStatement *move, Reach *r) {
  int64_t most = 0;
  if (is_far(move->offset) || move->stride > INT32_MAX) return false;
  if (move->stride != 0 && !index_bounds(v, known, move, &most)) return false;
  if (most > INT32_MAX) return false;
  r->low += move->offset;
  r->high += move->offset + most * (int64_t)move->stride;
  return !is_far(r->low) && !is_far(r->high);
}

// Follows the pointer to what it was made from.
static bool follow(const PointerValues *v, const Known *known, CodeOperand *pointer, Reach *r) {
  for (;;) {
    const CodeStatement *s = known_definition(v->facts->code, *pointer);
    if (!s || (s->kind != CODE_MOVE && !known_same(s))) return true;
    if (s->kind == CODE_MOVE && !add_move(v, known, s, r)) return false;
    *pointer = code_operand(v->facts->code, s, 0);
  }
}

// --- objects ---

static bool fits(Reach r, int64_t offset, uint64_t size) {
  assert(r.low <= r.high && r.bytes > 0);
  if (is_far(offset) || size > (uint64_t)FARTHEST || r.bytes > size) return false;
  return offset + r.low >= 0 && offset + r.high <= (int64_t)(size - r.bytes);
}

static bool fits_object(const Code *code, uint32_t object, Reach r, int64_t offset) {
  const CodeObject *o = &code->objects[object];
  return !o->external && o->size > 0 && !(r.writes && o->constant) && fits(r, offset, o->size);
}

static bool fits_place(const PointerValues *v, AreaPlace place, Reach r) {
  const Area *area = pointing_area(v->facts->pointing, place.area);
  if (place.stride != 0 || area->size == 0) return false;
  switch (area->kind) {
  case AREA_STATIC:
  case AREA_THREAD_LOCAL:
  case AREA_AUTOMATIC: return fits_object(v->facts->code, area->object, r, place.offset);
  case AREA_HEAP: return fits(r, place.offset, area->size);
  default: return false;
  }
}

bool access_in_range(const PointerValues *v, const Known *known, CodeOperand pointer, uint64_t bytes, bool writes) {
  Reach r = {.bytes = bytes, .writes = writes};
  const Code *code = v->facts->code;
  if (bytes == 0 || !follow(v, known, &pointer, &r)) return false;
  if (pointer.kind == CODE_ADDRESS) return fits_object(code, pointer.id, r, pointer.number);
  const CodeStatement *s = known_definition(code, pointer);
  if (s && s->kind == CODE_LOCAL) return fits_object(code, s->object, r, 0);
  PlaceRange range = pointing_of(v->facts->pointing, pointer);
  for (uint32_t i = 0; i < range.count; i++)
    if (!fits_place(v, range.data[i], r)) return false;
  return range.count > 0;
}

uint32_t access_named_object(const Code *code, CodeOperand pointer) {
  for (;;) {
    const CodeStatement *s = known_definition(code, pointer);
    if (!s) break;
    if (s->kind == CODE_LOCAL) return s->object;
    if (!known_same(s) && (s->kind != CODE_MOVE || s->stride != 0)) return NO_CODE_ID;
    pointer = code_operand(code, s, 0);
  }
  bool named = pointer.kind == CODE_ADDRESS && !code->objects[pointer.id].external;
  return named ? pointer.id : NO_CODE_ID;
}
