#include "solver/aig.h"

#include "base/map.h"

enum { INITIAL_SLOTS = 64 };

void aig_init(Aig *aig, Account *account) {
  *aig = (Aig){.account = account, .slot_capacity = INITIAL_SLOTS};
  AigNodeVector_init(&aig->nodes, account);
  U32Vector_init(&aig->inputs, account);
  aig->slots = memory_allocate_zeroed(account, INITIAL_SLOTS * sizeof(uint32_t));
  AigNodeVector_push(&aig->nodes, (AigNode){AIG_FALSE, AIG_FALSE});
}

void aig_free(Aig *aig) {
  AigNodeVector_free(&aig->nodes);
  U32Vector_free(&aig->inputs);
  memory_free(aig->account, aig->slots, aig->slot_capacity * sizeof(uint32_t));
  aig->slots = NULL;
  aig->slot_capacity = 0;
}

AigLiteral aig_input(Aig *aig) {
  assert(aig->nodes.count < UINT32_C(1) << 31);
  uint32_t node = (uint32_t)aig->nodes.count;
  AigNodeVector_push(&aig->nodes, (AigNode){AIG_INPUT, (uint32_t)aig->inputs.count});
  U32Vector_push(&aig->inputs, node);
  return node << 1;
}

// --- structural hashing ---

static size_t slot_of(const Aig *aig, AigLiteral left, AigLiteral right) {
  return hash_mix((uint64_t)left << 32 | right) & (aig->slot_capacity - 1);
}

static void grow_slots(Aig *aig) {
  size_t old_capacity = aig->slot_capacity;
  uint32_t *old = aig->slots;
  aig->slot_capacity = old_capacity * 2;
  aig->slots = memory_allocate_zeroed(aig->account, aig->slot_capacity * sizeof(uint32_t));
  for (size_t i = 0; i < old_capacity; i++) {
    if (old[i] == 0) continue;
    const AigNode *gate = &aig->nodes.data[old[i]];
    size_t slot = slot_of(aig, gate->left, gate->right);
    while (aig->slots[slot] != 0) slot = (slot + 1) & (aig->slot_capacity - 1);
    aig->slots[slot] = old[i];
  }
  memory_free(aig->account, old, old_capacity * sizeof(uint32_t));
}

static AigLiteral hashed_gate(Aig *aig, AigLiteral left, AigLiteral right) {
  assert(left < right && !aig_is_constant(left));
  size_t slot = slot_of(aig, left, right);
  while (aig->slots[slot] != 0) {
    const AigNode *gate = &aig->nodes.data[aig->slots[slot]];
    if (gate->left == left && gate->right == right) return aig->slots[slot] << 1;
    slot = (slot + 1) & (aig->slot_capacity - 1);
  }
  assert(aig->nodes.count < UINT32_C(1) << 31);
  uint32_t node = (uint32_t)aig->nodes.count;
  AigNodeVector_push(&aig->nodes, (AigNode){left, right});
  aig->slots[slot] = node;
  if (++aig->gate_count * 3 > aig->slot_capacity * 2) grow_slots(aig);
  return node << 1;
}

// --- two-level simplification ---

typedef enum Rewrite {
  REWRITE_NONE, // no rule applies
  REWRITE_DONE, // *a is the result
  REWRITE_AGAIN // the result is the conjunction of the new *a and *b
} Rewrite;

// Rules with the operands of the gate under `*a` and `*b` itself.
static Rewrite rewrite_one_side(const Aig *aig, AigLiteral *a, AigLiteral *b) {
  if (!aig_is_gate(aig, aig_node(*a))) return REWRITE_NONE;
  AigLiteral left = aig_left(aig, aig_node(*a)), right = aig_right(aig, aig_node(*a));
  if (!aig_is_inverted(*a)) {
    if (*b == aig_not(left) || *b == aig_not(right)) { // contradiction
      *a = AIG_FALSE;
      return REWRITE_DONE;
    }
    return *b == left || *b == right ? REWRITE_DONE : REWRITE_NONE; // idempotence
  }
  if (*b == aig_not(left) || *b == aig_not(right)) { // subsumption
    *a = *b;
    return REWRITE_DONE;
  }
  if (*b == left || *b == right) { // substitution: b and not (b and x) is b and not x
    *a = aig_not(*b == left ? right : left);
    return REWRITE_AGAIN;
  }
  return REWRITE_NONE;
}

// Both positive: (a0 and a1) and (b0 and b1).
static Rewrite rewrite_positive_pair(AigLiteral *a, AigLiteral *b, const AigNode *under_a, const AigNode *under_b) {
  AigLiteral a0 = under_a->left, a1 = under_a->right, b0 = under_b->left, b1 = under_b->right;
  if (a0 == aig_not(b0) || a0 == aig_not(b1) || a1 == aig_not(b0) || a1 == aig_not(b1)) {
    *a = AIG_FALSE;
    return REWRITE_DONE;
  }
  // A shared operand need not be repeated: keep a and the other operand of b.
  if (a0 == b0 || a1 == b0) return *b = b1, REWRITE_AGAIN;
  if (a0 == b1 || a1 == b1) return *b = b0, REWRITE_AGAIN;
  return REWRITE_NONE;
}

// (a0 and a1) and not (b0 and b1).
static Rewrite rewrite_mixed_pair(AigLiteral *b, const AigNode *under_a, const AigNode *under_b) {
  AigLiteral a0 = under_a->left, a1 = under_a->right, b0 = under_b->left, b1 = under_b->right;
  if (a0 == aig_not(b0) || a0 == aig_not(b1) || a1 == aig_not(b0) || a1 == aig_not(b1)) return REWRITE_DONE;
  if (a0 == b0 || a1 == b0) return *b = aig_not(b1), REWRITE_AGAIN;
  if (a0 == b1 || a1 == b1) return *b = aig_not(b0), REWRITE_AGAIN;
  return REWRITE_NONE;
}

// Both inverted: not (a0 and a1) and not (b0 and b1). Resolution on equal and opposite operands.
static Rewrite rewrite_negative_pair(AigLiteral *a, const AigNode *under_a, const AigNode *under_b) {
  AigLiteral a0 = under_a->left, a1 = under_a->right, b0 = under_b->left, b1 = under_b->right;
  if ((a0 == b0 && a1 == aig_not(b1)) || (a0 == b1 && a1 == aig_not(b0))) return *a = aig_not(a0), REWRITE_DONE;
  if ((a1 == b1 && a0 == aig_not(b0)) || (a1 == b0 && a0 == aig_not(b1))) return *a = aig_not(a1), REWRITE_DONE;
  return REWRITE_NONE;
}

static Rewrite rewrite_both_sides(const Aig *aig, AigLiteral *a, AigLiteral *b) {
  if (!aig_is_gate(aig, aig_node(*a)) || !aig_is_gate(aig, aig_node(*b))) return REWRITE_NONE;
  const AigNode *under_a = &aig->nodes.data[aig_node(*a)], *under_b = &aig->nodes.data[aig_node(*b)];
  if (!aig_is_inverted(*a) && !aig_is_inverted(*b)) return rewrite_positive_pair(a, b, under_a, under_b);
  if (!aig_is_inverted(*a)) return rewrite_mixed_pair(b, under_a, under_b);
  if (!aig_is_inverted(*b)) {
    AigLiteral inverted = *a;
    *a = *b;
    *b = inverted;
    return rewrite_mixed_pair(b, under_b, under_a);
  }
  return rewrite_negative_pair(a, under_a, under_b);
}

static Rewrite rewrite(const Aig *aig, AigLiteral *a, AigLiteral *b) {
  if (*a > *b) {
    AigLiteral larger = *a;
    *a = *b;
    *b = larger;
  }
  if (*a == AIG_FALSE || *a == *b) return REWRITE_DONE;
  if (*a == AIG_TRUE) return *a = *b, REWRITE_DONE;
  if (*a == aig_not(*b)) return *a = AIG_FALSE, REWRITE_DONE;
  Rewrite step = rewrite_one_side(aig, a, b);
  if (step != REWRITE_NONE) return step;
  step = rewrite_one_side(aig, b, a);
  if (step == REWRITE_DONE) *a = *b;
  if (step != REWRITE_NONE) return step;
  return rewrite_both_sides(aig, a, b);
}

AigLiteral aig_and(Aig *aig, AigLiteral a, AigLiteral b) {
  assert(aig_node(a) < aig->nodes.count && aig_node(b) < aig->nodes.count);
  // Each round replaces an operand by a node below it, so this ends.
  for (;;) {
    Rewrite step = rewrite(aig, &a, &b);
    if (step == REWRITE_DONE) return a;
    if (step == REWRITE_NONE) return hashed_gate(aig, a < b ? a : b, a < b ? b : a);
  }
}

// --- derived operators ---

AigLiteral aig_or(Aig *aig, AigLiteral a, AigLiteral b) { return aig_not(aig_and(aig, aig_not(a), aig_not(b))); }

AigLiteral aig_xor(Aig *aig, AigLiteral a, AigLiteral b) {
  AigLiteral both = aig_and(aig, a, b);
  AigLiteral neither = aig_and(aig, aig_not(a), aig_not(b));
  return aig_and(aig, aig_not(both), aig_not(neither));
}

AigLiteral aig_equal(Aig *aig, AigLiteral a, AigLiteral b) { return aig_not(aig_xor(aig, a, b)); }

AigLiteral aig_ite(Aig *aig, AigLiteral condition, AigLiteral then_literal, AigLiteral else_literal) {
  if (then_literal == else_literal) return then_literal;
  if (then_literal == aig_not(else_literal)) return aig_xor(aig, condition, else_literal);
  AigLiteral then_side = aig_and(aig, condition, then_literal);
  AigLiteral else_side = aig_and(aig, aig_not(condition), else_literal);
  return aig_or(aig, then_side, else_side);
}

AigLiteral aig_majority(Aig *aig, AigLiteral a, AigLiteral b, AigLiteral c) {
  // Shares its gates with the two xors of a full adder: (a and b) or ((a xor b) and c).
  return aig_or(aig, aig_and(aig, a, b), aig_and(aig, aig_xor(aig, a, b), c));
}

AigLiteral aig_and_all(Aig *aig, AigLiteral *operands, size_t count) {
  if (count == 0) return AIG_TRUE;
  while (count > 1) {
    size_t half = 0;
    for (size_t i = 0; i + 1 < count; i += 2) operands[half++] = aig_and(aig, operands[i], operands[i + 1]);
    if (count % 2 == 1) operands[half++] = operands[count - 1];
    count = half;
  }
  return operands[0];
}

AigLiteral aig_or_all(Aig *aig, AigLiteral *operands, size_t count) {
  for (size_t i = 0; i < count; i++) operands[i] = aig_not(operands[i]);
  return aig_not(aig_and_all(aig, operands, count));
}

bool aig_match_ite(const Aig *aig, uint32_t gate, AigLiteral *condition, AigLiteral *then_literal,
                   AigLiteral *else_literal) {
  AigLiteral left = aig_left(aig, gate), right = aig_right(aig, gate);
  if (!aig_is_inverted(left) || !aig_is_inverted(right)) return false;
  if (!aig_is_gate(aig, aig_node(left)) || !aig_is_gate(aig, aig_node(right))) return false;
  const AigNode *a = &aig->nodes.data[aig_node(left)], *b = &aig->nodes.data[aig_node(right)];
  const AigLiteral from_a[2] = {a->left, a->right}, from_b[2] = {b->left, b->right};
  for (unsigned i = 0; i < 2; i++) {
    for (unsigned j = 0; j < 2; j++) {
      if (from_a[i] != aig_not(from_b[j])) continue;
      // not (c and x) and not (not c and y) is c ? not x : not y.
      *condition = from_a[i];
      *then_literal = aig_not(from_a[1 - i]);
      *else_literal = aig_not(from_b[1 - j]);
      return true;
    }
  }
  return false;
}

void aig_simulate(const Aig *aig, const uint64_t *inputs, uint64_t *nodes) {
  nodes[0] = 0;
  for (size_t node = 1; node < aig->nodes.count; node++) {
    const AigNode *at = &aig->nodes.data[node];
    nodes[node] =
        at->left == AIG_INPUT ? inputs[at->right] : aig_simulated(nodes, at->left) & aig_simulated(nodes, at->right);
  }
}
