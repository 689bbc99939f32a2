// printf with many arguments has no effect on the program's variables.
#include <stdio.h>

extern void abort(void);
void reach_error(void) {}

int main(void) {
  int x = 1;
  long long big = 1LL << 40;
  printf("%d %s %c %lld %f\n", x, "text", 'c', big, 1.5);
  fprintf(stderr, "%p\n", (void *)&x);
  puts("done");
  if (x != 1 || big != 1099511627776LL)
    reach_error();
  return 0;
}
