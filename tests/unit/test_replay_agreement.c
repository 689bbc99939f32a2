// The engine against a second opinion: small random programs, searched step by step with the judge's interpreter, with
// no reduction, no merging of steps and no bytecode. Verdicts must agree for every property and reduction.
#include "random_term.h"
#include "test_replay_plain.h"

#include <stdlib.h>

// --- random programs ---

enum { MOST_CELLS_MADE = 3, FEATURE_RACES = 1, FEATURE_HEAP = 2, FEATURE_SIZED = 4 };

typedef struct Generator {
  Build *b;
  uint64_t seed;
  ObjectId cells[MOST_CELLS_MADE], mutexes[2], array, block;
  VariableId registers[BUILD_THREADS][2];
  LocationId heads[BUILD_THREADS][16];
  unsigned head_count[BUILD_THREADS];
  unsigned features;
} Generator;

static unsigned draw(Generator *g, unsigned below) { return (unsigned)(random_next(&g->seed) % below); }

static ObjectId some_cell(Generator *g) { return g->cells[draw(g, MOST_CELLS_MADE)]; }
static VariableId some_register(Generator *g, ThreadId t) { return g->registers[t][draw(g, 2)]; }

// Stores a small constant, or a register plus one kept small.
static void make_store(Generator *g, ThreadId t) {
  Build *b = g->b;
  Term value = build_constant(b, 32, draw(g, 3));
  if (draw(g, 3) == 0) {
    Term next = term_add_constant(b->p->terms, build_value(b, some_register(g, t)), 1);
    value = term_binary(b->p->terms, TERM_AND, next, build_constant(b, 32, 3));
  }
  build_store_at(b, t, build_address(b, some_cell(g), 0), value);
}

static Term array_address(Generator *g, ThreadId t) {
  Build *b = g->b;
  Term index = term_zero_extend(b->p->terms, build_value(b, some_register(g, t)), 64);
  Term scaled = term_binary(b->p->terms, TERM_MUL, index, build_constant(b, 64, 4));
  return term_add(b->p->terms, build_address(b, g->array, 0), scaled);
}

static void make_fresh(Generator *g, ThreadId t) {
  Build *b = g->b;
  VariableId fresh = build_variable(b, t, 1, "fresh");
  build_assign(b, t, fresh, draw(g, 2) ? VALUE_INPUT : VALUE_INDETERMINATE);
  build_assign(b, t, some_register(g, t), term_zero_extend(b->p->terms, build_value(b, fresh), 32));
}

static void make_branch(Generator *g, ThreadId t) {
  Build *b = g->b;
  LocationId otherwise = build_branch(b, t, build_equals(b, some_register(g, t), draw(g, 3)));
  make_store(g, t);
  LocationId join = build_location(b, t);
  build_jump(b, t, join);
  b->at[t] = otherwise;
  build_jump(b, t, join);
}

// Goes back to an earlier place outside sections if a register has a certain value.
static void make_loop(Generator *g, ThreadId t) {
  Build *b = g->b;
  if (g->head_count[t] == 0 || b->atomic) return;
  LocationId head = g->heads[t][draw(g, g->head_count[t])];
  LocationId on = build_branch(b, t, build_equals(b, some_register(g, t), draw(g, 2)));
  build_jump(b, t, head);
  b->at[t] = on;
}

// The lowest bit of a register.
static Term some_bit(Generator *g, ThreadId t) {
  Term bit = term_extract(g->b->p->terms, build_value(g->b, some_register(g, t)), 0, 0);
  return term_zero_extend(g->b->p->terms, bit, 64);
}

// The first word of the block, or the second one, which is there or not.
static Term block_address(Generator *g, ThreadId t) {
  Build *b = g->b;
  Term start = build_address(b, g->block, 0);
  if (!(g->features & FEATURE_SIZED)) return start;
  return term_add(b->p->terms, start, term_binary(b->p->terms, TERM_MUL, some_bit(g, t), build_constant(b, 64, 4)));
}

// A block of one or two words.
static void make_allocation(Generator *g) {
  Build *b = g->b;
  Step step = build_step(b, STEP_ALLOCATE);
  step.target = g->block;
  if (g->features & FEATURE_SIZED) {
    Term more = term_binary(b->p->terms, TERM_MUL, some_bit(g, 0), build_constant(b, 64, 4));
    step.operand = term_add_constant(b->p->terms, more, 4);
  }
  build_emit(b, 0, &step);
}

static void make_heap(Generator *g, ThreadId t) {
  Build *b = g->b;
  switch (draw(g, 3)) {
  case 0: build_store_at(b, t, block_address(g, t), build_constant(b, 32, 1)); break;
  case 1: build_load_at(b, t, some_register(g, t), block_address(g, t)); break;
  default: {
    Step step = build_step(b, STEP_FREE);
    step.operand = build_address(b, g->block, 0);
    build_emit(b, t, &step);
  }
  }
}

static void make_divide(Generator *g, ThreadId t) {
  Step step = build_step(g->b, STEP_DIVIDE);
  step.operand = term_add_constant(g->b->p->terms, build_value(g->b, some_register(g, t)), draw(g, 2));
  build_emit(g->b, t, &step);
}

static void make_step(Generator *g, ThreadId t) {
  Build *b = g->b;
  LocationId here = b->at[t];
  switch (draw(g, 17)) {
  case 0:
  case 1:
  case 2: build_load(b, t, some_register(g, t), some_cell(g)); break;
  case 3:
  case 4: make_store(g, t); break;
  case 5: build_lock(b, t, g->mutexes[draw(g, 2)]); break;
  case 6: build_unlock(b, t, g->mutexes[draw(g, 2)]); break;
  case 7: build_await(b, t, STEP_WAIT, build_address(b, some_cell(g), 0), draw(g, 3)); break;
  case 8: build_guarded(b, t, STEP_ASSUME, build_equals(b, some_register(g, t), draw(g, 2))); break;
  case 9: make_branch(g, t); break;
  case 10: make_loop(g, t); break;
  case 11: make_fresh(g, t); break;
  case 12: build_store_at(b, t, array_address(g, t), build_constant(b, 32, 1)); break;
  case 13: build_load_at(b, t, some_register(g, t), array_address(g, t)); break;
  case 14: build_error_if(b, t, build_equals(b, some_register(g, t), draw(g, 3))); break;
  case 15:
    if (g->features & FEATURE_HEAP) make_heap(g, t);
    break;
  default:
    if (draw(g, 3) == 0) make_divide(g, t);
    break;
  }
  if (!b->atomic && here != b->at[t] && g->head_count[t] < 16) g->heads[t][g->head_count[t]++] = here;
}

static void make_body(Generator *g, ThreadId t, unsigned steps) {
  for (unsigned i = 0; i < steps; i++) {
    if (draw(g, 5) > 0) {
      make_step(g, t);
      continue;
    }
    build_section(g->b, t);
    for (unsigned k = 1 + draw(g, 3); k > 0; k--) make_step(g, t);
    build_section_end(g->b, t);
  }
}

static void generate(Generator *g, Build *b, uint64_t seed, unsigned features) {
  static const char *const names[] = {"x", "y", "z"};
  *g = (Generator){.b = b, .seed = seed, .features = features};
  build_begin(b);
  for (size_t i = 0; i < MOST_CELLS_MADE; i++) g->cells[i] = build_int(b, names[i]);
  for (size_t i = 0; i < 2; i++) g->mutexes[i] = build_int(b, "mutex");
  g->array = build_object(b, 8, STORAGE_GLOBAL, NO_ID, "array");
  unsigned threads = 3 + draw(g, 2);
  for (ThreadId t = 0; t < threads; t++) {
    build_thread(b, t == 0 ? "main" : "worker", t == 0 ? NO_ID : 0);
    for (size_t i = 0; i < 2; i++) {
      g->registers[t][i] = build_variable(b, t, 32, "r");
      build_assign(b, t, g->registers[t][i], build_constant(b, 32, 0));
    }
  }
  g->block = build_object(b, features & FEATURE_SIZED ? 8 : 4, STORAGE_HEAP, 0, "block");
  b->p->objects.data[g->block].dynamic = true;
  b->p->objects.data[g->block].sized = features & FEATURE_SIZED;
  make_body(g, 0, draw(g, 2));
  if (features & FEATURE_HEAP) {
    make_allocation(g);
    build_store_at(b, 0, build_address(b, g->block, 0), build_constant(b, 32, 0));
    g->head_count[0] = 0; // it is allocated once
  }
  for (ThreadId t = 1; t < threads; t++) {
    make_body(g, t, 2 + draw(g, 5));
    build_exit(b, t);
    build_create(b, 0, t);
    make_body(g, 0, draw(g, 2));
  }
  for (ThreadId t = 1; t < threads; t++) {
    if (draw(g, 2)) build_join(b, 0, t);
  }
  make_body(g, 0, draw(g, 3));
  if (draw(g, 2))
    build_kind(b, 0, STEP_HALT);
  else
    build_exit(b, 0);
  passes_prepare(b->p, NULL);
}

// --- comparing ---

static void compare_all(uint64_t first, uint64_t count, unsigned features) {
  size_t compared = 0, violations = 0;
  for (uint64_t seed = first; seed < first + count; seed++) {
    Build b;
    Generator generator;
    generate(&generator, &b, seed, features);
    Plain plain;
    plain_search(&plain, b.p, features & FEATURE_RACES, 20000);
    if (!plain.too_large) {
      plain_compare(&b, PROPERTY_UNREACH_CALL, plain.error, seed);
      plain_compare(&b, PROPERTY_NO_DEADLOCK, plain.deadlock, seed);
      plain_compare(&b, PROPERTY_VALID_MEMSAFETY, plain.invalid, seed);
      plain_compare(&b, PROPERTY_NO_DIVISION_BY_ZERO, plain.zero, seed);
      if (features & FEATURE_RACES) plain_compare(&b, PROPERTY_NO_DATA_RACE, plain.race, seed);
      compared++;
      violations += plain.error + plain.deadlock + plain.invalid + plain.zero;
    }
    build_end(&b);
  }
  assert_true(compared * 2 > count); // the generator makes small programs
  assert_true(violations > compared / 4 && violations < compared * 4);
}

static void test_random_programs(void **state) {
  (void)state;
  compare_all(1, 400, 0);
}

static void test_random_programs_with_heap(void **state) {
  (void)state;
  compare_all(100000, 200, FEATURE_HEAP);
}

static void test_random_programs_with_sized_blocks(void **state) {
  (void)state;
  compare_all(300000, 300, FEATURE_HEAP | FEATURE_SIZED);
}

static void test_random_races(void **state) {
  (void)state;
  compare_all(200000, 200, FEATURE_RACES);
}

int main(int argc, char **argv) {
  if (argc > 2) { // a longer run by hand: first seed and count
    compare_all(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10), argc > 3 ? (unsigned)atoi(argv[3]) : 0);
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_programs),
      cmocka_unit_test(test_random_programs_with_heap),
      cmocka_unit_test(test_random_programs_with_sized_blocks),
      cmocka_unit_test(test_random_races),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
