#include "solver/aig_copy.h"

void aig_copy_init(AigCopy *copy, const Aig *source, Aig *target, Account *account) {
  *copy = (AigCopy){.source = source, .target = target};
  U32Vector_init(&copy->known, account);
  U32Vector_init(&copy->stack, account);
  aig_copy_forget(copy);
}

void aig_copy_free(AigCopy *copy) {
  U32Vector_free(&copy->stack);
  U32Vector_free(&copy->known);
}

void aig_copy_forget(AigCopy *copy) {
  U32Vector_clear(&copy->known);
  U32Vector_resize(&copy->known, aig_node_count(copy->source));
  copy->known.data[0] = AIG_FALSE + 1;
}

static uint32_t known(const AigCopy *copy, uint32_t node) {
  return node < copy->known.count ? copy->known.data[node] : 0;
}

static void set_known(AigCopy *copy, uint32_t node, AigLiteral literal) {
  if (node >= copy->known.count) U32Vector_resize(&copy->known, aig_node_count(copy->source));
  copy->known.data[node] = literal + 1;
}

void aig_copy_put(AigCopy *copy, AigLiteral literal, AigLiteral stand_in) {
  set_known(copy, aig_node(literal), aig_not_if(stand_in, aig_is_inverted(literal)));
}

bool aig_copy_has(const AigCopy *copy, AigLiteral literal) { return known(copy, aig_node(literal)) != 0; }

static AigLiteral copied(const AigCopy *copy, AigLiteral literal) {
  return aig_not_if(known(copy, aig_node(literal)) - 1, aig_is_inverted(literal));
}

// An operand that became false spares the other one with all that is below it.
static void copy_or_push(AigCopy *copy, uint32_t node) {
  assert(aig_is_gate(copy->source, node)); // an input without a stand-in
  AigLiteral left = aig_left(copy->source, node), right = aig_right(copy->source, node);
  bool has_left = aig_copy_has(copy, left), has_right = aig_copy_has(copy, right);
  if ((has_left && copied(copy, left) == AIG_FALSE) || (has_right && copied(copy, right) == AIG_FALSE))
    set_known(copy, node, AIG_FALSE);
  else if (!has_left)
    U32Vector_push(&copy->stack, aig_node(left));
  else if (!has_right)
    U32Vector_push(&copy->stack, aig_node(right));
  else
    set_known(copy, node, aig_and(copy->target, copied(copy, left), copied(copy, right)));
}

AigLiteral aig_copy_literal(AigCopy *copy, AigLiteral literal) {
  U32Vector_clear(&copy->stack);
  U32Vector_push(&copy->stack, aig_node(literal));
  while (copy->stack.count > 0) {
    uint32_t node = *U32Vector_last(&copy->stack);
    if (known(copy, node))
      U32Vector_pop(&copy->stack);
    else
      copy_or_push(copy, node);
  }
  return copied(copy, literal);
}
