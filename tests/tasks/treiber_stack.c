// Treiber's lock-free stack: two threads push one node each, then main pops both.
// Safe: no node is lost.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

extern void abort(void);
void reach_error(void) {}

struct node {
  int value;
  struct node *next;
} nodes[2];
struct node *_Atomic top;

static void push(struct node *node) {
  node->next = top;
  while (!atomic_compare_exchange_strong(&top, &node->next, node))
    ;
}

static struct node *pop(void) {
  struct node *node = top;
  while (node && !atomic_compare_exchange_strong(&top, &node, node->next))
    ;
  return node;
}

void *pushing(void *arg) {
  struct node *node = arg;
  node->value = 1;
  push(node);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, pushing, &nodes[1]);
  pushing(&nodes[0]);
  pthread_join(t, 0);
  struct node *a = pop(), *b = pop();
  if (!a || !b || a == b || a->value + b->value != 2 || pop() != NULL)
    reach_error();
  return 0;
}
