#include "cli/fingerprint.h"

typedef struct Hasher {
  const Program *program;
  U64Vector terms; // hash of each term by handle; children have smaller handles than their parents
  uint64_t state;
} Hasher;

static uint64_t mix(uint64_t state, uint64_t value) {
  return hash_mix(state * UINT64_C(0x9e3779b97f4a7c15) + value + 1);
}

static void add(Hasher *hasher, uint64_t value) { hasher->state = mix(hasher->state, value); }

static void add_name(Hasher *hasher, const char *name) { add(hasher, name ? hash_bytes(name, strlen(name)) : 0); }

static void add_term(Hasher *hasher, Term term) {
  add(hasher, term < hasher->terms.count ? hasher->terms.data[term] : term); // TERM_NONE and the fresh values
}

static uint64_t hash_term(const Hasher *hasher, Term term) {
  const TermStore *store = hasher->program->terms;
  TermOperator op = term_operator(store, term);
  uint64_t hash = mix((uint64_t)op, term_sort(store, term));
  if (op == TERM_CONSTANT) {
    Bits value = term_constant_value(store, term);
    return mix(mix(hash, (uint64_t)value), (uint64_t)(value >> 64));
  }
  if (op == TERM_VARIABLE) {
    const char *name = term_variable_name(store, term);
    return mix(mix(hash, term_variable_index(store, term)), name ? hash_bytes(name, strlen(name)) : 0);
  }
  if (op == TERM_EXTRACT) hash = mix(mix(hash, term_parameter(store, term, 0)), term_parameter(store, term, 1));
  for (unsigned i = 0; i < term_arity(store, term); i++) {
    Term child = term_child(store, term, i);
    assert(child < term);
    hash = mix(hash, hasher->terms.data[child]);
  }
  return hash;
}

static void add_step(Hasher *hasher, const Step *step) {
  const Access *access = &step->access;
  add(hasher, step->kind);
  add_term(hasher, step->guard);
  add_term(hasher, access->address);
  add_term(hasher, access->stored);
  add(hasher, (uint64_t)access->bytes << 4 | (uint64_t)access->reads << 3 | (uint64_t)access->writes << 2 |
                  (uint64_t)access->synchronises << 1 | (uint64_t)access->invalid);
  add(hasher, access->into);
  for (uint32_t i = 0; i < access->cells.count; i++)
    add(hasher, hasher->program->cell_lists.data[access->cells.first + i]);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    add(hasher, step->assignments[i].variable);
    add_term(hasher, step->assignments[i].value);
  }
  add(hasher, step->target);
  add_term(hasher, step->operand);
  add(hasher, step->position.line);
}

static void add_automata(Hasher *hasher) {
  const Program *p = hasher->program;
  for (size_t i = 0; i < p->threads.count; i++) {
    add_name(hasher, p->threads.data[i].routine);
    add_name(hasher, p->threads.data[i].path);
    add(hasher, p->threads.data[i].entry);
    add(hasher, p->threads.data[i].final);
  }
  for (size_t i = 0; i < p->locations.count; i++) {
    add(hasher, p->locations.data[i].thread);
    add(hasher, p->locations.data[i].atomic);
  }
  for (size_t i = 0; i < p->edges.count; i++) {
    add(hasher, p->edges.data[i].from);
    add(hasher, p->edges.data[i].to);
    add(hasher, p->edges.data[i].first_step);
    add(hasher, p->edges.data[i].step_count);
  }
  for (size_t i = 0; i < p->steps.count; i++) add_step(hasher, &p->steps.data[i]);
}

static void add_memory(Hasher *hasher) {
  const Program *p = hasher->program;
  for (size_t i = 0; i < p->objects.count; i++) {
    const Object *object = &p->objects.data[i];
    add(hasher, object->address);
    add(hasher, object->size);
    add(hasher, (uint64_t)object->storage << 1 | object->indeterminate);
    add(hasher, object->owner);
    add(hasher, object->initial ? hash_bytes(object->initial, object->size) : 0);
  }
  for (size_t i = 0; i < p->cells.count; i++) {
    add(hasher, p->cells.data[i].address);
    add(hasher, p->cells.data[i].bytes);
    add_term(hasher, p->cells.data[i].initial);
  }
}

uint64_t program_fingerprint(const Program *program) {
  Hasher hasher = {.program = program};
  size_t count = term_store_size(program->terms);
  U64Vector_resize(&hasher.terms, count + 1);
  for (Term term = 1; term <= count; term++) hasher.terms.data[term] = hash_term(&hasher, term);
  add(&hasher, program->pointer_width);
  add_automata(&hasher);
  add_memory(&hasher);
  U64Vector_free(&hasher.terms);
  return hasher.state;
}
