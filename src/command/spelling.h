// Suggestions for misspelt words: the known word that is nearest to a given one.
//
// A Spelling points to the words and owns none; they must live as long as it is used. Words of more than 40 characters
// are never near.
#ifndef HEDDLE_COMMAND_SPELLING_H
#define HEDDLE_COMMAND_SPELLING_H

#include "base/text.h"

#include <stdbool.h>

// The nearest of the words that were tried, if it is near enough. Of several that are equally near, the first.
typedef struct Spelling {
  const char *word;    // the word that the user wrote
  const char *nearest; // NULL: none is near enough
  unsigned edits;      // a word that needs more edits is not near enough
} Spelling;

void spelling_init(Spelling *spelling, const char *word);
void spelling_try(Spelling *spelling, const char *candidate);
// Tries each word of `a|b|c`. If one is the nearest, it is stored in `word_of`, which belongs to the caller.
void spelling_try_alternatives(Spelling *spelling, const char *alternatives, Text *word_of);
void spelling_suggest(const Spelling *spelling, const char *prefix,
                      Text *out); // "; did you mean PREFIXword?", or nothing

#endif
