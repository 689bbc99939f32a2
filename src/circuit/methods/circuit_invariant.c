#include "circuit/methods/circuit_invariant.h"

#include "circuit/model/unrolling.h"
#include "solver/aig_sat.h"

void invariant_init(Invariant *invariant, Account *account) {
  U32Vector_init(&invariant->literals, account);
  U32Vector_init(&invariant->starts, account);
  U32Vector_init(&invariant->pairs, account);
  U32Vector_push(&invariant->starts, 0);
}

void invariant_free(Invariant *invariant) {
  U32Vector_free(&invariant->pairs);
  U32Vector_free(&invariant->starts);
  U32Vector_free(&invariant->literals);
}

void invariant_add(Invariant *invariant, uint32_t latch, bool value) {
  U32Vector_push(&invariant->literals, latch * 2 + !value);
}

void invariant_close(Invariant *invariant) {
  assert(*U32Vector_last(&invariant->starts) <= invariant->literals.count);
  U32Vector_push(&invariant->starts, (uint32_t)invariant->literals.count);
}

void invariant_add_pair(Invariant *invariant, AigLiteral a, AigLiteral b) {
  U32Vector_push(&invariant->pairs, a);
  U32Vector_push(&invariant->pairs, b);
}

const char *invariant_flaw_text(InvariantFlaw flaw) {
  static const char *const texts[] = {[INVARIANT_HOLDS] = "it holds",
                                      [INVARIANT_NOT_INITIAL] = "it does not hold at the start",
                                      [INVARIANT_NOT_INDUCTIVE] = "a step leads out of it",
                                      [INVARIANT_NOT_SAFE] = "it does not exclude what is bad",
                                      [INVARIANT_UNCHECKED] = "its check was stopped"};
  assert(flaw < sizeof texts / sizeof *texts);
  return texts[flaw];
}

// --- the check ---

typedef struct Check {
  const Invariant *invariant;
  Unrolling unrolling; // one frame from the initial state, or two frames from any state
  AigSat sat;
  Budget *budget;
} Check;

// The literals of a cube, over the latches of a frame.
static size_t cube_in_frame(const Check *check, size_t cube, uint32_t frame, U32Vector *into) {
  const Invariant *invariant = check->invariant;
  assert(cube < invariant_count(invariant) && frame < check->unrolling.frames);
  const AigLiteral *latches = check->unrolling.latches.data + frame * check->unrolling.circuit->latches.count;
  U32Vector_clear(into);
  for (uint32_t i = invariant->starts.data[cube]; i < invariant->starts.data[cube + 1]; i++) {
    uint32_t literal = invariant->literals.data[i];
    U32Vector_push(into, aig_not_if(latches[literal >> 1], literal & 1));
  }
  return into->count;
}

// All latches are 0 in the initial state, so a cube that contains it has no positive literal.
static bool starts_outside_cubes(const Invariant *invariant) {
  for (size_t cube = 0; cube < invariant_count(invariant); cube++) {
    bool excluded = false;
    for (uint32_t i = invariant->starts.data[cube]; i < invariant->starts.data[cube + 1]; i++)
      excluded |= !(invariant->literals.data[i] & 1);
    if (!excluded) return false;
  }
  return true;
}

// The literals of the pair differ in the last frame.
static AigLiteral pair_differs(Check *check, size_t pair) {
  AigLiteral a = unrolling_literal(&check->unrolling, check->invariant->pairs.data[pair]);
  AigLiteral b = unrolling_literal(&check->unrolling, check->invariant->pairs.data[pair + 1]);
  return aig_xor(&check->unrolling.aig, a, b);
}

static void assume_invariant(Check *check, U32Vector *literals) {
  for (size_t cube = 0; cube < invariant_count(check->invariant); cube++) {
    size_t count = cube_in_frame(check, cube, 0, literals);
    for (size_t i = 0; i < count; i++) literals->data[i] = aig_not(literals->data[i]);
    aig_sat_assert_clause(&check->sat, literals->data, count);
  }
  for (size_t pair = 0; pair < check->invariant->pairs.count; pair += 2)
    aig_sat_assert(&check->sat, aig_not(pair_differs(check, pair)));
}

// INVARIANT_HOLDS if the solver proves that these literals cannot hold together; `otherwise` if they can.
static InvariantFlaw refute(Check *check, const AigLiteral *literals, size_t count, InvariantFlaw otherwise) {
  for (size_t i = 0; i < count; i++)
    if (literals[i] == AIG_FALSE) return INVARIANT_HOLDS;
  switch (aig_sat_check(&check->sat, literals, count)) {
  case SOLVER_UNSAT: return INVARIANT_HOLDS;
  case SOLVER_SAT: return otherwise;
  default: return INVARIANT_UNCHECKED;
  }
}

static InvariantFlaw refute_pairs(Check *check, InvariantFlaw otherwise) {
  InvariantFlaw flaw = INVARIANT_HOLDS;
  for (size_t pair = 0; pair < check->invariant->pairs.count && flaw == INVARIANT_HOLDS; pair += 2) {
    AigLiteral differs = pair_differs(check, pair);
    flaw = refute(check, &differs, 1, otherwise);
    // An equality that was proved holds in this frame, and may help to prove the next one.
    if (flaw == INVARIANT_HOLDS) aig_sat_assert(&check->sat, aig_not(differs));
    if (budget_exhausted(check->budget, "circuit-invariant")) flaw = INVARIANT_UNCHECKED;
  }
  return flaw;
}

static InvariantFlaw refute_cubes(Check *check, U32Vector *literals) {
  InvariantFlaw flaw = INVARIANT_HOLDS;
  for (size_t cube = 0; cube < invariant_count(check->invariant) && flaw == INVARIANT_HOLDS; cube++) {
    size_t count = cube_in_frame(check, cube, 1, literals);
    flaw = refute(check, literals->data, count, INVARIANT_NOT_INDUCTIVE);
    if (budget_exhausted(check->budget, "circuit-invariant")) flaw = INVARIANT_UNCHECKED;
  }
  return flaw;
}

static void check_init(Check *check, const Circuit *c, bool from_start, Account *account) {
  unrolling_init(&check->unrolling, c, from_start, account);
  aig_sat_init(&check->sat, &check->unrolling.aig, check->budget, account);
  unrolling_add_frame(&check->unrolling);
}

static void check_free(Check *check) {
  aig_sat_free(&check->sat);
  unrolling_free(&check->unrolling);
}

static InvariantFlaw check_start(const Invariant *invariant, const Circuit *c, Budget *budget, Account *account) {
  if (!starts_outside_cubes(invariant)) return INVARIANT_NOT_INITIAL;
  Check check = {.invariant = invariant, .budget = budget};
  check_init(&check, c, true, account);
  InvariantFlaw flaw = refute_pairs(&check, INVARIANT_NOT_INITIAL);
  check_free(&check);
  return flaw;
}

InvariantFlaw invariant_check(const Invariant *invariant, const Circuit *c, AigLiteral bad, Budget *budget,
                              Account *account) {
  assert(invariant->pairs.count % 2 == 0);
  InvariantFlaw flaw = check_start(invariant, c, budget, account);
  if (flaw != INVARIANT_HOLDS) return flaw;
  Check check = {.invariant = invariant, .budget = budget};
  check_init(&check, c, false, account);
  U32Vector literals;
  U32Vector_init(&literals, account);
  AigLiteral goal = unrolling_literal(&check.unrolling, bad);
  assume_invariant(&check, &literals);
  flaw = refute(&check, &goal, 1, INVARIANT_NOT_SAFE);
  unrolling_add_frame(&check.unrolling);
  if (flaw == INVARIANT_HOLDS) flaw = refute_pairs(&check, INVARIANT_NOT_INDUCTIVE);
  if (flaw == INVARIANT_HOLDS) flaw = refute_cubes(&check, &literals);
  U32Vector_free(&literals);
  check_free(&check);
  return flaw;
}
