// Misspelt words on the command line: which word was meant?
#ifndef HEDDLE_CLI_SPELLING_H
#define HEDDLE_CLI_SPELLING_H

#include <stdbool.h>

// Keeps the nearest of the words that it is shown, if that is near enough to have been meant. Equally near: the first.
typedef struct Spelling {
  const char *word;    // as it was written
  const char *nearest; // or NULL
  unsigned edits;      // more than these are too many
} Spelling;

void spelling_init(Spelling *spelling, const char *word);
void spelling_try(Spelling *spelling, const char *candidate);

#endif
