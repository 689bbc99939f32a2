// A list of three hundred elements: more blocks from one place than most programs need. The error is at its end.
#include <stdlib.h>

void reach_error(void) {}

struct element {
  struct element *next;
};

int main(void) {
  struct element *list = NULL;
  int length = 0;
  for (int i = 0; i < 300; i++) {
    struct element *e = malloc(sizeof *e);
    e->next = list;
    list = e;
  }
  for (; list; list = list->next)
    length++;
  if (length == 300)
    reach_error();
  return 0;
}
