#include "circuit/abc/correspondence.h"

#include "circuit/model/aiger.h"
#include "solver/aig_sat.h"

typedef struct Finder {
  Correspondence *out;
  const Circuit *c;
  U32Vector cone;     // nodes that matter, ascending; the constant is the first
  U32Vector class_of; // per node
  U32Vector first;    // per class: its smallest node
  ByteVector phase;   // per node: its value in the first state that was simulated
  uint64_t *inputs;   // the values of the graph's inputs in 64 simulations
  uint64_t *nodes;    // likewise
  uint64_t *latches;  // the next state
  uint64_t random;
  Budget *budget;
  Account *account;
} Finder;

// --- classes ---

static uint64_t next_random(Finder *f) { return f->random = hash_mix(f->random + 0x9e3779b97f4a7c15u); }

// Splits classes by the simulated values. In rare cases (equal hashes) nodes with different values stay together; the
// solver separates them later. False: no class was split.
static bool refine(Finder *f) {
  size_t before = f->first.count;
  Map classes;
  map_init(&classes, f->account);
  U32Vector_clear(&f->first);
  for (size_t i = 0; i < f->cone.count; i++) {
    uint32_t node = f->cone.data[i];
    uint64_t value = f->nodes[node] ^ (f->phase.data[node] ? ~UINT64_C(0) : 0);
    uint64_t key = hash_mix(value) ^ hash_mix(f->class_of.data[node] + UINT64_C(0x51ed270b));
    uint64_t class = map_get_or(&classes, key, f->first.count);
    if (class == f->first.count) {
      map_put(&classes, key, class);
      U32Vector_push(&f->first, node);
    }
    f->class_of.data[node] = (uint32_t)class;
  }
  map_free(&classes);
  return f->first.count > before;
}

// Puts the node into a class of its own.
static void make_single(Finder *f, uint32_t node) {
  f->class_of.data[node] = (uint32_t)f->first.count;
  U32Vector_push(&f->first, node);
}

static uint32_t first_of(const Finder *f, uint32_t node) {
  assert(f->class_of.data[node] < f->first.count && f->first.data[f->class_of.data[node]] <= node);
  return f->first.data[f->class_of.data[node]];
}

// --- simulation ---

static void set_input(Finder *f, AigLiteral input, uint64_t value) {
  f->inputs[aig_input_index(&f->c->aig, aig_node(input))] = value;
}

static void simulate(Finder *f) {
  aig_simulate(&f->c->aig, f->inputs, f->nodes);
  for (size_t i = 0; i < f->c->latches.count; i++) f->latches[i] = aig_simulated(f->nodes, f->c->latches.data[i].next);
}

static void set_latches(Finder *f) {
  for (size_t i = 0; i < f->c->latches.count; i++) set_input(f, f->c->latches.data[i].now, f->latches[i]);
}

static void choose_inputs(Finder *f) {
  for (size_t i = 0; i < f->c->inputs.count; i++) set_input(f, f->c->inputs.data[i].literal, next_random(f));
}

// Simulates 64 random executions from the initial state at once.
static void simulate_from_start(Finder *f) {
  enum { WORK = 20000000, LEAST = 8, MOST = 400 };
  size_t steps = WORK / (aig_node_count(&f->c->aig) + 1);
  steps = steps < LEAST ? LEAST : steps > MOST ? MOST : steps;
  memset(f->latches, 0, f->c->latches.count * sizeof *f->latches);
  for (size_t step = 0; step < steps && !budget_exhausted(f->budget, "circuit-simulate"); step++) {
    set_latches(f);
    choose_inputs(f);
    simulate(f);
    if (step == 0)
      for (size_t node = 0; node < f->phase.count; node++) f->phase.data[node] = f->nodes[node] & 1;
    refine(f);
  }
}

// --- frames ---

typedef struct Obligation {
  uint32_t node, first;
  AigLiteral own, wanted;
} Obligation;
VECTOR(ObligationVector, Obligation);

// One or two frames in which every node is replaced by the first of its class. That it equals the first is an
// obligation.
typedef struct Frames {
  Aig aig;
  AigCopy copy;
  AigSat sat;
  U32Vector latches, inputs; // the latches of the first frame; the inputs of the last frame
  U32Vector first_inputs;
  ObligationVector obligations; // of the last frame
} Frames;

static void frames_init(Frames *r, Finder *f) {
  aig_init(&r->aig, f->account);
  aig_copy_init(&r->copy, &f->c->aig, &r->aig, f->account);
  aig_sat_init(&r->sat, &r->aig, f->budget, f->account);
  U32Vector_init(&r->latches, f->account);
  U32Vector_init(&r->inputs, f->account);
  U32Vector_init(&r->first_inputs, f->account);
  ObligationVector_init(&r->obligations, f->account);
}

static void frames_free(Frames *r) {
  ObligationVector_free(&r->obligations);
  U32Vector_free(&r->first_inputs);
  U32Vector_free(&r->inputs);
  U32Vector_free(&r->latches);
  aig_sat_free(&r->sat);
  aig_copy_free(&r->copy);
  aig_free(&r->aig);
}

// Adds a frame over these values of latches.
static void build_frame(Frames *r, const Finder *f, const AigLiteral *latches) {
  const Circuit *c = f->c;
  aig_copy_forget(&r->copy);
  U32Vector_clear(&r->inputs);
  ObligationVector_clear(&r->obligations);
  for (size_t i = 0; i < c->latches.count; i++) aig_copy_put(&r->copy, c->latches.data[i].now, latches[i]);
  for (size_t i = 0; i < c->inputs.count; i++) {
    U32Vector_push(&r->inputs, aig_input(&r->aig));
    aig_copy_put(&r->copy, c->inputs.data[i].literal, r->inputs.data[i]);
  }
  for (size_t i = 0; i < f->cone.count; i++) {
    uint32_t node = f->cone.data[i], first = first_of(f, node);
    AigLiteral own = aig_copy_literal(&r->copy, node * 2);
    if (first == node) continue;
    AigLiteral wanted = aig_copy_literal(&r->copy, first * 2 + (f->phase.data[node] != f->phase.data[first]));
    if (own != wanted) ObligationVector_push(&r->obligations, (Obligation){node, first, own, wanted});
    aig_copy_put(&r->copy, node * 2, wanted);
  }
}

// The first frame is any state in which the nodes of each class are equal. The second frame is the state after a step.
static void build_step(Frames *r, const Finder *f) {
  const Circuit *c = f->c;
  for (size_t i = 0; i < c->latches.count; i++) U32Vector_push(&r->latches, aig_input(&r->aig));
  build_frame(r, f, r->latches.data);
  for (size_t i = 0; i < r->inputs.count; i++) U32Vector_push(&r->first_inputs, r->inputs.data[i]);
  for (size_t i = 0; i < r->obligations.count; i++) {
    const Obligation *o = &r->obligations.data[i];
    aig_sat_assert(&r->sat, aig_equal(&r->aig, o->own, o->wanted));
  }
  U32Vector next;
  U32Vector_init(&next, f->account);
  for (size_t i = 0; i < c->latches.count; i++) {
    // A latch outside of the cone was not built.
    bool matters = f->class_of.data[aig_node(c->latches.data[i].now)] != NO_ID;
    U32Vector_push(&next, matters ? aig_copy_literal(&r->copy, c->latches.data[i].next) : AIG_FALSE);
  }
  build_frame(r, f, next.data);
  U32Vector_free(&next);
}

// One frame: the initial state.
static void build_start(Frames *r, const Finder *f) {
  U32Vector_resize(&r->latches, f->c->latches.count); // all AIG_FALSE
  build_frame(r, f, r->latches.data);
}

// --- refinement ---

static uint64_t model_word(const Frames *r, AigLiteral input) {
  return aig_sat_input(&r->sat, input) ? ~UINT64_C(0) : 0;
}

// Simulates the solver's model of the frames on the circuit. Inputs of the last frame are varied in all 64 runs but
// one.
static void simulate_model(Finder *f, const Frames *r, bool from_start) {
  const Circuit *c = f->c;
  memset(f->latches, 0, c->latches.count * sizeof *f->latches);
  if (!from_start) {
    for (size_t i = 0; i < c->latches.count; i++) f->latches[i] = model_word(r, r->latches.data[i]);
    set_latches(f);
    for (size_t i = 0; i < c->inputs.count; i++)
      set_input(f, c->inputs.data[i].literal, model_word(r, r->first_inputs.data[i]));
    simulate(f);
  }
  set_latches(f);
  for (size_t i = 0; i < c->inputs.count; i++) {
    uint64_t varied = next_random(f) & next_random(f) & ~UINT64_C(1);
    set_input(f, c->inputs.data[i].literal, model_word(r, r->inputs.data[i]) ^ varied);
  }
  simulate(f);
}

// Equalities that are inductive and hold in the simulated states also hold in the states after them. So simulates
// random steps and splits classes, until this no longer helps.
static void simulate_on(Finder *f) {
  enum { PATIENCE = 4 };
  for (int idle = 0; idle < PATIENCE && !budget_exhausted(f->budget, "circuit-simulate"); idle++) {
    set_latches(f);
    choose_inputs(f);
    simulate(f);
    if (refine(f)) idle = 0;
  }
}

// Asks the solver whether the obligations hold. False: one did not and classes were split, or the budget is exhausted.
static bool prove_obligations(Finder *f, Frames *r, bool from_start) {
  bool all = true;
  for (size_t i = 0; i < r->obligations.count && !budget_exhausted(f->budget, "circuit-correspond"); i++) {
    const Obligation *o = &r->obligations.data[i];
    if (first_of(f, o->node) != o->first) continue; // its class was split; the next round has a new obligation
    AigLiteral differ = aig_xor(&r->aig, o->own, o->wanted);
    f->out->questions++;
    SolverAnswer answer = differ == AIG_FALSE ? SOLVER_UNSAT : aig_sat_check(&r->sat, &differ, 1);
    if (answer == SOLVER_UNSAT) continue;
    if (answer == SOLVER_UNKNOWN) return false;
    all = false;
    simulate_model(f, r, from_start);
    refine(f);
    if (first_of(f, o->node) == o->first)
      make_single(f, o->node);
    else
      simulate_on(f);
  }
  return all;
}

// Splits classes until all obligations hold in the initial state and after a step.
static void prove_all(Finder *f) {
  for (bool from_start = true, proved = false; !budget_exhausted(f->budget, "circuit-correspond");) {
    Frames frames;
    frames_init(&frames, f);
    if (from_start)
      build_start(&frames, f);
    else
      build_step(&frames, f);
    proved = prove_obligations(f, &frames, from_start);
    frames_free(&frames);
    f->out->rounds++;
    if (proved && !from_start) return;
    if (proved) from_start = false;
  }
}

// --- all ---

static void finder_init(Finder *f, AigLiteral bad) {
  const Aig *aig = &f->c->aig;
  U32Vector_init(&f->cone, f->account);
  U32Vector_init(&f->class_of, f->account);
  U32Vector_init(&f->first, f->account);
  ByteVector_init(&f->phase, f->account);
  ByteVector_resize(&f->phase, aig_node_count(aig));
  f->inputs = memory_allocate_zeroed(f->account, (aig->inputs.count + 1) * sizeof *f->inputs);
  f->nodes = memory_allocate_zeroed(f->account, aig_node_count(aig) * sizeof *f->nodes);
  f->latches = memory_allocate_zeroed(f->account, (f->c->latches.count + 1) * sizeof *f->latches);
  Aiger aiger;
  aiger_init_plain(&aiger, f->c, bad, f->account);
  for (uint32_t node = 0; node < aig_node_count(aig); node++) {
    bool matters = node == 0 || aiger.variables.data[node];
    U32Vector_push(&f->class_of, matters ? 0 : NO_ID);
    if (matters) U32Vector_push(&f->cone, node);
  }
  aiger_free(&aiger);
}

static void finder_free(Finder *f) {
  memory_free(f->account, f->latches, (f->c->latches.count + 1) * sizeof *f->latches);
  memory_free(f->account, f->nodes, aig_node_count(&f->c->aig) * sizeof *f->nodes);
  memory_free(f->account, f->inputs, (f->c->aig.inputs.count + 1) * sizeof *f->inputs);
  ByteVector_free(&f->phase);
  U32Vector_free(&f->first);
  U32Vector_free(&f->class_of);
  U32Vector_free(&f->cone);
}

static void keep_classes(const Finder *f) {
  Correspondence *s = f->out;
  for (size_t i = 0; i < f->cone.count; i++) {
    uint32_t node = f->cone.data[i], first = first_of(f, node);
    if (first == node) continue;
    s->same_as.data[node] = first * 2 + (f->phase.data[node] != f->phase.data[first]);
    s->pairs++;
  }
}

static void reduce(Correspondence *s, const U32Vector *cone, AigLiteral bad, Account *account) {
  const Circuit *c = s->circuit;
  Circuit *reduced = &s->reduced;
  AigCopy copy;
  aig_init(&reduced->aig, account);
  aig_copy_init(&copy, &c->aig, &reduced->aig, account);
  CircuitLatchVector_init(&reduced->latches, account);
  CircuitInputVector_init(&reduced->inputs, account);
  for (size_t i = 0; i < c->latches.count; i++) {
    CircuitLatch latch = c->latches.data[i];
    latch.now = latch.next = aig_input(&reduced->aig);
    aig_copy_put(&copy, c->latches.data[i].now, latch.now);
    CircuitLatchVector_push(&reduced->latches, latch);
  }
  for (size_t i = 0; i < c->inputs.count; i++) {
    CircuitInput input = c->inputs.data[i];
    input.literal = aig_input(&reduced->aig);
    aig_copy_put(&copy, c->inputs.data[i].literal, input.literal);
    CircuitInputVector_push(&reduced->inputs, input);
  }
  for (size_t i = 0; i < cone->count; i++) {
    uint32_t node = cone->data[i];
    AigLiteral same = s->same_as.data[node];
    if (aig_node(same) != node) aig_copy_put(&copy, node * 2, aig_copy_literal(&copy, same));
  }
  for (size_t i = 0; i < cone->count; i++) aig_copy_literal(&copy, cone->data[i] * 2);
  for (size_t i = 0; i < c->latches.count; i++)
    if (aig_copy_has(&copy, c->latches.data[i].next))
      reduced->latches.data[i].next = aig_copy_literal(&copy, c->latches.data[i].next);
  s->reduced_bad = aig_copy_literal(&copy, bad);
  aig_copy_free(&copy);
}

void correspondence_init(Correspondence *s, const Circuit *c, AigLiteral bad, Budget *budget, Account *account) {
  *s = (Correspondence){.circuit = c};
  s->reduced.account = account;
  U32Vector_init(&s->same_as, account);
  for (uint32_t node = 0; node < aig_node_count(&c->aig); node++) U32Vector_push(&s->same_as, node * 2);
  Finder f = {.out = s, .c = c, .random = 1, .budget = budget, .account = account};
  finder_init(&f, bad);
  simulate_from_start(&f);
  prove_all(&f);
  if (!budget_exhausted(budget, "circuit-correspond")) keep_classes(&f);
  reduce(s, &f.cone, bad, account);
  finder_free(&f);
}

void correspondence_free(Correspondence *s) {
  CircuitInputVector_free(&s->reduced.inputs);
  CircuitLatchVector_free(&s->reduced.latches);
  aig_free(&s->reduced.aig);
  U32Vector_free(&s->same_as);
}

void correspondence_add_pairs(const Correspondence *s, Invariant *invariant) {
  for (uint32_t node = 0; node < s->same_as.count; node++)
    if (s->same_as.data[node] != node * 2) invariant_add_pair(invariant, node * 2, s->same_as.data[node]);
}
