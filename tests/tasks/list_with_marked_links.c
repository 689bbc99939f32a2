// A lock-free list whose links carry a mark in their lowest bit, set by fetch_or: of two threads that delete a node
// exactly one does.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

void reach_error(void) {}

struct node {
  _Atomic uintptr_t next; // the lowest bit marks the node as deleted
  int key;
};
struct node head, tail = {0, 9};

static struct node *node_of(uintptr_t next) { return (struct node *)(next & ~(uintptr_t)1); }

// The node before the first one whose key is at least `key`, and the link between them.
static struct node *find(int key, uintptr_t *link) {
  struct node *before = &head;
  *link = before->next & ~(uintptr_t)1;
  while (node_of(*link)->key < key) {
    before = node_of(*link);
    *link = before->next & ~(uintptr_t)1;
  }
  return before;
}

static void insert(struct node *node) {
  uintptr_t link;
  struct node *before;
  do {
    before = find(node->key, &link);
    node->next = link;
  } while (!atomic_compare_exchange_strong(&before->next, &link, (uintptr_t)node));
}

static int delete(int key) {
  uintptr_t link, seen;
  struct node *before = find(key, &link), *node = node_of(link);
  if (node->key != key)
    return 0;
  seen = atomic_fetch_or(&node->next, 1);
  if (seen & 1)
    return 0; // another thread was first
  atomic_compare_exchange_strong(&before->next, &link, seen);
  return 1;
}

struct node *first;
int deleted[2];

void *worker(void *arg) {
  deleted[1] = delete(3);
  return 0;
}

int main(void) {
  pthread_t t;
  head.next = (uintptr_t)&tail;
  first = malloc(sizeof *first);
  first->key = 3;
  insert(first);
  pthread_create(&t, 0, worker, 0);
  deleted[0] = delete(3);
  pthread_join(t, 0);
  if (deleted[0] + deleted[1] != 1 || node_of(head.next) != &tail)
    reach_error();
  return 0;
}
