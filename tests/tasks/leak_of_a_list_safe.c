// A global leads to the first node, each node to the next one.
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
} *list;

int main(void) {
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = list;
    list = node;
  }
  return 0;
}
