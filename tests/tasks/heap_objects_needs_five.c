// The error needs five live heap objects.
// Unsafe: a smaller bound on heap objects may only say UNKNOWN.
#include <stdlib.h>

void reach_error(void) {}

struct node {
  struct node *next;
};

int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 5; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = head;
    head = node;
  }
  int length = 0;
  for (; head; head = head->next)
    length++;
  if (length == 5)
    reach_error();
  return 0;
}
