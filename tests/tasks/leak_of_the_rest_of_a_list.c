// The list is cut behind its first node.
#include <stdlib.h>

struct node {
  struct node *next;
} *list;

int main(void) {
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
  list->next = NULL;
  return 0;
}
