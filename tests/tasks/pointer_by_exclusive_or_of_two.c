// A list with one link for both directions, the exclusive or of two addresses: the error is reached. Which object such
// a link leads to is not foreseen, so no engine can follow it; none may say that it leads nowhere.
#include <stdint.h>
#include <stdlib.h>

void reach_error(void) {}

struct node {
  uintptr_t link; // the nodes on both sides, by exclusive or
  int value;
};

static struct node *make(int value) {
  struct node *node = malloc(sizeof *node);
  node->value = value;
  return node;
}

int main(void) {
  struct node *a = make(1), *b = make(2), *c = make(3);
  a->link = (uintptr_t)b;
  b->link = (uintptr_t)a ^ (uintptr_t)c;
  c->link = (uintptr_t)b;
  int sum = 0;
  uintptr_t before = 0;
  for (struct node *node = a; node;) {
    uintptr_t next = node->link ^ before;
    sum += node->value;
    before = (uintptr_t)node;
    node = (struct node *)next;
  }
  if (sum == 6)
    reach_error();
  return 0;
}
