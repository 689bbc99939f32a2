#include "survey/memory/dominators.h"

// The algorithm of Cooper, Harvey and Kennedy; blocks are in reverse postorder, so that a dominator has the smaller
// number.
static uint32_t common(const U32Vector *parents, uint32_t a, uint32_t b) {
  while (a != b) {
    while (a > b) a = parents->data[a];
    while (b > a) b = parents->data[b];
  }
  return a;
}

// Lowers the parent of the edge's target. True if it changed.
static bool meet(U32Vector *parents, uint32_t from, uint32_t to) {
  if (to == 0 || parents->data[from] == NO_CODE_ID) return false;
  uint32_t *parent = &parents->data[to], now = *parent == NO_CODE_ID ? from : common(parents, *parent, from);
  bool changed = now != *parent;
  *parent = now;
  return changed;
}

static bool pass(Dominators *d, const Code *code, const CodeFunction *f) {
  bool changed = false;
  for (uint32_t b = 0; b < f->block_count; b++) {
    const CodeBlock *block = &code->blocks[f->first_block + b];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
      changed |= meet(&d->parents, b, code->edges[e].target - f->first_block);
  }
  return changed;
}

static void find_only_edges(Dominators *d, const Code *code, const CodeFunction *f) {
  Bitset seen;
  bitset_init(&seen, f->block_count, d->parents.account);
  bitset_set(&seen, 0); // control comes to the entry from outside, too
  for (uint32_t b = f->first_block; b < f->first_block + f->block_count; b++)
    for (uint32_t e = code->blocks[b].first_edge; e < code->blocks[b].first_edge + code->blocks[b].edge_count; e++) {
      uint32_t target = code->edges[e].target - f->first_block;
      d->only_edge.data[target] = bitset_add(&seen, target) ? e : NO_CODE_ID;
    }
  bitset_free(&seen);
}

void dominators_init(Dominators *d, const Code *code, uint32_t function, Account *account) {
  const CodeFunction *f = &code->functions[function];
  assert(f->defined && f->block_count > 0);
  U32Vector_init(&d->parents, account);
  U32Vector_init(&d->only_edge, account);
  for (uint32_t b = 0; b < f->block_count; b++) {
    U32Vector_push(&d->parents, b == 0 ? 0 : NO_CODE_ID);
    U32Vector_push(&d->only_edge, NO_CODE_ID);
  }
  while (pass(d, code, f)) continue;
  for (uint32_t b = 1; b < f->block_count; b++) assert(d->parents.data[b] < b);
  find_only_edges(d, code, f);
}

void dominators_free(Dominators *d) {
  U32Vector_free(&d->parents);
  U32Vector_free(&d->only_edge);
}
