// Two threads push onto a shared list without a lock.
// Unsafe: a node can be lost.
#include <pthread.h>
#include <stdlib.h>

void reach_error(void) {}

struct node {
  struct node *next;
} *head;

void *push(void *arg) {
  struct node *node = malloc(sizeof *node);
  node->next = head;
  head = node;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, push, 0);
  push(0);
  pthread_join(t, 0);
  int length = 0;
  for (struct node *n = head; n; n = n->next)
    length++;
  if (length != 2)
    reach_error();
  return 0;
}
