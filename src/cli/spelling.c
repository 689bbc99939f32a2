#include "cli/spelling.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST_NAME = 40 };

// Edit distance (insert, delete, replace, swap neighbours) of two short words.
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
      unsigned best = row[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (row[i - 1][j] + 1 < best) best = row[i - 1][j] + 1;
      if (row[i][j - 1] + 1 < best) best = row[i][j - 1] + 1;
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && row[i - 2][j - 2] + 1 < best) best = row[i - 2][j - 2] + 1;
      row[i][j] = best;
    }
  }
  return row[m][n];
}

void spelling_init(Spelling *spelling, const char *word) {
  unsigned half = (unsigned)strlen(word) / 2;
  *spelling = (Spelling){.word = word, .edits = half < 3 ? half : 3};
}

void spelling_try(Spelling *spelling, const char *candidate) {
  unsigned edits = distance(spelling->word, candidate);
  if (edits > spelling->edits || (spelling->nearest && edits == spelling->edits)) return;
  spelling->edits = edits;
  spelling->nearest = candidate;
}
