// Misspelt words on the command line: which word was meant?
#ifndef HEDDLE_COMMAND_SPELLING_H
#define HEDDLE_COMMAND_SPELLING_H

#include "base/text.h"

#include <stdbool.h>

// Keeps the nearest of the words that it is shown, if that is near enough to have been meant. Equally near: the first.
typedef struct Spelling {
  const char *word;    // as it was written
  const char *nearest; // or NULL
  unsigned edits;      // more than these are too many
} Spelling;

void spelling_init(Spelling *spelling, const char *word);
void spelling_try(Spelling *spelling, const char *candidate);
// Shows it the words of `a|b|c`, which it keeps in `word_of`, a text of the caller's.
void spelling_try_alternatives(Spelling *spelling, const char *alternatives, Text *word_of);
void spelling_suggest(const Spelling *spelling, const char *prefix,
                      Text *out); // "; did you mean PREFIXword?", or nothing

#endif
