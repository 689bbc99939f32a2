#include "program/passes/passes.h"

#include "program/passes/pass_list.h"
#include "program/passes/rewrite.h"

#include <stdio.h>
#include <stdlib.h>

static const Pass passes[] = {
    // The passes that every program goes through. Schedules are written against the result.
    {"layout", "cuts objects into cells, expands block operations", 0, FORM_INDEXED | FORM_CELLS, PRESERVES_EVERYTHING,
     pass_layout},
    {"interrupts", "puts copies of signal handlers where they can matter", FORM_INDEXED | FORM_CELLS,
     FORM_INDEXED | FORM_CELLS, PRESERVES_EVERYTHING, pass_interrupts},
    {"constants", "folds cells that no step writes, propagates constants", FORM_INDEXED | FORM_CELLS, FORM_INDEXED,
     PRESERVES_EVERYTHING, pass_constants},
    {"setup", "what main sets up before it creates threads", FORM_INDEXED | FORM_CELLS, FORM_INDEXED,
     PRESERVES_EVERYTHING, pass_setup},
    {"inputs", "inputs that are only tested for truth get two values", FORM_INDEXED | FORM_CELLS, FORM_INDEXED,
     PRESERVES_EVERYTHING, pass_inputs},
    {"loops", "finds back edges and loop heads", FORM_INDEXED, FORM_INDEXED, PRESERVES_EVERYTHING, pass_loops},
    {"input ranges", "inputs that are assumed to have few values get those only", FORM_INDEXED | FORM_CELLS,
     FORM_INDEXED, PRESERVES_EVERYTHING, pass_input_ranges},
    {"dead code", "removes dead assignments and steps without effect", FORM_INDEXED | FORM_CELLS,
     FORM_INDEXED | FORM_LIVE, PRESERVES_EVERYTHING, pass_dead_code},
    {"loops again", "finds back edges and loop heads of what is left", FORM_INDEXED, FORM_INDEXED, PRESERVES_EVERYTHING,
     pass_loops},
    // The passes that an engine may ask for, on a view.
    {"slice", "removes what no guard and no address depends on", FORM_INDEXED | FORM_CELLS,
     FORM_INDEXED | FORM_LIVE | FORM_VALUES, PRESERVES_REACHABILITY | PRESERVES_DEADLOCKS, pass_slice},
    {"values", "removes the values that no guard and no address depends on, and no access", FORM_INDEXED | FORM_CELLS,
     FORM_INDEXED | FORM_VALUES, PRESERVES_REACHABILITY | PRESERVES_RACES | PRESERVES_DEADLOCKS | PRESERVES_MEMORY,
     pass_values},
    {"single blocks", "one access per edge, with the steps around it that touch no memory", FORM_INDEXED | FORM_CELLS,
     FORM_INDEXED | FORM_SINGLE, PRESERVES_REACHABILITY, pass_single_blocks},
    {"whole sections", "one step or atomic section per edge", FORM_INDEXED | FORM_CELLS, FORM_INDEXED | FORM_SECTIONS,
     PRESERVES_REACHABILITY | PRESERVES_RACES | PRESERVES_DEADLOCKS | PRESERVES_LIVENESS, pass_whole_sections},
    {"large blocks", "one shared access or atomic section per edge, with the local steps around it",
     FORM_INDEXED | FORM_CELLS, FORM_INDEXED | FORM_LARGE,
     PRESERVES_REACHABILITY | PRESERVES_RACES | PRESERVES_DEADLOCKS | PRESERVES_LIVENESS, pass_large_blocks},
    {0},
};

const Pass *const program_passes = passes;

static void run_pass(const Pass *pass, Program *p, unsigned *form) {
  assert((*form & pass->needs) == pass->needs && "the passes run in an order that gives each what it needs");
  pass->run(p);
  *form |= pass->gives;
#ifndef NDEBUG
  const char *error = program_validate(p);
  if (error) {
    fprintf(stderr, "heddle: internal error: after the pass \"%s\": %s\n", pass->name, error);
    abort();
  }
#endif
}

// --- fingerprint ---

typedef struct Fingerprint {
  const Program *program;
  uint64_t hash;
  Map terms; // Term -> hash of its structure
} Fingerprint;

static void mix(Fingerprint *print, uint64_t value) { print->hash = hash_mix(print->hash ^ value) + value; }

// Hashes a term by its structure: its operators, constants and variable numbers. Its handle depends on what else was
// built.
static uint64_t hash_term(Fingerprint *print, Term t) {
  const Program *p = print->program;
  uint64_t hash = t;
  if (t == TERM_NONE || value_is_fresh(t) || map_get(&print->terms, t, &hash)) return hash;
  TermOperator op = term_operator(p->terms, t);
  hash = hash_mix((uint64_t)op << 32 | term_sort(p->terms, t));
  if (op == TERM_CONSTANT) {
    Bits value = term_constant_value(p->terms, t);
    hash = hash_mix(hash ^ (uint64_t)value) ^ hash_mix((uint64_t)(value >> 64));
  } else if (op == TERM_VARIABLE) {
    hash = hash_mix(hash ^ program_variable_of_term(p, t));
  } else if (op == TERM_EXTRACT) {
    hash = hash_mix(hash ^ ((uint64_t)term_parameter(p->terms, t, 0) << 16 | term_parameter(p->terms, t, 1)));
  }
  unsigned arity = term_arity(p->terms, t);
  // Commutative operands are ordered by handle, which depends only on the source and the limits.
  for (unsigned i = 0; i < arity; i++) hash = hash_mix(hash + hash_term(print, term_child(p->terms, t, i)));
  map_put(&print->terms, t, hash);
  return hash;
}

static void mix_term(Fingerprint *print, Term t) { mix(print, hash_term(print, t)); }

static void mix_step(Fingerprint *print, const Step *step) {
  mix(print, step->kind);
  mix_term(print, step->guard);
  mix_term(print, step->access.address);
  mix_term(print, step->access.stored);
  mix_term(print, step->operand);
  mix(print, (uint64_t)step->access.into << 32 | (uint64_t)step->access.bytes << 8 |
                 (uint64_t)step->access.innocent << 3 | (uint64_t)step->access.synchronises << 2 |
                 (uint64_t)step->access.reads << 1 | step->access.writes);
  mix(print, (uint64_t)step->target << 32 | step->assignment_count);
  for (uint32_t i = 0; i < step->assignment_count; i++) {
    mix(print, step->assignments[i].variable);
    mix_term(print, step->assignments[i].value);
  }
  mix(print, (uint64_t)step->position.line << 32 | step->position.column);
}

static uint64_t program_fingerprint(const Program *p) {
  Fingerprint print = {.program = p, .hash = p->pointer_width};
  map_init(&print.terms, p->account);
  for (size_t o = 0; o < p->objects.count; o++) {
    mix(&print, p->objects.data[o].address);
    mix(&print, p->objects.data[o].size << 8 | p->objects.data[o].storage);
  }
  for (size_t c = 0; c < p->cells.count; c++) {
    mix(&print, p->cells.data[c].address << 8 | p->cells.data[c].bytes);
    mix_term(&print, p->cells.data[c].initial);
  }
  for (size_t t = 0; t < p->threads.count; t++)
    mix(&print, (uint64_t)p->threads.data[t].entry << 32 | p->threads.data[t].final);
  for (size_t l = 0; l < p->locations.count; l++)
    mix(&print, (uint64_t)p->locations.data[l].thread << 2 | (uint64_t)p->locations.data[l].atomic << 1 |
                    p->locations.data[l].final);
  for (size_t e = 0; e < p->edges.count; e++) {
    const Edge *edge = &p->edges.data[e];
    mix(&print, (uint64_t)edge->from << 32 | edge->to);
    uint32_t count;
    const Step *steps = edge_steps(p, (EdgeId)e, &count);
    for (uint32_t i = 0; i < count; i++) mix_step(&print, &steps[i]);
  }
  map_free(&print.terms);
  return print.hash;
}

// --- running ---

void passes_prepare(Program *p, const PassWatch *watch) {
  unsigned form = 0;
  for (const Pass *pass = program_passes; pass->name; pass++) {
    if (pass->preserves != PRESERVES_EVERYTHING) continue;
    if (watch) watch->begins(watch->context, pass->name, p);
    run_pass(pass, p, &form);
  }
  for (size_t s = 0; s < p->steps.count; s++) p->steps.data[s].origin = (StepId)s;
  p->fingerprint = program_fingerprint(p);
}

void passes_reduce(Program *view, unsigned preserve, BlockSize size) {
  // Races and deadlocks need the blocks that infinite executions need (passes/joint_edges.h).
  bool infinite = view->infinite;
  view->infinite |= (preserve & (PRESERVES_RACES | PRESERVES_DEADLOCKS)) != 0;
  view->waits_begin_blocks = (preserve & PRESERVES_DEADLOCKS) != 0;
  unsigned form = FORM_INDEXED | FORM_CELLS | FORM_LIVE;
  for (const Pass *pass = program_passes; pass->name; pass++) {
    if (pass->preserves == PRESERVES_EVERYTHING) continue; // done once, in passes_prepare
    if ((preserve & pass->preserves) != preserve) continue;
    if ((pass->gives & FORM_LARGE) && size != BLOCK_LARGE) continue;
    if ((pass->gives & FORM_SINGLE) && size != BLOCK_SINGLE) continue;
    if ((pass->gives & FORM_SECTIONS) && size != BLOCK_SECTION) continue;
    if ((pass->gives & ~form) == 0) continue; // nothing new
    run_pass(pass, view, &form);
  }
  view->infinite = infinite;
  assert(program_cycles_go_back(view));
}
