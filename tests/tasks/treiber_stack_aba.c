// The ABA problem of Treiber's stack: while one thread is about to pop A, the other pops A and B and pushes A again.
// Unsafe: the compare-exchange succeeds and makes B, which is in use, the top of the stack.
#include <pthread.h>
#include <stdatomic.h>

extern void abort(void);
void reach_error(void) {}

struct node {
  struct node *_Atomic next;
} a, b;
struct node *_Atomic top;
atomic_int b_in_use;

static struct node *pop(void) {
  struct node *node = top;
  while (node && !atomic_compare_exchange_strong(&top, &node, node->next))
    ;
  return node;
}

static void push(struct node *node) {
  struct node *before = top;
  do
    node->next = before;
  while (!atomic_compare_exchange_strong(&top, &before, node));
}

void *recycling(void *arg) {
  struct node *first = pop(), *second = pop();
  if (second == &b)
    b_in_use = 1;
  if (first == &a)
    push(first);
  return 0;
}

int main(void) {
  pthread_t t;
  a.next = &b;
  top = &a;
  pthread_create(&t, 0, recycling, 0);
  pop();
  if (b_in_use && top == &b)
    reach_error();
  pthread_join(t, 0);
  return 0;
}
