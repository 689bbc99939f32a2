// A list of five heap nodes is built, reversed, summed up and freed.
#include <stdlib.h>

void reach_error(void) {}

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *head = 0, *reversed = 0;
  for (int i = 1; i <= 5; i++) {
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = head;
    head = node;
  }
  while (head) {
    struct node *next = head->next;
    head->next = reversed;
    reversed = head;
    head = next;
  }
  int expected = 1;
  while (reversed) {
    struct node *next = reversed->next;
    if (reversed->value != expected++)
      reach_error();
    free(reversed);
    reversed = next;
  }
  if (expected != 6)
    reach_error();
  return 0;
}
