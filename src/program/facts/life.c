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

void life_shared_objects(const Program *p, Bitset *objects, Account *account) {
  bitset_init(objects, p->objects.count, account);
  for (ObjectId o = 0; o < p->objects.count; o++)
    if (p->objects.data[o].dynamic && p->objects.data[o].storage != STORAGE_STACK) bitset_set(objects, o);
  for (EdgeId e = 0; e < p->edges.count; e++) {
    ThreadId thread = p->locations.data[p->edges.data[e].from].thread;
    uint32_t steps, cells;
    const Step *step = edge_steps(p, e, &steps);
    for (const Step *end = step + steps; step < end; step++) {
      const CellId *cell = access_cells(p, &step->access, &cells);
      for (uint32_t i = 0; i < cells; i++) {
        ObjectId object = p->cells.data[cell[i]].object;
        if (p->objects.data[object].dynamic && p->objects.data[object].owner != thread) bitset_set(objects, object);
      }
    }
  }
}
