// Which words of a state matter where a thread stands.
//
// A word that only one thread reads is dead where that thread will write it before it reads it again, if it ever does. Sets
// of states then need not say what it is: an edge *forgets* the words of its thread that die on it. What a dead word is
// made of is not read, either.
#ifndef HEDDLE_REACH_BDD_LIVE_H
#define HEDDLE_REACH_BDD_LIVE_H

#include "base/bitset.h"
#include "reach/bdd_words.h"

typedef struct BddLive {
  const BddWords *words;
  U32Vector reader;    // per word: the only thread that reads it; NO_ID: none or several
  Bitset *at;          // per location: the words of its thread that are live there
  U32Vector reads;     // words, in ranges
  U32Vector by_edge;   // per edge, and one more: where its conditions' words begin
  U32Vector by_update; // per update, and one more: where its value's words begin
  size_t location_count;
  Account *account;
} BddLive;

void bdd_live_init(BddLive *live, const BddWords *words, Account *account);
void bdd_live_free(BddLive *live);
// Is the word, after the edge, one that nobody will look at?
bool bdd_live_is_dead_after(const BddLive *live, EdgeId edge, uint32_t word);
// Appends the words that are dead after the edge and were not before it.
void bdd_live_forgotten(const BddLive *live, EdgeId edge, U32Vector *words);

#endif
