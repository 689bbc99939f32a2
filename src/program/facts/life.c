#include "program/facts/life.h"

unsigned life_width(const Object *object) {
  unsigned width = 1;
  while (object->sized && object->size + 1 >= UINT64_C(1) << width) width++;
  return width;
}

Term life_none(const Program *p, const Object *object) { return term_constant(p->terms, life_width(object), 0); }

Term life_begun(const Program *p, const Object *object, Term bytes) {
  assert((bytes != TERM_NONE) == object->sized);
  unsigned width = life_width(object);
  if (!object->sized) return term_constant(p->terms, width, 1);
  return term_add_constant(p->terms, term_resize_unsigned(p->terms, bytes, width), 1);
}

Term life_is_there(const Program *p, const Object *object, Term life) {
  return object->sized ? term_is_nonzero(p->terms, life) : life;
}

Term life_allows(const Program *p, const Object *object, Term life, const Access *access, uint64_t offset) {
  if (!object->sized || access->to_the_end) return life_is_there(p, object, life);
  uint64_t end = offset + access->bytes;
  assert(end <= object->size);
  return term_binary(p->terms, TERM_ULE, term_constant(p->terms, life_width(object), end + 1), life);
}
