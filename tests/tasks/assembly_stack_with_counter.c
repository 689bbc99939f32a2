// A lock-free stack whose head is a pointer and a counter, changed together by cmpxchg16b: no node is lost, and
// pointers come out of the 128 bits again.
#include <pthread.h>
#include <stdint.h>

void reach_error(void) {}

struct node {
  struct node *next;
  int value;
} nodes[2];

struct head {
  struct node *top;
  uint64_t changes;
} __attribute__((aligned(16))) head;

static struct head load(void) {
  struct head seen;
  __asm__ volatile("movq %%rdx, %%rcx; movq %%rax, %%rbx; lock cmpxchg16b %2"
                   : "=a"(seen.top), "=d"(seen.changes)
                   : "m"(head)
                   : "rbx", "rcx", "memory", "cc");
  return seen;
}

static int replace(struct head *seen, struct node *top) {
  unsigned char done;
  __asm__ volatile("lock cmpxchg16b %0; setz %1"
                   : "+m"(head), "=q"(done), "+a"(seen->top), "+d"(seen->changes)
                   : "b"(top), "c"(seen->changes + 1)
                   : "memory", "cc");
  return done;
}

static void push(struct node *node) {
  struct head seen = load();
  do
    node->next = seen.top;
  while (!replace(&seen, node));
}

static struct node *pop(void) {
  struct head seen = load();
  while (seen.top && !replace(&seen, seen.top->next))
    ;
  return seen.top;
}

void *worker(void *arg) {
  struct node *node = arg;
  node->value = 1;
  push(node);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, &nodes[1]);
  worker(&nodes[0]);
  pthread_join(t, 0);
  struct node *a = pop(), *b = pop();
  if (!a || !b || a == b || a->value + b->value != 2 || pop() || head.changes != 4)
    reach_error();
  return 0;
}
