// Which words of a state matter where a thread stands.
//
// A word that only one thread reads is dead where that thread will write it before it reads it again, if it ever does. Sets
// of states then need not say what it is: an edge *forgets* the words of its thread that die on it. What a dead word is
// made of is not read, either.
//
// Who chooses threads by what their edges touch (touch.h) reads the words in the conditions of touches, too.
#ifndef HEDDLE_SYMBOLIC_LIVE_WORDS_H
#define HEDDLE_SYMBOLIC_LIVE_WORDS_H

#include "base/bitset.h"
#include "symbolic/state_words.h"

typedef struct LiveWords {
  const Words *words;
  U32Vector reader;    // per word: the only thread that reads it; NO_ID: none or several
  Bitset *at;          // per location: the words of its thread that are live there
  U32Vector reads;     // words, in ranges
  U32Vector by_edge;   // per edge, and one more: where its conditions' words begin
  U32Vector by_update; // per update, and one more: where its value's words begin
  size_t location_count;
  Account *account;
} LiveWords;

void live_words_init(LiveWords *live, const Words *words, bool touches, Account *account);
void live_words_free(LiveWords *live);
// Is the word, after the edge, one that nobody will look at?
bool live_words_dead_after(const LiveWords *live, EdgeId edge, uint32_t word);
// Appends the words that are dead after the edge and were not before it.
void live_words_forgotten(const LiveWords *live, EdgeId edge, U32Vector *words);

#endif
