// Differences, one past the end, backwards, a member's container, and a round trip through an integer: all in an array
// of structs whose length is an input. Safe.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}

struct item {
  int number;
  struct {
    char tag[3];
  } inner;
  long value;
};

int main(void) {
  size_t count = 2 + __VERIFIER_nondet_uchar() % 3;
  struct item *items = calloc(count, sizeof *items), *end = items + count;
  int sum = 0;
  for (size_t i = 0; i < count; i++)
    items[i].number = (int)i;
  for (struct item *p = items; p != end; p++)
    sum += p->number;
  for (struct item *p = end; p-- > items;)
    sum -= p->number;
  long *value = &items[count - 1].value;
  struct item *owner = (struct item *)((char *)value - offsetof(struct item, value));
  struct item *copy = (struct item *)((uintptr_t)owner - sizeof *owner);
  if (sum != 0 || end - items != (ptrdiff_t)count || owner->number != (int)count - 1 || copy != &items[count - 2])
    reach_error();
  if (end[-1].number != owner->number || copy->number + 1 != owner->number)
    reach_error();
  free(items);
  return 0;
}
