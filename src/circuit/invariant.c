#include "circuit/invariant.h"

#include "circuit/unrolling.h"
#include "solver/aig_sat.h"

void invariant_init(Invariant *invariant, Account *account) {
  U32Vector_init(&invariant->literals, account);
  U32Vector_init(&invariant->starts, account);
  U32Vector_push(&invariant->starts, 0);
}

void invariant_free(Invariant *invariant) {
  U32Vector_free(&invariant->starts);
  U32Vector_free(&invariant->literals);
}

void invariant_add(Invariant *invariant, uint32_t latch, bool value) {
  U32Vector_push(&invariant->literals, latch * 2 + !value);
}

void invariant_close(Invariant *invariant) { U32Vector_push(&invariant->starts, (uint32_t)invariant->literals.count); }

const char *invariant_flaw_text(InvariantFlaw flaw) {
  static const char *const texts[] = {[INVARIANT_HOLDS] = "it holds",
                                      [INVARIANT_NOT_INITIAL] = "it does not hold at the start",
                                      [INVARIANT_NOT_INDUCTIVE] = "a step leads out of it",
                                      [INVARIANT_NOT_SAFE] = "it does not exclude what is bad",
                                      [INVARIANT_UNCHECKED] = "its check was stopped"};
  return texts[flaw];
}

// --- the check ---

typedef struct Check {
  const Invariant *invariant;
  Unrolling unrolling; // two frames, from any state
  AigSat sat;
  Budget *budget;
} Check;

// The literals of a cube, over the latches of a frame.
static size_t cube_in_frame(const Check *check, size_t cube, uint32_t frame, U32Vector *into) {
  const Invariant *invariant = check->invariant;
  const AigLiteral *latches = check->unrolling.latches.data + frame * check->unrolling.circuit->latches.count;
  U32Vector_clear(into);
  for (uint32_t i = invariant->starts.data[cube]; i < invariant->starts.data[cube + 1]; i++) {
    uint32_t literal = invariant->literals.data[i];
    U32Vector_push(into, aig_not_if(latches[literal >> 1], literal & 1));
  }
  return into->count;
}

// The start is a state with all latches 0: a cube that holds there has no positive literal.
static bool holds_at_start(const Invariant *invariant) {
  for (size_t cube = 0; cube < invariant_count(invariant); cube++) {
    bool excluded = false;
    for (uint32_t i = invariant->starts.data[cube]; i < invariant->starts.data[cube + 1]; i++)
      excluded |= !(invariant->literals.data[i] & 1);
    if (!excluded) return false;
  }
  return true;
}

static void assume_invariant(Check *check, U32Vector *literals) {
  for (size_t cube = 0; cube < invariant_count(check->invariant); cube++) {
    size_t count = cube_in_frame(check, cube, 0, literals);
    for (size_t i = 0; i < count; i++) literals->data[i] = aig_not(literals->data[i]);
    aig_sat_assert_clause(&check->sat, literals->data, count);
  }
}

// Can these literals hold together? Only "no" is taken for one.
static InvariantFlaw refute(Check *check, const AigLiteral *literals, size_t count, InvariantFlaw otherwise) {
  for (size_t i = 0; i < count; i++)
    if (literals[i] == AIG_FALSE) return INVARIANT_HOLDS;
  switch (aig_sat_check(&check->sat, literals, count)) {
  case SOLVER_UNSAT: return INVARIANT_HOLDS;
  case SOLVER_SAT: return otherwise;
  default: return INVARIANT_UNCHECKED;
  }
}

InvariantFlaw invariant_check(const Invariant *invariant, const Circuit *c, AigLiteral bad, Budget *budget,
                              Account *account) {
  if (!holds_at_start(invariant)) return INVARIANT_NOT_INITIAL;
  Check check = {.invariant = invariant, .budget = budget};
  unrolling_init(&check.unrolling, c, false, account);
  aig_sat_init(&check.sat, &check.unrolling.aig, budget, account);
  U32Vector literals;
  U32Vector_init(&literals, account);
  unrolling_add_frame(&check.unrolling);
  AigLiteral goal = unrolling_literal(&check.unrolling, bad);
  assume_invariant(&check, &literals);
  InvariantFlaw flaw = refute(&check, &goal, 1, INVARIANT_NOT_SAFE);
  unrolling_add_frame(&check.unrolling);
  for (size_t cube = 0; cube < invariant_count(invariant) && flaw == INVARIANT_HOLDS; cube++) {
    size_t count = cube_in_frame(&check, cube, 1, &literals);
    flaw = refute(&check, literals.data, count, INVARIANT_NOT_INDUCTIVE);
    if (budget_exhausted(budget, "circuit-invariant")) flaw = INVARIANT_UNCHECKED;
  }
  U32Vector_free(&literals);
  aig_sat_free(&check.sat);
  unrolling_free(&check.unrolling);
  return flaw;
}
