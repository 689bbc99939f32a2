// And-inverter graphs: boolean functions as two-input and-gates with inverters on the edges.
//
// A literal is a node number times two, plus one if inverted. Node 0 is the constant: literal 0 is false, literal 1 is
// true. Every other node is an input or a gate. Invariants: both operands of a gate have smaller node numbers than the
// gate (so node order is a topological order); left operand < right operand; no two gates have the same operands; no
// operand of a gate is constant.
//
// `aig_and` folds constants and applies the local two-level rules of Brummayer and Biere ("Local two-level and-inverter
// graph minimization without blowup", MEMICS 2006), none of which makes a graph larger. Nothing is ever removed.
//
// The graph knows nothing of latches: a sequential circuit keeps its latches as inputs, beside a list of their
// next-state literals.
//
// Memory: 8 bytes per node and at most 8 for its place in the hash table. Limit: 2^31 - 2 nodes.
#ifndef HEDDLE_SOLVER_AIG_H
#define HEDDLE_SOLVER_AIG_H

#include "base/vector.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t AigLiteral;
#define AIG_FALSE ((AigLiteral)0)
#define AIG_TRUE ((AigLiteral)1)

// A gate holds its two operands; an input holds AIG_INPUT and its index among the inputs.
typedef struct AigNode {
  AigLiteral left, right;
} AigNode;
#define AIG_INPUT UINT32_MAX
VECTOR(AigNodeVector, AigNode);

typedef struct Aig {
  AigNodeVector nodes;  // nodes.data[0] is the constant
  U32Vector inputs;     // node number of each input
  uint32_t *slots;      // hash table of gate numbers, 0 is free; capacity is a power of two
  size_t slot_capacity; // at least 3/2 of the gates
  size_t gate_count;
  Account *account;
} Aig;

void aig_init(Aig *aig, Account *account);
void aig_free(Aig *aig);

static inline AigLiteral aig_not(AigLiteral a) { return a ^ 1; }
static inline AigLiteral aig_not_if(AigLiteral a, bool invert) { return a ^ (AigLiteral)invert; }
static inline uint32_t aig_node(AigLiteral a) { return a >> 1; }
static inline bool aig_is_inverted(AigLiteral a) { return a & 1; }
static inline bool aig_is_constant(AigLiteral a) { return a <= AIG_TRUE; }
static inline AigLiteral aig_constant(bool value) { return value ? AIG_TRUE : AIG_FALSE; }

static inline size_t aig_node_count(const Aig *aig) { return aig->nodes.count; } // with the constant
static inline bool aig_is_input(const Aig *aig, uint32_t node) {
  return AigNodeVector_at(&aig->nodes, node)->left == AIG_INPUT;
}
static inline bool aig_is_gate(const Aig *aig, uint32_t node) { return node != 0 && !aig_is_input(aig, node); }
static inline uint32_t aig_input_index(const Aig *aig, uint32_t node) {
  assert(aig_is_input(aig, node));
  return aig->nodes.data[node].right;
}
static inline AigLiteral aig_left(const Aig *aig, uint32_t gate) {
  assert(aig_is_gate(aig, gate));
  return aig->nodes.data[gate].left;
}
static inline AigLiteral aig_right(const Aig *aig, uint32_t gate) {
  assert(aig_is_gate(aig, gate));
  return aig->nodes.data[gate].right;
}

AigLiteral aig_input(Aig *aig); // a new input
AigLiteral aig_and(Aig *aig, AigLiteral a, AigLiteral b);
AigLiteral aig_or(Aig *aig, AigLiteral a, AigLiteral b);
AigLiteral aig_xor(Aig *aig, AigLiteral a, AigLiteral b);
AigLiteral aig_equal(Aig *aig, AigLiteral a, AigLiteral b);
AigLiteral aig_ite(Aig *aig, AigLiteral condition, AigLiteral then_literal, AigLiteral else_literal);
AigLiteral aig_majority(Aig *aig, AigLiteral a, AigLiteral b, AigLiteral c);
// Balanced trees, so that depth grows with the logarithm of the count. The operands are overwritten.
AigLiteral aig_and_all(Aig *aig, AigLiteral *operands, size_t count);
AigLiteral aig_or_all(Aig *aig, AigLiteral *operands, size_t count);

// If the gate is `condition ? then : else` built from three gates (xor included), stores the operands and says true.
bool aig_match_ite(const Aig *aig, uint32_t gate, AigLiteral *condition, AigLiteral *then_literal,
                   AigLiteral *else_literal);

// Simulates 64 assignments at once: `inputs` has a word per input, `nodes` gets a word per node.
void aig_simulate(const Aig *aig, const uint64_t *inputs, uint64_t *nodes);
static inline uint64_t aig_simulated(const uint64_t *nodes, AigLiteral a) {
  return nodes[aig_node(a)] ^ (aig_is_inverted(a) ? ~UINT64_C(0) : 0);
}

#endif
