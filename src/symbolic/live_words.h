// Which words of a state are live at a location.
//
// A word that only one thread reads is dead at a location of this thread if the thread writes it before it reads it
// again, or never reads it again. Sets of states then need not say its value: an edge *forgets* the words of its thread
// that become dead on it. Words that flow only into a dead word are not read by that.
//
// If threads are chosen by the cells that their edges touch (transition/touch.h), the words in the conditions of
// touches are read, too.
#ifndef HEDDLE_SYMBOLIC_LIVE_WORDS_H
#define HEDDLE_SYMBOLIC_LIVE_WORDS_H

#include "base/bitset.h"
#include "symbolic/state_words.h"

typedef struct LiveWords {
  const Words *words;
  U32Vector reader;    // per word: the only thread that reads it; NO_ID: none or several
  Bitset *at;          // per location: the words of its thread that are live there
  U32Vector reads;     // words that are read, in ranges
  U32Vector by_edge;   // per edge, and one more: where the range of its conditions begins
  U32Vector by_update; // per update, and one more: where the range of its value begins
  size_t location_count;
  Account *account;
} LiveWords;

// `touches`: the conditions of touches are read.
void live_words_init(LiveWords *live, const Words *words, bool touches, Account *account);
void live_words_free(LiveWords *live);
// Is the word certainly dead after the edge?
bool live_words_dead_after(const LiveWords *live, EdgeId edge, uint32_t word);
// Appends the words that are dead after the edge and were not before it.
void live_words_forgotten(const LiveWords *live, EdgeId edge, U32Vector *words);

#endif
