// A list on the stack, made anew in each call; the sizes of its elements differ. Safe.
#include <stddef.h>

void reach_error(void) {}

struct element {
  struct element *next;
  char text[];
};

static int total(int count) {
  struct element *list = NULL;
  int sum = 0;
  for (int i = 0; i < count; i++) {
    struct element *e = __builtin_alloca(sizeof *e + (size_t)i + 1);
    e->text[i] = (char)i;
    e->next = list;
    list = e;
  }
  for (int i = count - 1; list; i--, list = list->next)
    sum += list->text[i];
  return sum;
}

int main(void) {
  if (total(3) != 3 || total(2) != 1 || total(4) != 6)
    reach_error();
  return 0;
}
