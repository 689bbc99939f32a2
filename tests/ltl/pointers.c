// A list whose head is moved on by three threads: atoms that look through pointers.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
  int value;
  struct node *next;
};

struct node last = {3, NULL}, middle = {2, &last}, first = {1, &middle};
struct node *_Atomic head = &first;

static void *mover(void *argument) {
  struct node *seen = head;
  if (seen->next) atomic_compare_exchange_strong(&head, &seen, seen->next);
  return argument;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < 3; i++) pthread_create(&thread, 0, mover, 0);
  for (;;) {}
}
