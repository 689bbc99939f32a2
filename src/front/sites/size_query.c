// The size of a block by its address (__heddle_allocated_size).
//
// A block of constant size is recognised by its address. For any other block an object holds the size: the size is
// stored after the allocation, and a query loads it. All blocks are known only when all code is lowered; so queries
// are completed then.
#include "front/calls/calls.h"
#include "front/objects/objects.h"
#include "front/sites/sites.h"

#include "program/passes/rewrite.h"

void lower_allocated_size(Lowering *l, LLVMValueRef call) {
  builder_flush(l);
  Term pointer = call_argument(l, call, 0);
  if (pointer == TERM_NONE || l->current == NO_ID) return;
  unsigned width = l->unit->pointer_width;
  VariableId size = builder_temporary(l, width, "size");
  Assignment later = {size, term_constant(l->terms, width, 0)};
  Step step = builder_step(l);
  step.access.address = constant_address(l, 0);
  step.access.bytes = (uint8_t)(width / 8);
  step.access.reads = step.access.synchronises = true;
  step.access.into = builder_temporary(l, width, "kept");
  step.assignments = &later;
  step.assignment_count = 1;
  SizeQueryVector_push(&l->size_queries, (SizeQuery){(EdgeId)l->program->edges.count, pointer});
  builder_emit(l, &step);
  value_bind_one(l, call, variable_term(l->program, size));
}

static Step *step_of(Lowering *l, EdgeId edge) { return edge_only_step(l->program, edge); }

static Term is_block(Lowering *l, Term pointer, ObjectId object) {
  return term_eq(l->terms, pointer, object_address(l, object));
}

static void answer(Lowering *l, const SizeQuery *query) {
  Program *p = l->program;
  Step *step = step_of(l, query->edge);
  assert(step->assignment_count == 1 && step->access.reads);
  unsigned width = l->unit->pointer_width;
  // A pointer to no block has size 0; freeing it is the error.
  Term size = term_constant(l->terms, width, 0), address = TERM_NONE;
  for (ObjectId o = 0; o < p->objects.count; o++) {
    const Object *object = &p->objects.data[o];
    if (object->storage != STORAGE_HEAP || object->sized) continue;
    size = term_ite(l->terms, is_block(l, query->pointer, o), term_constant(l->terms, width, object->size), size);
  }
  for (size_t i = 0; i < l->kept_sizes.count; i++) {
    const KeptSize *kept = &l->kept_sizes.data[i];
    Term here = is_block(l, query->pointer, kept->object), place = object_address(l, kept->place);
    address = address == TERM_NONE ? place : term_ite(l->terms, here, place, address);
    size = term_ite(l->terms, here, variable_term(p, step->access.into), size);
  }
  step->assignments[0].value = size;
  if (address == TERM_NONE)
    step_drop_access(step);
  else
    step->access.address = address;
}

void size_queries_answer(Lowering *l) {
  for (size_t q = 0; q < l->size_queries.count; q++) answer(l, &l->size_queries.data[q]);
  for (size_t i = 0; l->size_queries.count == 0 && i < l->kept_sizes.count; i++)
    step_drop_access(step_of(l, l->kept_sizes.data[i].edge));
}
