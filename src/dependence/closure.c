#include "dependence/closure.h"

ThreadMask closure_of(const Closure *closure, ThreadMask initial, ThreadMask enabled, unsigned limit) {
  assert(initial != 0 && closure->joins);
  ThreadMask set = initial;
  ThreadMask asked[MOST_MASKED_THREADS] = {0}; // per thread: the members that do not pull it in
  for (bool grown = true; grown;) {
    grown = false;
    for (ThreadMask others = closure->candidates & ~set; others != 0; others &= others - 1) {
      ThreadId other = first_thread(others);
      ThreadMask members = set & ~asked[other];
      asked[other] = set;
      if (members == 0 || !closure->joins(closure->context, set, members, other)) continue;
      set |= thread_bit(other);
      grown = true;
      if (thread_mask_count(set & enabled) >= limit) return set;
    }
  }
  assert((set & initial) == initial && (set & ~(initial | closure->candidates)) == 0);
  return set;
}

ThreadMask closure_smallest(const Closure *closure, const Closure *tie, ThreadMask seeds, ThreadMask enabled) {
  assert((seeds & ~enabled) == 0);
  ThreadMask best = enabled;
  unsigned best_count = thread_mask_count(enabled), best_tie = best_count;
  for (ThreadMask rest = seeds; rest != 0 && (best_count > 1 || best_tie > 1); rest &= rest - 1) {
    ThreadMask seed = thread_bit(first_thread(rest));
    // Without a second count, a closure of the same size is no better.
    unsigned limit = tie ? best_count + 1 : best_count;
    ThreadMask set = closure_of(closure, seed, enabled, limit) & enabled;
    unsigned count = thread_mask_count(set), tie_count = count;
    if (count >= limit) continue;
    if (tie) tie_count = thread_mask_count(closure_of(tie, seed, enabled, NO_CLOSURE_LIMIT) & enabled);
    assert(set & seed && tie_count > 0);
    if (count == best_count && tie_count >= best_tie) continue;
    best = set;
    best_count = count;
    best_tie = tie_count;
  }
  assert((best & ~enabled) == 0 && (best != 0 || enabled == 0));
  return best;
}
