// One call of malloc, executed twice because of a longjmp, gives two blocks.
#include <setjmp.h>
#include <stdlib.h>
void reach_error(void) {}

jmp_buf place;
int rounds;
int *first;

int main(void) {
  setjmp(place);
  int *block = malloc(sizeof *block);
  *block = rounds;
  if (rounds++ == 0) {
    first = block;
    longjmp(place, 1);
  }
  if (first != block && *first == 0)
    reach_error();
  return 0;
}
