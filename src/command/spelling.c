#include "command/spelling.h"

#include <assert.h>
#include <ctype.h>
#include <stddef.h>
#include <string.h>

enum { LONGEST_NAME = 40, MOST_EDITS = 3 };

static bool same(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

// The edit distance (insert, delete, replace, swap neighbours) of two words of at most LONGEST_NAME characters; upper
// and lower case are equal. LONGEST_NAME if a word is longer.
static unsigned distance(const char *a, const char *b) {
  size_t m = strlen(a), n = strlen(b);
  if (m > LONGEST_NAME || n > LONGEST_NAME) return LONGEST_NAME;
  unsigned row[LONGEST_NAME + 1][LONGEST_NAME + 1];
  for (size_t i = 0; i <= m; i++) {
    for (size_t j = 0; j <= n; j++) {
      if (i == 0 || j == 0) {
        row[i][j] = (unsigned)(i + j);
        continue;
      }
      unsigned best = row[i - 1][j - 1] + !same(a[i - 1], b[j - 1]);
      if (row[i - 1][j] + 1 < best) best = row[i - 1][j] + 1;
      if (row[i][j - 1] + 1 < best) best = row[i][j - 1] + 1;
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && row[i - 2][j - 2] + 1 < best) best = row[i - 2][j - 2] + 1;
      row[i][j] = best;
    }
  }
  assert(row[m][n] <= (m > n ? m : n));
  return row[m][n];
}

void spelling_init(Spelling *spelling, const char *word) {
  unsigned half = (unsigned)strlen(word) / 2;
  *spelling = (Spelling){.word = word, .edits = half < MOST_EDITS ? half : MOST_EDITS};
}

void spelling_try(Spelling *spelling, const char *candidate) {
  assert(spelling->edits <= MOST_EDITS);
  unsigned edits = distance(spelling->word, candidate);
  if (edits > spelling->edits || (spelling->nearest && edits == spelling->edits)) return;
  spelling->edits = edits;
  spelling->nearest = candidate;
}

void spelling_try_alternatives(Spelling *spelling, const char *alternatives, Text *word_of) {
  Text word;
  text_init(&word, NULL);
  for (const char *start = alternatives; *start; start += *start == '|') {
    size_t length = strcspn(start, "|");
    text_clear(&word);
    text_add_bytes(&word, start, length);
    const char *before = spelling->nearest;
    spelling_try(spelling, word.data);
    if (spelling->nearest != before) {
      text_clear(word_of);
      text_add(word_of, word.data);
      spelling->nearest = word_of->data;
    }
    start += length;
  }
  text_free(&word);
}

void spelling_suggest(const Spelling *spelling, const char *prefix, Text *out) {
  if (spelling->nearest) text_format(out, "; did you mean %s%s?", prefix, spelling->nearest);
}
