// Makes a failing program small, and its formula: edits the tree as long as it still fails.
//
// Every edit makes the tree lighter (tree_weight), so that shrinking ends. Edits that leave an invalid tree are passed
// over, and so are programs that were tried before. The result is a tree at which no single edit keeps the failure,
// unless time ran out.
#ifndef HEDDLE_FUZZ_SHRINK_H
#define HEDDLE_FUZZ_SHRINK_H

#include "fuzz/tree.h"

typedef struct Shrinker {
  bool (*still_fails)(void *context, const Tree *tree, const char *source);
  void *context;
  double seconds; // at most
  unsigned tests; // out: programs tried
} Shrinker;

// Replaces `tree` by a smaller one, whose nodes are in `arena`.
void shrink(Shrinker *shrinker, Arena *arena, Tree *tree);

#endif
