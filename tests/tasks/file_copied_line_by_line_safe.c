// Files that are opened, used and closed once; standard ones may be used at any time. What fopen returns is a file of
// its own.
#include <assert.h>
#include <stdio.h>

int main(void) {
  char line[4];
  FILE *from = fopen("from", "r");
  if (!from) return 1;
  FILE *to = fopen("to", "w");
  assert(to != from);
  while (to && fgets(line, sizeof line, from)) fputs(line, to);
  if (to) fclose(to);
  fclose(from);
  fprintf(stderr, "done\n");
  return fclose(stdout);
}
