// A lock-free stack of heap nodes; the head is a pointer of 32 bits and a counter in 64 bits.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

void reach_error(void) {}

struct node {
  struct node *next;
  int value;
};

// The address of 32 bits, and a counter in the 32 bits above it.
typedef uint64_t head;

static struct node *node_of(head h) { return (struct node *)(uintptr_t)h; }
static uint64_t count_of(head h) { return h >> 32; }
static head pack(struct node *node, uint64_t count) { return (uintptr_t)node | count << 32; }
_Atomic head top;

static head load(void) { return top; }

static int replace(head *seen, head next) { return atomic_compare_exchange_strong(&top, seen, next); }

static void push(struct node *node) {
  head seen = load();
  do
    node->next = node_of(seen);
  while (!replace(&seen, pack(node, count_of(seen) + 1)));
}

static struct node *pop(void) {
  head seen = load();
  while (node_of(seen) && !replace(&seen, pack(node_of(seen)->next, count_of(seen) + 1)))
    ;
  return node_of(seen);
}

void *worker(void *arg) {
  struct node *node = malloc(sizeof *node);
  node->value = 1;
  push(node);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  worker(0);
  pthread_join(t, 0);
  struct node *a = pop(), *b = pop();
  if (!a || !b || a == b || a->value + b->value != 2 || pop() || count_of(load()) != 4)
    reach_error();
  return 0;
}
