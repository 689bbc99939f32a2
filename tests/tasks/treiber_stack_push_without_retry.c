// Treiber's stack with a push that stores the top instead of exchanging it.
// Unsafe: a node is lost.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

struct node {
  struct node *next;
} nodes[2];
struct node *_Atomic top;

void *pushing(void *arg) {
  struct node *node = arg;
  node->next = top;
  top = node;
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, pushing, &nodes[1]);
  pushing(&nodes[0]);
  pthread_join(t, 0);
  int length = 0;
  for (struct node *n = top; n; n = n->next)
    length++;
  if (length != 2)
    reach_error();
  return 0;
}
